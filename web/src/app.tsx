// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from 'preact/hooks';
import { addFiles, addText, addTransfer } from './effects.js';
import { openAsSeen } from './handoff.js';
import { useKeptFocus } from './focus.js';
import { plural } from './format.js';
import { type Page, type Recording, isNew, loaded, reportOf, sourcesOf, titleOf } from './job.js';
import { canConnect, record, useLiveCode } from './lives.js';
import { useListed } from './reload.js';
import { dispatch, getPage, usePage } from './store.js';
import { Actions, Links } from './views/actions.js';
import { Facts, Verdict } from './views/figures.js';
import { Line } from './views/line.js';
import { Brand } from './views/sign.js';
import { Notice } from './views/notice.js';
import { PasteDialog } from './views/paste-dialog.js';
import { RecordingView } from './views/recording.js';
import { Recordings } from './views/recordings.js';
import { SettingsDialog } from './views/settings-dialog.js';
import { Start } from './views/start.js';

type Open = 'none' | 'paste' | 'settings' | 'connect';

const isEditing = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Elements in which Enter has a meaning of its own. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('button, a, summary, dialog, input, textarea, select, .timeline, .drawer') !== null;

function openSelected(): void {
  const { content } = getPage();
  if (content.kind === 'loaded') openAsSeen(content.selected);
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

/** The bar: what the recording is, and the actions on it. */
function Bar({ page, recording, ...on }: Parts & { page: Page; recording: Recording | null }) {
  const content = loaded(page);
  const report = recording && reportOf(recording.conversion);
  const isDone = recording?.conversion.kind === 'done';
  const title = content && recording ? titleOf(content, recording) : sourcesOf(page).at(-1)?.name;
  return (
    <header class="top">
      <Brand />
      <div class="top-what">
        <h1 title={title}>
          <bdi>{title}</bdi>
        </h1>
        {content && <Recordings content={content} />}
        {report && <Facts report={report} isSoFar={!isDone} />}
        {report && isDone && <Verdict report={report} />}
      </div>
      <Actions recording={recording} tasks={page.tasks.filter((task) => task.recording === recording?.id)} {...on} />
    </header>
  );
}

/** Actions that open a dialog of the page or of the browser. */
interface Parts {
  onChoose(): void;
  onPaste(): void;
  onSettings(): void;
  /** null: this browser cannot */
  onConnect: (() => void) | null;
}

/** The page before the first file. */
function Empty({ page, ...on }: Parts & { page: Page }) {
  const kept = useListed(); // demos and links wait for this list: it would push them down under the pointer
  return (
    <>
      <header class="start-head">
        <Brand />
        <nav aria-label="Page">
          <button type="button" class="link" onClick={on.onSettings}>
            Settings
          </button>
        </nav>
      </header>
      <main tabIndex={-1}>
        <Notice notice={page.notice} />
        <Start kept={kept} onChoose={on.onChoose} onPaste={on.onPaste} onConnect={on.onConnect} />
      </main>
      {kept && (
        <footer>
          <Links />
        </footer>
      )}
    </>
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

/** The page as a tool of one screen. */
function Tool({ page, ...on }: Parts & { page: Page }) {
  const content = loaded(page);
  const recording = content?.recordings.find(({ id }) => id === content.selected) ?? null;
  const looking =
    page.content.kind === 'looking' && isNew(page.content) ? (page.content.sources.at(-1)?.name ?? '') : null;
  return (
    <>
      <Bar page={page} recording={recording} {...on} />
      <main class="tool" tabIndex={-1}>
        <Notice notice={page.notice} />
        {content && recording ? (
          <RecordingView
            content={content}
            recording={recording}
            handOver={page.handOver}
            tasks={page.tasks.filter((task) => task.recording === recording.id)}
            looking={looking}
          />
        ) : (
          <Line recording={null} handOver={page.handOver} tasks={[]} looking={looking} onOpenAt={null} />
        )}
      </main>
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
  const on = {
    onChoose: choose,
    onPaste: () => setOpen('paste'),
    onSettings: () => setOpen('settings'),
    onConnect: canConnect ? () => setOpen('connect') : null,
  };
  const isLive = page.content.kind === 'live';
  const live = useLiveCode(open === 'connect');
  return (
    <>
      {isLive && live ? (
        <live.LiveTool notice={page.notice} />
      ) : page.content.kind === 'empty' ? (
        <Empty page={page} {...on} />
      ) : (
        <Tool page={page} {...on} />
      )}
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
      {open === 'connect' && live && (
        <live.ConnectDialog
          onClose={() => setOpen('none')}
          onConnect={(what) => {
            setOpen('none');
            record(what);
          }}
        />
      )}
      {open === 'settings' && <SettingsDialog onClose={() => setOpen('none')} />}
    </>
  );
}
