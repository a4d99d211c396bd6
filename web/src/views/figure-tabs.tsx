// SPDX-License-Identifier: MIT
// The tabs of figures in the drawer, of a report that is complete or still grows.
import type { ComponentChildren } from 'preact';
import type { Report } from '../../../wasm/types.js';
import type { DrawerTab } from './drawer.js';
import { Findings } from './findings.js';
import { Problems } from './problems.js';
import { GROUPS, type Placed } from './tables.js';
import type { OpenAt } from './time-link.js';

interface Shown {
  report: Report;
  onOpenAt: OpenAt;
}

/** Returns the tab of findings, if the report has such a table, and a tab for each group. tables: of a group; more: by group, what is above its tables. */
export const tableTabs = (
  { report, onOpenAt }: Shown,
  placed: readonly Placed[],
  tables: (group: string) => ComponentChildren,
  more: Readonly<Record<string, ComponentChildren>> = {},
): DrawerTab[] => [
  ...(report.findings
    ? [
        {
          id: 'findings',
          title: 'Findings',
          count: report.findings.length,
          content: <Findings report={report} onOpenAt={onOpenAt} />,
        },
      ]
    : []),
  ...GROUPS.filter(({ id }) => more[id] || placed.some(({ group }) => group === id)).map(({ id, title }) => ({
    id,
    title,
    content: (
      <>
        {more[id]}
        {tables(id)}
      </>
    ),
  })),
];

/** verdict: a sentence above the problems; null: there is none yet. */
export const problemsTab = ({ report, onOpenAt }: Shown, verdict: string | null): DrawerTab => ({
  id: 'problems',
  title: 'Problems',
  count: report.problems.filter(({ severity }) => severity !== 'info').length,
  content: (
    <>
      {verdict !== null && <p class="hint">{verdict}</p>}
      <Problems report={report} onOpenAt={onOpenAt} />
    </>
  ),
});

/** Draws only the open tab, because its figures change several times a second. */
export const onlyOpen = (
  tabs: readonly DrawerTab[],
  open: string | null,
  note: ComponentChildren = null,
): DrawerTab[] =>
  tabs.map((tab) => ({
    ...tab,
    content: tab.id === open && (
      <>
        {note}
        {tab.content}
      </>
    ),
  }));
