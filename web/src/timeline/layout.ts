// SPDX-License-Identifier: MIT
// The order of the rows on the timeline: cores, tasks with what belongs to them, then a section per group of tracks.
import { KIND, PURPOSE, type RawRow, type RawRows, type RawTrack, TRACK } from './engine.js';

export interface Row {
  row: number;
  kind: number;
  /** pid of a row of a task; number of the core of a row of a core */
  owner: number;
  depth: number;
  title: string;
  /** its track, as the viewer names it */
  track: string;
  unit: string;
  /** one of PURPOSE, and the core it belongs to; null: none */
  purpose: number;
  core: number | null;
  /** rows of a task: the row whose texts tell what the task waits for; 0: none */
  reasons: number;
  isIdle: boolean;
}

/** A line of the timeline: the head of a section, or a row. */
export interface Line {
  key: string;
  /** in a Choice */
  name: string;
  title: string;
  /** null: the head of a section */
  row: Row | null;
  /** 0: in a section; 1: belongs to the task above */
  indent: number;
  height: number;
  /** null: nothing can be folded here */
  isOpen: boolean | null;
  /** number of rows that belong to it */
  count: number;
  isPinned: boolean;
  /** head of a closed section: rows that are drawn small */
  summary: Row[];
}

export interface Section {
  key: string;
  title: string;
  rows: { row: Row; children: Row[] }[];
  /** key of the section that goes on here with the rows that were added later */
  of?: string;
  /** it was painted: it is open (true) or closed until the user changes that */
  isOpen?: boolean;
}

const HEIGHTS: Readonly<Record<number, number>> = {
  [KIND.core]: 28,
  [KIND.task]: 30,
  [KIND.slices]: 20,
  [KIND.instants]: 16,
  [KIND.numbers]: 30,
};
const HEAD_HEIGHT = 24;
const SUMMARY = 6; // most rows that a closed section draws small

const stepOf = (
  track: RawTrack,
): { id: number; parent: number; kind: number; pid: number; rank: number; name: string } => {
  const [id, parent, kind, pid, rank, , name] = track;
  return { id, parent, kind, pid, rank, name };
};
type Step = ReturnType<typeof stepOf>;

class Tracks {
  readonly #tracks = new Map<number, RawTrack>();

  constructor(tracks: readonly RawTrack[]) {
    for (const track of tracks) this.#tracks.set(track[0], track);
  }

  /** Returns a track and its groups, the outermost first. */
  path(track: number): Step[] {
    const steps: Step[] = [];
    for (let id = track; steps.length < 16;) {
      const found = this.#tracks.get(id);
      if (!found) break;
      steps.unshift(stepOf(found));
      id = found[1];
    }
    return steps;
  }

  /** Returns what a track tells about its rows. */
  detail(track: number): Pick<Row, 'unit' | 'purpose' | 'core'> {
    const [, , , , , , , unit = '', purpose = 0, core = 0] = this.#tracks.get(track) ?? [];
    return { unit, purpose, core: core ? core - 1 : null };
  }
}

const byText = new Intl.Collator('en', { numeric: true }).compare;

/** Compares places in the tree of tracks: by rank, then by name. */
function compare(a: readonly Step[], b: readonly Step[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (x.name !== y.name || x.rank !== y.rank) return x.rank - y.rank || byText(x.name, y.name);
  }
  return a.length - b.length;
}

const plainRow = ([row, kind, owner, depth]: RawRow, title: string): Row => ({
  row,
  kind,
  owner,
  depth,
  title,
  track: title,
  unit: '',
  purpose: PURPOSE.other,
  core: null,
  reasons: 0,
  isIdle: false,
});

/** A row of numbers that never change shows nothing. */
const isConstantNumber = ([, kind, , , isConstant]: RawRow): boolean => isConstant && kind === KIND.numbers;

export interface Layout {
  sections: Section[];
  /** number of rows that are hidden because their number never changes */
  hidden: number;
}

/** Keeps what was there before in its order; the rest follows. */
function steady(now: readonly Row[], before: readonly Row[]): Row[] {
  const places = new Map(before.map(({ row }, index) => [row, index]));
  const place = ({ row }: Row): number => places.get(row) ?? before.length;
  return [...now].sort((a, b) => place(a) - place(b));
}

/** Returns the key of a section, or of the one that it was added to later. */
const baseOf = ({ key, of }: Section): string => of ?? key;

/** Places the sections and rows where they are in an earlier layout of the recording. New ones follow: into a closed section, otherwise after
 * everything, so that nothing that is shown moves. */
