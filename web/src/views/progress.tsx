// SPDX-License-Identifier: MIT
import { cancel } from '../effects.js';
import { bytes, count } from '../format.js';
import type { Conversion, Recording } from '../job.js';
import { Reels } from './progress-reels.js';

type Running = Extract<Conversion, { kind: 'running' }>;

export function ProgressPanel({
  recording,
  conversion,
  title,
}: {
  recording: Recording;
  conversion: Running;
  title: string;
}) {
  const { progress, startedAt, now } = conversion;
  const total = progress.bytesTotal ?? 0;
  const share = total > 0 ? Math.min(1, progress.bytesIn / total) : 0;
  const seconds = (now - startedAt) / 1000;
  const rate = progress.bytesIn / 1e6 / seconds;
  const speed = seconds > 0.05 ? `${rate.toFixed(rate < 10 ? 1 : 0)} MB/s` : '';
  return (
    <section class="panel conversion-progress" aria-label={`Converting ${title}`}>
      <Reels share={share} turning />
      <div class="conversion-progress-text">
        <h2>Reading {title}</h2>
        <progress max={1} value={total > 0 ? share : undefined} aria-label="Share of the recording that was read" />
        <p class="facts figures-inline">
          <span>
            {bytes(progress.bytesIn)}
            {total > 0 && ` of ${bytes(total)}`}
          </span>
          <span>{count(progress.events)} events</span>
          <span>{speed}</span>
        </p>
      </div>
      <button type="button" class="button" onClick={() => cancel(recording.cacheKey)}>
        Cancel
      </button>
    </section>
  );
}
