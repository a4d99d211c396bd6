// SPDX-License-Identifier: MIT
//
// Checks whether a real target could send these QS records; written from the rules of the format's description.

/** @typedef {import('./decode-qs.mjs').QsRecord} QsRecord */

class Checker {
  /** @type {string[]} */
  faults = [];
  /** @type {Map<bigint, bigint>} object -> leaf state */
  state = new Map();
  /** @type {Map<bigint, bigint>} object -> signal of its open step */
  step = new Map();
  /** @type {Map<bigint, bigint[]>} */
  queues = new Map();
  /** @type {Map<bigint, bigint>} capacity by object or raw queue */
  rooms = new Map();
  /** @type {Map<bigint, bigint>} priority -> object */
  objects = new Map();
  /** @type {Map<bigint, bigint>} pool -> free blocks */
  pools = new Map();
  /** @type {Set<bigint>} */
  armed = new Set();
  /** @type {bigint[]} */
  interrupts = [];
  /** @type {Map<bigint, bigint>} mutex -> holder */
  holders = new Map();
  running = 0n;
  ceiling = 0n;
  ts = 0n;
  ticks = 0n;

  /** @param {QsRecord} record @param {string} what */
  fault(record, what) {
    this.faults.push(`${record.name}(${record.args.join(', ')}) at byte ${record.offset}: ${what}`);
  }

  /** @param {QsRecord} record */
  take(record) {
    const args = /** @type {bigint[]} */ (record.args);
    if (record.ts !== null && record.ts < this.ts) this.fault(record, 'time falls');
    this.ts = record.ts ?? this.ts;
    if (/^(dispatch|tran|internal|ignored|init_tran)$/.test(record.name)) this.machine(record, args);
    if (/^(eq_)?(post|post_lifo|get|get_last)$/.test(record.name)) this.queue(record, args);
    if (/^(next|idle|lock|unlock|isr_)/.test(record.name)) this.schedule(record, args);
    if (/^pool_/.test(record.name)) this.pool(record, args);
    if (/^(arm|auto_disarm|disarm|te_post|tick)$/.test(record.name)) this.timer(record, args);
    if (/^mtx_/.test(record.name)) this.mutex(record, args);
  }

  /** @param {QsRecord} record @param {bigint[]} args */
  machine(record, args) {
    const object = record.name === 'init_tran' ? args[0] : args[1];
    if (record.name === 'dispatch') {
      if (this.step.has(object)) this.fault(record, 'it is in a step');
      if (this.state.get(object) !== args[2]) this.fault(record, 'it is in another state');
      this.step.set(object, args[0]);
      return;
    }
    if (record.name !== 'init_tran' && this.step.get(object) !== args[0])
      this.fault(record, 'the step began with another signal');
    this.step.delete(object);
    if (record.name === 'tran') this.state.set(object, args[3]);
    if (record.name === 'init_tran') this.state.set(object, args[1]);
  }

  /** @param {QsRecord} record @param {bigint[]} all */
  queue(record, all) {
    const [sig, object, , , free] = record.name === 'post' ? all.slice(1) : all;
    const queue = this.queues.get(object) ?? [];
    if (record.name.includes('post')) {
      if (record.name.endsWith('lifo')) queue.unshift(sig);
      else queue.push(sig);
    } else {
      if (queue[0] !== sig) this.fault(record, `${queue[0]} was first`);
      queue.shift();
      if (record.name.endsWith('last') !== (queue.length === 0)) this.fault(record, `${queue.length} left`);
      if (!record.name.startsWith('eq_')) this.objects.set(this.running, this.objects.get(this.running) ?? object);
      if (!record.name.startsWith('eq_') && this.objects.get(this.running) !== object)
        this.fault(record, `priority ${this.running} is another object`);
    }
    this.queues.set(object, queue);
    if (free === undefined) return;
    const room = this.rooms.get(object) ?? free + BigInt(queue.length);
    this.rooms.set(object, room);
    if (free !== room - BigInt(queue.length)) this.fault(record, `${queue.length} of ${room} are used`);
  }

  /** @param {QsRecord} record @param {bigint[]} args */
  schedule(record, args) {
    if (record.name.startsWith('isr_')) return this.interrupt(record, args);
    if (this.interrupts.length > 0) this.fault(record, 'inside an interrupt');
    if (record.name === 'lock' || record.name === 'unlock') {
      if (args[0] !== this.ceiling) this.fault(record, `the ceiling was ${this.ceiling}`);
      this.ceiling = args[1];
      return;
    }
    const [next, before] = record.name === 'idle' ? [0n, args[0]] : args;
    if (before !== this.running || next === before) this.fault(record, `${this.running} was running`);
    this.running = next;
  }

  /** @param {QsRecord} record @param {bigint[]} args */
  interrupt(record, args) {
    if (record.name === 'isr_in') this.interrupts.push(args[0]);
    if (args[0] !== BigInt(this.interrupts.length) || args[1] !== this.running)
      this.fault(record, `depth ${this.interrupts.length}, priority ${this.running}`);
    if (record.name === 'isr_out') this.interrupts.pop();
  }

  /** @param {QsRecord} record @param {bigint[]} args */
  pool(record, [pool, free]) {
    const before = this.pools.get(pool);
    const step = { pool_get: -1n, pool_put: 1n }[record.name] ?? 0n;
    if (before !== undefined && free !== before + step) this.fault(record, `${before} were free`);
    this.pools.set(pool, free);
  }

  /** @param {QsRecord} record @param {bigint[]} args */
  timer(record, args) {
    if (record.name === 'arm') this.armed.add(args[0]);
    if (record.name === 'tick' && args[0] !== ++this.ticks) this.fault(record, `tick ${this.ticks} was next`);
    if (/disarm$/.test(record.name) && !this.armed.delete(args[0])) this.fault(record, 'it was not armed');
  }

  /** @param {QsRecord} record @param {bigint[]} args */
  mutex(record, [mutex, prio]) {
    const holder = this.holders.get(mutex);
    if (record.name === 'mtx_lock' ? holder !== undefined : holder !== prio) this.fault(record, `${holder} holds it`);
    if (record.name === 'mtx_lock') this.holders.set(mutex, prio);
    if (record.name === 'mtx_unlock') this.holders.delete(mutex);
  }
}

/** @param {QsRecord[]} records @returns {string[]} what no target would send */
export function qs_faults(records) {
  const checker = new Checker();
  for (const record of records) checker.take(record);
  return checker.faults;
}
