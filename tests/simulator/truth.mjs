// SPDX-License-Identifier: MIT
//
// What really happened in a simulated run, from the log of the kernel only.

/** @typedef {import('./kernel.mjs').Kernel} Kernel */
/** @typedef {import('./kernel.mjs').Entry} Entry */
/** @typedef {import('./kernel.mjs').Task} Task */
/** @typedef {import('./kernel.mjs').Wait} Wait */
/** @typedef {import('./kernel.mjs').Queue} Queue */
/** Something with a length, in nanoseconds; `key` tells what and of whom. @typedef {{ key: string, since: number, length: number }} Span */
/** What a recorder records besides switches, readiness and queues. @typedef {{ notifications: boolean, tick_interrupt: boolean }} Contents */

/** A state of a task, from entry to entry of the log; the last state of a task has no end. @typedef {{ state: NonNullable<Entry['state']>, wait: Wait | null, by: Task | null, from: number, to: number | null }} Stay */

/**
 * @typedef {object} Job times in nanoseconds
 * @property {string} task
 * @property {number} release
 * @property {number} start
 * @property {number} end
 * @property {number} ipt ready before it ran
 * @property {number} cet ran, without interrupts
 * @property {number} int interrupts while it ran
 * @property {number} pre ready after it had run
 * @property {number} blk waited for locks
 * @property {number} room waited for room in queues
 * @property {Map<string, number>} causes of ipt, pre, blk and room by "kind|task|wait"; an unknown task and no wait are empty
 * @property {number | null} period since the release before
 * @property {string} reason what released it, in the words of the report
 * @property {'measured' | 'suspended' | 'deleted'} state
 * @property {number} begin entry of the log from which on the recording has to be complete: the wait before the release was announced, or the task was created
 * @property {number} last entry of the log with which the job ends
 * @property {number | null} decided entry with which a recording proves that it ends: of a wait that is not recorded, the end of the wait (null: it does not end)
 */

/** @param {Wait | null} wait */
const inside_job = (wait) => wait?.kind === 'lock' || wait?.kind === 'room';

/** @param {Kernel} kernel @param {Task} task @returns {Stay[]} */
export function stays(kernel, task) {
  /** @type {Stay[]} */
  const list = [];
  kernel.log.forEach((entry, i) => {
    if (entry.event !== 'state' || entry.task !== task) return;
    const before = list.at(-1);
    if (before) before.to = i;
    list.push({
      state: /** @type {Stay['state']} */ (entry.state),
      wait: entry.wait ?? null,
      by: entry.by ?? null,
      from: i,
      to: null,
    });
  });
  return list;
}

/** Interrupts of a core: times at which the outermost one begins and ends. @param {Kernel} kernel @param {number} core @param {Contents} contents */
export function interruptions(kernel, core, { tick_interrupt }) {
  /** @type {[number, number][]} */
  const list = [];
  let depth = 0;
  let since = 0;
  for (const entry of kernel.log) {
    if (entry.core !== core || (!tick_interrupt && entry.irq === kernel.tick_irq)) continue;
    if (entry.event === 'isr_enter' && ++depth === 1) since = entry.at;
    if (entry.event === 'isr_exit' && --depth === 0) list.push([since, entry.at]);
  }
  if (depth) list.push([since, Infinity]);
  return list;
}

/** States of each task. `hidden`: a wait that is neither recorded nor ends. @param {Kernel} kernel @param {Contents} contents */
export function true_states(kernel, { notifications }) {
  return new Map(
    kernel.tasks.map((task) => [
      task.name,
      stays(kernel, task).map(({ state, wait, from, to }) => {
        const hidden = !notifications && wait?.kind === 'notification' && to === null;
        return { at: kernel.log[from].at, state, hidden };
      }),
    ]),
  );
}

/** @param {Wait} wait */
function wait_name({ kind, queue }) {
  if (!queue) return kind === 'notification' ? 'wait for notification' : kind;
  if (kind === 'lock') return `lock ${queue.name}`;
  if (queue.kind === 'semaphore') return `${kind === 'room' ? 'give' : 'take'} ${queue.name}`;
  return kind === 'room' ? `send to ${queue.name}` : `receive from ${queue.name}`;
}

/**
 * Waits of a task for one reason.
 * @typedef {object} Waits
 * @property {{ at: number, length: number }[]} waits that ended
 * @property {{ at: number, length: number }[]} wakes from readiness to the next run
 * @property {number} timed_out
 */

/** @param {Map<string, { count: number, total: number, longest: number }>} sums @param {string} key @param {number} time */
function add_time(sums, key, time) {
  const sum = sums.get(key) ?? { count: 0, total: 0, longest: 0 };
  sums.set(key, { count: sum.count + 1, total: sum.total + time, longest: Math.max(sum.longest, time) });
}

