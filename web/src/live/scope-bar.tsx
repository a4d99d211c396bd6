// SPDX-License-Identifier: MIT
// Which time of a live recording is visible: aligned to the starts of something, the end, or at rest.
import { useMemo } from 'preact/hooks';
import type { Session } from '../timeline/session.js';
import type { Mode, Oscilloscope } from './scope.js';

const MODES: readonly [mode: Mode, title: string, words: string][] = [
  ['triggered', 'Triggered', 'The picture is aligned to each start'],
  ['follow', 'Follow', 'The picture shows the last events'],
  ['pause', 'Pause', 'The picture rests; the recording goes on'],
];

export function ScopeBar({ session: { layout }, scope }: { session: Session; scope: Oscilloscope }) {
  const sections = layout.sections.filter(({ key, of }) => (of ?? key) !== 'cores'); // their starts align the picture
  const rows = useMemo(
    () =>
      sections.map(({ key, title, rows }) => (
        <optgroup key={key} label={title}>
          {rows.map(({ row }) => (
            <option key={row.row} value={row.row}>
              {row.title}
            </option>
          ))}
        </optgroup>
      )),
    [layout],
  );
  return (
    <div class="live-scope" role="group" aria-label="Visible time">
      {MODES.map(([mode, title, words]) => (
        <button
          type="button"
          key={mode}
          class="button small"
          aria-pressed={scope.mode === mode}
          title={words}
          onClick={() => scope.setMode(mode)}
        >
          {title}
        </button>
      ))}
      <label for="live-trigger">on each start of</label>
      <select
        id="live-trigger"
        value={scope.row ?? ''}
        disabled={!sections.length}
        onChange={(event) => scope.setRow(Number(event.currentTarget.value))}
      >
        {scope.row === null && <option value="">a task that runs</option>}
        {rows}
      </select>
      <button type="button" class="button small" aria-pressed={scope.isSingle} onClick={() => scope.single()}>
        Single
      </button>
    </div>
  );
}
