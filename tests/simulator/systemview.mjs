// SPDX-License-Identifier: MIT
//
// Random targets that record with SystemView, and the truth of each: runs, states of tasks, interrupts, marked times. Knows the ports from docs/formats/systemview.md
// only, and does not look at what Tonkopf shows.

import { Random } from '../generator/random.mjs';
import { ID, SystemView, str, svdat_head, svdat_of_cores, task_id, varint } from '../generator/systemview.mjs';

/** @typedef {{ name: string, address: number, priority: number, core: number, state: 'new' | 'waiting' | 'ready' | 'running' | 'dead', states: { at: number, state: string }[] }} Task */
/** task null: none, and IDLE was recorded (`is_idle`) or not @typedef {{ from: number, task: string | null, is_idle?: boolean }} Run */
/** @typedef {{ from: number, to: number, isr: number, depth: number }} Interrupt */
/** `losses`: times in which packets were dropped @typedef {{ hz: number, cores: { runs: Run[], interrupts: Interrupt[] }[], tasks: Task[], marks: { from: number, to: number, mark: number }[], prints: number, losses: { from: number, to: number }[], dropped: number, end: number }} Truth */

/** description: of the system; waits: the port records which tasks wait; readies: which tasks become ready; stops: the task that leaves its core @typedef {{ description: string, hz: number, waits: boolean, readies: boolean, stops?: boolean, cores?: number, in_id?: boolean, ends_tasks?: boolean }} Port */
/** @type {Record<string, Port>} */
export const PORTS = {
  'FreeRTOS before V11': {
    description: 'N=Pump,D=STM32,O=FreeRTOS,I#15=SysTick',
    hz: 168_000_000,
    waits: true,
    readies: true,
  },
  'FreeRTOS V11': { description: 'N=Pump,D=STM32,O=FreeRTOS', hz: 170_000_000, waits: true, readies: true },
  'ESP32, a stream per core': {
    description: 'N=App,D=ESP32,O=FreeRTOS',
    hz: 40_000_000,
    waits: false,
    readies: true,
    cores: 2,
  },
  'ESP32, the core in the id': {
    description: 'N=App,D=ESP32,O=FreeRTOS',
    hz: 40_000_000,
    waits: false,
    readies: true,
    cores: 2,
    in_id: true,
  },
  Zephyr: { description: 'N=Node,D=nrf52,O=Zephyr', hz: 64_000_000, waits: true, readies: true, stops: true },
  NuttX: { description: 'N=Drone,D=STM32,O=NuttX', hz: 1_000_000, waits: false, readies: false, stops: true },
  embOS: { description: 'N=Meter,D=RX,O=embOS', hz: 32_768_000, waits: true, readies: true, ends_tasks: true },
  'Rust, without the name of an OS': { description: '', hz: 1_000_000, waits: true, readies: true },
};

/** A recorder that can drop packets, as a full buffer does. */
class Dropping extends SystemView {
  dropping = false;
  dropped = 0;

  /** @param {number} id @param {number[]} payload */
  packet(id, payload = []) {
    if (!this.dropping) return super.packet(id, payload);
    this.dropped++;
    return this;
  }
}

class Target {
  /** @param {number} seed @param {Port} port @param {{ losses?: boolean, no_lengths?: boolean }} options */
  constructor(seed, port, { losses = false, no_lengths = false } = {}) {
    this.random = new Random(seed);
    this.port = port;
    this.now = 1000;
    this.with_losses = losses;
    const cores = port.cores ?? 1;
    this.recorders = Array.from(
      { length: port.in_id ? 1 : cores },
      () => new Dropping({ hz: port.hz, core_in_id: port.in_id, no_lengths }),
    );
    /** @type {Truth} */
    this.truth = {
      hz: port.hz,
      cores: Array.from({ length: cores }, () => ({ runs: [], interrupts: [] })),
      tasks: [],
      marks: [],
      prints: 0,
      losses: [],
      dropped: 0,
      end: 0,
    };
    /** @type {(Task | null)[]} */
    this.running = new Array(cores).fill(null);
    this.known = new Array(cores).fill(false);
    /** @type {Map<number, number>} */
    this.open_marks = new Map();
    for (let i = 0; i < cores * 4; i++) this.#add(i % cores);
    for (const recorder of this.recorders) this.#start(recorder);
    for (const task of this.truth.tasks) task.state = 'waiting';
  }

