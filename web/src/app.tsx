// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from 'preact/hooks';
import { addFiles, addText, addTransfer } from './effects.js';
import { openInViewer } from './handoff.js';
import type { FormatInfo } from '../../wasm/types.js';
import { useKeptFocus } from './focus.js';
import { plural } from './format.js';
import { type Page, isNew, loaded } from './job.js';
import { dispatch, getPage, usePage } from './store.js';
import { Sign } from './views/progress-reels.js';
import { PasteDialog } from './views/paste-dialog.js';
import { RecordingView } from './views/recording.js';
import { Recordings } from './views/recordings.js';
import { SettingsDialog } from './views/settings-dialog.js';
import { Start } from './views/start.js';

type Open = 'none' | 'paste' | 'settings';

const isEditing = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('button, a, summary, dialog, input, textarea, select, [role=slider]') !== null;

function openSelected(): void {
  const content = loaded(getPage());
  if (content) openInViewer(content.selected);
}

/** Drop, Ctrl+V and Enter work anywhere on the page. Returns whether a drag hovers above the page. */
function usePageGestures(): boolean {
  const [hovering, setHovering] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth += 1;
      setHovering(true);
    };
    const leave = (): void => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setHovering(false);
    };
    const drop = (event: DragEvent): void => {
      depth = 0;
      setHovering(false);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      void addTransfer(event.dataTransfer, () =>
        dispatch({ type: 'notice', notice: { tone: 'error', text: 'There was no file in what you dropped.' } }),
      );
    };
    const paste = (event: ClipboardEvent): void => {
      if (isEditing(event.target) || !event.clipboardData) return;
      event.preventDefault();
      const text = event.clipboardData.getData('text/plain');
      void addTransfer(event.clipboardData, () => addText(text));
    };
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || event.defaultPrevented || event.repeat || isControl(event.target)) return;
      openSelected();
    };
    addEventListener('dragover', over);
    addEventListener('dragenter', enter);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    addEventListener('paste', paste);
    addEventListener('keydown', key);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragenter', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
      removeEventListener('paste', paste);
      removeEventListener('keydown', key);
    };
  }, []);
  return hovering;
}

function Header({
  page,
  onSettings,
  onPaste,
  onChoose,
}: {
  page: Page;
  onSettings(): void;
  onPaste(): void;
  onChoose(): void;
}) {
  const busy = page.content.kind !== 'empty';
  return (
    <header>
      <span class="brand">
        <Sign />
        <span class="name">Tonkopf</span>
      </span>
      <span class="tagline">plays what your microcontroller recorded</span>
      <nav aria-label="Page">
        {busy && (
          <button type="button" class="link" onClick={onChoose}>
            Add files
          </button>
        )}
        {busy && (
          <button type="button" class="link" onClick={onPaste}>
            Paste text
          </button>
        )}
        {busy && (
          <button type="button" class="link" onClick={() => dispatch({ type: 'clear' })}>
            Start over
          </button>
        )}
        <button type="button" class="link" onClick={onSettings}>
          Settings
        </button>
      </nav>
    </header>
  );
}

function Notice({ notice }: { notice: Page['notice'] }) {
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

/** Footer of every state: links to the documentation, whose pages the build makes from docs/. */
function Footer({ formats }: { formats: readonly FormatInfo[] }) {
  return (
    <footer>
      <p>Everything happens in this browser. Nothing is uploaded, nothing is counted.</p>
      <nav aria-label="Documentation">
        {formats.map(({ name, title }) => (
          <a key={name} href={`docs/formats/${name}.html`}>
            {title}
          </a>
        ))}
        <a href="docs/capture.html">Getting a recording</a>
        <a href="docs/cli.html">Command line</a>
        <a href="docs/trust.html">What is trusted</a>
        <a href="licences.txt">Licences</a>
        {SOURCE && <a href={SOURCE}>Source</a>}
        <span>Tonkopf {VERSION}</span>
      </nav>
    </footer>
  );
}

/** The sentence that a screen reader speaks when the state changes. */
function spoken(page: Page): string {
  if (page.content.kind === 'looking' && isNew(page.content)) return 'Recognising the files.';
  const content = loaded(page);
  const conversion = content?.recordings.find((recording) => recording.id === content.selected)?.conversion;
  switch (conversion?.kind) {
    case 'running':
      return 'Converting.';
    case 'done': {
      const { events, problems } = conversion.output.report;
      return `Done. ${plural(events.total, 'event')}. ${plural(problems.length, 'kind', 'kinds')} of problems.`;
    }
    case 'cancelled':
      return 'Cancelled.';
    default:
      return '';
  }
}

function Content({ page, onChoose, onPaste }: { page: Page; onChoose(): void; onPaste(): void }) {
  const content = loaded(page);
  if (page.content.kind === 'empty') return <Start catalogue={page.catalogue} onChoose={onChoose} onPaste={onPaste} />;
  const recording = content?.recordings.find(({ id }) => id === content.selected);
  return (
    <>
      {page.content.kind === 'looking' && isNew(page.content) && (
        <div class="panel row looking">
          <p>
            Looking at <bdi>{page.content.sources.at(-1)?.name}</bdi> …
          </p>
          <button type="button" class="button small" onClick={() => dispatch({ type: 'stop-looking' })}>
            Stop
          </button>
        </div>
      )}
      {content && <Recordings content={content} />}
      {content && recording && (
        <RecordingView
          content={content}
          recording={recording}
          catalogue={page.catalogue}
          handOver={page.handOver}
          tasks={page.tasks.filter((task) => task.recording === recording.id)}
        />
      )}
    </>
  );
}

export function App() {
  const page = usePage();
  const hovering = usePageGestures();
  useKeptFocus();
  const chooser = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState<Open>('none');
  const choose = (): void => chooser.current?.click();
  const onChosen = (): void => {
    const input = chooser.current;
    if (!input?.files) return;
    addFiles([...input.files]);
    input.value = ''; // without this, choosing the same file again fires no event
  };
  return (
    <>
      <Header page={page} onSettings={() => setOpen('settings')} onPaste={() => setOpen('paste')} onChoose={choose} />
      <main class={hovering ? 'hovering' : undefined} tabIndex={-1}>
        <Notice notice={page.notice} />
        <Content page={page} onChoose={choose} onPaste={() => setOpen('paste')} />
      </main>
      <Footer formats={page.catalogue?.formats ?? []} />
      <input ref={chooser} type="file" multiple hidden aria-hidden="true" tabIndex={-1} onChange={onChosen} />
      <p class="visually-hidden" role="status">
        {spoken(page)}
      </p>
      {hovering && (
        <div class="veil" aria-hidden="true">
          <p>Let go: it will be played</p>
        </div>
      )}
      {open === 'paste' && <PasteDialog onClose={() => setOpen('none')} />}
      {open === 'settings' && <SettingsDialog onClose={() => setOpen('none')} />}
    </>
  );
}
