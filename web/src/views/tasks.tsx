// SPDX-License-Identifier: MIT
// Response times of the tasks: distribution, percentiles, and the worst case as a button that unfolds why it was late.
import definitions from 'virtual:definitions';
import { useId, useState } from 'preact/hooks';
import { rowsOf } from '../../../wasm/report.js';
import type { JobsRow, Report } from '../../../wasm/types.js';
import { openTab } from '../drawer.js';
import { count, timesOf } from '../format.js';
import {
  type LateJob,
  PARTS,
  type Piece,
  distributionOf,
  lateJobs,
  neighbour,
  partWords,
  sentenceOf,
  ticketText,
} from '../late.js';
import { useCopy } from './export.js';
import { type OpenAt, TimeLink } from './time-link.js';

interface Shared {
  report: Report;
  /** title of the recording */
  name: string;
  onOpenAt: OpenAt;
  /** the user follows the name of a task */
  onTask(task: string): void;
}

const FEW_JOBS = 20; // percentiles of fewer jobs say little
const SHOWN = 12; // tasks that are shown at first

/** Shows the table of locks or queues. */
function showObject(): void {
  openTab('queues');
  const title = ['mutexes', 'queue_times', 'queues'].map((id) => document.getElementById(`${id}-title`)).find(Boolean);
  requestAnimationFrame(() => title?.scrollIntoView({ block: 'start' }));
}

function Sentence({ pieces, tasks, onTask }: { pieces: Piece[]; tasks: ReadonlySet<string> } & Pick<Shared, 'onTask'>) {
  return (
    <p class="late-why">
      {pieces.map(({ text, link }, index) => {
        if (!link || (link === 'task' && !tasks.has(text))) return link ? <bdi key={index}>{text}</bdi> : text;
        return (
          <button
            type="button"
            class="link"
            key={index}
            onClick={() => (link === 'task' ? onTask(text) : showObject())}
          >
            <bdi>{text}</bdi>
          </button>
        );
      })}
    </p>
  );
}

/** One bar from the release to the end; the parts are sums, in no order of time. */
function PartsBar({ late: { job }, report }: { late: LateJob; report: Report }) {
  const { duration } = timesOf(report);
  const whole = Number(job.response) || 1;
  const parts = PARTS.filter((part) => Number(job[part] ?? 0));
  let x = 0;
  return (
    <>
      <svg class="late-bar" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
        {parts.map((part) => {
          const width = (Number(job[part]) / whole) * 1000;
          x += width;
          return <rect key={part} class={`part-${part}`} x={x - width} width={Math.max(width, 1)} height="14" />;
        })}
      </svg>
      <ul class="late-parts">
        {parts.map((part) => (
          <li key={part} title={definitions.jobs[part]}>
            <svg class="late-swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`part-${part}`} width="10" height="10" />
            </svg>
            {partWords[part]} {duration(job[part]!)}
          </li>
        ))}
      </ul>
    </>
  );
}

function trackOf(report: Report, task: string): { track?: string } {
  const row = rowsOf(report, 'tasks').find(({ name }) => name === task);
  return row?.pid == null ? {} : { track: `${task} ${row.pid}` };
}

/** The worst jobs of a task, one at a time. */
function Late({ task, tasks, report, name, onOpenAt, onTask }: Shared & { task: string; tasks: ReadonlySet<string> }) {
  const [index, setIndex] = useState(0);
  const [said, copy] = useCopy();
  const jobs = lateJobs(report, task);
  const late = jobs[index];
  if (!late) return null; // without causes, or out of memory
  const { job } = late;
  const { duration } = timesOf(report);
  const step = (by: -1 | 1, words: string) => {
    const to = neighbour(jobs, index, by);
    return (
      <button type="button" class="link" disabled={to === null} onClick={() => to !== null && setIndex(to)}>
        {words}
      </button>
    );
  };
  return (
    <div class="late">
      <p class="late-head">
        <b>{index === 0 ? 'Worst job' : `Number ${index + 1} of the ${jobs.length} worst jobs`}</b>,{' '}
        {duration(job.response!)} at{' '}
        <TimeLink
          time={job.release!}
          length={job.response!}
          {...trackOf(report, task)}
          report={report}
          onOpenAt={onOpenAt}
        />
      </p>
      <Sentence pieces={sentenceOf(report, late)} tasks={tasks} onTask={onTask} />
      <PartsBar late={late} report={report} />
      <p class="late-actions">
        {step(-1, 'Previous late job')} {step(1, 'Next late job')}{' '}
        <button type="button" class="link" onClick={() => copy(ticketText(report, name, late))}>
          Copy for a ticket
        </button>{' '}
        <span role="status">{said}</span>
      </p>
    </div>
  );
}

function Distribution({ report, task }: { report: Report; task: string }) {
  return (
    <svg class="distribution" viewBox="0 0 120 20" preserveAspectRatio="none" aria-hidden="true">
      {distributionOf(report, task).map(({ x, width, height }) => (
        <rect
          key={x}
          x={x * 120}
          width={Math.max(width * 120 - 1, 1)}
          y={20 - Math.max(height * 20, 1)}
          height={Math.max(height * 20, 1)}
        />
      ))}
    </svg>
  );
}

