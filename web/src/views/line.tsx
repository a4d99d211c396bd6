// SPDX-License-Identifier: MIT
// The one line below the bar: what is most important now. Progress, the findings, the state of the hand-over.
import type { ComponentChildren } from 'preact';
import type { Finding, Report } from '../../../wasm/types.js';
import { loadSeconds } from '../../../wasm/estimate.js';
import { openTab } from '../drawer.js';
import { cancel } from '../effects.js';
import { bytes, count, plural } from '../format.js';
import { openAgain, stopTask, stopWaiting } from '../handoff.js';
import {
  type Conversion,
  type HandOver,
  type Output,
  type Recording,
  type Task,
  canOpen,
  canOpenPart,
  isSlow,
  reportOf,
  tooLarge,
} from '../job.js';
import { rangeOf } from '../io/perfetto.js';
import { dispatch } from '../store.js';
import { verdictOf } from './figures.js';
import type { OpenAt } from './time-link.js';

// ---- The hand-over

const TryAgain = () => (
  <button type="button" class="button small" onClick={openAgain}>
    Try again
  </button>
);

const StopWaiting = () => (
  <button type="button" class="button small" onClick={stopWaiting}>
    Stop waiting
  </button>
);

/** Visible progress, which a screen reader does not announce at each step. */
const ProgressText = ({ done }: { done: string }) => <span aria-live="off">{done && `: ${done}`}</span>;

interface StatusProps {
  tone?: 'good' | 'warn';
  isBusy?: boolean;
  children: ComponentChildren;
  buttons?: ComponentChildren;
}

const Status = ({ tone, isBusy, children, buttons }: StatusProps) => (
  <p class={`action-status ${tone ?? ''}`}>
    {isBusy && <span class="dot" aria-hidden="true" />}
    <span class="action-text">{children}</span>
    {buttons}
  </p>
);

/** A file that is being made for saving. */
function Making({ task: { id, samples, done } }: { task: Task }) {
  return (
    <Status
      isBusy
      buttons={
        <button type="button" class="button small" onClick={() => stopTask(id)}>
          Stop
        </button>
      }
    >
      {samples === null ? (
        'The trace is made'
      ) : (
        <>
          The samples of <bdi>{samples}</bdi> are read
        </>
      )}
      <ProgressText done={done} />.
    </Status>
  );
}

/** Shown while the viewer's window is open and has no trace yet. */
function Waiting({ handOver: { ready, done, silent } }: { handOver: Extract<HandOver, { kind: 'waiting' }> }) {
  if (silent) {
    return (
      <Status
        tone="warn"
        buttons={
          <>
            <TryAgain /> <StopWaiting />
          </>
        }
      >
        The viewer has not answered for 30 seconds. Check the network connection and the viewer’s address in the
        settings. It gets the trace as soon as it answers.
      </Status>
    );
  }
  return (
    <Status isBusy buttons={<StopWaiting />}>
      {ready ? (
        'Waiting for the viewer to answer. If it asks whether to open the trace, say yes there.'
      ) : done === undefined ? (
        'The viewer is open. It gets the trace when the conversion is finished.'
      ) : (
        <>
          The viewer is open. Its trace is being made
          <ProgressText done={done} />.
        </>
      )}
    </Status>
  );
}

function Talk({ handOver, recording: { conversion } }: { handOver: HandOver; recording: Recording }) {
  const retry = (canOpen(conversion) || (handOver.kind !== 'failed' && canOpenPart(conversion))) && <TryAgain />;
  switch (handOver.kind) {
    case 'idle':
      return null;
    case 'waiting':
      return <Waiting handOver={handOver} />;
    case 'blocked':
      return (
        <Status tone="warn" buttons={retry}>
          The browser blocked the new tab. Allow pop-ups for this page, then:
        </Status>
      );
    case 'closed':
      return (
        <Status tone="warn" buttons={retry}>
          The viewer’s tab was closed before it answered.
        </Status>
      );
    case 'failed':
      return (
        <Status tone="warn" buttons={retry}>
          {handOver.text}
        </Status>
      );
    case 'handed':
      return <Status tone="good">Handed over: the viewer in the other tab has the trace.</Status>;
    case 'moved':
      return <Status tone="good">The viewer’s tab now shows this time range.</Status>;
  }
}

// ---- Progress

type Running = Extract<Conversion, { kind: 'running' }>;

function ProgressLine({ recording, conversion }: { recording: Recording; conversion: Running }) {
  const { progress, startedAt, now } = conversion;
  const findings = reportOf(conversion)?.findings;
  const total = progress.bytesTotal ?? 0;
  const share = total > 0 ? Math.min(1, progress.bytesIn / total) : 0;
  const seconds = (now - startedAt) / 1000;
  const rate = progress.bytesIn / 1e6 / seconds;
  const speed = seconds > 0.05 ? `${rate.toFixed(rate < 10 ? 1 : 0)} MB/s` : '';
  return (
    <div class="conversion-progress">
      <progress max={1} value={total > 0 ? share : undefined} aria-label="Share of the recording that was read" />
      <p class="figures-inline">
        <span>
          {bytes(progress.bytesIn)}
          {total > 0 && ` of ${bytes(total)}`}
        </span>{' '}
        <span>{count(progress.events)} events</span> <span>{speed}</span>
      </p>
      {findings && (
        <button type="button" class="link so-far" onClick={() => openTab('findings')}>
          So far: {summaryOf(findings) || 'no finding'}
        </button>
      )}
      <button type="button" class="button small" onClick={() => cancel(recording.cacheKey)}>
        Cancel
      </button>
    </div>
  );
}

