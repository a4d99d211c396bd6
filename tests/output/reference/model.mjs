// SPDX-License-Identifier: MIT
// The expected content of the trace: a plain implementation of docs/MODEL.md for a list of events that fits into memory. Times are BigInt
// ticks; `expectation` at the end turns them into the ns that SQL returns.

const PRIORITY_AFTER = new Set(['priority', 'disinherit']);
const QUEUE_KINDS = ['queue', 'counting', 'binary', 'mutex', 'recursive', 'set'];
const FOREVER = 0xffffffff;

export class Model {
  constructor(line) {
    this.line = line;
    this.now = line.start;
    this.cores = new Map();
    this.tasks = new Map();
    this.generation = 0;
    this.queues = new Map();
    this.isrNames = new Map();
    this.names = { marker: new Map(), value: new Map(), task_marker: new Map(), task_value: new Map() };
    this.defaults = { task_marker: new Map(), task_value: new Map() };
    this.runs = []; // { task, core, from, to, measured }
    this.unrecorded = []; // { core, from, to }: which task ran then is unknown
    this.unknownSince = new Map(); // core -> start of the time in which its task is unknown
    this.losses = new Map(); // core -> how often events of it were lost or damaged
    this.lossesOfAll = 0;
    this.latest = new Map(); // input -> time of its last event
    this.waits = []; // { task, reason(): string, from, to, state }
    this.states = []; // { task, state, core when running, at }
    this.instants = []; // on thread tracks
    this.isrs = []; // { core, id, from, to, depth }
    this.locks = []; // { queue, holder, from, to }
    this.fills = []; // { queue, at, value }
    this.slices = []; // { scope, track, text, from, to } of markers; instants: to === from and instant
    this.values = []; // { scope, track, at, value }
    this.open = new Map(); // marker track -> open slices
    this.tickNs = 1n;
    this.tickNamed = false;
    this.drops = { last: null, lost: 0, before: 0, gaps: 0 };
    this.timedOn = new Map(); // core -> events with a time
    this.unexplained = new Map(); // core -> a wait that its next event may cancel
    this.counts = { endWithoutBegin: 0, isrEndWithoutBegin: 0, afterDelete: 0, noTask: 0, zeroRuns: 0 };
    this.priorities = []; // { task, at, value }
    this.inBuffer = false; // tracing was just started: the following names come from the metadata buffer, and their task is unknown
  }

  // ---- entities ----

  core(number) {
    if (!this.cores.has(number))
      this.cores.set(number, { number, task: null, isrs: [], previous: null, pending: null });
    return this.cores.get(number);
  }

  task(id) {
    if (!this.tasks.has(id)) {
      this.tasks.set(id, {
        id,
        name: '',
        idle: false,
        state: 'unknown',
        core: null,
        since: null,
        announced: null,
        wait: null,
        readySeen: null,
        generation: this.generation,
        leftGaps: 0,
      });
    }
    return this.tasks.get(id);
  }

  queue(id) {
    if (!this.queues.has(id)) this.queues.set(id, { id, name: '', kind: null, fresh: false, held: null });
    return this.queues.get(id);
  }

  /** The task that runs on a core; null if that task has run on another core since. */
  running(core) {
    const { task } = core;
    return task && task.state === 'running' && task.core === core.number ? task : null;
  }

  // ---- states of tasks ----

  setState(task, state, at = this.now) {
    this.states.push({ task, state, core: state === 'Running' ? task.core : null, at });
    return this.states.at(-1);
  }

  // ---- time that was not recorded ----

  lossesOn(core) {
    return this.lossesOfAll + (this.losses.get(core) ?? 0);
  }

  /** A frame of the input is damaged: an event of its core is missing, or of any core if the input has several. */
  damage(input, core) {
    if (this.line.cores[input].cores.size > 1) this.lossesOfAll++;
    else this.losses.set(core, (this.losses.get(core) ?? 0) + 1);
  }

