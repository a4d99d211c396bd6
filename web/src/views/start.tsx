// SPDX-License-Identifier: MIT
import catalogue from 'virtual:catalogue';
import type { Listed } from '../reload.js';
import { Demos } from './demos.js';
import { Kept } from './kept.js';

interface StartProps {
  /** recordings that can be opened again; null: not known yet */
  kept: readonly Listed[] | null;
  onChoose(): void;
  onPaste(): void;
  /** null: this browser cannot */
  onConnect: (() => void) | null;
}

export function Start({ kept, onChoose, onPaste, onConnect }: StartProps) {
  return (
    <>
      <section class="hero" aria-labelledby="hero-title">
        <h1 id="hero-title">Drop a recording anywhere</h1>
        <p class="lead">It opens in Perfetto with one click. Nothing leaves this computer.</p>
        <div class="row centre">
          <button type="button" class="button primary" onClick={onChoose}>
            Choose files
          </button>
          <button type="button" class="button" onClick={onPaste}>
            Paste text
          </button>
          {onConnect && (
            <button type="button" class="button" onClick={onConnect}>
              Connect a board
            </button>
          )}
        </div>
        <p class="hint supported-formats">
          {catalogue.formats.map((format) => format.title).join(', ')}. Any encoding, any number of cores.
          {!onConnect && ' A board can be connected in Chrome, Edge, and Firefox from 151 on, on a computer.'}
        </p>
      </section>
      {kept && (
        <>
          <Kept kept={kept} />
          <Demos />
        </>
      )}
    </>
  );
}
