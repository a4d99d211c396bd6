// SPDX-License-Identifier: MIT
// Measures how fast the page's client reads RTT through a probe in software, whose target always has a full ring. The delay of each direction
// stands for USB: the wires of a real probe come in addition.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../lib.mjs';

const PACKETS = [
  [64, 1],
  [64, 4],
  [512, 1],
  [512, 4],
  [512, 8],
  [1024, 8],
];
const DELAYS = [0, 1];

const BASE = 0x20000000;
const RING = 8192;
const BUFFER = 0x400;
const WRITTEN = 36,
  READ = 40; // in the control block at 0

/** A target that fills its ring at once. */
class Full {
  words = new DataView(new ArrayBuffer(BUFFER + RING));

  constructor() {
    new Uint8Array(this.words.buffer).set(new TextEncoder().encode('SEGGER RTT'));
    [1, 0, 0, BASE + BUFFER, RING, RING - 1, 0].forEach((word, at) => this.write(BASE + 16 + 4 * at, word));
  }

  /** @param {number} address */
  read(address) {
    const at = address - BASE;
    return at >= 0 && at < this.words.byteLength ? this.words.getUint32(at, true) : null;
  }

  /** @param {number} address @param {number} value */
  write(address, value) {
    this.words.setUint32(address - BASE, value, true);
    if (address === BASE + READ) this.words.setUint32(WRITTEN, (value + RING - 1) % RING, true);
    return true;
  }
}

/** Resolves to rows of the table. seconds: of each measurement */
export async function measureProbe(seconds) {
  const { module: software } = await runnerImport(join(root, 'tests/web/software-probe.ts'));
  const { module: page } = await runnerImport(join(root, 'web/src/io/probe/probe-source.ts'));
  const rows = [];
  for (const delay of DELAYS)
    for (const [size, count] of PACKETS) {
      const probe = new software.SoftwareProbe(new Full(), { size, count, delay });
      const stop = new AbortController();
      let bytes = 0,
        begun = 0;
      const source = new page.ProbeSource(probe.open, { ranges: [{ at: BASE, length: 0 }], channel: 0, isOnce: false });
      await source.run(
        {
          onState: () => {},
          onLineError: () => {},
          onNote: () => {},
          onBytes: async (piece) => {
            begun ||= performance.now();
            bytes += piece.length;
            if (performance.now() - begun > seconds * 1000) stop.abort();
            await new Promise((resolve) => setImmediate(resolve));
          },
        },
        stop.signal,
      );
      rows.push({ delay, size, count, perSecond: bytes / ((performance.now() - begun) / 1000) });
      console.log(line(rows.at(-1)));
    }
  return rows;
}

export const head = '| each direction | bytes of a packet | packets under way | kB/s |\n|---|---:|---:|---:|';

/** @param {{ delay: number, size: number, count: number, perSecond: number }} row */
export const line = ({ delay, size, count, perSecond }) =>
  `| ${delay} ms | ${size} | ${count} | ${(perSecond / 1000).toFixed(0)} |`;
