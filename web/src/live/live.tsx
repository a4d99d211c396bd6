// SPDX-License-Identifier: MIT
// A target that is being recorded: state and actions in the bar, what is wrong in the line, an oscilloscope, and the tables so far.
import { useMemo, useRef, useState } from 'preact/hooks';
import { tablesOf, traceNs } from '../../../wasm/report.js';
import { useChanges } from '../changes.js';
import { openTab, useOpenTab } from '../drawer.js';
import { bytes, count, plural, sentence, timesOf } from '../format.js';
import { save } from '../io/download.js';
import { tonkopfModule } from '../io/module.js';
import type { Range } from '../io/perfetto.js';
import { fromFiles } from '../io/read.js';
import { room } from '../io/recordings.js';
import { useReportCore } from '../io/report.js';
import { type Page, loaded, sourcesOf } from '../job.js';
import { adopt } from '../reload.js';
import { dispatch, getPage, subscribe } from '../store.js';
import { loadTimeline, showPlace } from '../timelines.js';
import { Drawer, type DrawerTab } from '../views/drawer.js';
import { onlyOpen, problemsTab, tableTabs } from '../views/figure-tabs.js';
import { Notice } from '../views/notice.js';
import { Brand } from '../views/sign.js';
import { type Placed, Tables, placedTables } from '../views/tables.js';
import { type Condition, StopWhen, useStop } from './conditions.js';
import { diagnosisOf } from './diagnosis.js';
import { openLive } from './hand.js';
import type { Recorded } from './messages.js';
import { ScopeBar } from './scope-bar.js';
import { useScope } from './scope.js';
import { type Begin, LiveSession } from './session.js';
import './live.css';

export { ConnectDialog } from './connect.js';

let current: LiveSession | null = null;

/** Closes the session. If it still records, it ends first, so that its last bytes are stored. */
async function end(session: LiveSession): Promise<void> {
  if (current !== session) return;
  current = null;
  session.stop();
  await session.ended;
  session.close();
}

/** "recording 2026-11-28 10.30.05.bin" */
const fileName = (): string => {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  return `recording ${now.slice(0, 10)} ${now.slice(11, 19).replaceAll(':', '.')}.bin`;
};

/** Begins a recording. Its bytes become a recording like any other when it ends. limit: null: all the room that the browser has */
export async function begin(what: Omit<Begin, 'name' | 'limit'> & { limit: number | null }): Promise<void> {
  const [[code, timeline], converter] = await Promise.all([loadTimeline(), tonkopfModule()]);
  const limit = what.limit ?? (await room());
  if (current) return;
  const session = new LiveSession({ ...what, limit, name: fileName() }, code, { converter, timeline });
  current = session;
  dispatch({ type: 'live' });
  session.onNote = (text) => dispatch({ type: 'notice', notice: { tone: 'info', text } });
  const unsubscribe = subscribe(({ content }) => {
    if (content.kind === 'live') return;
    unsubscribe();
    void end(session);
  });
  const { id, file, times, reason } = await session.ended;
  if (current !== session) return;
  const sources = file.size ? fromFiles([file, ...(times ? [times] : [])], 'live') : [],
    [source] = sources;
  const { interest } = session;
  if (source && id) adopt(id, file);
  dispatch({ type: 'live-ended', sources });
  if (source && interest) showWhenRead(source.id, interest);
  if (reason)
    dispatch({ type: 'notice', notice: { tone: 'info', text: `The recording has ended. ${sentence(reason)}` } });
}

const SHOW_AGAIN_MS = 100;
const MOST_TRIES = 100;

/** Marks a time range in the timeline of a recording as soon as that is read. */
function showWhenRead(source: number, range: Range): void {
  const margin = (range.endNs - range.startNs) / 10n;
  const around = {
    startNs: range.startNs > margin ? range.startNs - margin : 0n,
    endNs: range.endNs + margin,
    exact: range,
    isMarked: true,
  };
  const unsubscribe = subscribe((page) => {
    if (!sourcesOf(page).some(({ id }) => id === source)) return unsubscribe();
    const content = loaded(page);
    const input = content?.inputs.find((one) => one.source.id === source);
    const recording = content?.recordings.find(({ inputs }) => input && inputs.includes(input.key));
    if (recording?.conversion.kind !== 'done') return;
    unsubscribe();
    const show = (tries = MOST_TRIES): void => {
      if (tries && !showPlace(recording, around)) setTimeout(show, SHOW_AGAIN_MS, tries - 1);
    };
    if (recording.conversion.output.report.events.total) show();
  });
}

function saveAll({ file, times }: Recorded): void {
  save(file, file.name);
  if (times) save(times, times.name);
}

/** "0:41" */
const clockOf = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const STATES = { waiting: 'Waiting', running: 'Live', gone: 'Disconnected', ended: 'Ended' } as const;

/** State, time, bytes and losses. Only the state is spoken when it changes. */
function Live({ session }: { session: LiveSession }) {
  const { status, report, begin: what } = session;
  const lost = report?.events.lost ?? 0,
    restarts = report?.events.restarts ?? 0;
  return (
    <p class={`live-state live-${status.state}`}>
      <span class="status-dot" aria-hidden="true" />
      <b role="status">{STATES[status.state]}</b>
      <span>{clockOf(performance.now() - session.begunAt)}</span>
      {report && <span class={lost ? 'live-lost' : undefined}>{count(lost)} lost</span>}
      {restarts > 0 && <span class="live-restarts">{plural(restarts, 'restart')}</span>}
      <span class="live-more" title={`${status.format || 'not recognised yet'}; at most ${bytes(what.limit)} are kept`}>
        {bytes(status.kept)} of {bytes(what.limit)}
      </span>
      <span class="live-more">{what.words}</span>
    </p>
  );
}

