// SPDX-License-Identifier: MIT
//
// The recorder of a simulated target: writes the simulation's events as TraceRecorder does.

import { PsfEncoder } from './psf.mjs';
import { QUEUE_KIND, concat } from './tband.mjs';

/** @typedef {import('./psf.mjs').PsfName} PsfName */
/** @typedef {import('./psf.mjs').PsfParam} PsfParam */
/** @typedef {import('./tband.mjs').EventName} EventName */
/** @typedef {import('./tband.mjs').Value} Value */

/** Addresses of objects in the memory of the target. */
const BASE = {
  task: 0x20010000,
  queue: 0x20020000,
  irq: 0x20030000,
  marker: 0x20040000,
  value: 0x20050000,
  thing: 0x20060000,
};
const STEP = { task: 0x200, queue: 0x50, irq: 0x30, marker: 0x30, value: 0x30, thing: 0x30 };
/** @param {keyof typeof BASE} what @param {number} id */
const at = (what, id) => BASE[what] + id * STEP[what];

/** Names of the operations by kind of queue. @type {Record<number, { send: string, receive: string, create: PsfName }>} */
const OPERATIONS = {
  [QUEUE_KIND.queue]: { send: 'QUEUE_SEND', receive: 'QUEUE_RECEIVE', create: 'QUEUE_CREATE' },
  [QUEUE_KIND.counting]: { send: 'SEM_GIVE', receive: 'SEM_TAKE', create: 'SEM_COUNTING_CREATE' },
  [QUEUE_KIND.binary]: { send: 'SEM_GIVE', receive: 'SEM_TAKE', create: 'SEM_BINARY_CREATE' },
  [QUEUE_KIND.mutex]: { send: 'MUTEX_GIVE', receive: 'MUTEX_TAKE', create: 'MUTEX_CREATE' },
};

/** Writes the events of a simulation, one at a time. @implements {Pick<import('./recorder.mjs').Recorder, 'meta' | 'event' | 'bytes' | 'start'>} */
export class PsfRecorder {
  /** @type {Uint8Array[]} */
  #sent = [];
  #tracing = false;
  /** @type {Map<number, { prio: number, name: string }>} */
  #tasks = new Map();
  /** @type {Map<number, { kind: number, len: number }>} */
  #queues = new Map();
  /** @type {number[]} open interrupts */
  #isrs = [];
  #running = 0;
  #fresh = 0; // a task that is being created
  bytes = 0;
  /** The simulation, for facts that an event does not contain. @type {import('./simulator.mjs').Simulator | null} */
  sim = null;
  tick_irq = 15;

  /** @param {import('./psf.mjs').PsfOptions} [options] */
  constructor(options) {
    this.encoder = new PsfEncoder(options);
  }

  /** @param {import('./psf.mjs').PsfEntry[]} [entries] */
  start(entries = [{ address: at('thing', 0), options: 0x80000000, symbol: 'System Heap' }]) {
    this.#tracing = true;
    this.#push(this.encoder.start(entries));
  }

  /** @param {Uint8Array} bytes */
  #push(bytes) {
    if (!this.#tracing) return;
    this.#sent.push(bytes);
    this.bytes += bytes.length;
  }

