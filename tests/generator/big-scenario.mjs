// SPDX-License-Identifier: MIT
//
// The events of one core of a busy target in one block of time: a tick and a UART interrupt, tasks that block on delays, queues and a
// mutex, markers and values. Every activity begins and ends on the idle task with empty queues, so that blocks can follow each other in any
// order.

import { FOREVER, QUEUE_KIND } from './tband.mjs';

/** @typedef {import('./tband.mjs').EventName} EventName */
/** @typedef {import('./tband.mjs').Value} Value */
/** @typedef {{ at: number, name: EventName, values: Value[] }} BlockEvent */
/** @typedef {'freertos' | 'bare-metal' | 'markers' | 'many-tasks'} Mode `many-tasks`: on one core */

export const BLOCK_BITS = 14;
export const BLOCK_LEN = 1 << BLOCK_BITS;

/** Eight characters in a message that are replaced by a running number, so that every message is unique. */
export const NUMBER_GAP = '########';

const ISR = { tick: 15, adc: 18, uart: 37 };
const LONGEST_ACTIVITY = 4500;
/** Further tasks, queues and mutexes of the mode `many-tasks`. With those of the core there are 100 tasks that are not idle. */
const CROWD = { first: 100, workers: 47, queues: 24, mutexes: 8 };
const crowd = {
  producer: (/** @type {number} */ i) => CROWD.first + 2 * i,
  consumer: (/** @type {number} */ i) => CROWD.first + 2 * i + 1,
  queue: (/** @type {number} */ i) => CROWD.first + (i % CROWD.queues),
  mutex: (/** @type {number} */ i) => CROWD.first + CROWD.queues + (i % CROWD.mutexes),
};
const WORDS = [
  'rx',
  'tx',
  'fft',
  'poll',
  'retry',
  'flush',
  'crc ok',
  'crc bad',
  'state=2',
  'adc half',
  'adc full',
  'timeout',
  'i2c nack',
  'page 7',
  'wake',
  'sleep',
  'sync',
  'lost sync',
  'len=64',
  'seq=1021',
];

/** Ids of all objects on one core; no id is used on two cores. */
export class BigCore {
  /**
   * @param {number} core
   * @param {number} cores
   */
  constructor(core, cores) {
    const first = 10 * core + 1;
    this.core = core;
    this.task = {
      idle: first,
      sensor: first + 1,
      worker: first + 2,
      comms: first + 3,
      logger: first + 4,
      control: first + 5,
      timer: first + 6,
    };
    this.queue = { data: 4 * core + 1, rx: 4 * core + 2, bus: 4 * core + 3, done: 4 * core + 4 };
    this.marker = 10 * core; // the first of four event markers and four values
    this.idle_name = cores > 1 ? `IDLE${core}` : 'IDLE';
  }

  /**
   * The content of a metadata buffer.
   * @param {Mode} mode
   * @returns {[EventName, ...Value[]][]}
   */
  metadata(mode) {
    const { core, task, queue, marker } = this;
    /** @type {[EventName, ...Value[]][]} */
    const names = [
      ['isr_name', ISR.tick, 'SysTick'],
      ['isr_name', ISR.uart, 'USART1'],
      ['isr_name', ISR.adc, 'DMA ADC'],
      ['evtmarker_name', marker, 'main loop'],
      ['evtmarker_name', marker + 1, 'steps'],
      ['evtmarker_name', marker + 2, 'i2c'],
      ['evtmarker_name', marker + 3, 'events'],
      ['valmarker_name', marker, 'adc'],
      ['valmarker_name', marker + 1, 'temp'],
      ['valmarker_name', marker + 2, 'bytes'],
    ];
    if (mode === 'bare-metal') return names;
    for (const [name, id] of Object.entries(task))
      names.push(['task_name', id, name === 'idle' ? this.idle_name : name === 'timer' ? 'Tmr Svc' : name]);
    const { queue: plain, mutex, binary } = QUEUE_KIND;
    const queues = { data: plain, rx: plain, bus: mutex, done: binary };
    for (const [name, kind] of Object.entries(queues)) {
      const id = queue[/** @type {keyof typeof queue} */ (name)];
      names.push(['queue_kind', id, kind], ['queue_name', id, name]);
    }
    names.push(['task_is_idle_task', task.idle, core], ['task_is_timer_task', task.timer]);
    names.push(['task_evtmarker_name', 0, task.sensor, 'sampling'], ['task_evtmarker_name', 1, task.comms, 'packets']);
    names.push(['task_valmarker_name', 0, task.sensor, 'raw'], ['task_valmarker_name', 3, task.control, 'error']);
    if (mode === 'many-tasks') names.push(...crowd_names());
    return names;
  }
}

