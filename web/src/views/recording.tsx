// SPDX-License-Identifier: MIT
// One recording: its inputs, what can be done with it, and what was found.
import { useState } from 'preact/hooks';
import type { Report } from '../../../wasm/types.js';
import { again, showInViewer } from '../effects.js';
import { bytes, sentence } from '../format.js';
import { type Catalogue, type Failure, type HandOver, type Loaded, type Output, RATE, type Recording, canOpen, inputsOf, titleOf } from '../job.js';
import { save } from '../io/download.js';
import type { Range } from '../io/perfetto.js';
import { dispatch } from '../store.js';
import { Actions } from './actions.js';
import { Cores, Figures, Verdict } from './figures.js';
import { InputCard } from './input-card.js';
import { Options } from './options.js';
import { Problems } from './problems.js';
import { ProgressPanel } from './progress.js';
import { Strip } from './strip.js';
import { EventKinds, Interrupts, Queues, Tasks } from './tables.js';
import { TickQuestion } from './tick.js';

interface Props {
  content: Loaded;
  recording: Recording;
  catalogue: Catalogue | null;
  handOver: HandOver;
  onAdd(): void;
}

function Chips({ report }: { report: Report | null }) {
  if (!report) return null;
  const { format, cores } = report;
  const chips = [format.title, format.mode.replaceAll('-', ' '), cores.length > 1 ? `${cores.length} cores` : ''].filter(Boolean);
  return (
    <span class="chips">
      {chips.map((chip) => <span class="chip" key={chip}>{chip}</span>)}
    </span>
  );
}

function Head(props: Props) {
  const { content, recording, catalogue, handOver, onAdd } = props;
  const [open, setOpen] = useState(recording.conversion.kind === 'unknown');
  const inputs = inputsOf(content, recording);
  const report = recording.conversion.kind === 'done' ? recording.conversion.output.report : null;
  const format = inputs.find((input) => input.sighting.probe.format)?.sighting.probe.format ?? null;
  return (
    <section class="panel head" aria-label="The recording">
      <div class="head-what">
        <h1>{titleOf(content, recording)} <Chips report={report} /></h1>
        {report && <Verdict report={report} />}
        <ul class="cards">
          {inputs.map((input) => <InputCard key={input.key} input={input} content={content} recording={recording} open={open} />)}
        </ul>
        <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the menus' : 'Change what was recognised'}
        </button>
        {open && catalogue && <Options recording={recording} format={format} catalogue={catalogue} />}
      </div>
      <Actions recording={recording} handOver={handOver} onAdd={onAdd} />
    </section>
  );
}

function TakeReport({ text, name }: { text: string; name: string }) {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser refused. Use “Save the report” instead.'),
    );
  };
  return (
    <>
      <button type="button" class="key" onClick={copy}>Copy the report as text</button>
      <button type="button" class="key" onClick={() => save(new Blob([text], { type: 'text/plain' }), name)}>Save the report</button>
      <span role="status">{said}</span>
    </>
  );
}

function Explained({ report }: { report: Report }) {
  if (!report.explain.length) return null;
  return (
    <section class="panel explain" aria-labelledby="explain-title">
      <h2 id="explain-title">Why there is so little to see</h2>
      {report.explain.map((sentence) => <p key={sentence}>{sentence}</p>)}
    </section>
  );
}

function Result({ recording, output, title, catalogue }: { recording: Recording; output: Output; title: string; catalogue: Catalogue | null }) {
  const { report } = output;
  const takesRate = catalogue?.formats.find(({ name }) => name === report.format.name)?.options.some(({ key }) => key === RATE) === true;
  const openAt = canOpen(recording.conversion) ? (range: Range) => void showInViewer(recording.id, range) : null;
  return (
    <>
      {output.cut && <FailurePanel failure={output.cut} title="Not read to the end" />}
      {report.tick.source === 'assumed' && report.events.total > 0 && <TickQuestion recording={recording} report={report} takesRate={takesRate} />}
      <Explained report={report} />
      <Figures report={report} options={recording.options} />
      <Strip report={report} onOpenAt={openAt} />
      <Problems report={report} onOpenAt={openAt} />
      <Tasks report={report} onOpenAt={openAt} />
      <Cores report={report} />
      <Interrupts report={report} onOpenAt={openAt} />
      <Queues report={report} />
      <EventKinds report={report} />
      <div class="row">
        <TakeReport text={output.reportText} name={`${title.replace(/[^\w.@ -]+/g, '_')}.report.txt`} />
      </div>
      <p class="hint">
        Converted in {output.seconds.toFixed(2)} s into {bytes(output.spool.bytes)} by {report.tool}.
      </p>
    </>
  );
}

function FailurePanel({ failure, title, onAgain }: { failure: Failure; title: string; onAgain?: () => void }) {
  return (
    <section class="panel failure" role="alert">
      <h2>{title}</h2>
      <p>{failure.text}{failure.place && ` (${failure.place})`}</p>
      <p class="hint">{failure.advice}</p>
      {onAgain && <button type="button" class="key" onClick={onAgain}>Try again</button>}
    </section>
  );
}

function Unknown({ content, recording, catalogue }: Pick<Props, 'content' | 'recording' | 'catalogue'>) {
  const inputs = inputsOf(content, recording);
  const onlySide = inputs.every((input) => input.role === 'side');
  return (
    <section class="panel failure" role="alert">
      <h2>{onlySide ? 'Names only' : 'This was not recognised'}</h2>
      {onlySide ? (
        <p>This input was set aside for its names. Add the recording that needs them, or use it for the timeline again.</p>
      ) : (
        inputs.map(({ key, sighting }) => (
          <p key={key}><b>{sighting.name}</b>: {sighting.bytes === 0 && 'nothing is in it. '}{sentence(sighting.probe.reason || sighting.encodingReason)}</p>
        ))
      )}
      {!onlySide && inputs.some(({ sighting }) => sighting.bytes > 0) && catalogue && (
        <>
          <p class="hint">If you know what it is, read it anyway; the report will say how much of it made sense.</p>
          <div class="row">
            {catalogue.formats.map(({ name, title }) => (
              <button type="button" class="key" key={name} onClick={() => dispatch({ type: 'option', recording: recording.id, key: 'format', value: name })}>
                Read it as {title}
              </button>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function Body(props: Props) {
  const { content, recording, catalogue } = props;
  const { conversion } = recording;
  switch (conversion.kind) {
    case 'queued':
      return <p class="panel hint">Waits for the recording before it.</p>;
    case 'running':
      return <ProgressPanel recording={recording} conversion={conversion} title={titleOf(content, recording)} />;
    case 'cancelled':
      return (
        <section class="panel row">
          <p>Cancelled. Nothing was kept.</p>
          <button type="button" class="key" onClick={() => again(recording.recipe)}>Convert it after all</button>
        </section>
      );
    case 'failed':
      return <FailurePanel failure={conversion.failure} title="The conversion stopped" onAgain={() => again(recording.recipe)} />;
    case 'unknown':
      return <Unknown content={content} recording={recording} catalogue={catalogue} />;
    case 'done':
      return <Result recording={recording} output={conversion.output} title={titleOf(content, recording)} catalogue={catalogue} />;
  }
}

export function RecordingView(props: Props) {
  return (
    <>
      <Head key={props.recording.id} {...props} />
      <Body {...props} />
    </>
  );
}