  /** From `since` on it is unknown what the core runs. */
  forget(core, since) {
    if (!this.unknownSince.has(core)) this.unknownSince.set(core, since);
  }

  /** The task of the core is known again; at the end of the recording it never is. */
  proven(core, atEnd) {
    if (!this.unknownSince.has(core)) return;
    this.unrecorded.push({ core, from: this.unknownSince.get(core), to: this.now, open: atEnd });
    this.unknownSince.delete(core);
  }

  /** The time of the last event of a core: earlier than the end if the core has a file of its own. */
  knownUntil(core) {
    const inputs = this.line.cores.flatMap(({ cores }, input) => (cores.has(core) ? [input] : []));
    const times = inputs.map((input) => this.latest.get(input) ?? this.now);
    return times.reduce((a, b) => (a > b ? a : b), this.line.start);
  }

  openWait(task, announced, at) {
    task.wait = {
      task,
      ...announced,
      from: at,
      to: null,
      gaps: at === this.now ? this.drops.gaps : task.leftGaps,
      measured: false,
    };
    this.waits.push(task.wait);
    task.state = 'waiting';
    this.setState(task, announced.state, at);
  }

  closeWait(task, at = this.now) {
    if (task.wait) Object.assign(task.wait, { to: at, measured: !this.stopping && task.wait.gaps === this.drops.gaps });
    task.wait = null;
  }

  /** `left`: the core reported that the task left. Otherwise it is unknown what ran there until the next report. */
  endRun(task, left = true) {
    const measured = left && task.runLosses === this.lossesOn(task.core);
    this.runs.push({ task, core: task.core, from: task.since, to: this.now, measured });
    if (!measured) {
      task.runState.unrecorded = true;
      this.forget(task.core, task.since);
    }
    task.leftGaps = task.runGaps === this.drops.gaps ? this.drops.gaps : -1; // across a loss the time at which it left is unknown
    if (task.since === this.now) this.counts.zeroRuns++;
    task.core = null;
    task.since = this.now;
  }

  /** The task is switched out with an announced wait; without one, its next event determines the reason. */
  leave(task) {
    this.endRun(task);
    const { announced } = task;
    task.announced = null;
    if (announced?.dead) this.die(task, announced.by);
    else if (announced) {
      this.openWait(task, announced, this.now);
      task.wait.gaps = task.leftGaps;
    } else {
      task.state = task.idle ? 'ready' : 'left';
      if (task.idle) this.setState(task, 'R');
    }
  }

  /** A task that was switched out without a wait may have been ready all the time. */
  wasReady(task) {
    if (task.state !== 'left') return;
    task.state = 'ready';
    this.setState(task, 'R', task.since);
  }

  /** A task that was switched out without a wait became ready at `at`: it waited for an untraced object. */
  wasWaiting(task, at) {
    this.openWait(task, { reason: () => 'waiting (not traced)', state: 'S' }, task.since);
    const { wait } = task;
    this.closeWait(task, at);
    task.state = 'ready';
    this.setState(task, 'R', at);
    return wait;
  }

  die(task, by) {
    this.closeWait(task);
    task.state = 'dead';
    this.setState(task, 'X');
    this.instants.push({
      task,
      at: this.now,
      text: () => (by && by !== task ? `deleted by ${this.nameOf(by)}` : 'deleted'),
    });
  }

  switchedIn(core, task) {
    const current = this.running(core);
    if (current === task) {
      task.announced = null; // a wait announced in between took no time
      return;
    }
    this.closeIsrs(core, 0); // no task starts inside an interrupt: their ends were lost
    if (current) this.leave(current);
    if (task.state === 'running') this.endRun(task, false); // the old core has not reported its next task yet
    this.wasReady(task);
    this.closeWait(task);
    task.announced = null;
    task.state = 'running';
    task.core = core.number;
    task.since = this.now;
    task.runGaps = this.drops.gaps;
    task.runLosses = this.lossesOn(core.number);
    this.proven(core.number, false);
    task.runState = this.setState(task, 'Running');
    core.task = task;
  }

