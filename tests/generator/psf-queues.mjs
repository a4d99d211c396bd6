// SPDX-License-Identifier: MIT
//
// Random recordings of TraceRecorder that begin while queues, semaphores and buffers already contain something, with the arrows from each
// send to the receives that took its items.

import { AT, FOREVER, run } from './golden-psf-stream.mjs';
import { Random } from './random.mjs';

/** @typedef {'queue' | 'semaphore' | 'stream' | 'message'} Kind */
/** An item or message in a queue; of a stream buffer the bytes of one send. `sent`: time, or null when it was sent before the recording or during a loss. */
/** @typedef {{ sent: number | null, size: number }} Item */
/** @typedef {{ at: number, name: string, kind: Kind, front: boolean, items: Item[], capacity: number }} Queue */

/** @type {Record<Kind, { send: import('./psf.mjs').PsfName, receive: import('./psf.mjs').PsfName, timeout: boolean }>} */
const CALLS = {
  queue: { send: 'QUEUE_SEND', receive: 'QUEUE_RECEIVE', timeout: true },
  semaphore: { send: 'SEM_GIVE', receive: 'SEM_TAKE', timeout: true },
  stream: { send: 'STREAMBUF_SEND', receive: 'STREAMBUF_RECEIVE', timeout: false },
  message: { send: 'MSGBUF_SEND', receive: 'MSGBUF_RECEIVE', timeout: false },
};

/** Time of the first event. */
const START = 10;

const length_of = (/** @type {Queue} */ queue) => queue.items.reduce((sum, { size }) => sum + size, 0);
const is_bytes = (/** @type {Kind} */ kind) => kind === 'stream' || kind === 'message';

/** @param {Random} random @param {number} index @returns {Queue} */
function make_queue(random, index) {
  const kind = random.pick(/** @type {Kind[]} */ (['queue', 'queue', 'semaphore', 'stream', 'message']));
  const items = Array.from({ length: random.between(0, 5) }, () => ({
    sent: null,
    size: is_bytes(kind) ? random.between(5, 30) : 1,
  }));
  return {
    at: 0x20005000 + index * 0x100,
    name: `Q${index}`,
    kind,
    front: kind === 'queue' && random.chance(0.5),
    items,
    capacity: is_bytes(kind) ? 200 : kind === 'queue' && random.chance(0.1) ? 400 : 8,
  };
}

/**
 * @param {number} seed
 * @returns {{ bytes: Uint8Array, arrows: Set<string> }} arrows: "time of the send > time of the receive", in microseconds since the first event
 */
export function filled_queues(seed) {
  const random = new Random(seed);
  const queues = Array.from({ length: random.between(1, 6) }, (_, index) => make_queue(random, index));
  const stream = run();
  /** @type {Set<string>} */
  const arrows = new Set();
  let time = 50;
  for (const { at, name } of queues) stream.ev(++time, 'OBJ_NAME', at, name);

  const send = (/** @type {Queue} */ queue) => {
    const size = is_bytes(queue.kind) ? random.between(1, 40) : 1;
    if (length_of(queue) + size > queue.capacity) return;
    const first = queue.front && random.chance(0.2);
    queue.items[first ? 'unshift' : 'push']({ sent: time, size });
    stream.ev(time, first ? 'QUEUE_SEND_FRONT' : CALLS[queue.kind].send, queue.at, length_of(queue));
  };
  const receive = (/** @type {Queue} */ queue) => {
    const { items, kind } = queue;
    if (!items.length) return;
    let bytes = kind === 'stream' ? random.between(1, length_of(queue) + 1) : items[0].size;
    while (bytes) {
      const [item] = items;
      const taken = Math.min(bytes, item.size);
      if (item.sent !== null) arrows.add(`${item.sent - START} > ${time - START}`);
      bytes -= taken;
      item.size -= taken;
      if (!item.size) items.shift();
    }
    const { timeout, receive: call } = CALLS[kind];
    stream.ev(time, call, queue.at, ...(timeout ? [FOREVER] : []), length_of(queue));
  };

  const filling = random.between(30, 60) / 100;
  for (let step = random.between(50, 500); step > 0; step--) {
    time += random.between(1, 20);
    if (random.chance(0.1)) {
      const task = random.chance(0.5) ? AT.WORK : AT.MAIN;
      stream.ev(time, 'TASK_ACTIVATE', task, 2);
      continue;
    }
    if (random.chance(0.01)) {
      // the content of the queues, and its changes during the loss, are unknown
      stream.lose(random.between(1, 4));
      for (const queue of queues) for (const item of queue.items) item.sent = null;
      const queue = random.pick(queues);
      if (random.chance(0.5)) queue.items.shift();
      else if (queue.kind === 'queue' && length_of(queue) < queue.capacity) queue.items.push({ sent: null, size: 1 });
      continue;
    }
    const queue = random.pick(queues);
    if (random.chance(queue.capacity > 200 ? 0.7 : filling)) send(queue);
    else receive(queue);
  }
  return { bytes: stream.ev(time + 10, 'TASK_ACTIVATE', AT.IDLE, 0).bytes(), arrows };
}