  /** @param {number} core */
  #add(core) {
    const i = this.truth.tasks.length;
    /** @type {Task} */
    const task = {
      name: `task${i}`,
      address: 0x2000_1000 + 0x400 * i + (i % 3 ? 0 : 0x10_0000 * i),
      priority: this.random.between(1, 9),
      core,
      state: 'new',
      states: [],
    };
    this.truth.tasks.push(task);
    return task;
  }

  /** @param {Dropping} recorder */
  #start(recorder) {
    recorder.at(this.now).start(this.port.description, this.truth.tasks);
    recorder.packet(ID.MODULEDESC, [...varint(0), ...varint(512), ...str('M=Radio, 0 Tx seq=%u, 1 Ack')]);
    for (const mark of [1, 2, 3]) recorder.packet(ID.EX, [1, ...varint(mark), ...str(`mark ${mark}`)]);
  }

  /** The recorder of a core, at the present time. @param {number} core */
  on(core) {
    const recorder = this.port.in_id ? this.recorders[0] : this.recorders[core];
    return recorder.at(this.now).on(this.port.in_id ? core : 0);
  }

  /** Time passes. @param {number} most counts */
  pass(most) {
    this.now += this.random.between(2, most);
  }

  /** @param {Task} task @param {Task['state']} state */
  #set(task, state) {
    task.state = state;
    task.states.push({ at: this.now, state });
  }

  /** @param {number} core @param {Task | null} task */
  #runs(core, task) {
    this.running[core] = task;
    this.truth.cores[core].runs.push({ from: this.now, task: task && task.name });
    if (task) this.#set(task, 'running');
  }

  /** @param {number} core */
  #next(core) {
    const ready = this.truth.tasks.filter((task) => task.core === core && task.state === 'ready');
    return ready.reduce(
      (best, task) => (best && best.priority >= task.priority ? best : task),
      /** @type {Task | null} */ (null),
    );
  }

  /** The scheduler chooses. leaves: state of the task that ran @param {number} core @param {Task['state']} leaves */
  switch(core, leaves) {
    const before = this.running[core];
    const stops = this.port.stops || leaves === 'dead';
    if (before && stops) {
      this.on(core).packet(ID.TASK_STOP_EXEC);
      this.#set(before, leaves);
      this.truth.cores[core].runs.push({ from: this.now, task: null });
      this.running[core] = null;
      this.pass(60);
    } else if (before) {
      before.state = leaves;
    }
    const next = this.#next(core);
    if (before && !stops) before.states.push({ at: this.now, state: leaves });
    if (next) this.on(core).run(next);
    else this.on(core).packet(ID.IDLE);
    const last = this.truth.cores[core].runs.at(-1);
    if (next || last?.task !== null) this.#runs(core, next);
    if (!next) /** @type {Run} */ (this.truth.cores[core].runs.at(-1)).is_idle = true;
    this.known[core] = true;
  }

  /** @param {number} core */
  #wake_one(core) {
    const waiting = this.truth.tasks.filter(
      (task) => (task.state === 'waiting' || task.state === 'new') && task.core === core,
    );
    if (!waiting.length) return;
    const task = this.random.pick(waiting);
    if (this.port.readies) this.on(core).ready(task);
    this.#set(task, 'ready');
    this.pass(100);
  }

  /** @param {number} core */
  interrupt(core, depth = 0) {
    const { random } = this;
    const task = this.running[core];
    const isr = random.between(15, 60);
    const own = { from: 0, to: 0, isr, depth };
    const is_nuttx = this.port.stops && !this.port.waits;
    if (is_nuttx && task && !depth) {
      this.on(core).packet(ID.TASK_STOP_EXEC);
      this.pass(20);
    }
    own.from = this.now;
    this.on(core).isr(isr);
    this.truth.cores[core].interrupts.push(own);
    this.pass(3000);
    if (depth < 3 && random.chance(0.25)) this.interrupt(core, depth + 1);
    if (random.chance(0.5)) this.#wake_one(core);
    if (random.chance(0.1)) this.#act(core);
    this.pass(400);
    own.to = this.now;
    const next = this.#next(core);
    const switches = !depth && next && (!task || next.priority > task.priority);
    this.on(core).packet(switches && !is_nuttx ? ID.ISR_TO_SCHEDULER : ID.ISR_EXIT);
    if (depth) return;
    this.pass(80);
    if (is_nuttx) {
      if (switches) {
        if (task) this.#set(task, 'ready');
        this.on(core).run(next);
        this.#runs(core, next);
      } else if (task) this.on(core).run(task);
      else this.on(core).packet(ID.IDLE);
      this.known[core] = true;
    } else if (switches) {
      if (this.port.stops || !task) this.switch(core, 'ready');
      else this.switch(core, 'ready');
    } else if (!task && this.known[core] && random.chance(0.3)) {
      this.on(core).packet(ID.IDLE);
    }
  }

  /** What a task or an interrupt does beside waiting. @param {number} core */
  #act(core) {
    const { random } = this;
    const recorder = this.on(core);
    const mark = random.between(1, 4);
    const begun = this.open_marks.get(mark);
    switch (random.between(0, 8)) {
      case 0:
        if (core) return; // marks of two streams are one mark
        recorder.packet(begun === undefined ? ID.MARK_START : ID.MARK_STOP, [mark]);
        if (begun === undefined) this.open_marks.set(mark, this.now);
        else {
          this.truth.marks.push({ from: begun, to: this.now, mark });
          this.open_marks.delete(mark);
        }
        break;
      case 1:
        recorder.print('level %d', random.between(0, 3), random.between(0, 100));
        this.truth.prints++;
        break;
      case 2:
        recorder.packet(ID.DATA_SAMPLE, [...varint(random.between(0, 3)), ...varint(random.between(-9, 1000))]);
        break;
      case 3:
        recorder.packet(512 + random.between(0, 4), varint(random.between(0, 1 << 20)));
        break;
      case 4: // an event without a description, with a long id; not with a core in the id, which has no room for it
        recorder.packet(
          this.port.in_id ? 40 : random.between(600, 2048),
          random.chance(0.5) ? [] : varint(random.between(0, 1 << 30)),
        );
        break;
      case 5: // a call without a return
        if (!this.port.in_id) recorder.call(random.between(120, 140), random.between(0, 1 << 28), 5);
        break;
      case 6:
        recorder.packet(ID.EX, [
          3,
          ...varint(0x40),
          ...varint(random.between(0, 4096)),
          ...varint(random.between(1, 64)),
        ]);
        break;
      default:
        recorder.packet(ID.NUMMODULES, [1]);
    }
    this.pass(500);
  }

  /** @param {number} core */
  #wait(core) {
    const { random, port } = this;
    const task = /** @type {Task} */ (this.running[core]);
    if (!port.waits) {
      if (random.chance(0.5) && port.in_id) this.on(core).call(34, random.between(1, 50));
    } else {
      if (port === PORTS['FreeRTOS V11']) this.on(core).call(random.pick([164, 161, 197, 255]), 0x300, 0, 20);
      else if (port === PORTS.Zephyr) this.on(core).call(random.pick([42, 60, 95]), 0x300, 20);
      else if (random.chance(0.4)) this.on(core).call(35, random.between(1, 100));
      this.pass(200);
      this.on(core).wait(task, random.pick([4, 27]));
    }
    this.pass(200);
    this.switch(core, 'waiting');
  }

  /** @param {number} core */
  step(core) {
    const { random } = this;
    this.pass(random.chance(0.1) ? this.port.hz / 50 : this.port.hz / 4000);
    if (this.with_losses && random.chance(0.01)) return this.#lose(core);
    const task = this.running[core];
    const kind = random.between(0, 10);
    if (!task || kind < 3) this.interrupt(core);
    else if (kind < 6) this.#wait(core);
    else if (kind === 6) this.#ready_another(core);
    else if (kind === 7 && random.chance(0.1)) this.#end(core);
    else this.#act(core);
  }

  /** The running task makes another one ready, which may replace it. @param {number} core */
  #ready_another(core) {
    const task = /** @type {Task} */ (this.running[core]);
    this.#wake_one(core);
    const next = this.#next(core);
    if (next && next.priority > task.priority) this.switch(core, 'ready');
  }

  /** A task ends, and another one is created. @param {number} core */
  #end(core) {
    const task = /** @type {Task} */ (this.running[core]);
    if (this.port.cores || (this.port.stops && !this.port.waits)) return;
    const fresh = this.#add(core);
    this.on(core)
      .packet(ID.TASK_CREATE, varint(task_id(fresh)))
      .info(fresh);
    fresh.state = 'waiting';
    this.pass(100);
    if (!this.port.ends_tasks) this.on(core).packet(ID.TASK_TERMINATE, varint(task_id(task)));
    this.pass(100);
    this.switch(core, 'dead');
  }

  /** The buffer is full for some steps. @param {number} core */
  #lose(core) {
    const recorder = this.on(core);
    if (recorder.dropping) return;
    const from = recorder.last;
    recorder.dropping = true;
    const before = recorder.dropped;
    for (let i = this.random.between(1, 6); i > 0; i--) this.step(core);
    recorder.dropping = false;
    if (recorder.dropped === before) return;
    this.pass(1000);
    this.on(core).packet(ID.OVERFLOW, varint(recorder.dropped));
    this.truth.losses.push({ from, to: this.now });
  }

  /** @param {number} steps */
  run(steps) {
    const { recorders, truth } = this;
    for (let i = 0; i < steps; i++)
      this.step(i < 4 ? i % truth.cores.length : this.random.between(0, truth.cores.length));
    this.pass(1000);
    truth.cores.forEach((_, core) => this.on(core).packet(ID.EX, [0, 9]));
    truth.end = this.now;
    truth.dropped = recorders.reduce((sum, { dropped }) => sum + dropped, 0);
    const streams = recorders.map((recorder) => recorder.bytes());
    /** @type {Uint8Array[]} */
    const files = this.port.in_id ? [Buffer.concat([svdat_head('; ESP_Extension'), streams[0]])] : streams;
    return { files, all: streams.length > 1 ? svdat_of_cores(...streams) : files[0], truth };
  }
}

/**
 * A random recording and its truth.
 * @param {number} seed @param {string} port
 * @param {{ steps?: number, losses?: boolean, no_lengths?: boolean }} [options]
 */
export function random_recording(seed, port, { steps = 300, ...options } = {}) {
  return new Target(seed, PORTS[port], options).run(steps);
}