/** @returns {[EventName, ...Value[]][]} */
function crowd_names() {
  /** @type {[EventName, ...Value[]][]} */
  const names = [];
  for (let i = 0; i < CROWD.workers; i++)
    names.push(['task_name', crowd.producer(i), `producer ${i}`], ['task_name', crowd.consumer(i), `consumer ${i}`]);
  for (let i = 0; i < CROWD.queues; i++)
    names.push(['queue_kind', crowd.queue(i), QUEUE_KIND.queue], ['queue_name', crowd.queue(i), `jobs ${i}`]);
  for (let i = 0; i < CROWD.mutexes; i++)
    names.push(['queue_kind', crowd.mutex(i), QUEUE_KIND.mutex], ['queue_name', crowd.mutex(i), `lock ${i}`]);
  return names;
}

class Block {
  /** @type {BlockEvent[]} */
  events = [];
  now = 40;

  /**
   * @param {BigCore} core
   * @param {import('./random.mjs').Random} random
   */
  constructor(core, random) {
    this.core = core;
    this.random = random;
  }

  /**
   * @param {EventName} name
   * @param {...Value} values
   */
  ev(name, ...values) {
    this.now += this.random.between(3, 24);
    this.events.push({ at: this.now, name, values });
  }

  /** @param {number} low @param {number} high */
  wait(low, high) {
    this.now += this.random.between(low, high);
  }

  /** @param {...number} ready tasks whose delay is over */
  tick(...ready) {
    this.ev('isr_enter', ISR.tick);
    for (const task of ready) this.ev('task_to_rdy_state', task);
    this.ev('isr_exit', ISR.tick);
  }

  /** @param {number} task */
  run(task) {
    this.ev('task_switched_in', task);
  }

  sensor() {
    const { task, queue, marker } = this.core;
    const { random } = this;
    this.tick(task.sensor);
    this.run(task.sensor);
    this.ev('task_evtmarker_begin', 0, 'sample');
    this.wait(100, 500);
    this.ev('task_valmarker', 0, random.between(-2048, 2048));
    this.ev('task_evtmarker_end', 0);
    const count = random.between(1, 4);
    for (let i = 0; i < count; i++) {
      this.ev('queue_send', queue.data, i + 1);
      if (i === 0) this.ev('task_to_rdy_state', task.worker);
    }
    this.ev('curtask_delay_until', random.between(1, 1 << 20));
    this.run(task.worker);
    for (let i = count - 1; i >= 0; i--) {
      this.ev('queue_receive', queue.data, i);
      this.wait(60, 400);
      if (random.chance(0.5))
        this.ev(
          'valmarker',
          marker + random.between(0, 4),
          random.pick([random.between(-64, 64), random.between(0, 1 << 30)]),
        );
    }
    this.ev('curtask_block_on_queue_receive', queue.data, FOREVER);
    this.run(task.idle);
  }

