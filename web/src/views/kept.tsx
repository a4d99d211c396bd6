// SPDX-License-Identifier: MIT
// The recordings that this browser keeps: on the start page to open them again, and beside a recording to forget it.
import { type Keeping, type Listed, forgetCurrent, forgetRecording, openKept, useKeeping } from '../reload.js';

/** The last recordings. */
export function Kept({ kept }: { kept: readonly Listed[] }) {
  if (!kept.length) return null;
  return (
    <section class="kept" aria-labelledby="kept-title">
      <h2 id="kept-title" class="legend">
        Open again
      </h2>
      <ul>
        {kept.map((one) => (
          <li key={one.id}>
            <button type="button" class="link" onClick={() => void openKept(one)}>
              <bdi>{one.name}</bdi>
            </button>{' '}
            <small>{one.size}</small>{' '}
            <button
              type="button"
              class="button quiet small"
              aria-label={`Forget ${one.name}`}
              onClick={() => void forgetRecording(one.id)}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const texts: Record<Exclude<Keeping, 'kept' | 'not yet'>, string> = {
  large: 'This recording is too large to be kept in this browser: after a reload, choose it again.',
  full: 'This browser has no room to keep this recording: after a reload, choose it again.',
  forgotten: 'This browser no longer keeps this recording.',
};

/** Whether a reload brings the current recording back. */
export function KeepingNote() {
  const keeping = useKeeping();
  if (keeping === 'not yet') return null;
  return (
    <p class="facts">
      {keeping === 'kept' ? (
        <>
          This browser keeps the recording: a reload brings it back.{' '}
          <button type="button" class="link" onClick={forgetCurrent}>
            Forget the recording
          </button>
        </>
      ) : (
        texts[keeping]
      )}
    </p>
  );
}
