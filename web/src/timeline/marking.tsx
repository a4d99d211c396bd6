// SPDX-License-Identifier: MIT
// Marks on the timeline, and the text of one that is being written.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Clock } from './axis.js';
import { type Mark, MOST_TEXT } from './marks.js';

interface Shown {
  marks: readonly Mark[];
  /** place of a time, in CSS pixels */
  xOf(ticks: bigint): number;
}

/** Marks on the axis. */
export function Flags({ marks, xOf, width, onMark }: Shown & { width: number; onMark(mark: Mark): void }) {
  const shown = marks.map((mark) => ({ mark, x: xOf(mark.ticks) })).filter(({ x }) => x >= 0 && x <= width);
  return (
    <>
      {shown.map(({ mark, x }) => (
        <button
          type="button"
          key={String(mark.ticks)}
          class="tl-flag"
          style={{ left: `${x}px` }}
          onClick={() => onMark(mark)}
        >
          ⚑ <bdi>{mark.text}</bdi>
        </button>
      ))}
    </>
  );
}

/** Lines of the marks across the rows. */
export function Poles({ marks, xOf }: Shown) {
  return (
    <>
      {marks.map(({ ticks }) => (
        <span key={String(ticks)} class="tl-pole" style={{ left: `${xOf(ticks)}px` }} />
      ))}
    </>
  );
}

interface Props {
  mark: Mark;
  clock: Clock;
  onText(text: string): void;
  /** text: '' removes the mark */
  onKeep(text: string): void;
  onCancel(): void;
}

export function Marking({ mark, clock, onText, onKeep, onCancel }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), [mark.ticks]); // before the next key
  return (
    <form
      class="tl-marking"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onKeep(mark.text.trim());
      }}
    >
      <label>
        Mark at {clock.moment(mark.ticks)}{' '}
        <input
          ref={input}
          value={mark.text}
          maxLength={MOST_TEXT}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel();
          }}
        />
      </label>
      <button type="submit" class="button small">
        Keep
      </button>
      <button type="button" class="button quiet small" onClick={() => onKeep('')}>
        Remove
      </button>
    </form>
  );
}
