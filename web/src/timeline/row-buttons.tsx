// SPDX-License-Identifier: MIT
// What the user can do with a row, beside its name.
import type { Line } from './layout.js';
import { rowWords } from './names.js';

interface Props {
  line: Line;
  /** only this row and its peers are shown */
  isOnly: boolean;
  /** null: what the row talks to is unknown */
  onOnly: (() => void) | null;
  onPin(line: Line): void;
  onHide(line: Line): void;
}

export function RowButtons({ line, isOnly, onOnly, onPin, onHide }: Props) {
  return (
    <span class="tl-row-buttons">
      {onOnly && (
        <button
          type="button"
          tabIndex={-1}
          aria-pressed={isOnly}
          aria-label={`Only ${rowWords(line)} and what it talks to`}
          title="Only this task and what it talks to (O)"
          onClick={onOnly}
        >
          ⇄
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-pressed={line.isPinned}
        aria-label={`${line.isPinned ? 'Unpin' : 'Pin'} ${rowWords(line)}`}
        title={line.isPinned ? 'Unpin (P)' : 'Keep at the top (P)'}
        onClick={() => onPin(line)}
      >
        ⤒
      </button>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Hide ${rowWords(line)}`}
        title="Hide (H)"
        onClick={() => onHide(line)}
      >
        ×
      </button>
    </span>
  );
}
