// SPDX-License-Identifier: MIT
import { useState } from 'preact/hooks';
import { DEFAULT_VIEWER, checkViewer, getSettings, setSettings } from '../io/settings.js';
import { forgetAll } from '../io/remembered.js';
import { forgetRecordings } from '../reload.js';
import { Dialog } from './dialog.js';

const forget = (): Promise<unknown> => Promise.all([forgetAll(), forgetRecordings()]);

export function SettingsDialog({ onClose }: { onClose(): void }) {
  const [viewer, setViewer] = useState(getSettings().viewer);
  const [gzip, setGzip] = useState(getSettings().gzip);
  const [wrong, setWrong] = useState('');
  const [forgotten, setForgotten] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const checked = checkViewer(viewer);
    if (!checked.ok) return setWrong(checked.why);
    setSettings({ viewer: checked.url, gzip });
    onClose();
  };
  return (
    <Dialog title="Settings" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <label for="viewer-address">Address of the Perfetto viewer</label>
        <input
          id="viewer-address"
          type="url"
          spellcheck={false}
          value={viewer}
          aria-describedby="viewer-hint viewer-wrong"
          aria-invalid={wrong !== ''}
          onInput={(event) => setViewer(event.currentTarget.value)}
        />
        <p id="viewer-wrong" class="field-error" role="alert">
          {wrong}
        </p>
        <p id="viewer-hint" class="hint">
          A Perfetto of your own works as well as the public one. Trace and viewer meet inside your browser; the
          viewer’s host never receives the trace.{' '}
          {viewer !== DEFAULT_VIEWER && (
            <button type="button" class="link" onClick={() => setViewer(DEFAULT_VIEWER)}>
              Use the public viewer
            </button>
          )}
        </p>
        <label class="check">
          <input type="checkbox" checked={gzip} onChange={(event) => setGzip(event.currentTarget.checked)} />
          Save downloads compressed (.pftrace.gz)
        </label>
        <p class="hint">
          Settings are kept in this browser only. So are your last recordings, up to a quarter of what the browser
          allows, between 1 and 8 GB (of a board up to the limit that you set), and your choices for each: they are used
          again when you drop the same one.{' '}
          {forgotten ? (
            <span role="status">Forgotten.</span>
          ) : (
            <button type="button" class="link" onClick={() => void forget().then(() => setForgotten(true))}>
              Forget all
            </button>
          )}
        </p>
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Never mind
          </button>
          <button type="submit" class="button primary">
            Keep
          </button>
        </div>
      </form>
    </Dialog>
  );
}