  uart() {
    const { task, queue } = this.core;
    const count = this.random.between(1, 5);
    for (let i = 0; i < count; i++) {
      this.ev('isr_enter', ISR.uart);
      this.ev('queue_send_from_isr', queue.rx, i + 1);
      if (i === 0) this.ev('task_to_rdy_state', task.comms);
      this.ev('isr_exit', ISR.uart);
      if (i === 0) this.run(task.comms);
      this.wait(20, 120);
    }
    for (let i = count - 1; i >= 0; i--) this.ev('queue_receive', queue.rx, i);
    if (this.random.chance(0.6)) this.ev('task_evtmarker', 1, this.random.pick(WORDS));
    this.wait(50, 300);
    this.ev('curtask_block_on_queue_receive', queue.rx, FOREVER);
    this.run(task.idle);
  }

  mutex() {
    const { task, queue, marker } = this.core;
    const { random } = this;
    this.tick(task.logger);
    this.run(task.logger);
    this.ev('queue_receive', queue.bus, 0);
    this.ev('evtmarker_begin', marker + 2, random.pick(WORDS));
    this.wait(100, 400);
    this.tick(task.control);
    this.run(task.control);
    this.ev('curtask_block_on_queue_receive', queue.bus, random.pick([10, 100, FOREVER]));
    this.ev('task_to_rdy_state', task.logger);
    this.ev('task_priority_inherit', task.logger, 4);
    this.run(task.logger);
    this.wait(50, 300);
    this.ev('evtmarker_end', marker + 2);
    this.ev('queue_send', queue.bus, 1);
    this.ev('task_priority_disinherit', task.logger, 1);
    this.ev('task_to_rdy_state', task.logger);
    this.ev('task_to_rdy_state', task.control);
    this.run(task.control);
    this.ev('queue_receive', queue.bus, 0);
    this.wait(30, 200);
    this.ev('queue_send', queue.bus, 1);
    this.ev('curtask_delay', random.between(1, 50));
    this.run(task.logger);
    this.ev('evtmarker', marker + 1, `${random.pick(WORDS)} ${random.between(0, 1000)}`);
    this.ev('curtask_delay', random.between(1, 20));
    this.run(task.idle);
  }

  dma() {
    const { task, queue } = this.core;
    this.ev('isr_enter', ISR.adc);
    this.ev('queue_send_from_isr', queue.done, 1);
    this.ev('task_to_rdy_state', task.control);
    this.ev('isr_exit', ISR.adc);
    this.run(task.control);
    this.ev('queue_receive', queue.done, 0);
    this.ev('task_valmarker', 3, this.random.between(-100, 100));
    this.wait(40, 200);
    this.ev('curtask_block_on_queue_receive', queue.done, 50);
    this.run(task.idle);
  }

  timer() {
    const { task, marker } = this.core;
    this.tick(task.timer);
    this.run(task.timer);
    this.ev('evtmarker', marker + 3, 'timer');
    this.ev('curtask_delay_until', this.random.between(1, 1 << 24));
    this.run(task.idle);
  }

  suspend() {
    const { task } = this.core;
    this.tick(task.control, task.logger);
    this.run(task.control);
    this.ev('task_suspended', task.logger);
    this.ev('task_priority_set', task.logger, this.random.between(1, 5));
    this.ev('task_resumed', task.logger);
    this.ev('task_to_rdy_state', task.logger);
    this.ev('curtask_delay', 5);
    this.run(task.logger);
    this.ev('curtask_delay', 9);
    this.run(task.idle);
  }

  /** Unique messages: the worst case for string tables. */
  messages() {
    const { task, marker } = this.core;
    this.tick(task.comms);
    this.run(task.comms);
    for (let i = this.random.between(2, 6); i > 0; i--) {
      this.ev('evtmarker_begin', marker + 1, `job ${NUMBER_GAP}`);
      this.wait(10, 80);
      this.ev('evtmarker', marker + 3, `${this.random.pick(WORDS)} ${NUMBER_GAP}`);
      this.ev('task_evtmarker', 1, `id ${NUMBER_GAP}`);
      this.ev('evtmarker_end', marker + 1);
    }
    this.ev('curtask_delay', 2);
    this.run(task.idle);
  }