  ready(core, task, priorityChange) {
    if (task.state === 'dead') {
      this.counts.afterDelete++;
      return;
    }
    if (task.state === 'running') {
      if (!task.announced?.dead) task.announced = null;
    } else if (task.state === 'left') {
      if (priorityChange) this.wasReady(task);
      else this.unexplained.set(core.number, this.wasWaiting(task, this.now));
    } else if (task.state !== 'ready') {
      this.closeWait(task);
      task.state = 'ready';
      this.setState(task, 'R');
    }
  }

  suspendOrDelete(core, task, dead) {
    const by = this.running(core);
    const other = by && by !== task ? by : null;
    const announced = {
      dead,
      by: other,
      state: dead ? 'X' : 'T',
      reason: () => (other ? `suspended by ${this.nameOf(other)}` : 'suspended'),
    };
    if (task.state === 'dead') {
      this.counts.afterDelete++;
    } else if (task.state === 'running') {
      task.announced = announced;
    } else {
      this.wasReady(task);
      this.closeWait(task);
      if (dead) this.die(task, other);
      else this.openWait(task, announced, this.now);
    }
  }

  announce(core, reason, state) {
    this.closeIsrs(core, 0); // no interrupt waits: their ends were lost
    const task = this.running(core);
    if (!task) this.counts.noTask++;
    else task.announced = { reason, state: typeof state === 'function' ? state() : state };
  }

  // ---- queues ----

  isLock(queue) {
    return queue.kind === 'mutex' || queue.kind === 'recursive';
  }

  blockOn(core, queue, verb) {
    const lock = this.isLock(queue);
    const reason = () => {
      if (verb !== 'receive') return `${verb === 'send' ? 'send to' : 'peek'} ${this.nameOf(queue)}`;
      if (lock) return `lock ${this.nameOf(queue)}`;
      return `${queue.kind === 'counting' || queue.kind === 'binary' ? 'take' : 'receive from'} ${this.nameOf(queue)}`;
    };
    this.announce(core, reason, verb === 'receive' && lock ? 'D' : 'S');
  }

  length(core, queue, length, holder, isLengthOnly) {
    if (this.isLock(queue)) this.hold(queue, length, holder, isLengthOnly);
    else this.fills.push({ queue, at: this.now, value: queue.kind === 'binary' ? Math.min(length, 1) : length });
    queue.fresh = false;
  }

  hold(queue, length, holder, isLengthOnly) {
    if (isLengthOnly && queue.fresh) return; // being created
    if (queue.held) queue.held.to = this.now;
    queue.held = length > 0 ? null : { queue, holder, from: this.now, to: null };
    if (queue.held) this.locks.push(queue.held);
  }

  // ---- interrupts, markers ----

  isrEnter(core, id) {
    const same = core.isrs.findLastIndex((isr) => isr.id === id);
    if (same >= 0 && core.isrs[same].gaps !== this.drops.gaps) this.closeIsrs(core, same); // its end was among the lost events
    const isr = { core: core.number, id, from: this.now, to: null, gaps: this.drops.gaps, measured: false };
    core.isrs.push(isr);
    this.isrs.push(isr);
  }

  closeIsrs(core, from) {
    for (const isr of core.isrs.splice(from)) isr.to = this.now;
  }

  isrExit(core, id) {
    const at = core.isrs.findLastIndex((isr) => isr.id === id);
    if (at < 0) {
      this.counts.isrEndWithoutBegin++;
      for (const isr of core.isrs) isr.gaps = null; // perhaps one of these: its number is damaged
    } else {
      core.isrs[at].measured = core.isrs[at].gaps === this.drops.gaps;
      this.closeIsrs(core, at);
    }
  }

  markerTrack(kind, core, id) {
    if (!kind.startsWith('task_')) return { scope: null, track: `${kind}:${id}`, kind, id };
    const task = this.running(core);
    if (!task) this.counts.noTask++;
    return { scope: task, track: `${kind}:${task ? task.id : 'none'}:${task?.generation}:${id}`, kind, id };
  }

