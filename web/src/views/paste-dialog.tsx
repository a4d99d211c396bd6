// SPDX-License-Identifier: MIT
import { useRef, useState } from 'preact/hooks';
import { addText } from '../effects.js';
import { Dialog } from './dialog.js';

const LONG = 20_000;

export function PasteDialog({ onClose }: { onClose(): void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [empty, setEmpty] = useState(true);
  /** Inserts the text itself, because the browser's insertion takes seconds for a long text. */
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const { current } = field;
    if (text.length < LONG || !current) return;
    event.preventDefault();
    current.setRangeText(text, current.selectionStart, current.selectionEnd, 'end');
    setEmpty(current.value.trim() === '');
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = field.current?.value ?? '';
    onClose();
    addText(text);
  };
  return (
    <Dialog title="Paste text" onClose={onClose}>
      <form onSubmit={submit}>
        <label for="paste-text">
          Hex in any notation (plain, 0x, commas, a C array, xxd or hexdump, lines of a log), base64, or the JSON of a
          converter.
        </label>
        <textarea
          id="paste-text"
          rows={10}
          spellcheck={false}
          autocomplete="off"
          autofocus
          ref={field}
          onPaste={paste}
          placeholder={'00000000: 0b01 02d0 8603 0a54 6d72 2053 7663 0005'}
          onInput={(event) => setEmpty(event.currentTarget.value.trim() === '')}
        />
        <p class="hint">Quicker: press Ctrl+V (⌘V) anywhere on the page.</p>
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Never mind
          </button>
          <button type="submit" class="button primary" disabled={empty}>
            Read this text
          </button>
        </div>
      </form>
    </Dialog>
  );
}
