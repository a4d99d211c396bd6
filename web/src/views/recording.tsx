// SPDX-License-Identifier: MIT
// One recording: its inputs, its actions and its results.
import { useState } from 'preact/hooks';
import { placesOf } from '../../../wasm/report.js';
import type { Report, DetectedInput } from '../../../wasm/types.js';
import { again, forget } from '../effects.js';
import { exportSamples, openTime, showTime } from '../handoff.js';
import { bytes, grouped, sentence } from '../format.js';
import { type Place, rowAt } from '../series.js';
import {
  type Catalogue,
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
  titleOf,
} from '../job.js';
import type { Range } from '../io/perfetto.js';
import { dispatch } from '../store.js';
import { hasTimeline, useTimeline } from '../timelines.js';
import { Actions } from './actions.js';
import { CompareWith, othersOf, reportOf, useComparison } from './compare.js';
import { Figures, Verdict } from './figures.js';
import { Findings } from './findings.js';
import { InputCard } from './input-card.js';
import { Options, wordsOf } from './options.js';
import { UtilisationOverview } from './time-range.js';
import { Problems } from './problems.js';
import { Rules, useRules, useVerdicts, withVerdicts } from './rules.js';
import { ProgressPanel } from './progress.js';
import { Tables } from './tables.js';
import type { OpenAt } from './time-link.js';
import { ExportReport } from './export.js';
import { ResponseTimes } from './tasks.js';
import { TickQuestion } from './tick-length.js';

interface Props {
  content: Loaded;
  recording: Recording;
  catalogue: Catalogue | null;
  handOver: HandOver;
  /** files that are being made of this recording */
  tasks: readonly Task[];
}

function Chips({ report }: { report: Report | null }) {
  if (!report) return null;
  const { format, cores } = report;
  const chips = [format.title, wordsOf(format.mode), cores.length > 1 ? `${cores.length} cores` : ''].filter(Boolean);
  return (
    <span class="chips">
      {chips.map((chip) => (
        <span class="chip" key={chip}>
          {chip}
        </span>
      ))}
    </span>
  );
}

/** Side inputs come after the recording. */
const recordingFirst = (inputs: readonly Input[]): Input[] =>
  [...inputs].sort((a, b) => Number(b.role === 'recording') - Number(a.role === 'recording'));

function Head(props: Props) {
  const { content, recording, catalogue, handOver, tasks } = props;
  const inputs = inputsOf(content, recording);
  const [open, setOpen] = useState(inputs.some(({ source }) => source.encoding !== null)); // the user who set it sees it in the options
  const report = recording.conversion.kind === 'done' ? recording.conversion.output.report : null;
  const format = inputs.find((input) => input.detected.probe.format)?.detected.probe.format ?? null;
  const formatOf = (name: string | null) => catalogue?.formats.find((one) => one.name === name);
  return (
    <section class="panel head" aria-label="The recording">
      <div class="head-title">
        <h1>
          {titleOf(content, recording)} <Chips report={report} />
        </h1>
        {report && <Verdict report={report} />}
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
        {recording.conversion.kind !== 'trace' && (
          <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide the menus' : 'Change what was recognised'}
          </button>
        )}
        {open && catalogue && recording.conversion.kind !== 'unknown' && (
          <Options recording={recording} format={format} catalogue={catalogue} />
        )}
      </div>
      {recording.conversion.kind !== 'unknown' && <Actions recording={recording} handOver={handOver} tasks={tasks} />}
    </section>
  );
}

/** Times of the important problems. */
const marksOf = (report: Report): bigint[] =>
  [
    ...new Set(
      report.problems
        .filter(({ severity }) => severity !== 'info')
        .flatMap(({ id }) => placesOf(report, id).flatMap(({ time }) => (time === null ? [] : [time]))),
    ),
  ].map(BigInt);

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

const openAtOf = (recording: Recording, output: Output): OpenAt =>
  canOpen(recording.conversion) || isSlow(output) || hasTimeline(recording)
    ? (range: Range) => showTime(recording.id, range)
    : null;

