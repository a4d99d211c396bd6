// SPDX-License-Identifier: MIT
import type { ComponentChildren } from 'preact';
import type { InterruptReport, QueueReport, Report, TaskReport } from '../../../wasm/types.js';
import { count, percent, timesOf } from '../format.js';
import { coloursOf } from './colour.js';
import { hasSteps } from './figures.js';
import { tasksInOrder } from './order.js';
import { type OpenAt, TimeLink } from './time-link.js';

function Section({ id, title, note, children }: { id: string; title: string; note?: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title} {note && <small>{note}</small>}</h2>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={`Table: ${title}`}>
        <table>{children}</table>
      </div>
    </section>
  );
}

function TaskRow({ task, report, onOpenAt }: { task: TaskReport; report: Report; onOpenAt: OpenAt }) {
  const colour = coloursOf(report)({ name: task.name, kind: task.idle ? 'idle' : 'task' }, 0);
  const { duration } = timesOf(report);
  return (
    <tr class={task.idle ? 'idle' : undefined}>
      <th scope="row"><span class={`swatch ${colour}`} aria-hidden="true" />{task.name}{task.idle && <small> idle</small>}</th>
      <td class="num">{task.priority ?? '–'}</td>
      <td class="bar-cell">
        <svg class={`bar ${colour}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect class="bar-ground" width="100" height="8" />
          <rect width={Math.min(100, task.share * 100)} height="8" />
        </svg>
      </td>
      <td class="num">{percent(task.share)}</td>
      <td class="num">{duration(task.cpuNs)}</td>
      <td class="num">{count(task.runs)}{task.runsNotMeasured > 0 && <small>, {count(task.runsNotMeasured)} not measured</small>}</td>
      <td>
        {task.longestWaitNs !== '0' && (
          <>
            {duration(task.longestWaitNs)} <small>{task.longestWaitOn}</small>
            {task.longestWaitAtNs !== null && <> <small>at</small> <TimeLink ns={task.longestWaitAtNs} durationNs={task.longestWaitNs} track={`${task.name} ${task.pid}`} report={report} onOpenAt={onOpenAt} /></>}
          </>
        )}
      </td>
    </tr>
  );
}

export function Tasks({ report, onOpenAt }: { report: Report; onOpenAt: OpenAt }) {
  if (!report.tasks.length) return null;
  const tasks = tasksInOrder(report);
  return (
    <Section id="tasks-title" title="Where the time went">
      <thead>
        <tr>
          <th scope="col">{hasSteps(report) ? 'Active object' : 'Task'}</th>
          <th scope="col" class="num">Priority</th>
          <th scope="col" colSpan={2}>CPU</th>
          <th scope="col" class="num">Time</th>
          <th scope="col" class="num">{hasSteps(report) ? 'Steps' : 'Runs'}</th>
          <th scope="col">Longest wait</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => <TaskRow key={task.pid} task={task} report={report} onOpenAt={onOpenAt} />)}
      </tbody>
    </Section>
  );
}

function InterruptRow({ interrupt, report, onOpenAt }: { interrupt: InterruptReport; report: Report; onOpenAt: OpenAt }) {
  const { duration } = timesOf(report);
  const periodic = interrupt.count > 1;
  return (
    <tr>
      <th scope="row">{interrupt.name}{report.cores.length > 1 && <small> core {interrupt.core}</small>}</th>
      <td class="num">{count(interrupt.count)}{interrupt.notMeasured > 0 && <small>, {count(interrupt.notMeasured)} not measured</small>}</td>
      <td class="num">{duration(interrupt.minNs)}</td>
      <td class="num">{duration(interrupt.meanNs)}</td>
      <td class="num">{duration(interrupt.maxNs)}</td>
      <td>{interrupt.maxAtNs !== null && <TimeLink ns={interrupt.maxAtNs} durationNs={interrupt.maxNs} report={report} onOpenAt={onOpenAt} />}</td>
      <td class="num">{periodic ? duration(interrupt.periodMinNs) : '–'}</td>
      <td class="num">{periodic ? duration(interrupt.periodMeanNs) : '–'}</td>
      <td class="num">{periodic ? duration(interrupt.periodMaxNs) : '–'}</td>
    </tr>
  );
}

export function Interrupts({ report, onOpenAt }: { report: Report; onOpenAt: OpenAt }) {
  if (!report.interrupts.length) return null;
  return (
    <Section id="interrupts-title" title="Interrupts">
      <thead>
        <tr>
          <th scope="col" rowSpan={2}>Interrupt</th>
          <th scope="col" rowSpan={2} class="num">Count</th>
          <th scope="colgroup" colSpan={4} class="over">Duration</th>
          <th scope="colgroup" colSpan={3} class="over">Period</th>
        </tr>
        <tr>
          <th scope="col" class="num">min</th>
          <th scope="col" class="num">mean</th>
          <th scope="col" class="num">longest</th>
          <th scope="col">at</th>
          <th scope="col" class="num">min</th>
          <th scope="col" class="num">mean</th>
          <th scope="col" class="num">max</th>
        </tr>
      </thead>
      <tbody>
        {report.interrupts.map((interrupt) => (
          <InterruptRow key={`${interrupt.core} ${interrupt.id}`} interrupt={interrupt} report={report} onOpenAt={onOpenAt} />
        ))}
      </tbody>
    </Section>
  );
}

const QueueRow = ({ queue }: { queue: QueueReport }) => (
  <tr>
    <th scope="row">{queue.name}</th>
    <td>{queue.kind}</td>
    <td class="num">{count(queue.operations)}</td>
    <td class="num">{count(queue.maxFill)}</td>
  </tr>
);

export function Queues({ report }: { report: Report }) {
  if (!report.queues.length) return null;
  return (
    <Section id="queues-title" title="Queues and locks">
      <thead>
        <tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col" class="num">Operations</th><th scope="col" class="num">Highest fill</th></tr>
      </thead>
      <tbody>{report.queues.map((queue) => <QueueRow key={queue.id} queue={queue} />)}</tbody>
    </Section>
  );
}

export function EventKinds({ report }: { report: Report }) {
  if (!report.events.byKind.length) return null;
  const kinds = [...report.events.byKind].sort((a, b) => b.count - a.count);
  return (
    <section aria-labelledby="kinds-title">
      <h2 id="kinds-title">Events by kind</h2>
      <ul class="panel kinds">
        {kinds.map(({ kind, count: number }) => (
          <li key={kind}>
            <span>{kind}</span> <b>{count(number)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
