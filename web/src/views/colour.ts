// SPDX-License-Identifier: MIT
// One colour per task, the same in the strip and in the tables. Colour is never the only sign: names stand beside it.
import type { StripRow } from '../../../wasm/types.js';

const COLOURS = 8;

export function colourOf(row: Pick<StripRow, 'kind'>, index: number): string {
  if (row.kind === 'idle') return 'c-idle';
  return row.kind === 'interrupt' ? 'c-irq' : `c-${index % COLOURS}`;
}
