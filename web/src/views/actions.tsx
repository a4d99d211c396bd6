// SPDX-License-Identifier: MIT
// The actions on a recording: open, download, and everything else in a menu.
import catalogue from 'virtual:catalogue';
import { traceNs } from '../../../wasm/report.js';
import { bytes, timesOf } from '../format.js';
import { clickOf, download, openAsSeen } from '../handoff.js';
import { type Conversion, type Recording, type Task, canOpen, canOpenPart } from '../job.js';
import { DEFAULT_VIEWER, setSettings, useSettings } from '../io/settings.js';
import type { Range } from '../io/perfetto.js';
import type { BlockStore } from '../io/block-store.js';
import { startOver } from '../reload.js';
import { useTimeline } from '../timelines.js';
import { Menu } from './menu.js';

const storeOf = (conversion: Conversion): BlockStore | null =>
  conversion.kind === 'done' ? conversion.output.store : conversion.kind === 'failed' ? conversion.salvaged : null;

const isConvertedLater = (conversion: Conversion): boolean =>
  conversion.kind === 'done' && conversion.output.store === null;

/** "3.65 ms " of a part, as its times are shown. */
function lengthOf(part: Range | null, conversion: Conversion): string {
  if (!part || conversion.kind !== 'done') return '';
  const { report } = conversion.output;
  return `${timesOf(report).duration((part.endNs - part.startNs) / traceNs(report))} `;
}

/** What the click will do, for screen readers and as a tooltip. */
function beforehand(viewer: string): string {
  const asks = viewer === DEFAULT_VIEWER ? 'Perfetto asks once whether this page may open a trace: say yes. ' : '';
  return `Opens ${new URL(viewer).host} in a new tab. ${asks}The trace goes from window to window inside this browser, to no server.`;
}

interface OpenProps {
  recording: Recording | null;
}

/** The only element in the signal colour. It keeps its place and size in every state. */
function OpenButton({ recording }: OpenProps) {
  const { viewer } = useSettings();
  useTimeline(recording); // draws the button again when the user marks an interval
  const part = recording && clickOf(recording).part;
  const isOff = !recording || !(part ? canOpenPart : canOpen)(recording.conversion);
  const text = beforehand(viewer);
  return (
    <>
      <button
        type="button"
        class="button primary convert-button"
        disabled={isOff}
        aria-describedby="beforehand"
        title={text}
        onClick={() => recording && openAsSeen(recording.id)}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M2 1v10l9-5z" />
        </svg>
        <span>Open {recording && lengthOf(part, recording.conversion)}in Perfetto</span>
        {!part && <kbd aria-hidden="true">Enter</kbd>}
      </button>
      <span id="beforehand" class="visually-hidden">
        {text}
      </span>
    </>
  );
}

interface DownloadProps {
  recording: Recording | null;
  /** files that are being made of this recording */
  tasks: readonly Task[];
}

function DownloadButton({ recording, tasks }: DownloadProps) {
  const { gzip } = useSettings();
  const conversion = recording?.conversion;
  if (conversion?.kind === 'trace') return null;
  const store = conversion ? storeOf(conversion) : null;
  const isFailed = conversion?.kind === 'failed';
  const isOff =
    !conversion || (!store?.bytes && !isConvertedLater(conversion)) || tasks.some(({ samples }) => samples === null);
  return (
    <button
      type="button"
      class="button download-button"
      disabled={isOff}
      onClick={() => recording && void download(recording.id, gzip, isFailed ? store : null)}
    >
      {isFailed && store?.bytes ? 'Download what was saved' : 'Download'}
      {store && store.bytes > 0 && !gzip && <span class="button-detail"> {bytes(store.bytes)}</span>}
    </button>
  );
}

/** The links of the documentation, whose pages the build makes from docs/. */
export function Links() {
  return (
    <nav class="links" aria-label="Documentation">
      {catalogue.formats.map(({ name, title }) => (
        <a key={name} href={`docs/formats/${name}.html`}>
          {title}
        </a>
      ))}
      <a href="docs/capture.html">Getting a recording</a>
      <a href="docs/cli.html">Command line</a>
      <a href="docs/trust.html">What is trusted</a>
      <a href="licences.txt">Licences</a>
      {SOURCE && <a href={SOURCE}>Source</a>}
      <span>Tonkopf {VERSION}</span>
    </nav>
  );
}

interface ActionsProps extends DownloadProps {
  onChoose(): void;
  onPaste(): void;
  onSettings(): void;
  /** null: this browser cannot */
  onConnect: (() => void) | null;
}

export function Actions({ recording, tasks, onChoose, onPaste, onSettings, onConnect }: ActionsProps) {
  const { gzip } = useSettings();
  return (
    <div class="actions">
      <DownloadButton recording={recording} tasks={tasks} />
      <OpenButton recording={recording} />
      <Menu title="⋯" label="More actions" class="more-actions">
        <button type="button" onClick={onChoose}>
          Add files
        </button>
        <button type="button" onClick={onPaste}>
          Paste text
        </button>
        {onConnect && (
          <button type="button" onClick={onConnect}>
            Connect a board
          </button>
        )}
        <button type="button" onClick={startOver}>
          Start over
        </button>
        <button type="button" onClick={onSettings}>
          Settings
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={gzip}
            onChange={(event) => setSettings({ gzip: event.currentTarget.checked })}
          />
          Download compressed
        </label>
        <Links />
      </Menu>
    </div>
  );
}