  mark(where, type, text) {
    const open = this.open.get(where.track) ?? [];
    this.open.set(where.track, open);
    const shown = () => text || this.markerName(where);
    if (type === 'end') {
      if (open.length === 0) this.counts.endWithoutBegin++;
      else open.pop().to = this.now;
      return;
    }
    if (type === 'begin' && open.length > 0 && open[0].gaps < this.drops.gaps && open[0].raw === text) {
      while (open.length > 0) open.pop().to = this.now; // after a loss, an interrupt that begins again has lost its end
    }
    const slice = {
      where,
      text: shown,
      raw: text,
      from: this.now,
      to: type === 'begin' ? null : this.now,
      instant: type !== 'begin',
      gaps: this.drops.gaps,
    };
    this.slices.push(slice);
    if (type === 'begin') open.push(slice);
  }

  markerName({ kind, id, scope }) {
    const own = this.names[kind].get(scope ? `${scope.id}:${scope.generation}:${id}` : id);
    return own ?? this.defaults[kind]?.get(id) ?? `${kind.endsWith('value') ? 'value' : 'marker'} #${id}`;
  }

  nameTaskMarker(kind, event) {
    const core = this.core(event.core);
    const task = event.task > 0 ? this.task(event.task) : this.inBuffer ? null : this.running(core);
    if (task) this.names[kind].set(`${task.id}:${task.generation}:${event.id_}`, event.name_);
    else if (!this.defaults[kind].has(event.id_)) this.defaults[kind].set(event.id_, event.name_);
  }

  nameOf(thing) {
    return thing.name || `${thing.kind === undefined ? 'task' : 'queue'} #${thing.id}`;
  }

  isrName(core, id) {
    const own = this.isrNames.get(`${core}:${id}`);
    if (own) return own;
    const other = [...this.isrNames].find(([key]) => key.endsWith(`:${id}`));
    return other ? other[1] : `ISR #${id}`;
  }

  // ---- losses, restarts ----

  /** following: the next count of the same run, null if there is none. It shows whether this one was damaged. */
  dropped(count, following) {
    const { last } = this.drops;
    if (last === null && Math.max(0, ...this.timedOn.values()) > 1) {
      this.drops.last = 0; // events without a count came before: the count covers losses since then
      this.dropped(count, following);
      return;
    }
    if (last === null) {
      if (count > 0) this.lose();
      this.drops.before = count;
      this.drops.last = count;
      return;
    }
    const rise = (from, to) => (to - from + 2 ** 32) % 2 ** 32;
    let lost = rise(last, count);
    const anew = count < last && lost > 2 ** 24; // counting restarted from 0
    if (anew) lost = count;
    const returns =
      following !== null && count !== last && (anew ? rise(last, following) <= 2 ** 24 : rise(last, following) < lost);
    const impossible = lost >= 2 ** 31 || (following === null && lost > 2 ** 24);
    if (!returns) this.drops.last = count;
    if (lost === 0) return;
    this.lose();
    if (!returns && !impossible) this.drops.lost += lost;
  }

  lose() {
    this.drops.gaps++;
    this.lossesOfAll++;
    for (const wait of this.unexplained.values()) wait.measured = false;
    this.unexplained.clear();
  }

  restart() {
    this.stop(false);
    this.generation++;
    this.drops.last = 0;
    for (const queue of this.queues.values()) Object.assign(queue, { held: null, fresh: false });
    const old = [...this.tasks.values()];
    for (const task of old) if (task.state !== 'unknown' && task.state !== 'dead') this.setState(task, 'T'); // unknown state
    this.tasks.clear();
    for (const task of old) Object.assign(this.task(task.id), { name: task.name, idle: task.idle });
    this.cores.clear();
    this.open.clear();
  }