/** Mutexes that a task holds at an entry of the log. @param {Entry[]} log @param {number} until @param {Task} task */
function held_by(log, until, task) {
  /** @type {Set<Queue>} */
  const held = new Set();
  /** @type {Map<number, Task | undefined>} */
  const running = new Map();
  for (const { event, core, task: next, queue } of log.slice(0, until)) {
    if (event === 'switch') running.set(core, next);
    if (queue?.kind !== 'mutex' || running.get(core) !== task) continue;
    if (event === 'receive') held.add(queue);
    if (event === 'send') held.delete(queue);
  }
  return held;
}

/** The spans of each key. @param {Span[]} spans */
export function sums_of(spans) {
  /** @type {Map<string, { count: number, total: number, longest: number }>} */
  const sums = new Map();
  for (const { key, length } of spans) add_time(sums, key, length);
  return sums;
}

export class Truth {
  /** @param {Kernel} kernel @param {Contents} contents of the recording */
  constructor(kernel, contents) {
    this.kernel = kernel;
    this.contents = contents;
    this.interruptions = kernel.cores.map(({ id }) => interruptions(kernel, id, contents));
  }

  /** Time on a core, and how often a task ran. @param {Task} task */
  cpu(task) {
    const { log } = this.kernel;
    const runs = stays(this.kernel, task).filter(({ state }) => state === 'running');
    const end = log[log.length - 1].at;
    const cpu = runs.reduce((sum, { from, to }) => {
      const until = to === null ? end : log[to].at;
      return sum + until - log[from].at;
    }, 0);
    return { cpu, runs: runs.length };
  }

  /** Completed holds of mutexes in order of their end. @returns {Span[]} */
  holds() {
    /** @type {Span[]} */
    const holds = [];
    /** @type {Map<Queue, { holder: string, since: number }>} */
    const held = new Map();
    const running = this.kernel.cores.map(() => '');
    for (const { event, at, core, task, queue } of this.kernel.log) {
      if (event === 'switch') running[core] = task?.name ?? '';
      if (queue?.kind !== 'mutex') continue;
      if (event === 'receive') held.set(queue, { holder: running[core], since: at });
      const hold = held.get(queue);
      if (event !== 'send' || !hold) continue;
      holds.push({ key: `${queue.name} by ${hold.holder}`, since: hold.since, length: at - hold.since });
      held.delete(queue);
    }
    return holds;
  }

