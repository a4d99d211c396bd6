// SPDX-License-Identifier: MIT
// One component for every table of a report.
import definitions from 'virtual:definitions';
import { useState } from 'preact/hooks';
import { rowsOf } from '../../../wasm/report.js';
import type { Cell, Column, Report, Row, Table } from '../../../wasm/types.js';
import { count, digits, percent, timesOf } from '../format.js';
import { stopTask } from '../handoff.js';
import type { Task } from '../job.js';
import { type Entry, type Order, type Shown, entriesOf, firstOrder, hasNamesakes, shownColumns } from '../table.js';
import { type Colours, coloursOf } from './colour.js';
import { ExportTable } from './export.js';
import { type OpenAt, TimeLink } from './time-link.js';

interface Shared {
  report: Report;
  table: Table;
  /** title of the recording, for file names */
  name: string;
  /** start of the ids of the tables in the page */
  prefix?: string;
  onOpenAt: OpenAt;
  /** files that are being made of this recording */
  tasks: readonly Task[];
  /** the user asks for the samples of a signal; null: they cannot be read yet */
  onSamples: ((path: string) => void) | null;
  colours: Colours;
}

const isText = ({ kind }: Column): boolean => kind === 'name' || kind === 'text' || kind === 'flag';

const isChange = ({ role }: Column): boolean => role === 'change';

/** The page shows these figures elsewhere, but not in comparison with another recording. */
const isNews = (report: Report, { id, columns }: Table): boolean =>
  columns.some((column) => isChange(column) && rowsOf(report, id).some((row) => Number(row[column.key] ?? 0) !== 0));

/** A value as text. */
function textOf(report: Report, column: Column, cell: Cell): string {
  const { duration, moment } = timesOf(report);
  if (cell === null) return isText(column) ? '' : '–';
  switch (column.kind) {
    case 'duration':
      return duration(String(cell));
    case 'time':
      return moment(String(cell));
    case 'share':
      return percent(Number(cell));
    case 'count':
      return `${count(Number(cell))}${column.unit ? ` ${column.unit}` : ''}`;
    case 'number':
      return `${digits(cell)}${column.unit ? ` ${column.unit}` : ''}`;
    case 'flag':
      return cell ? 'yes' : '';
    default:
      return String(cell);
  }
}

/** A difference. The difference of two times is a duration. */
function changeOf(report: Report, column: Column, cell: Cell): string {
  const falls = String(cell).startsWith('-');
  const size = typeof cell === 'string' ? cell.replace('-', '') : Math.abs(Number(cell));
  const text = textOf(report, column.kind === 'time' ? { ...column, kind: 'duration' } : column, size);
  return text.startsWith('<') ? `${text} ${falls ? 'less' : 'more'}` : `${falls ? '−' : '+'}${text}`;
}

/** Name of the viewer's track for a row. The viewer adds the process id to thread names. */
function trackOf({ name, pid, track }: Row): { track?: string } {
  if (track) return { track: String(track) };
  return pid == null ? {} : { track: `${name} ${pid}` };
}

function Note({
  note,
  value,
  row,
  report,
  onOpenAt,
}: { note: Column; value: Cell; row: Row } & Pick<Shared, 'report' | 'onOpenAt'>) {
  const cell = row[note.key] ?? null;
  if (cell === null || cell === '' || cell === false || (note.role === 'unmeasured' && !Number(cell))) return null;
  switch (note.role) {
    case 'at':
      return (
        <span>
          at{' '}
          <TimeLink
            time={String(cell)}
            length={String(value ?? 0)}
            {...trackOf(row)}
            report={report}
            onOpenAt={onOpenAt}
          />
        </span>
      );
    case 'unmeasured':
      return <span>{count(Number(cell))} not measured</span>;
    case 'note':
      return <span>{note.kind === 'flag' ? note.title.toLowerCase() : textOf(report, note, cell)}</span>;
    case 'before':
      return String(cell) === String(value) ? null : <span>before {textOf(report, note, cell)}</span>;
    case 'change':
      return Number(cell) === 0 ? null : <span class="change">{changeOf(report, note, cell)}</span>;
    default:
      return null;
  }
}