  /** Any event. @param {number} now @param {PsfName} name @param {...PsfParam} params */
  psf(now, name, ...params) {
    if (this.#tracing) this.#push(this.encoder.event(now, name, params));
  }

  /** @param {number} now @param {number} channel of the application @param {string} format @param {...number} args */
  say(now, channel, format, ...args) {
    if (this.#tracing) this.#push(this.encoder.user(now, at('marker', channel), format, args));
  }

  /** Names an object of the application. @param {number} now @param {number} id @param {string} name */
  name_thing(now, id, name) {
    this.psf(now, 'OBJ_NAME', at('thing', id), name);
    return at('thing', id);
  }

  /** @param {number} id of a task */
  task(id) {
    return at('task', id);
  }

  /** Facts without time. @param {number} core @param {number} now @param {EventName} name @param {...Value} values */
  meta(core, now, name, ...values) {
    void core;
    const [id, second] = values.map(Number);
    const text = String(values.at(-1));
    if (name === 'task_name') this.#create_task(now, id, text);
    if (name === 'queue_kind') this.#create_queue(now, id, second);
    if (name === 'queue_name') this.psf(now, 'OBJ_NAME', at('queue', id), text);
    if (name === 'isr_name') this.psf(now, 'DEFINE_ISR', at('irq', id), id, text);
    if (name === 'evtmarker_name') this.psf(now, 'OBJ_NAME', at('marker', id), text);
    if (name === 'valmarker_name') {
      this.psf(now, 'OBJ_NAME', at('value', id), text);
      this.psf(now, 'COUNTER_CREATE', at('value', id), 0, -32768, 32767);
    }
  }

  /** @param {number} now @param {number} id @param {string} name */
  #create_task(now, id, name) {
    const prio = this.#tasks.get(id)?.prio ?? 0;
    this.#tasks.set(id, { prio, name });
    this.#fresh = 0;
    this.psf(now, 'MALLOC', at('task', id) - 0x1000, 1024);
    this.psf(now, 'OBJ_NAME', at('task', id), name);
    this.psf(now, 'TASK_CREATE', at('task', id), prio);
  }

  /** @param {number} now @param {number} id @param {number} kind */
  #create_queue(now, id, kind) {
    this.#queues.set(id, { kind, len: 0 });
    const { create } = OPERATIONS[kind] ?? OPERATIONS[QUEUE_KIND.queue];
    this.psf(
      now,
      create,
      at('queue', id),
      /** @type {PsfName[]} */ (['QUEUE_CREATE', 'SEM_COUNTING_CREATE']).includes(create) ? 16 : 0,
    );
  }

  /** @param {number} core @param {number} now @param {EventName} name @param {...Value} values */
  event(core, now, name, ...values) {
    void core;
    const [id, second] = values.map(Number);
    const handler = /** @type {Record<string, (now: number, id: number, second: number, text: string) => void>} */ (
      this.#handlers
    )[name];
    if (handler) handler(now, id, second, String(values.at(-1)));
  }

