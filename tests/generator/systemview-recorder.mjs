// SPDX-License-Identifier: MIT
//
// The recorder of a simulated target: writes the simulation's events as SystemView's port for FreeRTOS V11 does.

import { ID, SystemView, float_bits, str, task_id, varint } from './systemview.mjs';
import { QUEUE_KIND } from './tband.mjs';

/** @typedef {import('./tband.mjs').EventName} EventName */
/** @typedef {import('./tband.mjs').Value} Value */

const CALL = { send: 161, send_from_isr: 162, receive: 164, take: 165, delete: 195, delay_until: 196, delay: 197 };
/** Lists of the kernel into which a waiting task is put. */
const DELAYED = 4;
const FLOAT = 2;
const HEAP = 0x20;
const HEAP_BASE = 0x2000_8000;

/** Writes the events of a simulation, one at a time. @implements {Pick<import('./recorder.mjs').Recorder, 'meta' | 'event' | 'bytes'>} */
export class SystemViewRecorder {
  /** @type {Map<number, { name: string, address: number, priority: number }>} */
  #tasks = new Map();
  /** @type {Map<number, number>} kind of each queue */
  #queues = new Map();
  /** @type {string[]} */
  #interrupts = [];
  /** @type {(() => void)[]} names that are sent after the start */
  #names = [];
  /** @type {Map<number, { call: number, queue: number }>} call in which each task waits */
  #waits = new Map();
  #tracing = false;
  #running = 0;
  #idle = 0;
  #isr_depth = 0;
  bytes = 0;
  /** The simulation, for facts that an event does not contain. @type {import('./simulator.mjs').Simulator | null} */
  sim = null;

  /** @param {number} hz */
  constructor(hz) {
    this.stream = new SystemView({ hz });
  }

