// SPDX-License-Identifier: MIT
// One recording: the line, the timeline or the state in its place, and the drawer.
import { useEffect, useState } from 'preact/hooks';
import catalogue from 'virtual:catalogue';
import type { Report, DetectedInput } from '../../../wasm/types.js';
import { detailFor, dumpFor } from '../conversions.js';
import { useOpenTab } from '../drawer.js';
import { again, forget } from '../effects.js';
import { openTime, showTime } from '../handoff.js';
import { grouped, sentence } from '../format.js';
import {
  type Failure,
  type HandOver,
  type Input,
  type Loaded,
  type Output,
  type Recording,
  type Task,
  RATE,
  canOpen,
  inputsOf,
  isIdle,
  isRecalled,
  isSlow,
  memoryOf,
  reportOf,
  titleOf,
} from '../job.js';
import type { Range } from '../io/perfetto.js';
import { dispatch } from '../store.js';
import type { Session } from '../timeline/session.js';
import { hasTimeline, useTimeline } from '../timelines.js';
import { Drawer } from './drawer.js';
import { InputCard } from './input-card.js';
import { KeepingNote } from './kept.js';
import { Line } from './line.js';
import { Options } from './options.js';
import type { OpenAt } from './time-link.js';
import { TickQuestion } from './tick-length.js';

interface Props {
  content: Loaded;
  recording: Recording;
  handOver: HandOver;
  /** files that are being made of this recording */
  tasks: readonly Task[];
  /** name of the file that is being recognised; null: none */
  looking: string | null;
}

