// SPDX-License-Identifier: MIT
// Recordings of simulated runs: the program shows what the kernel did.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder } from '../cli/tool.mjs';
import { CONTENTS, Recorded, differences_of_figures, differences_of_states } from './compare.mjs';

/** Recordings of each format. `npm run test:packages -- simulator` runs many more. */
const RECORDINGS = Number(process.env.SIMULATOR_RECORDINGS ?? 12);

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

describe.each(/** @type {import('./compare.mjs').Format[]} */ (Object.keys(CONTENTS)))('%s', (format) => {
  test('complete recordings', async () => {
    const found = [];
    for (let seed = 1; seed <= RECORDINGS; seed++) {
      const recorded = new Recorded(folder, seed, format);
      found.push(...(await differences_of_states(recorded)), ...(await differences_of_figures(recorded)));
    }
    expect(found).toEqual([]);
  });
});
