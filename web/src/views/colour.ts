// SPDX-License-Identifier: MIT
// One colour per name, the same in the overview and in the tables. Every colour is shown beside its name.
import type { Report } from '../../../wasm/types.js';
import { type OverviewRow, overviewRows } from '../series.js';

const COLOURS = 8;

export type Colours = (row: Pick<OverviewRow, 'kind' | 'name'>, index: number) => string;

/** The colour of a list's entry without a name, by its index. */
export const colourOfKind: Colours = ({ kind }, index) =>
  kind === 'idle' ? 'c-idle' : kind === 'interrupt' ? 'c-irq' : `c-${index % COLOURS}`;

/** Rows of one name (a restarted task, one task per core) share a colour. */
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
