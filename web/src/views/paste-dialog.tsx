// SPDX-License-Identifier: MIT
import { useState } from 'preact/hooks';
import { addText } from '../effects.js';
import { Dialog } from './dialog.js';

export function PasteDialog({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    onClose();
    addText(text);
  };
  return (
    <Dialog title="Paste text" onClose={onClose}>
      <form onSubmit={submit}>
        <label for="paste-text">
          Hex in any dress (plain, 0x, commas, a C array, xxd or hexdump, lines of a log), base64, or the JSON of a converter.
        </label>
        <textarea
          id="paste-text"
          rows={10}
          spellcheck={false}
          autocomplete="off"
          autofocus
          value={text}
          placeholder={'00000000: 0b01 02d0 8603 0a54 6d72 2053 7663 0005'}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="hint">Quicker: press Ctrl+V (⌘V) anywhere on the page.</p>
        <div class="row end">
          <button type="button" class="key" onClick={onClose}>Never mind</button>
          <button type="submit" class="key primary" disabled={!text.trim()}>Read this text</button>
        </div>
      </form>
    </Dialog>
  );
}
