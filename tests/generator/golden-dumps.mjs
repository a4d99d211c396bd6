// SPDX-License-Identifier: MIT
//
// Golden cases of memory dumps that contain the recorder's control block.

import { BACKEND, control_block, other_memory } from './control.mjs';
import { Stream, head } from './golden-stream.mjs';
import { concat, frame } from './tband.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/** @param {string} name @param {string} proves @param {() => Uint8Array} bytes @returns {GoldenCase} */
const dump = (name, proves, bytes) => ({ name, proves, rows: [], inputs: { 'input.bin': { bytes } } });

const names = () =>
  head()
    .ev('task_name', 1, 'A')
    .ev('task_name', 2, 'B')
    .ev('task_name', 3, 'IDLE')
    .ev('task_is_idle_task', 3, 0)
    .bytes();

/** Two tasks that take turns, `rounds` times from `from` on. @param {number} rounds @param {number} from */
function turns(rounds, from) {
  const stream = new Stream();
  for (let i = 0; i < rounds; i++) {
    const at = from + 40 * i;
    stream
      .ev('task_switched_in', at, 1)
      .ev('evtmarker', at + 4, 1, `round ${i}`)
      .ev('curtask_delay', at + 8, 1)
      .ev('task_switched_in', at + 10, 3)
      .ev('isr_enter', at + 30, 15)
      .ev('task_to_rdy_state', at + 32, 1)
      .ev('isr_exit', at + 34, 15);
  }
  return stream.bytes();
}

/** Names of another program, with the same numbers. */
const other_names = () =>
  head()
    .ev('task_name', 1, 'C')
    .ev('task_name', 3, 'IDLE')
    .ev('task_is_idle_task', 3, 0)
    .ev('evtmarker_name', 1, 'other m')
    .bytes();

/** @param {string} text */
const ascii = (text) => new TextEncoder().encode(text);

/** Index after the first zero byte at a position that `wanted` accepts. @param {Uint8Array} bytes @param {(at: number) => boolean} wanted */
const boundary = (bytes, wanted) => bytes.findIndex((byte, at) => byte === 0 && wanted(at)) + 1;

const RING = { backend: BACKEND.post_mortem, metadata_size: 128, ring_size: 500 };

/** @param {Uint8Array} block */
const amid = (block) => concat([other_memory(700, 5), block, other_memory(300, 6)]);

