// SPDX-License-Identifier: MIT
// The menu of several unrelated recordings, of which one is shown.
import { timeRangeOf } from '../../../wasm/report.js';
import { plural, timesOf } from '../format.js';
import { type Conversion, type Loaded, titleOf, isIdle } from '../job.js';
import { dispatch } from '../store.js';
import { verdictOf } from './figures.js';
import { Menu } from './menu.js';

function stateOf(conversion: Conversion): string {
  switch (conversion.kind) {
    case 'queued':
      return 'waits';
    case 'running':
      return 'being read';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return 'stopped';
    case 'unknown':
      return 'not recognised';
    case 'trace':
      return 'a trace already';
    case 'done': {
      const { report } = conversion.output;
      return `${timesOf(report).duration(timeRangeOf(report).duration)}, ${plural(report.events.total, 'event')}`;
    }
  }
}

function toneOf(conversion: Conversion): string {
  if (conversion.kind === 'done') return verdictOf(conversion.output.report).tone;
  return conversion.kind === 'failed' || conversion.kind === 'unknown' ? 'bad' : 'none';
}

/** Files that are no recordings are counted separately. */
function legendOf({ recordings }: Loaded): string {
  const others = recordings.filter(({ conversion }) => conversion.kind === 'unknown').length;
  const said =
    recordings.length - others === 1
      ? '1 recording'
      : `${recordings.length - others} recordings that do not belong together`;
  return others ? `${said}, ${plural(others, 'other file')}` : said;
}

export function Recordings({ content }: { content: Loaded }) {
  const { recordings, selected } = content;
  if (recordings.length < 2) return null;
  const place = recordings.findIndex(({ id }) => id === selected) + 1;
  return (
    <Menu
      title={`${place} of ${recordings.length} ▾`}
      label={`Recordings: ${place} of ${recordings.length}`}
      class="files"
    >
      <nav class="recordings" aria-label="Recordings">
        <p class="legend">{legendOf(content)}</p>
        <ul>
          {recordings.map((recording) => (
            <li key={recording.id}>
              <button
                type="button"
                class={`tab ${toneOf(recording.conversion)}`}
                aria-current={recording.id === selected ? 'true' : undefined}
                onClick={() => dispatch({ type: 'select', recording: recording.id })}
              >
                <span class="status-dot" aria-hidden="true" />
                <b>{titleOf(content, recording)}</b>
                <span>{isIdle(content, recording) ? 'not used' : stateOf(recording.conversion)}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
    </Menu>
  );
}
