// SPDX-License-Identifier: MIT
// The actions on a recording (open, save, share), and the viewer's answer.
import { download, openAgain, openInViewer, stopTask, stopWaiting } from '../handoff.js';
import { traceNs, traceTimeOf } from '../../../wasm/report.js';
import { loadSeconds } from '../../../wasm/estimate.js';
import { bytes, timesOf } from '../format.js';
import {
  type Conversion,
  type HandOver,
  type Output,
  type Recording,
  type Task,
  canOpen,
  canOpenPart,
  fittingEnd,
  isSlow,
  tooLarge,
} from '../job.js';
import { DEFAULT_VIEWER, setSettings, useSettings } from '../io/settings.js';
import type { BlockStore } from '../io/block-store.js';
import { dispatch } from '../store.js';

const storeOf = (conversion: Conversion): BlockStore | null =>
  conversion.kind === 'done' ? conversion.output.store : conversion.kind === 'failed' ? conversion.salvaged : null;

const isConvertedLater = (conversion: Conversion): boolean =>
  conversion.kind === 'done' && conversion.output.store === null;

/** The size of the trace; an estimate has two digits. */
const sizeOf = ({ store, extent }: Output): string =>
  store ? bytes(store.bytes) : `about ${bytes(Number(extent.bytes.toPrecision(2)))}`;

/** Shown when the trace is too large for the viewer: the user can open a time range. */
function TooLarge({ recording, output }: { recording: Recording; output: Output }) {
  const end = fittingEnd(output, recording.options);
  return (
    <p class="action-warning warn">
      This trace has {sizeOf(output)}; the viewer in a browser takes about 2 GB. Download it for a native trace
      processor, or{' '}
      <button
        type="button"
        class="link"
        onClick={() => dispatch({ type: 'options', recording: recording.id, change: { 'to-ns': end } })}
      >
        convert only the time before{' '}
        {timesOf(output.report).moment(traceTimeOf(end, output.report) / traceNs(output.report))}
      </button>
      .
    </p>
  );
}

/** The cost of the whole trace, and the offer of a time range. */
function Cost({ output }: { output: Output }) {
  return (
    <p class="action-warning warn">
      All of it is a lot for the viewer: about {Math.round(loadSeconds(output.extent))} s to load, {sizeOf(output)}. A
      part opens at once: drag over the picture, or click a time.
    </p>
  );
}

/** Before the click: says what the click will do, or why it is disabled. */
function BeforeOpening({ recording, viewer }: { recording: Recording; viewer: string }) {
  const { conversion } = recording;
  if (conversion.kind === 'done' && tooLarge(conversion.output))
    return <TooLarge recording={recording} output={conversion.output} />;
  if (!canOpen(conversion)) return null;
  const asks = viewer === DEFAULT_VIEWER ? 'Perfetto asks once whether this page may open a trace: say yes. ' : '';
  return (
    <div id="beforehand">
      {conversion.kind === 'done' && isSlow(conversion.output) && <Cost output={conversion.output} />}
      <p class="action-warning">
        Opens {new URL(viewer).host} in a new tab. {asks}The trace goes from window to window inside this browser, to no
        server.
      </p>
    </div>
  );
}

/** Visible progress, which a screen reader does not announce at each step. */
const ProgressText = ({ done }: { done: string }) => <span aria-live="off">{done && `: ${done}`}</span>;

/** A file that is being made for saving. */
function Making({ task: { id, samples, done } }: { task: Task }) {
  return (
    <p class="action-status">
      <span class="dot" aria-hidden="true" />
      {samples === null ? (
        'The trace is made'
      ) : (
        <>
          The samples of <bdi>{samples}</bdi> are read
        </>
      )}
      <ProgressText done={done} />.
      <button type="button" class="button small" onClick={() => stopTask(id)}>
        Stop
      </button>
    </p>
  );
}

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

/** Shown while the viewer's window is open and has no trace yet. */
function Waiting({ handOver: { ready, done, silent } }: { handOver: Extract<HandOver, { kind: 'waiting' }> }) {
  if (silent) {
    return (
      <p class="action-status warn">
        The viewer has not answered for 30 seconds. Check the network connection and the viewer’s address in the
        settings. It gets the trace as soon as it answers. <TryAgain /> <StopWaiting />
      </p>
    );
  }
  return (
    <p class="action-status">
      <span class="dot" aria-hidden="true" />
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
      <StopWaiting />
    </p>
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
        <p class="action-status warn">The browser blocked the new tab. Allow pop-ups for this page, then: {retry}</p>
      );
    case 'closed':
      return <p class="action-status warn">The viewer’s tab was closed before it answered. {retry}</p>;
    case 'failed':
      return (
        <p class="action-status warn">
          {handOver.text} {retry}
        </p>
      );
    case 'handed':
      return <p class="action-status good">Handed over: the viewer in the other tab has the trace.</p>;
    case 'moved':
      return <p class="action-status good">The viewer’s tab now shows this time range.</p>;
  }
}

interface ActionsProps {
  recording: Recording;
  handOver: HandOver;
  /** files that are being made of this recording */
  tasks: readonly Task[];
}

export function Actions({ recording, handOver, tasks }: ActionsProps) {
  const { viewer, gzip } = useSettings();
  const { conversion } = recording;
  const store = storeOf(conversion);
  const mine = handOver.kind !== 'idle' && handOver.recording === recording.id ? handOver : { kind: 'idle' as const };
  return (
    <div class="actions">
      <button
        type="button"
        class="button primary convert-button"
        disabled={!canOpen(conversion)}
        aria-describedby="beforehand"
        onClick={() => openInViewer(recording.id)}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M2 1v10l9-5z" />
        </svg>
        Open in Perfetto
        <kbd aria-hidden="true">Enter</kbd>
      </button>
      <BeforeOpening recording={recording} viewer={viewer} />
      <div class="action-status-box" aria-live="polite">
        <Talk handOver={mine} recording={recording} />
        {tasks.map((task) => (
          <Making key={task.id} task={task} />
        ))}
      </div>
      {conversion.kind !== 'trace' && (
        <div class="row">
          <button
            type="button"
            class="button"
            disabled={(!store?.bytes && !isConvertedLater(conversion)) || tasks.some(({ samples }) => samples === null)}
            onClick={() => void download(recording.id, gzip, conversion.kind === 'failed' ? store : null)}
          >
            {conversion.kind === 'failed' ? 'Download what was saved' : 'Download'}
            {store && store.bytes > 0 && !gzip && <span class="button-detail"> {bytes(store.bytes)}</span>}
          </button>
          <label class="check">
            <input
              type="checkbox"
              checked={gzip}
              onChange={(event) => setSettings({ gzip: event.currentTarget.checked })}
            />
            compressed
          </label>
        </div>
      )}
    </div>
  );
}