  /** Closes all open slices at the current time; the task that runs at the end has no end in the trace. */
  stop(atEnd) {
    const cores = [...this.cores.values()].filter((core) => core.task);
    const current = cores.length === 1 && this.running(cores[0]);
    const idled = this.runs.filter(({ task }) => task.idle).map(({ from }) => from);
    if (current && current.idle) idled.push(current.since);
    this.stopping = true;
    for (const task of this.tasks.values()) {
      if (task.state !== 'left') continue;
      // when the idle task of the only core starts to run, no other task is ready
      if (atEnd && cores.length === 1 && idled.some((from) => from >= task.since)) {
        this.openWait(task, { reason: () => 'waiting (not traced)', state: 'S' }, task.since);
      } else this.wasReady(task);
    }
    for (const task of this.tasks.values()) {
      this.closeWait(task);
      if (task.state !== 'running') continue;
      const { core } = task;
      this.endRun(task);
      const run = this.runs.at(-1);
      const until = atEnd ? this.knownUntil(core) : this.now;
      run.open = atEnd && until === this.now;
      if (run.open || !run.measured) continue;
      run.to = until;
      if (atEnd) this.setState(task, 'R', until);
      this.forget(core, until);
    }
    if (atEnd) for (const core of [...this.unknownSince.keys()]) this.proven(core, true);
    for (const core of this.cores.values()) this.closeIsrs(core, 0);
    for (const open of this.open.values()) for (const slice of open) slice.to = this.now;
    for (const queue of this.queues.values()) if (queue.held) queue.held.to = this.now;
    this.stopping = false;
  }

  // ---- events ----

  /** Whether this "ready" event belongs to a priority change. `next`: the event of this core that follows. */
  isPriorityChange(core, task, next) {
    const { previous } = core;
    if (previous && PRIORITY_AFTER.has(previous.name) && previous.task === task.id) return true;
    return next !== null && next.name === 'inherit' && next.task === task.id;
  }

  /** Names are applied at their position; names for the whole recording override them at the end. */
  setting(event) {
    if (event.name_ === '') return; // an empty name is ignored
    if (event.name_) event = { ...event, name_: shortened(event.name_) };
    switch (event.name) {
      case 'tick':
        if (event.ns > 0n) [this.tickNs, this.tickNamed] = [event.ns, true];
        break;
      case 'isr_name':
        this.isrNames.set(`${event.core}:${event.id_}`, event.name_);
        break;
      case 'marker_name':
        this.names.marker.set(event.id_, event.name_);
        break;
      case 'value_name':
        this.names.value.set(event.id_, event.name_);
        break;
      case 'task_name':
        this.task(event.task).name = event.name_;
        break;
      case 'task_is_idle':
        this.task(event.task).idle = true;
        break;
      case 'queue_name':
        this.queue(event.queue).name = event.name_;
        break;
      case 'queue_kind':
        this.queue(event.queue).kind = QUEUE_KINDS[event.kind] ?? 'unknown';
        break;
      case 'task_marker_name':
        this.nameTaskMarker('task_marker', event);
        break;
      case 'task_value_name':
        this.nameTaskMarker('task_value', event);
        break;
    }
  }