  /** One of many tasks holds a mutex and sends work to another one. */
  many() {
    const i = this.random.between(0, CROWD.workers);
    this.tick(crowd.producer(i));
    this.run(crowd.producer(i));
    this.ev('queue_receive', crowd.mutex(i), 0);
    this.wait(20, 300);
    this.ev('queue_send', crowd.mutex(i), 1);
    this.ev('queue_send', crowd.queue(i), 1);
    this.ev('task_to_rdy_state', crowd.consumer(i));
    this.ev('curtask_delay', this.random.between(1, 50));
    this.run(crowd.consumer(i));
    this.ev('queue_receive', crowd.queue(i), 0);
    this.wait(20, 300);
    this.ev('curtask_block_on_queue_receive', crowd.queue(i), FOREVER);
    this.run(this.core.task.idle);
  }

  nested_interrupts() {
    this.ev('isr_enter', ISR.tick);
    if (this.random.chance(0.3)) {
      this.ev('isr_enter', ISR.adc);
      this.ev('valmarker', this.core.marker, this.random.between(-2048, 2048));
      this.ev('isr_exit', ISR.adc);
    }
    this.ev('isr_exit', ISR.tick);
  }

  loop() {
    const { marker } = this.core;
    this.ev('evtmarker_begin', marker, '');
    for (const part of ['read', 'filter', 'write']) {
      this.ev('evtmarker_begin', marker + 1, part);
      this.wait(50, 400);
      if (this.random.chance(0.4)) this.nested_interrupts();
      if (this.random.chance(0.4))
        this.ev('valmarker', marker + this.random.between(0, 4), this.random.between(-100000, 100000));
      this.ev('evtmarker_end', marker + 1);
    }
    this.ev('evtmarker_end', marker);
  }

  bytes() {
    for (let i = this.random.between(1, 5); i > 0; i--) {
      this.ev('isr_enter', ISR.uart);
      this.ev('valmarker', this.core.marker + 2, this.random.between(0, 256));
      this.ev('isr_exit', ISR.uart);
      this.wait(30, 200);
    }
    this.ev('evtmarker', this.core.marker + 3, `${this.random.pick(WORDS)} ${this.random.between(0, 1000)}`);
  }
}

/** @typedef {'many' | 'sensor' | 'uart' | 'mutex' | 'dma' | 'timer' | 'suspend' | 'messages' | 'nested_interrupts' | 'loop' | 'bytes'} Activity */

/** Relative frequency of each activity. @type {Record<Mode, [Activity, number][]>} */
const MIX = {
  freertos: [
    ['sensor', 50],
    ['uart', 50],
    ['mutex', 30],
    ['dma', 40],
    ['timer', 10],
    ['suspend', 3],
  ],
  'many-tasks': [
    ['many', 150],
    ['sensor', 20],
    ['uart', 20],
    ['mutex', 20],
    ['timer', 10],
  ],
  'bare-metal': [
    ['nested_interrupts', 30],
    ['loop', 50],
    ['bytes', 20],
  ],
  markers: [
    ['messages', 80],
    ['sensor', 10],
    ['uart', 10],
  ],
};

/**
 * One block of one core, events in order of time.
 * @param {BigCore} core
 * @param {Mode} mode
 * @param {import('./random.mjs').Random} random
 * @returns {BlockEvent[]}
 */
export function make_block(core, mode, random) {
  const block = new Block(core, random);
  const bag = MIX[mode].flatMap(([activity, weight]) => /** @type {Activity[]} */ (new Array(weight).fill(activity)));
  while (block.now < BLOCK_LEN - LONGEST_ACTIVITY) {
    block[random.pick(bag)]();
    block.wait(50, 1200);
  }
  if (block.now >= BLOCK_LEN) throw new Error('an activity ran over the end of its block');
  return block.events;
}