function Result({ content, recording, output, catalogue, tasks }: Omit<Props, 'handOver'> & { output: Output }) {
  const { report } = output;
  const name = titleOf(content, recording).replace(/[^\w.@ -]+/g, '_');
  const [other, setOther] = useState('');
  const others = othersOf(content, recording);
  const chosen = others.find(({ id }) => id === other) ?? null;
  const compared = useComparison(chosen, report);
  const [rules, setRules] = useRules();
  const judged = useVerdicts(rules, report, chosen && reportOf(chosen), titleOf(content, recording));
  const shown = withVerdicts(report, judged);
  const [lit, setLit] = useState<Place | null>(null);
  const [looked, setLooked] = useState<string | null>(null);
  const takesRate =
    catalogue?.formats.find(({ name }) => name === report.format.name)?.options.some(({ key }) => key === RATE) ===
    true;
  const openAt = openAtOf(recording, output);
  return (
    <>
      <ResponseTimes report={report} name={titleOf(content, recording)} onOpenAt={openAt} />
      {output.cut && <FailurePanel failure={output.cut} title="Not read to the end" />}
      {report.tick.source === 'assumed' && report.events.total > 0 && (
        <TickQuestion recording={recording} report={report} takesRate={takesRate} />
      )}
      <Explained report={report} />
      <Figures report={report} options={recording.options} />
      <UtilisationOverview
        recording={recording}
        output={output}
        lit={lit && rowAt(report, lit)}
        marks={marksOf(report)}
        looked={looked === null ? null : BigInt(looked)}
        onOpenAt={openAt}
      />
      <Problems report={report} onOpenAt={openAt} onLook={setLooked} />
      <CompareWith content={content} others={others} chosen={chosen} onChoose={setOther} />
      <Rules rules={rules} result={judged} report={report} onRules={setRules} onOpenAt={openAt} />
      <Tables
        report={compared ?? shown}
        name={name}
        onOpenAt={openAt}
        onLight={setLit}
        tasks={tasks}
        onSamples={(path) => void exportSamples(recording.id, path)}
      />
      <div class="row">
        <ExportReport report={shown} name={name} />
      </div>
      <p class="hint">
        {output.whole ? 'Read' : 'Converted'} in {output.seconds.toFixed(2)} s
        {!output.whole && ` into ${bytes(output.extent.bytes)}`} by {report.tool}.
      </p>
    </>
  );
}

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
function Unknown({ content, recording, catalogue }: Pick<Props, 'content' | 'recording' | 'catalogue'>) {
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
      {!idle && open && catalogue && (
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

function Body(props: Props) {
  const { content, recording, catalogue, tasks } = props;
  const { conversion } = recording;
  switch (conversion.kind) {
    case 'queued':
      return <p class="panel hint">Waits until the recording before it is converted.</p>;
    case 'running':
      return <ProgressPanel recording={recording} conversion={conversion} title={titleOf(content, recording)} />;
    case 'cancelled':
      return (
        <section class="panel row">
          <p>Cancelled. The results so far were discarded.</p>
          <button type="button" class="button" onClick={() => again(recording.cacheKey)}>
            Convert again
          </button>
        </section>
      );
    case 'failed':
      return (
        <FailurePanel
          failure={conversion.failure}
          title="The conversion stopped"
          onAgain={() => again(recording.cacheKey)}
        />
      );
    case 'unknown':
      return <Unknown content={content} recording={recording} catalogue={catalogue} />;
    case 'trace':
      return null; // its card shows it
    case 'done':
      return (
        <Result
          key={recording.id}
          content={content}
          recording={recording}
          output={conversion.output}
          catalogue={catalogue}
          tasks={tasks}
        />
      );
  }
}

/** The findings stand above the timeline. */
function FindingsOf({ recording }: Pick<Props, 'recording'>) {
  const { conversion } = recording;
  if (conversion.kind !== 'done') return null;
  return <Findings report={conversion.output.report} onOpenAt={openAtOf(recording, conversion.output)} />;
}

/** The timeline, while the recording is read and afterwards. */
function TimelinePanel({ content, recording }: Pick<Props, 'content' | 'recording'>) {
  const timeline = useTimeline(recording);
  const { conversion } = recording;
  if (!timeline || (conversion.kind !== 'running' && conversion.kind !== 'done')) return null;
  const { session, code, place } = timeline;
  const output = conversion.kind === 'done' ? conversion.output : null;
  const opens = output && (canOpen(conversion) || isSlow(output));
  return (
    <code.Timeline
      key={session.id}
      session={session}
      report={output?.report ?? null}
      name={titleOf(content, recording)}
      contentKey={memoryOf(content, recording)?.key ?? null}
      place={place}
      onOpen={opens ? (range) => openTime(recording.id, range) : null}
    />
  );
}

export function RecordingView(props: Props) {
  return (
    <>
      <Head key={props.recording.id} {...props} />
      <FindingsOf recording={props.recording} />
      <TimelinePanel {...props} />
      <Body {...props} />
    </>
  );
}
