// SPDX-License-Identifier: MIT
// The text of a mark.
import { useEffect, useRef } from 'preact/hooks';
import type { Clock } from './axis.js';
import { type Mark, MOST_TEXT } from './kept.js';

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
  useEffect(() => input.current?.focus(), [mark.ticks]);
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