/** @type {GoldenCase[]} */
export const DUMPS = [
  dump(
    'overwritten-ring-in-a-dump',
    'A memory dump contains an overwritten ring. The decoder finds its control block and reads names first, then from the oldest whole frame on; the rest of the dump is skipped.',
    () => amid(control_block(RING, [{ names: names(), events: turns(20, 1000) }])),
  ),
  dump(
    'unwrapped-ring-in-a-dump',
    'A ring that never wrapped begins at its first byte; the bytes after its position were never written.',
    () => amid(control_block(RING, [{ names: names(), events: turns(4, 1000) }])),
  ),
  dump('two-cores-in-a-dump', 'The rings of two cores are merged by time; interrupt names belong to their core.', () =>
    amid(
      control_block(RING, [
        { names: concat([names(), new Stream().ev('isr_name', 15, 'tick').bytes()]), events: turns(18, 1000) },
        {
          names: new Stream()
            .ev('task_name', 4, 'C')
            .ev('task_name', 5, 'IDLE1')
            .ev('task_is_idle_task', 5, 1)
            .ev('isr_name', 15, 'other tick')
            .bytes(),
          events: new Stream()
            .with((s) => {
              for (let i = 0; i < 12; i++)
                s.ev('task_switched_in', 1100 + 50 * i, 4)
                  .ev('isr_enter', 1110 + 50 * i, 15)
                  .ev('isr_exit', 1112 + 50 * i, 15)
                  .ev('curtask_delay', 1118 + 50 * i, 1)
                  .ev('task_switched_in', 1120 + 50 * i, 5);
            })
            .bytes(),
        },
      ]),
    ),
  ),
  dump('dump-of-a-big-endian-target', 'The numbers of the control block have the byte order of the target.', () =>
    amid(control_block({ ...RING, big: true }, [{ names: names(), events: turns(20, 1000) }])),
  ),
  dump(
    'snapshot-in-a-dump',
    'A snapshot is read from its first byte to its position; names without space are reported.',
    () =>
      amid(
        control_block({ ...RING, backend: BACKEND.snapshot }, [
          { names: names(), events: turns(5, 1000), names_lost: 3 },
        ]),
      ),
  ),
  dump(
    'names-without-space-in-a-dump',
    'After the names, the control block contains how many names and bytes are missing: the report has both.',
    () =>
      amid(
        control_block(RING, [
          { names: names(), events: turns(5, 1000), names_lost: 3, missing: frame('names_missing', 3, 40) },
        ]),
      ),
  ),
  dump('unsent-stream-data-in-a-dump', 'From a streaming ring, the bytes that were not sent yet are decoded.', () => {
    const events = turns(12, 1000);
    return amid(
      control_block({ ...RING, backend: BACKEND.streaming }, [
        { names: names(), events, read: boundary(events, (at) => at > 300) },
      ]),
    );
  }),
  dump(
    'dump-truncated-in-control-block',
    'A dump ends within the control block: the complete cores are decoded.',
    () => {
      const block = control_block(RING, [
        { names: names(), events: turns(20, 1000) },
        { names: new Uint8Array(0), events: turns(20, 1010) },
      ]);
      return concat([other_memory(200, 7), block.subarray(0, block.length - 100)]);
    },
  ),
  dump(
    'dump-with-impossible-positions',
    'A control block whose positions are outside of its ring: it is reported, and no event is decoded from it.',
    () => {
      const block = control_block(RING, [
        { names: names(), events: turns(20, 1000) },
        { names: names(), events: turns(3, 2000) },
      ]);
      block.set([0xff, 0xff, 0xff, 0x7f], 32);
      return amid(block);
    },
  ),
  dump(
    'two-control-blocks-in-a-dump',
    'The two programs of a target have a control block each: their cores are numbered one after the other, and equal numbers of tasks and markers are different objects. That the clocks are common is assumed and reported. Text that resembles a control block is skipped.',
    () =>
      concat([
        other_memory(100, 8),
        control_block(RING, [{ names: names(), events: turns(18, 1000) }]),
        ascii('Tonkopf Ri'),
        ascii('Tonkopf RingTonkopf Ring'),
        control_block(RING, [{ names: other_names(), events: turns(9, 1015) }]),
        ascii('Tonkopf Ring'),
      ]),
  ),
  dump(
    'control-blocks-with-different-clocks',
    'Each of two programs has a clock rate and a counter of lost events of its own: the times of the second are converted, and the losses are added up.',
    () => {
      const stream = { backend: BACKEND.streaming, metadata_size: 128, ring_size: 500 };
      /** @param {number} hz @param {string} name */
      const task = (hz, name) => new Stream().ev('clock_hz', hz, 1).ev('task_name', 1, name).bytes();
      const runs = (/** @type {number} */ factor, /** @type {number} */ lost) =>
        new Stream()
          .with((s) => {
            for (let i = 0; i < 8; i++)
              s.ev('dropped_evt_cnt', factor * (1000 + 100 * i), i < 4 ? 0 : lost)
                .ev('task_switched_in', factor * (1000 + 100 * i), 1)
                .ev('valmarker', factor * (1050 + 100 * i), 1, i);
          })
          .bytes();
      return concat([
        control_block(stream, [{ names: task(1e6, 'slow'), events: runs(1, 10) }]),
        control_block({ ...stream, resolution: 417 }, [{ names: task(2.4e6, 'fast'), events: runs(2.4, 3) }]),
      ]);
    },
  ),
  dump(
    'control-block-with-a-compared-clock',
    'The program of the first control block compares its clock with that of core 0: this is the core of the other block, and no clock is assumed.',
    () =>
      concat([
        control_block(RING, [
          {
            names: concat([new Stream().ev('clock_rate', 1, 2).bytes(), other_names()]),
            events: concat([new Stream().ev('clock_sync', 1000, 0, 2100).bytes(), turns(8, 1010)]),
          },
        ]),
        control_block(RING, [{ names: names(), events: turns(18, 2000) }]),
      ]),
  ),
  dump(
    'control-block-twice-in-a-dump',
    'The same memory at two addresses: a control block with the same bytes is read once.',
    () => {
      const block = amid(control_block(RING, [{ names: names(), events: turns(20, 1000) }]));
      return concat([block, block]);
    },
  ),
];