function Bar({ session, onSay }: { session: LiveSession; onSay(text: string): void }) {
  useChanges(session);
  const { status, report, timeline } = session;
  const part = report && timeline.chosen.interval;
  const open = (): void =>
    void openLive(session.recorded(), report, part ?? timeline.chosen.visible, part, onSay).then(onSay);
  const length = part && report ? `${timesOf(report).duration((part.endNs - part.startNs) / traceNs(report))} ` : '';
  return (
    <header class="top">
      <Brand />
      <div class="top-what">
        <h1 class="visually-hidden">Live recording</h1>
        <Live session={session} />
        <button type="button" class="button small live-stop" onClick={() => session.stop()}>
          Stop
        </button>
      </div>
      <div class="actions">
        <button
          type="button"
          class="button download-button"
          disabled={!status.kept}
          title="Saves the bytes of the target as they came, and their receive times if they contain none"
          onClick={() => void session.recorded().then(saveAll)}
        >
          Save
        </button>
        <button type="button" class="button primary convert-button" disabled={!report} onClick={open}>
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d="M2 1v10l9-5z" />
          </svg>
          <span>Open {length}in Perfetto</span>
        </button>
      </div>
    </header>
  );
}

/** What is wrong with the source; otherwise the worst finding. */
function StateLine({ session, said }: { session: LiveSession; said: string }) {
  useChanges(session);
  const last = useRef({ bytes: 0, at: performance.now() });
  const { status, report, begin: what } = session;
  if (status.bytes !== last.current.bytes) last.current = { bytes: status.bytes, at: performance.now() };
  const wrong = diagnosisOf(status, what.source, performance.now() - last.current.at);
  const finding = report?.findings?.[0];
  return (
    <section class="line" aria-label="State">
      <div class="line-main">
        <span role="status" class={wrong ? 'line-state' : 'visually-hidden'}>
          {wrong}
        </span>
        {!wrong && finding && (
          <>
            <b class={`line-summary line-${finding.severity}`}>{count(report.findings!.length)} found</b>
            <span class="line-text">
              {finding.title}: <bdi>{finding.who}</bdi>
            </span>
            <button type="button" class="link" onClick={() => openTab('findings')}>
              Show
            </button>
          </>
        )}
        {!wrong && !finding && <span class="line-text">{status.format || 'The bytes are being recognised.'}</span>}
      </div>
      <div class="action-status-box" aria-live="polite">
        {said && <p class="action-status">{said}</p>}
      </div>
    </section>
  );
}

interface TimelineProps {
  session: LiveSession;
  place: Range | null;
}

function LiveTimeline({ session, place }: TimelineProps) {
  useChanges(session.timeline);
  useChanges(session.reports);
  const scope = useScope(session.timeline);
  const [condition, setCondition] = useState<Condition>({ kind: 'never', text: '', before: 1, after: 0.5 });
  const met = useStop(session, condition);
  return (
    <>
      <div class="live-bar">
        <ScopeBar session={session.timeline} scope={scope} />
        <StopWhen condition={condition} isMet={met !== null} onChange={setCondition} />
      </div>
      <div class="work">
        <session.code.Timeline
          session={session.timeline}
          report={session.report}
          name={session.begin.name}
          contentKey={null}
          place={place}
          dump={null}
          onOpen={null}
          scope={scope.scope}
        />
      </div>
    </>
  );
}

/** The tables so far. */
function LiveDrawer({ session, onOpenAt }: { session: LiveSession; onOpenAt(range: Range): void }) {
  useChanges(session.reports);
  const { report } = session;
  const core = useReportCore(!!report);
  const open = useOpenTab();
  const placed = useMemo(
    (): Placed[] => (core && report ? placedTables(report, tablesOf(report, core.schema())) : []),
    [core, report],
  );
  if (!report) return null;
  const tables = (group: string) => (
    <Tables
      placed={placed}
      group={group}
      report={report}
      name={session.begin.name}
      onOpenAt={onOpenAt}
      tasks={[]}
      onSamples={null}
    />
  );
  const shown = { report, onOpenAt };
  const tabs: DrawerTab[] = [
    ...tableTabs(shown, placed, tables),
    problemsTab(shown, null),
    { id: 'more', title: 'More', content: tables('more') },
  ];
  return <Drawer tabs={onlyOpen(tabs, open)} />;
}

export function LiveTool({ notice }: Pick<Page, 'notice'>) {
  const [said, setSaid] = useState('');
  const [place, setPlace] = useState<Range | null>(null);
  const session = current;
  if (!session || getPage().content.kind !== 'live') return null;
  return (
    <>
      <Bar session={session} onSay={setSaid} />
      <main class="tool live" tabIndex={-1}>
        <Notice notice={notice} />
        <StateLine session={session} said={said} />
        <LiveTimeline session={session} place={place} />
        <LiveDrawer session={session} onOpenAt={(range) => setPlace({ ...range })} />
      </main>
    </>
  );
}
