// SPDX-License-Identifier: MIT
// RTT of firmware that runs in an emulator, read by the page's client through a probe in software over the memory of the emulator.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProbeSource } from '../../web/src/io/probe/probe-source.js';
import { readPrograms } from '../../web/src/io/probe/program.js';
import { Emulator, canEmulate, expectRecorded } from './emulated-board.js';
import { root } from './site.js';
import { SoftwareProbe } from './software-probe.js';

test.skipIf(!canEmulate)(
  'firmware that streams through RTT: every frame, names, and the losses that it counts',
  async () => {
    const emulator = await Emulator.start();
    try {
      const compiled = await WebAssembly.compile(readFileSync(`${root}/lib/tonkopf.wasm`));
      const image = { name: 'firmware.elf', blob: new Blob([readFileSync(emulator.image)]) };
      const programs = await readPrograms(compiled, [image]);
      const probe = new SoftwareProbe(emulator, { size: 512, count: 4 });
      const pieces: Uint8Array[] = [],
        notes: string[] = [];
      const stop = new AbortController();
      const options = { ranges: [], channel: null, isOnce: false }; // the symbols are enough
      const ended = new ProbeSource(probe.open, options, programs).run(
        {
          onBytes: async (bytes) => void pieces.push(bytes),
          onState: () => {},
          onLineError: () => {},
          onNote: (text) => void notes.push(text),
        },
        stop.signal,
      );
      await expectRecorded(async () => Buffer.concat(pieces), emulator);
      stop.abort();
      await ended;
      expect(notes).toEqual([]);
    } finally {
      emulator.stop();
    }
  },
);