type Timed = Pick<
  JobsRow,
  'count' | 'count_unmeasured' | 'response_p50' | 'response_p95' | 'response_max' | 'period_p50'
>;

/** Worst case, number, percentiles and period. A value that is not measured says why. */
function Cells({ row, report, worst }: { row: Timed; report: Report; worst: preact.ComponentChild }) {
  const { duration } = timesOf(report);
  const [all, unmeasured] = [Number(row.count ?? 0), Number(row.count_unmeasured ?? 0)];
  const few = all - unmeasured < FEW_JOBS ? ' few' : '';
  const length = (value: string | null) =>
    value === null ? (
      <span title={`not measured: ${count(unmeasured)} of ${count(all)} jobs`}>–</span>
    ) : (
      duration(value)
    );
  return (
    <>
      <td class="num">{worst}</td>
      <td class="num">
        {count(all)}
        {unmeasured > 0 && <small> {count(unmeasured)} not measured</small>}
      </td>
      <td class={`num${few}`}>{length(row.response_p50)}</td>
      <td class={`num${few}`}>{length(row.response_p95)}</td>
      <td class={`num${few}`}>{length(row.period_p50)}</td>
    </>
  );
}

const heads = [
  ['Task', ''],
  ['Worst', definitions.jobs['response']],
  ['Jobs', definitions.jobs['count']],
  ['50 %', definitions.jobs['p50']],
  ['95 %', definitions.jobs['p95']],
  ['Period', definitions.jobs['period']],
  ['Response times', definitions.tables['job_distribution']],
] as const;

function TaskRow({
  row,
  open,
  onToggle,
  ...shared
}: Shared & { row: JobsRow; open: boolean; onToggle(): void; tasks: ReadonlySet<string> }) {
  const { report } = shared;
  const { duration } = timesOf(report);
  const id = useId();
  const task = row.name;
  const waits = (report.activations ?? []).filter(({ name }) => name.startsWith(`${task} / `));
  return (
    <>
      <tr class={open ? 'opened' : undefined} data-task={task}>
        <th scope="row">
          <bdi class="label-text">{task}</bdi>
        </th>
        <Cells
          row={row}
          report={report}
          worst={
            row.response_max === null ? (
              '–'
            ) : (
              <button
                type="button"
                class="link worst"
                aria-expanded={open}
                aria-controls={id}
                aria-label={`Why did the worst job of ${task} take ${duration(row.response_max)}?`}
                onClick={onToggle}
              >
                {duration(row.response_max)} <span aria-hidden="true">{open ? '▴' : '▾'}</span>
              </button>
            )
          }
        />
        <td>
          <Distribution report={report} task={task} />
        </td>
      </tr>
      {open &&
        waits.map((wait) => (
          <tr key={wait.name} class="by-wait">
            <th scope="row">
              <bdi class="label-text">{wait.name.slice(task.length + 3)}</bdi>
            </th>
            <Cells row={wait} report={report} worst={wait.response_max === null ? '–' : duration(wait.response_max)} />
            <td />
          </tr>
        ))}
      <tr id={id} hidden={!open} class="late-row">
        {open && (
          <td colSpan={heads.length}>
            <Late {...shared} task={task} />
          </td>
        )}
      </tr>
    </>
  );
}

export function ResponseTimes({ report, name, onOpenAt }: Omit<Shared, 'onTask'>) {
  const [open, setOpen] = useState<string | null>(null);
  const [whole, setWhole] = useState(false);
  const rows = (report.jobs ?? [])
    .filter(({ count }) => Number(count ?? 0) > 0)
    .sort((a, b) => Number(b.response_max ?? -1) - Number(a.response_max ?? -1));
  if (!rows.length) return null;
  const tasks = new Set(rows.map((row) => row.name));
  const shown = whole ? rows : rows.slice(0, SHOWN);
  const onTask = (task: string): void => {
    setWhole(true);
    setOpen(task);
    requestAnimationFrame(() => {
      const row = [...document.querySelectorAll<HTMLElement>('tr[data-task]')].find(
        ({ dataset }) => dataset.task === task,
      );
      row?.querySelector<HTMLElement>('button')?.focus();
      row?.scrollIntoView({ block: 'nearest' });
    });
  };
  return (
    <section aria-labelledby="response-title" class="response-times">
      <h2 id="response-title">Response times</h2>
      <div class="panel scroll" tabIndex={0} role="region" aria-label="Table: Response times">
        <table>
          <thead>
            <tr>
              {heads.map(([title, definition], index) => (
                <th
                  key={title}
                  scope="col"
                  class={index > 0 && index < 6 ? 'num' : undefined}
                  title={definition || undefined}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <TaskRow
                key={`${row.name} ${index}`}
                row={row}
                open={open === row.name}
                onToggle={() => setOpen(open === row.name ? null : row.name)}
                report={report}
                name={name}
                onOpenAt={onOpenAt}
                onTask={onTask}
                tasks={tasks}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <button type="button" class="link more" onClick={() => setWhole(true)}>
          Show all {count(rows.length)}
        </button>
      )}
    </section>
  );
}