  timed(event, next) {
    const core = this.core(event.core);
    const task = event.task === undefined ? null : this.task(event.task);
    const queue = event.queue === undefined ? null : this.queue(event.queue);
    const byTask = core.isrs.length > 0 ? null : this.running(core);
    switch (event.name) {
      case 'dropped':
        this.dropped(event.count, event.followingCount);
        break;
      case 'isr_enter':
        this.isrEnter(core, event.id_);
        break;
      case 'isr_exit':
        this.isrExit(core, event.id_);
        break;
      case 'marker':
      case 'task_marker':
        this.mark(this.markerTrack(event.name, core, event.id_), 'instant', event.msg);
        break;
      case 'marker_begin':
      case 'task_marker_begin':
        this.mark(this.markerTrack(event.name.replace('_begin', ''), core, event.id_), 'begin', event.msg);
        break;
      case 'marker_end':
      case 'task_marker_end':
        this.mark(this.markerTrack(event.name.replace('_end', ''), core, event.id_), 'end');
        break;
      case 'value':
      case 'task_value':
        this.values.push({ where: this.markerTrack(event.name, core, event.id_), at: this.now, value: event.val });
        break;
      case 'switched_in':
        this.switchedIn(core, task);
        break;
      case 'ready':
        this.ready(core, task, this.isPriorityChange(core, task, next));
        break;
      case 'resumed':
        this.ready(core, task, false);
        this.unexplained.delete(core.number); // no other meaning is possible
        break;
      case 'suspended':
        this.suspendOrDelete(core, task, false);
        break;
      case 'deleted':
        this.suspendOrDelete(core, task, true);
        break;
      case 'delay':
        this.announce(core, () => `delay ${event.ticks} tick${event.ticks === 1 ? '' : 's'}`, 'S');
        break;
      case 'delay_until':
        this.announce(core, () => (isForever(event.wake) ? 'delay forever' : 'delay until'), 'S');
        break;
      case 'block_peek':
        this.blockOn(core, queue, 'peek');
        break;
      case 'block_send':
        this.blockOn(core, queue, 'send');
        break;
      case 'block_receive':
        this.blockOn(core, queue, 'receive');
        break;
      case 'queue_created':
        queue.fresh = true;
        break;
      case 'queue_length':
        this.length(core, queue, event.len, null, true);
        break;
      case 'queue_reset':
        this.length(core, queue, 0, byTask, false);
        break;
      case 'queue_receive':
      case 'queue_send':
      case 'queue_overwrite':
        this.length(core, queue, event.len, byTask, false);
        break;
      case 'queue_receive_from_isr':
      case 'queue_send_from_isr':
      case 'queue_overwrite_from_isr':
        this.length(core, queue, event.len, null, false);
        break;
      case 'priority':
      case 'inherit':
      case 'disinherit':
        this.priorities.push({ task, at: this.now, value: event.priority });
        break;
    }
  }

  run() {
    const { events } = this.line;
    const isStep = (event) => event.ts !== undefined && event.name !== 'dropped' && event.name !== 'core_id';
    // for each event the next event of its core that has an effect
    const nexts = [];
    const ahead = new Map();
    for (let index = events.length - 1; index >= 0; index--) {
      nexts[index] = ahead.get(events[index].core) ?? null;
      if (isStep(events[index])) ahead.set(events[index].core, events[index]);
    }
    let following = null;
    for (const event of events.toReversed()) {
      if (event.name === 'dropped') {
        event.followingCount = following;
        following = event.count;
      }
      if (event.restart) following = null;
    }
    events.forEach((event, index) => {
      this.now = event.time > this.now ? event.time : this.now;
      if (event.restart) this.restart();
      if (event.damageBefore) this.damage(event.input, event.core);
      if (event.ts === undefined) this.setting(event);
      else if (event.name === 'core_id') this.inBuffer = event.ts === 0n;
      else {
        this.inBuffer = false;
        if (isStep(event)) this.unexplained.delete(event.core);
        this.timed(event, nexts[index]);
        if (isStep(event)) this.core(event.core).previous = event;
        this.timedOn.set(event.core, (this.timedOn.get(event.core) ?? 0) + 1);
        this.latest.set(event.input, this.now);
      }
    });
    this.now = this.line.end;
    this.line.cores.forEach(({ cores, damageAtEnd }, input) => {
      if (damageAtEnd) for (const core of cores) this.damage(input, core);
    });
    this.stop(true);
    return this;
  }
}

/** A name is shown up to 256 bytes. */
function shortened(name) {
  const bytes = Buffer.from(name);
  let end = Math.min(bytes.length, 256);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/**
 * The timeout of an endless wait is recorded as (now + 0xFFFFFFFF) mod 2^32, which is the kernel's tick before the current one. The
 * recording does not contain the kernel's tick, so an endless wait is only recognised if no other meaning is possible: tick 0 and 1.
 */
const isForever = (wake) => wake === FOREVER || wake === 0;