export function settled(
  { sections, hidden }: Layout,
  before: Layout,
  isOpen: (layout: Layout, section: Section) => boolean,
): Layout {
  const now = new Map(sections.flatMap(({ rows }) => rows.map((one) => [one.row.row, one])));
  const kept = before.sections.map((old): Section => ({
    ...old,
    isOpen: isOpenAtFirst(before, old),
    rows: old.rows.flatMap(({ row: { row }, children }) => {
      const one = now.get(row);
      return one ? [{ row: one.row, children: steady(one.children, children) }] : [];
    }),
  }));
  const known = new Set(kept.flatMap(({ rows }) => rows.map(({ row }) => row.row)));
  for (const section of sections) {
    const late = section.rows.filter(({ row }) => !known.has(row.row)),
      parts = kept.filter((one) => baseOf(one) === section.key),
      last = parts.at(-1);
    if (!late.length) continue;
    if (!last) kept.push({ ...section, rows: late });
    else if (last === kept.at(-1) || !isOpen(before, last)) last.rows.push(...late);
    else
      kept.push({ ...section, key: `later ${parts.length} ${section.key}`, rows: late, of: section.key, isOpen: true });
  }
  return { sections: kept, hidden };
}

export function layoutOf([rawRows, rawTracks, tasks]: RawRows): Layout {
  const drawable = rawRows.filter(([, kind]) => kind !== KIND.flows),
    rows = drawable.filter((raw) => !isConstantNumber(raw)),
    tracks = new Tracks(rawTracks);
  const named = new Map(tasks.map(([pid, isIdle, name]) => [pid, { isIdle, name }]));
  const cores = rows
    .filter(([, kind]) => kind === KIND.core)
    .sort(([, , a], [, , b]) => a - b)
    .map((raw) => ({ row: plainRow(raw, `CPU ${raw[2]}`), children: [] }));
  const ofTasks = new Map(
    rows
      .filter(([, kind]) => kind === KIND.task)
      .map((raw) => {
        const { isIdle, name } = named.get(raw[2]) ?? { isIdle: false, name: `task ${raw[2]}` };
        return [raw[2], { row: { ...plainRow(raw, name), track: `${name} ${raw[2]}`, isIdle }, children: [] as Row[] }];
      }),
  );
  const placed = rows
    .filter(([, kind]) => kind !== KIND.core && kind !== KIND.task)
    .map((raw) => ({ raw, path: tracks.path(raw[2]) }))
    .sort((a, b) => compare(a.path, b.path) || a.raw[1] - b.raw[1] || a.raw[3] - b.raw[3] || a.raw[0] - b.raw[0]);
  // Only slices of calls are nested in a task; those of waits are not.
  const hasCalls = placed.some(
    ({ raw: [, kind, , depth], path }) => kind === KIND.slices && depth > 0 && path.at(-1)?.kind === TRACK.thread,
  );
  const roots = new Set(placed.flatMap(({ path }) => (path[0]?.kind === TRACK.group ? [path[0].name] : [])));
  const sections = new Map<string, Section>();
  for (const { raw, path } of placed) {
    const last = path.at(-1),
      thread = path.find(({ kind }) => kind === TRACK.thread),
      task = thread && ofTasks.get(thread.pid);
    const detail = tracks.detail(raw[2]);
    if (task) {
      const isOwn = last === thread && raw[1] === KIND.slices;
      if (isOwn && !hasCalls) task.row.reasons = raw[0];
      const title = isOwn
        ? hasCalls
          ? 'calls'
          : 'waits for'
        : path
            .slice(path.indexOf(thread) + 1)
            .map(({ name }) => name)
            .join(' / ');
      task.children.push({ ...plainRow(raw, title || 'events'), ...detail });
      continue;
    }
    const names = path.slice(0, -1).map(({ name }) => name);
    const inner = roots.size === 1 && names.length > 1 ? names.slice(1) : names;
    const title = inner.join(' / ') || 'Tracks';
    const section = sections.get(title) ?? { key: `section ${title}`, title, rows: [] };
    sections.set(title, section);
    section.rows.push({ row: { ...plainRow(raw, last?.name ?? `track ${raw[2]}`), ...detail }, children: [] });
  }
  const busyFirst = [...ofTasks.values()].sort(
    (a, b) => Number(a.row.isIdle) - Number(b.row.isIdle) || byText(a.row.title, b.row.title),
  );
  return {
    sections: [
      ...(cores.length ? [{ key: 'cores', title: 'CPUs', rows: cores }] : []),
      ...(busyFirst.length ? [{ key: 'tasks', title: 'Tasks', rows: busyFirst }] : []),
      ...sections.values(),
    ],
    hidden: drawable.length - rows.length,
  };
}

/** Cores and tasks are open at first. */
const isMain = ({ key }: Section): boolean => key === 'cores' || key === 'tasks';

/** Cores and tasks need no head at the top, where nothing is above them that they could seem to belong to. */
const hasHead = (sections: readonly Section[], section: Section): boolean =>
  !isMain(section) || sections.indexOf(section) > (sections[0]!.key === 'cores' ? 1 : 0);

/** Beside tasks, only a section with the few rows of interrupts is open; without tasks, all are. */
const isOpenAtFirst = (layout: Layout, section: Section): boolean =>
  section.isOpen ??
  (isMain(section) ||
    !layout.sections.some(({ key }) => key === 'tasks') ||
    (section.rows.length <= 2 && section.rows.every(({ row }) => row.kind === KIND.slices)));

