// SPDX-License-Identifier: MIT
import type { Catalogue } from '../job.js';
import { Reels } from './progress-reels.js';
import { Demos } from './demos.js';

export function Start({
  catalogue,
  onChoose,
  onPaste,
}: {
  catalogue: Catalogue | null;
  onChoose(): void;
  onPaste(): void;
}) {
  return (
    <>
      <section class="hero" aria-labelledby="hero-title">
        <Reels share={0.32} />
        <h1 id="hero-title">Drop a recording anywhere</h1>
        <p class="lead">
          A binary dump, gzip, zip, hex, base64, a serial log with boot text, one file per core. <br />
          Tonkopf recognises the format from the bytes.
        </p>
        <div class="row centre">
          <button type="button" class="button primary" onClick={onChoose}>
            Choose files
          </button>
          <button type="button" class="button" onClick={onPaste}>
            Paste text
          </button>
        </div>
        {catalogue && (
          <p class="legend supported-formats">Reads {catalogue.formats.map((format) => format.title).join(' · ')}</p>
        )}
      </section>
      <Demos />
      <section class="guarantees" aria-label="What you can rely on">
        <div>
          <h2>Nothing leaves this computer</h2>
          <p>
            The page’s security policy makes the browser block every other host. After the first visit it works without
            a network.
          </p>
        </div>
        <div>
          <h2>One click to the timeline</h2>
          <p>
            Tasks on CPU tracks, the reason of every wait, queues, locks and interrupts: in order, expanded, ready to
            read.
          </p>
        </div>
        <div>
          <h2>Damaged recordings are converted too</h2>
          <p>
            Tonkopf converts truncated, wrapped, restarted or noisy recordings. A report lists each problem with its
            place.
          </p>
        </div>
      </section>
    </>
  );
}