  /** How often each task took each mutex after it had waited for it in the same call, as far as the recorder records calls that fail. */
  contended() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    const { log } = this.kernel;
    /** @type {(Task | undefined)[]} */
    const running = this.kernel.cores.map(() => undefined);
    /** The mutex for which a task announced its last wait, and whether it left its core. @type {Map<Task, { queue: Queue, waited: boolean }>} */
    const last = new Map();
    const calls = ['send', 'receive', 'delay', 'delay_until', 'block_notification', 'notification_taken'];
    if (this.contents.notifications) calls.push('refused');
    for (const { event, core, task, queue, in_isr, state } of log) {
      if (event === 'switch') running[core] = task;
      const announced = task && last.get(task);
      if (event === 'state' && state === 'waiting' && announced) announced.waited = true;
      const actor = running[core];
      if (in_isr || !actor) continue;
      if (event === 'block') last.set(actor, { queue: /** @type {Queue} */ (queue), waited: false });
      if (event === 'suspended' && task === actor) last.delete(actor);
      if (!calls.includes(event)) continue;
      const wait = last.get(actor);
      last.delete(actor);
      if (event !== 'receive' || queue?.kind !== 'mutex' || wait?.queue !== queue || !wait.waited) continue;
      const key = `${queue.name} by ${actor.name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  /** Completed waits for mutexes, by who waited and who held the mutex. @returns {Span[]} */
  lock_waits() {
    return this.#completed_waits(({ wait }) => wait?.kind === 'lock').map(({ task, wait, ...span }) => ({
      key: `${wait?.queue?.name} by ${task.name} held by ${wait?.owner?.name}`,
      ...span,
    }));
  }

  /** Completed waits for more work during holds of mutexes. @returns {Span[]} */
  waits_while_held() {
    const { log } = this.kernel;
    return this.#completed_waits(({ state, wait, by }, task) =>
      state === 'suspended' ? by === task : !inside_job(wait),
    ).flatMap(({ task, from, since, length }) =>
      [...held_by(log, from, task)].map((mutex) => ({ key: `${mutex.name} by ${task.name}`, since, length })),
    );
  }

  /** @param {(stay: Stay, task: Task) => boolean} is_wanted */
  #completed_waits(is_wanted) {
    const { log, tasks } = this.kernel;
    return tasks.flatMap((task) =>
      stays(this.kernel, task)
        .filter((stay) => (stay.state === 'waiting' || stay.state === 'suspended') && is_wanted(stay, task))
        .flatMap(({ wait, from, to }) =>
          to === null ? [] : [{ task, wait, from, since: log[from].at, length: log[to].at - log[from].at }],
        ),
    );
  }

  /** Fill of each queue and semaphore over time until the end, from `length` and `at` of each operation. */
  fills() {
    const { log, queues } = this.kernel;
    const end = log[log.length - 1].at;
    return queues
      .filter(({ kind }) => kind !== 'mutex')
      .map((queue) => {
        const operations = log.filter(
          (entry) => entry.queue === queue && (entry.event === 'send' || entry.event === 'receive'),
        );
        const fill = { queue, operations: operations.length, filled: 0, full: 0, not_empty: 0 };
        operations.forEach(({ at, value = 0 }, i) => {
          const time = (operations[i + 1]?.at ?? end) - at;
          fill.filled += value * time;
          if (value === queue.capacity) fill.full += time;
          if (value > 0) fill.not_empty += time;
        });
        return fill;
      });
  }

  /** Waits for room in each queue, also those that do not end. @returns {Map<string, number>} */
  room_waits() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const task of this.kernel.tasks)
      for (const { state, wait } of stays(this.kernel, task)) {
        const name = state === 'waiting' && wait?.kind === 'room' ? wait.queue?.name : undefined;
        if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    return counts;
  }

  /** Items from send to receive: who sent it through which queue to whom. @returns {{ queue: string, key: string, since: number, length: number }[]} */
  items() {
    /** @type {ReturnType<Truth['items']>} */
    const items = [];
    /** @type {Map<Queue, { from: string, at: number }[]>} */
    const sent = new Map(this.kernel.queues.map((queue) => [queue, []]));
    const tasks = this.kernel.cores.map(() => '');
    /** @type {string[][]} */
    const handlers = this.kernel.cores.map(() => []);
    for (const { event, at, core, task, queue, irq } of this.kernel.log) {
      if (event === 'switch') tasks[core] = task?.name ?? '';
      if (event === 'isr_enter') handlers[core].push(`interrupt ${irq?.name}`);
      if (event === 'isr_exit') handlers[core].pop();
      const list = queue && queue.kind !== 'mutex' ? sent.get(queue) : undefined;
      if (!list) continue;
      const actor = handlers[core].at(-1) ?? tasks[core];
      if (event === 'send') list.push({ from: actor, at });
      const item = event === 'receive' ? list.shift() : undefined;
      if (item)
        items.push({
          queue: queue?.name ?? '',
          key: `${item.from} through ${queue?.name} to ${actor}`,
          since: item.at,
          length: at - item.at,
        });
    }
    return items;
  }

  /** Completed waits of each task for each reason, by "reason of task". @returns {Map<string, Waits>} */
  waits() {
    /** @type {Map<string, Waits>} */
    const sums = new Map();
    const { log } = this.kernel;
    for (const task of this.kernel.tasks) {
      const states = stays(this.kernel, task);
      states.forEach(({ state, wait, from, to }, i) => {
        if (state !== 'waiting' || !wait || to === null) return;
        const is_untraced = wait.kind === 'notification' && !this.contents.notifications;
        const key = `${is_untraced ? 'waiting (not traced)' : wait_name(wait)} of ${task.name}`;
        const row = sums.get(key) ?? { waits: [], wakes: [], timed_out: 0 };
        sums.set(key, row);
        const { at } = log[to];
        row.waits.push({ at: log[from].at, length: at - log[from].at });
        row.timed_out += Number(this.#is_by_tick(to));
        const [ready, next] = states.slice(i + 1);
        if (ready?.state === 'ready' && next?.state === 'running')
          row.wakes.push({ at, length: log[next.from].at - at });
      });
    }
    return sums;
  }

  /** Whether the tick made a task ready. @param {number} entry of the log */
  #is_by_tick(entry) {
    const { log } = this.kernel;
    let at = entry;
    while (log[at].event === 'state' || log[at].event === 'ready') at--;
    return log[at].event === 'tick';
  }

  /** Time that each task had a core, by the name of the task; '' before the first switch. @param {number} core @param {number} from @param {number} to */
  #owners(core, from, to) {
    /** @type {Map<string, number>} */
    const times = new Map();
    let since = -Infinity;
    let owner = '';
    const add = (/** @type {number} */ until) => {
      const time = Math.min(until, to) - Math.max(since, from);
      if (time > 0) times.set(owner, (times.get(owner) ?? 0) + time);
    };
    for (const { event, at, core: where, task } of this.kernel.log) {
      if (event !== 'switch' || where !== core) continue;
      add(at);
      since = at;
      owner = task?.name ?? '';
    }
    add(Infinity);
    return times;
  }

  /** Time of interrupts on a core within a time range. @param {number} core @param {number} from @param {number} to */
  interrupted(core, from, to) {
    return this.interruptions[core].reduce(
      (sum, [since, until]) => sum + Math.max(0, Math.min(to, until) - Math.max(from, since)),
      0,
    );
  }

  /** Jobs in order of their end, without those that are open at the end. */
  jobs() {
    return this.kernel.tasks
      .filter(({ idle }) => !idle)
      .flatMap((task) => this.jobs_of(task))
      .sort((a, b) => a.last - b.last);
  }

  /** @param {Task} task @returns {Job[]} */
  jobs_of(task) {
    const { log } = this.kernel;
    /** @type {Job[]} */
    const jobs = [];
    /** @type {Job | null} */
    let job = null;
    /** Release of the job before, if a period may begin there. @type {number | null} */
    let previous = null;
    /** The wait that the next release ends. */
    let reason = 'created';
    let begin = log.findIndex(({ event, task: created }) => event === 'created' && created === task);
    /** Core on which it ran last. */
    let last_core = this.kernel.core_count > 1 ? null : 0;
    for (const { state, wait, by, from, to } of stays(this.kernel, task)) {
      const { at, core } = log[from];
      if (state === 'ready' || state === 'running' || (job && inside_job(wait))) {
        if (!job) {
          job = this.#new_job(task, at, previous, reason, begin);
          previous = at;
        }
        if (state === 'running') last_core = core;
        if (to !== null) this.#add(job, state, wait, state === 'running' ? core : last_core, at, log[to].at);
        continue;
      }
      if (job) {
        const cut = (state === 'suspended' || state === 'deleted') && by !== task;
        Object.assign(job, { end: at, last: from, state: cut ? state : 'measured' });
        const untraced = wait?.kind === 'notification' && !this.contents.notifications;
        job.decided = untraced ? to : from;
        jobs.push(job);
        if (cut) previous = null;
        begin = this.#announced(task, from);
      }
      job = null;
      reason = wait ? wait_name(wait) : by === task ? 'suspended' : 'resumed';
    }
    return jobs;
  }

  /** @param {Task} task @param {number} release @param {number | null} previous @param {string} reason @param {number} begin @returns {Job} */
  #new_job(task, release, previous, reason, begin) {
    const period = previous === null ? null : release - previous;
    const parts = { ipt: 0, cet: 0, int: 0, pre: 0, blk: 0, room: 0, causes: new Map() };
    return {
      task: task.name,
      release,
      start: NaN,
      end: NaN,
      ...parts,
      period,
      reason,
      state: 'measured',
      begin,
      last: 0,
      decided: null,
    };
  }

  /** @param {Job} job @param {Stay['state']} state @param {Wait | null} wait @param {number | null} core on which it runs, or ran last @param {number} from @param {number} to */
  #add(job, state, wait, core, from, to) {
    const time = to - from;
    const cause = (/** @type {string} */ kind, /** @type {string} */ who, /** @type {string} */ what, ns = time) => {
      const key = `${kind}|${who}|${what}`;
      if (ns) job.causes.set(key, (job.causes.get(key) ?? 0) + ns);
    };
    if (state === 'running' && core !== null) {
      if (Number.isNaN(job.start)) job.start = from;
      const interrupts = this.interrupted(core, from, to);
      job.int += interrupts;
      job.cet += time - interrupts;
    } else if (state === 'ready') {
      const is_pending = Number.isNaN(job.start);
      job[is_pending ? 'ipt' : 'pre'] += time;
      const owners = core === null ? new Map([['', time]]) : this.#owners(core, from, to);
      for (const [owner, ns] of owners) cause(is_pending ? 'pending' : 'preempted', owner, '', ns);
    } else if (wait?.kind === 'room') {
      job.room += time;
      cause('room', '', wait_name(wait));
    } else {
      job.blk += time;
      if (wait) cause('blocked', wait.owner?.name ?? '', wait_name(wait));
    }
  }

  /** Entry with which the wait that began at an entry was announced. @param {Task} task @param {number} left */
  #announced(task, left) {
    const { log } = this.kernel;
    const waits = ['delay', 'delay_until', 'block', 'block_notification', 'suspended', 'deleted'];
    for (let i = left; i > 0; i--)
      if (waits.includes(log[i].event) && (log[i].core === log[left].core || log[i].task === task)) return i;
    return left;
  }
}