/** What the user has done with the rows. Rows and sections are named, so that the next recording of the same firmware opens alike. */
export interface Choice {
  /** what the user has opened (true) or closed, by name */
  folds: Readonly<Record<string, boolean>>;
  pinned: readonly string[];
  hidden: readonly string[];
}

export const noChoice: Choice = { folds: {}, pinned: [], hidden: [] };

/** The rows of a section are shown. */
export const isOpenBy = (layout: Layout, section: Section, { folds }: Choice = noChoice): boolean =>
  folds[section.key] ?? isOpenAtFirst(layout, section);

/** Which rows are shown; the rows that belong to a shown one are shown with it. */
export interface Filter {
  /** only rows whose name contains it */
  text: string;
  /** only these rows; null: all */
  only: ReadonlySet<number> | null;
}

const noFilter: Filter = { text: '', only: null };

/** Sorted rows are those of the whole section, also if some were added later. */
const joined = (sections: readonly Section[]): Section[] =>
  sections
    .filter(({ of }) => !of)
    .map((section) => ({ ...section, rows: sections.flatMap((one) => (baseOf(one) === section.key ? one.rows : [])) }));

/** Returns the name of a row in a Choice. */
export const nameOfRow = (section: Section, { title, depth, kind }: Row): string =>
  `${section.title}/${title}/${kind}/${depth}`;

/** The visible lines. order: of the tasks. */
export function linesOf(
  layout: Layout,
  choice: Choice,
  { text, only }: Filter = noFilter,
  order?: (a: Row, b: Row) => number,
): Line[] {
  const wanted = text.toLowerCase();
  const isWanted = ({ row, title }: Row): boolean => title.toLowerCase().includes(wanted) && (!only || only.has(row));
  const line = (
    row: Row,
    name: string,
    indent: number,
    count: number,
    isOpen: boolean | null,
    isPinned = false,
  ): Line => ({
    key: `${isPinned ? 'pinned' : 'row'} ${row.row}`,
    name,
    title: row.depth && row.kind === KIND.slices ? '' : row.title,
    row,
    indent,
    height: HEIGHTS[row.kind] ?? 20,
    isOpen,
    count,
    isPinned,
    summary: [],
  });
  const pinned: Line[] = [];
  const sections = order ? joined(layout.sections) : layout.sections;
  const lines = sections.flatMap((section): Line[] => {
    const sorted =
      order && section.key === 'tasks' ? [...section.rows].sort((a, b) => order(a.row, b.row)) : section.rows;
    const kept = sorted.filter(({ row }) => !choice.hidden.includes(nameOfRow(section, row)));
    const rows = kept.filter(({ row, children }) => isWanted(row) || children.some(isWanted));
    if (!rows.length) return [];
    for (const { row } of rows)
      if (choice.pinned.includes(nameOfRow(section, row)))
        pinned.push(line(row, nameOfRow(section, row), 0, 0, null, true));
    const isOpen = !!wanted || !!only || isOpenBy(layout, section, choice);
    const head: Line = {
      key: section.key,
      name: section.key,
      title: section.of ? `${section.title}, added later` : section.title,
      row: null,
      indent: 0,
      height: HEAD_HEIGHT,
      isOpen,
      count: rows.length,
      isPinned: false,
      summary: isOpen ? [] : rows.map(({ row }) => row).slice(0, SUMMARY),
    };
    if (!isOpen) return [head];
    const inner = rows.flatMap(({ row, children }): Line[] => {
      const name = nameOfRow(section, row),
        isRowOpen = choice.folds[name] ?? false;
      return [
        line(row, name, 0, children.length, children.length ? isRowOpen : null),
        ...(isRowOpen ? children.map((child) => line(child, nameOfRow(section, child), 1, 0, null)) : []),
      ];
    });
    return hasHead(sections, section) ? [head, ...inner] : inner;
  });
  return [...pinned, ...lines];
}

/** Names, in a Choice, of the lines that a row is folded into. Sorted rows that were added later are below the section that they were added to. */
export function pathTo({ sections }: Layout, row: number): string[] {
  for (const section of sections)
    for (const parent of section.rows) {
      const heads = [section.key, ...(section.of ? [section.of] : [])];
      if (parent.row.row === row) return heads;
      if (parent.children.some((child) => child.row === row)) return [...heads, nameOfRow(section, parent.row)];
    }
  return [];
}

/** Returns the rows of the sections, without those that belong to another row. */
export const mainRows = ({ sections }: Layout): Row[] => sections.flatMap(({ rows }) => rows.map(({ row }) => row));

/** Returns all rows. */
export const allRows = ({ sections }: Layout): Row[] =>
  sections.flatMap(({ rows }) => rows.flatMap(({ row, children }) => [row, ...children]));

/** Returns a row by its number. */
export const rowOf = (layout: Layout, row: number): Row | null =>
  allRows(layout).find((one) => one.row === row) ?? null;
