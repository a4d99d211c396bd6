// SPDX-License-Identifier: MIT
// One colour per name, the same in the strip and in the tables. Colour is never the only sign: names stand beside it.
import type { Report } from '../../../wasm/types.js';
import { type OverviewRow, overviewRows } from '../series.js';

const COLOURS = 8;

export type Colours = (row: Pick<OverviewRow, 'kind' | 'name'>, index: number) => string;

/** By the place in a list, where there are no names. */
export const colourOfKind: Colours = ({ kind }, index) =>
  kind === 'idle' ? 'c-idle' : kind === 'interrupt' ? 'c-irq' : `c-${index % COLOURS}`;

/** What restarted, or is on several cores under one name, is one thing to whoever looks. */
export function coloursOf(report: Report): Colours {
  const names = [
    ...new Set(
      overviewRows(report)
        .filter(({ kind }) => kind === 'task' || kind === 'marker' || kind === 'signal')
        .map(({ name }) => name),
    ),
  ];
  return (row) => {
    const index = names.indexOf(row.name);
    return index < 0 && row.kind === 'task' ? 'c-none' : colourOfKind(row, index);
  };
}