// ---- What was found

const severities = [
  ['problem', (number: number) => plural(number, 'problem')],
  ['check', (number: number) => `${count(number)} to check`],
  ['note', (number: number) => plural(number, 'note')],
] as const;

/** "1 problem, 2 to check" */
const summaryOf = (findings: readonly Finding[]): string =>
  severities
    .map(([severity, words]) => [findings.filter((finding) => finding.severity === severity).length, words] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => words(number))
    .join(', ');

/** The size of the trace; an estimate has two digits. */
const sizeOf = ({ store, extent }: Output): string =>
  store ? bytes(store.bytes) : `about ${bytes(Number(extent.bytes.toPrecision(2)))}`;

/** The cost of the whole trace in the viewer. */
function Cost({ output }: { output: Output }) {
  if (tooLarge(output))
    return (
      <span class="action-warning warn">
        This trace has {sizeOf(output)}; the viewer in a browser takes about 2 GB. Download it for a native trace
        processor, or mark an interval in the timeline.
      </span>
    );
  if (!isSlow(output)) return null;
  return (
    <span class="action-warning warn">
      All of it is a lot for the viewer: about {Math.round(loadSeconds(output.extent))} s to load, {sizeOf(output)}. An
      interval that you mark opens at once.
    </span>
  );
}

/** Of a recording without tasks, or without analysis, which has no findings. */
function Contents({ report }: { report: Report }) {
  const { tone, text } = verdictOf(report);
  return (
    <>
      <span class="line-summary">{plural(report.events.total, 'event')}</span>
      {tone !== 'bad' && <span class="line-text">{text}</span>}
      {report.problems.length > 0 && (
        <button type="button" class="link" onClick={() => openTab('problems')}>
          Show
        </button>
      )}
    </>
  );
}

function FirstFinding({ report, onOpenAt }: { report: Report; onOpenAt: OpenAt }) {
  const { findings } = report;
  if (!findings) return <Contents report={report} />;
  const [first] = findings;
  if (!first) return <span class="line-summary">No finding</span>;
  const { severity, who, title, at, longest } = first;
  const show = (): void => {
    openTab('findings');
    if (at !== null) onOpenAt?.(rangeOf(BigInt(at), BigInt(longest ?? 0), report));
  };
  return (
    <>
      <b class={`line-summary line-${severity}`}>{summaryOf(findings)}</b>
      <span class="line-text" title={first.text}>
        {title}: <bdi>{who}</bdi>
      </span>
      <button type="button" class="link" onClick={show}>
        Show
      </button>
    </>
  );
}

function Found({ output, onOpenAt }: { output: Output; onOpenAt: OpenAt }) {
  const { report } = output;
  const { tone, text } = verdictOf(report);
  const notExamined = report.not_examined?.length ?? 0;
  return (
    <>
      <Cost output={output} />
      {tone === 'bad' && <span class="line-state">{text}</span>}
      <FirstFinding report={report} onOpenAt={onOpenAt} />
      {notExamined > 0 && <span class="line-end">not examined: {notExamined}</span>}
    </>
  );
}

// ---- The line

interface LineProps {
  recording: Recording | null;
  handOver: HandOver;
  tasks: readonly Task[];
  /** name of the file that is being recognised */
  looking: string | null;
  onOpenAt: OpenAt;
}

/** States without figures, which the page explains below. */
const ended = {
  cancelled: 'Cancelled',
  failed: 'Stopped by an error',
  unknown: 'Nothing to convert',
  trace: 'A trace already',
};

function Main({ recording, looking, onOpenAt }: Pick<LineProps, 'recording' | 'looking' | 'onOpenAt'>) {
  if (looking !== null)
    return (
      <>
        <span class="line-text looking">
          Looking at <bdi>{looking}</bdi> …
        </span>
        <button type="button" class="button small" onClick={() => dispatch({ type: 'stop-looking' })}>
          Stop
        </button>
      </>
    );
  if (!recording) return null;
  const { conversion } = recording;
  if (conversion.kind === 'queued') return <span>Waits until the recording before it is converted.</span>;
  if (conversion.kind === 'running') return <ProgressLine recording={recording} conversion={conversion} />;
  if (conversion.kind === 'done') return <Found output={conversion.output} onOpenAt={onOpenAt} />;
  return <span class="line-text">{ended[conversion.kind]}</span>;
}

export function Line({ recording, handOver, tasks, looking, onOpenAt }: LineProps) {
  const mine = handOver.kind !== 'idle' && handOver.recording === recording?.id ? handOver : { kind: 'idle' as const };
  return (
    <section class="line" aria-label="State">
      <div class="line-main">
        <Main recording={recording} looking={looking} onOpenAt={onOpenAt} />
      </div>
      <div class="action-status-box" aria-live="polite">
        {recording && <Talk handOver={mine} recording={recording} />}
        {tasks.map((task) => (
          <Making key={task.id} task={task} />
        ))}
      </div>
    </section>
  );
}