  /** @param {number} now @param {number} id @param {string} what @param {string} [outcome] @param {number[]} [more] */
  #queue(now, id, what, outcome = '', more = []) {
    const queue = this.#queues.get(id) ?? { kind: QUEUE_KIND.queue, len: 0 };
    const operation = /** @type {Record<string, string>} */ (OPERATIONS[queue.kind] ?? OPERATIONS[QUEUE_KIND.queue])[
      what
    ];
    const ticks = what === 'receive' && !outcome.startsWith('_FROMISR') ? [more[0] ?? 0] : [];
    const len = operation.startsWith('MUTEX') ? [] : [queue.len];
    this.psf(now, /** @type {PsfName} */ (operation + outcome), at('queue', id), ...ticks, ...len);
  }

  /** @param {number} id @param {number} len */
  #fill(id, len) {
    const queue = this.#queues.get(id);
    if (queue) queue.len = len;
  }

  /** TraceRecorder writes no event at the end of an interrupt that requests a switch. */
  get #wants_switch() {
    return this.sim?.cores[0].need_switch ?? false;
  }

  #handlers = {
    task_created: (/** @type {number} */ now, /** @type {number} */ id) => void (this.#fresh = id),
    task_priority_set: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ prio) => {
      const name = this.#tasks.get(id)?.name ?? '';
      this.#tasks.set(id, { prio, name });
      if (id !== this.#fresh) this.psf(now, 'TASK_PRIORITY', at('task', id), prio);
    },
    task_priority_inherit: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ prio) =>
      this.#inherit(now, 'TASK_PRIO_INHERIT', id, prio),
    task_priority_disinherit: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ prio) =>
      this.#inherit(now, 'TASK_PRIO_DISINHERIT', id, prio),
    task_to_rdy_state: (/** @type {number} */ now, /** @type {number} */ id) =>
      this.psf(now, 'TASK_READY', at('task', id)),
    task_suspended: (/** @type {number} */ now, /** @type {number} */ id) =>
      this.psf(now, 'TASK_SUSPEND', at('task', id)),
    task_resumed: (/** @type {number} */ now, /** @type {number} */ id) => this.psf(now, 'TASK_RESUME', at('task', id)),
    task_deleted: (/** @type {number} */ now, /** @type {number} */ id) => {
      this.psf(now, 'FREE', at('task', id) - 0x1000, 1024);
      this.psf(now, 'TASK_DELETE', at('task', id), this.#tasks.get(id)?.prio ?? 0);
    },
    task_switched_in: (/** @type {number} */ now, /** @type {number} */ id) => this.#activate(now, id),
    isr_enter: (/** @type {number} */ now, /** @type {number} */ id) => this.#enter(now, id),
    isr_exit: (/** @type {number} */ now, /** @type {number} */ id) => this.#exit(now, id),
    curtask_delay: (/** @type {number} */ now, /** @type {number} */ ticks) => this.psf(now, 'TASK_DELAY', ticks),
    curtask_delay_until: (/** @type {number} */ now, /** @type {number} */ tick) =>
      this.psf(now, 'TASK_DELAY_UNTIL', tick),
    curtask_block_on_queue_receive: (
      /** @type {number} */ now,
      /** @type {number} */ id,
      /** @type {number} */ ticks,
    ) => this.#queue(now, id, 'receive', '_BLOCK', [ticks]),
    curtask_block_on_queue_send: (/** @type {number} */ now, /** @type {number} */ id) =>
      this.#queue(now, id, 'send', '_BLOCK'),
    queue_cur_length: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ len) =>
      this.#fill(id, len),
    queue_send: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ len) => (
      this.#fill(id, len),
      this.#queue(now, id, 'send')
    ),
    queue_receive: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ len) => (
      this.#fill(id, len),
      this.#queue(now, id, 'receive')
    ),
    queue_send_from_isr: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ len) => (
      this.#fill(id, len),
      this.#queue(now, id, 'send', '_FROMISR')
    ),
    queue_receive_from_isr: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ len) => (
      this.#fill(id, len),
      this.#queue(now, id, 'receive', '_FROMISR')
    ),
    evtmarker: (
      /** @type {number} */ now,
      /** @type {number} */ id,
      /** @type {number} */ _,
      /** @type {string} */ text,
    ) => this.say(now, id, text.replaceAll('%', '%%')),
    valmarker: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ value) =>
      this.psf(now, 'COUNTER_CHANGE', at('value', id), value),
  };

  /** @param {number} now @param {PsfName} name @param {number} id @param {number} prio */
  #inherit(now, name, id, prio) {
    this.#tasks.set(id, { prio, name: this.#tasks.get(id)?.name ?? '' });
    this.psf(now, name, at('task', id), prio);
  }

  /** @param {number} now @param {number} id */
  #activate(now, id) {
    this.#running = id;
    this.#isrs = [];
    this.psf(now, 'TASK_ACTIVATE', at('task', id), this.#tasks.get(id)?.prio ?? 0);
  }

  /** TraceRecorder records no interrupt for the tick, but the new tick. @param {number} now @param {number} id */
  #enter(now, id) {
    if (id === this.tick_irq) return this.psf(now, 'NEW_TIME', (this.sim?.tick ?? 0) + 1);
    this.#isrs.push(id);
    this.psf(now, 'ISR_BEGIN', at('irq', id));
  }

  /** @param {number} now @param {number} id */
  #exit(now, id) {
    if (id === this.tick_irq) {
      if (!this.#wants_switch && !this.#isrs.length)
        this.psf(now, 'TASK_ACTIVATE', at('task', this.#running), this.#tasks.get(this.#running)?.prio ?? 0);
      return;
    }
    this.#isrs.pop();
    if (this.#wants_switch) return;
    if (this.#isrs.length) this.psf(now, 'ISR_RESUME', at('irq', this.#isrs[this.#isrs.length - 1]));
    else this.psf(now, 'TASK_ACTIVATE', at('task', this.#running));
  }

  stream() {
    return concat(this.#sent);
  }
}
