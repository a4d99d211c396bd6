// SPDX-License-Identifier: MIT
// A message above the page, which the user can close.
import type { Page } from '../job.js';
import { dispatch } from '../store.js';

export function Notice({ notice }: Pick<Page, 'notice'>) {
  return (
    <div aria-live="polite">
      {notice && (
        <div class={`banner ${notice.tone}`}>
          <p>{notice.text}</p>
          <button type="button" class="button quiet small" onClick={() => dispatch({ type: 'notice', notice: null })}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
