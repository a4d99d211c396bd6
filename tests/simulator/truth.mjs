// SPDX-License-Identifier: MIT
//
// What really happened in a simulated run, from the log of the kernel only.

/** @typedef {import('./kernel.mjs').Kernel} Kernel */
/** @typedef {import('./kernel.mjs').Entry} Entry */
/** @typedef {import('./kernel.mjs').Task} Task */
/** @typedef {import('./kernel.mjs').Wait} Wait */
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
 * @property {{ lock: string, owner: string, ns: number }[]} locks parts of blk
 * @property {number | null} period since the release before
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
function interruptions(kernel, core, { tick_interrupt }) {
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

/** @param {Map<string, { count: number, total: number, longest: number }>} sums @param {string} key @param {number} time */
function add_time(sums, key, time) {
  const sum = sums.get(key) ?? { count: 0, total: 0, longest: 0 };
  sums.set(key, { count: sum.count + 1, total: sum.total + time, longest: Math.max(sum.longest, time) });
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

  /** Completed holds of each mutex by each task. */
  holds() {
    /** @type {Map<string, { count: number, total: number, longest: number }>} */
    const sums = new Map();
    /** @type {Map<string, { holder: string, since: number }>} */
    const held = new Map();
    const running = this.kernel.cores.map(() => '');
    for (const { event, at, core, task, queue } of this.kernel.log) {
      if (event === 'switch') running[core] = task?.name ?? '';
      if (queue?.kind !== 'mutex') continue;
      if (event === 'receive') held.set(queue.name, { holder: running[core], since: at });
      const hold = held.get(queue.name);
      if (event !== 'send' || !hold) continue;
      add_time(sums, `${queue.name} by ${hold.holder}`, at - hold.since);
      held.delete(queue.name);
    }
    return sums;
  }

  /** Completed waits for each object, and delays. */
  waits() {
    /** @type {Map<string, { count: number, total: number, longest: number }>} */
    const sums = new Map();
    const { log } = this.kernel;
    for (const task of this.kernel.tasks)
      for (const { state, wait, from, to } of stays(this.kernel, task))
        if (state === 'waiting' && wait && to !== null) add_time(sums, wait_name(wait), log[to].at - log[from].at);
    return sums;
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
    let begin = log.findIndex(({ event, task: created }) => event === 'created' && created === task);
    for (const { state, wait, by, from, to } of stays(this.kernel, task)) {
      const { at, core } = log[from];
      if (state === 'ready' || state === 'running' || (job && inside_job(wait))) {
        if (!job) {
          job = this.#new_job(task, at, previous, begin);
          previous = at;
        }
        if (to !== null) this.#add(job, state, wait, core, at, log[to].at);
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
    }
    return jobs;
  }

  /** @param {Task} task @param {number} release @param {number | null} previous @param {number} begin @returns {Job} */
  #new_job(task, release, previous, begin) {
    const period = previous === null ? null : release - previous;
    const parts = { ipt: 0, cet: 0, int: 0, pre: 0, blk: 0, room: 0, locks: [] };
    return {
      task: task.name,
      release,
      start: NaN,
      end: NaN,
      ...parts,
      period,
      state: 'measured',
      begin,
      last: 0,
      decided: null,
    };
  }

  /** @param {Job} job @param {Stay['state']} state @param {Wait | null} wait @param {number} core @param {number} from @param {number} to */
  #add(job, state, wait, core, from, to) {
    const time = to - from;
    if (state === 'running') {
      if (Number.isNaN(job.start)) job.start = from;
      const interrupts = this.interrupted(core, from, to);
      job.int += interrupts;
      job.cet += time - interrupts;
    } else if (state === 'ready') {
      job[Number.isNaN(job.start) ? 'ipt' : 'pre'] += time;
    } else if (wait?.kind === 'room') {
      job.room += time;
    } else {
      job.blk += time;
      job.locks.push({ lock: wait?.queue?.name ?? '', owner: wait?.owner?.name ?? '', ns: time });
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