function Bar({ share, colour }: { share: number; colour: string }) {
  return (
    <svg class={`bar ${colour}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-background" width="100" height="8" />
      <rect width={Math.min(100, share * 100)} height="8" />
    </svg>
  );
}

function Value({
  shown: { column, notes },
  entry,
  colour,
  ...shared
}: Shared & { shown: Shown; entry: Entry; colour: string | null }) {
  const cell = entry.row[column.key] ?? null;
  return (
    <>
      {column.kind === 'share' && cell !== null && colour ? (
        <span class="share">
          <Bar share={Number(cell)} colour={colour} />
          <span>{textOf(shared.report, column, cell)}</span>
        </span>
      ) : isText(column) ? (
        <bdi class="label-text">{textOf(shared.report, column, cell)}</bdi>
      ) : (
        textOf(shared.report, column, cell)
      )}
      {notes.length > 0 && (
        <>
          {' '}
          <small class="cell-notes">
            {notes.map((note) => (
              <Note
                key={note.key}
                note={note}
                value={cell}
                row={entry.row}
                report={shared.report}
                onOpenAt={shared.onOpenAt}
              />
            ))}
          </small>
        </>
      )}
    </>
  );
}

/** Saves the samples of a signal, or cancels that. */
function Samples({
  path,
  tasks,
  onSamples,
}: Pick<Shared, 'tasks'> & { path: string; onSamples: (path: string) => void }) {
  const task = tasks.find(({ samples }) => samples === path);
  return task ? (
    <button
      type="button"
      class="link"
      aria-label={`Stop reading the samples of ${path}`}
      onClick={() => stopTask(task.id)}
    >
      {task.done} Stop
    </button>
  ) : (
    <button type="button" class="link" aria-label={`Save the samples of ${path}`} onClick={() => onSamples(path)}>
      CSV
    </button>
  );
}

function TableRow({ columns, entry, ...shared }: Shared & { columns: Shown[]; entry: Entry }) {
  const { table } = shared;
  const colour = entry.index === null ? null : shared.colours(table.id, entry.row);
  return (
    <tr class={entry.row.idle === true ? 'idle' : undefined}>
      {columns.map((shown, index) => {
        const value = <Value {...shared} shown={shown} entry={entry} colour={colour} />;
        if (index > 0 || table.shape !== 'list')
          return (
            <td key={shown.column.key} data-column={shown.column.key} class={isText(shown.column) ? undefined : 'num'}>
              {value}
            </td>
          );
        return (
          <th key={shown.column.key} scope="row">
            {colour && <span class={`swatch ${colour}`} aria-hidden="true" />}
            {value}
            {table.id === 'signals' && entry.index !== null && shared.onSamples && (
              <>
                {' '}
                <Samples path={String(entry.row.path)} tasks={shared.tasks} onSamples={shared.onSamples} />
              </>
            )}
            {entry.count > 1 && <small>{entry.count} of this name</small>}
          </th>
        );
      })}
    </tr>
  );
}

/** What a column means: of `response_p95` what the response time is, and what a percentile is. */
function definitionOf(table: string, key: string): string | undefined {
  const of = table === 'waits' ? definitions.waits : /^(jobs|activations)$/.test(table) ? definitions.jobs : {};
  const parts = [/^[a-z]+/, /[a-z0-9]+$/].map((part) => of[part.exec(key)?.[0] ?? '']);
  return of[key] ?? (parts.filter(Boolean).join('; ') || undefined);
}

/** A table head that sorts: descending first, then ascending. */
function Head({
  table,
  column,
  first,
  order,
  onOrder,
}: {
  table: string;
  column: Column;
  first: boolean;
  order: Order | null;
  onOrder(order: Order): void;
}) {
  const mine = order?.key === column.key;
  const descending = mine ? !order.descending : !isText(column);
  return (
    <th
      scope="col"
      data-column={column.key}
      title={definitionOf(table, column.key)}
      class={isText(column) || first ? undefined : 'num'}
      aria-sort={mine ? (order.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" class="sort" onClick={() => onOrder({ key: column.key, descending })}>
        {column.title}
        <span aria-hidden="true">{mine ? (order.descending ? ' ▼' : ' ▲') : ''}</span>
      </button>
    </th>
  );
}

const MANY = 8; // from this number of rows on the table has a filter
const PAGE = 12; // rows of a long table that are shown at first
const FEW = 4; // if so few rows are hidden, the table shows them

function TableView(shared: Shared) {
  const { report, table } = shared;
  const rows = rowsOf(report, table.id);
  const [filter, setFilter] = useState('');
  const [grouped, setGrouped] = useState(false);
  const [order, setOrder] = useState<Order | null>(null);
  const [whole, setWhole] = useState(false);
  const columns = shownColumns(table, rows);
  const entries = entriesOf(table, rows, { filter, grouped, order });
  const shown = whole || entries.length <= PAGE + FEW ? entries : entries.slice(0, PAGE);
  const id = `${shared.prefix ?? ''}${table.id}-title`;
  return (
    <section aria-labelledby={id}>
      <div class="table-head">
        <h2 id={id}>{table.title}</h2>
        {rows.length > MANY && (
          <input
            type="search"
            aria-label={`Filter: ${table.title}`}
            placeholder="Filter"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        )}
        {hasNamesakes(table, rows) && (
          <label class="check">
            <input type="checkbox" checked={grouped} onChange={(event) => setGrouped(event.currentTarget.checked)} />{' '}
            one row per name
          </label>
        )}
        <ExportTable report={report} table={table} name={shared.name} />
      </div>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={`Table: ${table.title}`}>
        <table>
          <thead>
            <tr>
              {columns.map(({ column }, index) => (
                <Head
                  key={column.key}
                  table={table.id}
                  column={column}
                  first={index === 0 && table.shape === 'list'}
                  order={order ?? firstOrder(table)}
                  onOrder={setOrder}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((entry, index) => (
              <TableRow key={entry.index ?? `group ${index}`} {...shared} columns={columns} entry={entry} />
            ))}
          </tbody>
        </table>
        {entries.length === 0 && <p class="hint">Nothing of that name.</p>}
      </div>
      {rows.some(({ pid }) => pid != null) && (
        <p class="hint">In the viewer a number follows each of these names: its process id (pid in SQL).</p>
      )}
      {shown.length < entries.length && (
        <button type="button" class="link more" onClick={() => setWhole(true)}>
          Show all {count(entries.length)}
        </button>
      )}
    </section>
  );
}

/** Shown elsewhere: as text or on the cards of the inputs. */
const ELSEWHERE = new Set(['problems', 'places', 'inputs', 'skipped', 'findings', 'finding_places', 'not_examined']);

/** A group of tables, which is a tab of the drawer. */
export interface Group {
  id: string;
  title: string;
  tables: readonly string[];
}

export const GROUPS: readonly Group[] = [
  {
    id: 'tasks',
    title: 'Tasks',
    tables: [
      ...[
        'cores',
        'tasks',
        'objects',
        'steps',
        'step_signals',
        'jobs',
        'activations',
        'deadlines',
        'waits',
        'worst_jobs',
        'worst_causes',
      ],
      ...['job_distribution', 'job_noise', 'load_windows', 'stacks'],
    ],
  },
  { id: 'calls', title: 'Calls', tables: ['contexts', 'functions', 'calls', 'interruptions'] },
  { id: 'interrupts', title: 'Interrupts', tables: ['interrupts'] },
  {
    id: 'queues',
    title: 'Queues',
    tables: ['queues', 'queue_times', 'mutexes', 'mutex_waits', 'communication', 'event_groups', 'timers', 'stores'],
  },
  { id: 'signals', title: 'Signals', tables: ['signals', 'domains'] },
];

export interface Placed {
  group: string;
  table: Table;
}

/** The tables that have rows, and the tab of each: a group, 'compare' for figures that are only news in a comparison, otherwise 'more'. */
export function placedTables(report: Report, schema: readonly Table[]): Placed[] {
  return schema
    .filter(({ id }) => !ELSEWHERE.has(id) && rowsOf(report, id).length > 0)
    .flatMap((table): Placed[] => {
      if (table.shape !== 'list') return isNews(report, table) ? [{ group: 'compare', table }] : [];
      const group = GROUPS.find(({ tables }) => tables.includes(table.id));
      return [{ group: group?.id ?? 'more', table }];
    });
}

/** The tables of one tab. */
export function Tables({
  placed,
  group,
  ...shared
}: Omit<Shared, 'table' | 'colours'> & { placed: Placed[]; group: string }) {
  const colours = coloursOf(shared.report);
  return (
    <>
      {placed
        .filter((one) => one.group === group)
        .map(({ table }) => (
          <TableView key={table.id} {...shared} table={table} colours={colours} />
        ))}
    </>
  );
}