function Explained({ report }: { report: Report }) {
  if (!report.explain.length) return null;
  return (
    <section class="panel explain" aria-labelledby="explain-title">
      <h2 id="explain-title">Why there is so little to see</h2>
      {report.explain.map(({ sentence }) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}

/** Places are shown in the timeline; if there is none, in the viewer. */
const openAtOf = (recording: Recording): OpenAt => {
  const { conversion } = recording;
  const opens = conversion.kind === 'done' && (canOpen(conversion) || isSlow(conversion.output));
  return opens || hasTimeline(recording) ? (range: Range) => showTime(recording.id, range) : null;
};

function FailurePanel({ failure, title, onAgain }: { failure: Failure; title: string; onAgain?: () => void }) {
  return (
    <section class="panel failure" role="alert">
      <h2>{title}</h2>
      <p>
        {failure.text}
        {failure.place && ` (${failure.place})`}
      </p>
      <p class="hint">{failure.advice}</p>
      {onAgain && (
        <button type="button" class="button" onClick={onAgain}>
          Try again
        </button>
      )}
    </section>
  );
}

const whyNot = ({ bytes, member, probe, encodingReason }: DetectedInput): string =>
  bytes === 0 && !member?.reason ? 'The file is empty.' : sentence(grouped(probe.reason || encodingReason));

/** One sentence that says what the file is and what the user can do. Only a file that may be a recording gets a menu of formats. */
function Unknown({ content, recording }: Pick<Props, 'content' | 'recording'>) {
  const inputs = inputsOf(content, recording);
  const idle = isIdle(content, recording);
  const locked = inputs.some(({ detected: { member } }) => member?.reason);
  const open = inputs.some(({ detected: { bytes, probe } }) => bytes > 0 && probe.content === '');
  return (
    <section class="panel failure" role="alert">
      <h2>
        {idle
          ? 'Not used'
          : locked
            ? 'This file cannot be read'
            : open
              ? 'This file was not recognised'
              : 'This file is not a recording'}
      </h2>
      {idle ? (
        <p>
          {inputs
            .map(({ detected: { probe, plan } }) =>
              [...(probe.content === 'symbols' ? [grouped(probe.reason)] : []), plan.reason].map(sentence).join(' '),
            )
            .join(' ')}{' '}
          Add the recording that needs its names
          {inputs.some(({ detected }) => detected.plan.format) ? ', or use it for the timeline' : ''}.
        </p>
      ) : (
        <p>
          {inputs.map(({ detected }) => whyNot(detected)).join(' ')} Drop the file that the tracer wrote;{' '}
          <a href="docs/capture.html">how to get it off the target</a>.
        </p>
      )}
      {!idle && open && (
        <div class="force-format">
          <p>Read it anyway, as</p>
          {catalogue.formats.map(({ name, title }) => (
            <button
              type="button"
              class="button small"
              key={name}
              onClick={() => dispatch({ type: 'options', recording: recording.id, change: { format: name } })}
            >
              {title}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

// ---- What the bar, the line and the drawer do not show

/** What is important for every figure of the recording. */
function Questions({ recording, output }: Pick<Props, 'recording'> & { output: Output }) {
  const { report, cut } = output;
  const takesRate =
    catalogue.formats.find(({ name }) => name === report.format.name)?.options.some(({ key }) => key === RATE) === true;
  return (
    <>
      {cut && <FailurePanel failure={cut} title="Not read to the end" />}
      {report.tick.source === 'assumed' && report.events.total > 0 && (
        <TickQuestion recording={recording} report={report} takesRate={takesRate} />
      )}
      <Explained report={report} />
    </>
  );
}

function State({ content, recording }: Pick<Props, 'content' | 'recording'>) {
  const { conversion, cacheKey } = recording;
  switch (conversion.kind) {
    case 'cancelled':
      return (
        <section class="panel row">
          <p>Cancelled. The results so far were discarded.</p>
          <button type="button" class="button" onClick={() => again(cacheKey)}>
            Convert again
          </button>
        </section>
      );
    case 'failed':
      return (
        <FailurePanel failure={conversion.failure} title="The conversion stopped" onAgain={() => again(cacheKey)} />
      );
    case 'unknown':
      return <Unknown content={content} recording={recording} />;
    case 'trace':
      return (
        <p class="panel">
          {inputsOf(content, recording)
            .map(({ detected: { probe } }) => probe.reason)
            .join(' ')}
        </p>
      );
    case 'done':
      return <Questions recording={recording} output={conversion.output} />;
    default:
      return null;
  }
}

/** The timeline, while the recording is read and afterwards. */
function TimelinePanel({ content, recording }: Pick<Props, 'content' | 'recording'>) {
  const timeline = useTimeline(recording);
  const { conversion } = recording;
  const output = conversion.kind === 'done' ? conversion.output : null;
  useDetail(recording, output, timeline?.session ?? null);
  const results = useResults();
  if (!timeline || (conversion.kind !== 'running' && conversion.kind !== 'done')) return null;
  const { session, code, place } = timeline;
  const opens = output && (canOpen(conversion) || isSlow(output));
  return (
    <code.Timeline
      key={session.id}
      session={session}
      report={output?.report ?? null}
      name={titleOf(content, recording)}
      contentKey={memoryOf(content, recording)?.key ?? null}
      place={place}
      dump={output && ((range, signal) => dumpFor(recording, output, range, signal))}
      tablesOf={
        output &&
        results &&
        ((range) => (
          <results.IntervalTables
            key={`${recording.cacheKey} ${range.startNs} ${range.endNs}`}
            content={content}
            recording={recording}
            range={range}
            onOpenAt={openAtOf(recording)}
          />
        ))
      }
      onOpen={opens ? (range) => openTime(recording.id, range) : null}
    />
  );
}

/** Makes points again that the timeline dropped and the user wants to see. */
function useDetail(recording: Recording, output: Output | null, session: Session | null): void {
  useEffect(() => {
    if (!session || !output) return;
    let stop = new AbortController();
    session.onCoarse = (range, port) => {
      stop.abort();
      stop = new AbortController();
      return detailFor(recording, output, range, port, stop.signal);
    };
    return () => {
      session.onCoarse = null;
      stop.abort();
    };
  }, [recording.cacheKey, output?.report, session]);
}

// ---- The drawer

/** Side inputs come after the recording. */
const recordingFirst = (inputs: readonly Input[]): Input[] =>
  [...inputs].sort((a, b) => Number(b.role === 'recording') - Number(a.role === 'recording'));

interface InputsProps extends Pick<Props, 'content' | 'recording'> {
  /** the menus are visible */
  open: boolean;
  setOpen(open: boolean): void;
}

/** The inputs of the recording, with the menus to change what was recognised. */
function Inputs({ content, recording, open, setOpen }: InputsProps) {
  const inputs = inputsOf(content, recording);
  const report = recording.conversion.kind === 'done' ? recording.conversion.output.report : null;
  const format = inputs.find((input) => input.detected.probe.format)?.detected.probe.format ?? null;
  const formatOf = (name: string | null) => catalogue.formats.find((one) => one.name === name);
  return (
    <section class="panel head" aria-label="The recording">
      <ul class="cards">
        {recordingFirst(inputs).map((input) => (
          <InputCard
            key={input.key}
            input={input}
            content={content}
            recording={recording}
            format={formatOf(report?.format.name ?? input.detected.probe.format)}
            open={open}
          />
        ))}
      </ul>
      {isRecalled(content, recording) && (
        <p class="facts restored-choices">
          Options and files are the same as the last time you opened this recording.{' '}
          <button type="button" class="link" onClick={() => forget(recording.id)}>
            Forget them
          </button>
        </p>
      )}
      <KeepingNote />
      {recording.conversion.kind !== 'trace' && (
        <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the menus' : 'Change what was recognised'}
        </button>
      )}
      {open && recording.conversion.kind !== 'unknown' && <Options recording={recording} format={format} />}
    </section>
  );
}

type More = typeof import('../timeline/more.js');

/** The events of the visible time; their code is loaded when the tab is opened first. */
function EventsTab({ recording, output, onOpenAt }: { recording: Recording; output: Output; onOpenAt: OpenAt }) {
  const timeline = useTimeline(recording);
  const isOpen = useOpenTab() === 'events';
  const [code, setCode] = useState<More | null>(null);
  useEffect(() => {
    if (isOpen && timeline && !code)
      void timeline.code.load().then(
        (more) => setCode(more),
        () => {}, // without the network
      );
  }, [isOpen, timeline === null]);
  const facts = timeline?.session.facts;
  if (!timeline || !facts || !code) return <p class="hint">The events need the timeline.</p>;
  return (
    <code.Events
      report={output.report}
      session={timeline.session}
      tickNs={facts.tickNs}
      chosen={timeline.session.chosen}
      isOpen={isOpen}
      dump={(range, signal) => dumpFor(recording, output, range, signal)}
      onShow={(range) => onOpenAt?.(range)}
    />
  );
}

type ResultsCode = typeof import('./results.js');

let results: ResultsCode | null = null;

/** Loads the code for figures and tables. */
export const loadResults = (): Promise<void> =>
  import('./results.js').then(
    (code) => void (results = code),
    () => {}, // without the network: the drawer has no figures
  );

/** Null until it is loaded. */
function useResults(): ResultsCode | null {
  const [code, set] = useState(results);
  useEffect(() => {
    if (!code) void loadResults().then(() => set(results));
  }, []);
  return code;
}

type DrawerProps = Pick<Props, 'content' | 'recording' | 'tasks'> & { onOpenAt: OpenAt };

function RecordingDrawer({ content, recording, tasks, onOpenAt }: DrawerProps) {
  const [open, setOpen] = useState(inputsOf(content, recording).some(({ source }) => source.encoding !== null)); // the user who set it sees it in the options
  const { conversion } = recording;
  const inputs = <Inputs content={content} recording={recording} open={open} setOpen={setOpen} />;
  const report = reportOf(conversion);
  const code = useResults();
  if (!report || !code) return <Drawer tabs={[{ id: 'more', title: 'More', content: inputs }]} />;
  const output = conversion.kind === 'done' ? conversion.output : null;
  return (
    <code.Results
      content={content}
      recording={recording}
      report={report}
      output={output}
      events={output && <EventsTab recording={recording} output={output} onOpenAt={onOpenAt} />}
      tasks={tasks}
      onOpenAt={onOpenAt}
      inputs={inputs}
    />
  );
}

export function RecordingView(props: Props) {
  const { content, recording, handOver, tasks, looking } = props;
  const onOpenAt = openAtOf(recording);
  return (
    <>
      <Line recording={recording} handOver={handOver} tasks={tasks} looking={looking} onOpenAt={onOpenAt} />
      <div class="work">
        <State content={content} recording={recording} />
        <TimelinePanel content={content} recording={recording} />
      </div>
      <RecordingDrawer key={recording.id} content={content} recording={recording} tasks={tasks} onOpenAt={onOpenAt} />
    </>
  );
}