  /** Sends the description of the target. @param {number} now @param {string} description @param {string[]} modules */
  start(now, description, modules) {
    this.#tracing = true;
    const tasks = [...this.#tasks].filter(([id]) => id !== this.#idle).map(([, task]) => task);
    this.stream.at(now).start([description, ...this.#interrupts].join(','), tasks);
    modules.forEach((text, i) =>
      this.stream.packet(ID.MODULEDESC, [...varint(i), ...varint(512 + 16 * i), ...str(text)]),
    );
    for (const name of this.#names) name();
    this.packet(now, ID.EX, 2, HEAP, HEAP_BASE >> 2, 0x4000, 0);
    this.packet(now, ID.NAME_RESOURCE, HEAP, 'Lines');
  }

  /** @param {number} now @param {number} id @param {...(number | string)} payload */
  packet(now, id, ...payload) {
    if (!this.#tracing) return;
    const bytes = payload.flatMap((value) => (typeof value === 'string' ? str(value) : varint(value)));
    this.stream.at(now).packet(id, bytes);
    this.bytes = this.stream.pieces.length * 6; // about
  }

  /** @param {number} now @param {string} format @param {number} level @param {...number} values */
  print(now, format, level, ...values) {
    if (this.#tracing) this.stream.at(now).print(format, level, ...values);
  }

  /** A sample of a float. @param {number} now @param {number} id @param {number} value */
  sample(now, id, value) {
    this.packet(now, ID.DATA_SAMPLE, id, float_bits(value));
  }

  /** @param {number} now @param {number} block @param {number} size @param {number} tag */
  allocate(now, block, size, tag) {
    this.packet(now, ID.EX, 4, HEAP, block, size >> 2, tag);
  }

  /** @param {number} now @param {number} block */
  free(now, block) {
    this.packet(now, ID.EX, 5, HEAP, block);
  }

  /** @param {number} id of a task */
  task(id) {
    return task_id(/** @type {{ name: string, address: number }} */ (this.#tasks.get(id)));
  }

  /** Sends a name, now or after the start. @param {() => void} send */
  #name(send) {
    if (this.#tracing) send();
    else this.#names.push(send);
  }

  /** Facts without time. @param {number} core @param {number} now @param {EventName} name @param {...Value} values */
  meta(core, now, name, ...values) {
    void core;
    const [id, second] = values.map(Number);
    const text = String(values.at(-1));
    const task = this.#tasks.get(id);
    if (name === 'task_name' && task) {
      task.name = text;
      if (text === 'IDLE') this.#idle = id;
      else if (this.#tracing)
        this.stream
          .at(now)
          .packet(ID.TASK_CREATE, varint(this.task(id)))
          .info(task);
    }
    if (name === 'queue_kind') this.#queues.set(id, second);
    if (name === 'queue_name') this.#name(() => this.packet(this.stream.count, ID.NAME_RESOURCE, 0x1000 + id, text));
    if (name === 'isr_name') this.#interrupts.push(`I#${id}=${text}`);
    if (name === 'evtmarker_name') this.#name(() => this.packet(this.stream.count, ID.EX, 1, id, text));
  }

  /** Describes data: name, unit, range. @param {number} id @param {string} name @param {string} unit @param {number} least @param {number} most */
  describe(id, name, unit, least, most) {
    const [low, high] = [least, most].map(float_bits);
    this.#name(() => this.packet(this.stream.count, ID.EX, 6, id, name, FLOAT, 0, low, high, float_bits(1), unit));
  }

  /** @param {number} core @param {number} now @param {EventName} name @param {...Value} values */
  event(core, now, name, ...values) {
    void core;
    const [id, second] = values.map(Number);
    if (name === 'task_created') this.#tasks.set(id, { name: '', address: 0x2000_1000 + 0x200 * id, priority: 0 });
    if (name === 'task_priority_set') {
      const task = this.#tasks.get(id);
      if (task) task.priority = second;
    }
    const handler = /** @type {Record<string, (now: number, id: number, second: number) => void>} */ (this.#handlers)[
      name
    ];
    if (handler) handler(now, id, second);
  }

  /** The task waits in a call. @param {number} now @param {number} call @param {number} queue @param {...number} values */
  #wait(now, call, queue, ...values) {
    this.#finish_call(now, 0);
    this.packet(now, call, ...values);
    this.packet(now, ID.TASK_STOP_READY, this.task(this.#running), DELAYED);
    this.#waits.set(this.#running, { call, queue });
  }

  /** The call in which the task waited returns. @param {number} now @param {number} result */
  #finish_call(now, result) {
    const wait = this.#waits.get(this.#running);
    if (!wait) return false;
    this.#waits.delete(this.#running);
    this.packet(now, ID.END_CALL, wait.call, result);
    return true;
  }

  /** @param {number} queue */
  #receive_call(queue) {
    return this.#queues.get(queue) === QUEUE_KIND.queue ? CALL.receive : CALL.take;
  }

  /** A call that did not wait, or the end of one that did. @param {number} now @param {number} call @param {number} queue */
  #done(now, call, queue) {
    const wait = this.#waits.get(this.#running);
    if (wait?.call === call && wait.queue === queue && this.#finish_call(now, 1)) return;
    this.#finish_call(now, 0);
    this.packet(now, call, 0x1000 + queue, 0);
    this.packet(now, ID.END_CALL, call, 1);
  }

  #handlers = {
    task_switched_in: (/** @type {number} */ now, /** @type {number} */ id) => {
      this.#running = id;
      if (id === this.#idle) this.packet(now, ID.IDLE);
      else this.packet(now, ID.TASK_START_EXEC, this.task(id));
    },
    task_to_rdy_state: (/** @type {number} */ now, /** @type {number} */ id) => {
      if (id !== this.#idle) this.packet(now, ID.TASK_START_READY, this.task(id));
    },
    task_deleted: (/** @type {number} */ now, /** @type {number} */ id) => {
      this.#finish_call(now, 0);
      this.packet(now, CALL.delete, 0);
      this.packet(now, ID.TASK_TERMINATE, this.task(id));
    },
    isr_enter: (/** @type {number} */ now, /** @type {number} */ id) => {
      this.#isr_depth++;
      this.packet(now, ID.ISR_ENTER, id);
    },
    isr_exit: (/** @type {number} */ now) => {
      this.#isr_depth--;
      const switches = !this.#isr_depth && this.sim?.cores[0].need_switch;
      this.packet(now, switches ? ID.ISR_TO_SCHEDULER : ID.ISR_EXIT);
    },
    curtask_delay: (/** @type {number} */ now, /** @type {number} */ ticks) => this.#wait(now, CALL.delay, 0, ticks),
    curtask_delay_until: (/** @type {number} */ now, /** @type {number} */ tick) =>
      this.#wait(now, CALL.delay_until, 0, 0x1f00, tick),
    curtask_block_on_queue_receive: (
      /** @type {number} */ now,
      /** @type {number} */ id,
      /** @type {number} */ ticks,
    ) => this.#wait(now, this.#receive_call(id), id, 0x1000 + id, ticks),
    curtask_block_on_queue_send: (/** @type {number} */ now, /** @type {number} */ id, /** @type {number} */ ticks) =>
      this.#wait(now, CALL.send, id, 0x1000 + id, 0, ticks, 0),
    queue_send: (/** @type {number} */ now, /** @type {number} */ id) => this.#done(now, CALL.send, id),
    queue_receive: (/** @type {number} */ now, /** @type {number} */ id) => this.#done(now, this.#receive_call(id), id),
    queue_send_from_isr: (/** @type {number} */ now, /** @type {number} */ id) =>
      this.packet(now, CALL.send_from_isr, 0x1000 + id, 0),
    evtmarker_begin: (/** @type {number} */ now, /** @type {number} */ id) => this.packet(now, ID.MARK_START, id),
    evtmarker_end: (/** @type {number} */ now, /** @type {number} */ id) => this.packet(now, ID.MARK_STOP, id),
    evtmarker: (/** @type {number} */ now, /** @type {number} */ id) => this.packet(now, ID.EX, 0, id),
  };
}
