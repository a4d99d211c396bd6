// SPDX-License-Identifier: MIT
import { placesOf } from '../../../wasm/report.js';
import type { Place, Problem, Report, Severity } from '../../../wasm/types.js';
import { count, hexOffset, plural } from '../format.js';
import { type OpenAt, TimeLink } from './time-link.js';

const words: Record<Severity, string> = { loss: 'lost on the target', damage: 'damage', notice: 'to know', info: 'harmless' };
const order: Severity[] = ['loss', 'damage', 'notice', 'info'];

interface Props {
  problem: Problem;
  report: Report;
  onOpenAt: OpenAt;
}

function Bytes({ hex }: { hex: string }) {
  const [first, ...rest] = hex.split(' ');
  return (
    <code>
      <b>{first}</b> {rest.join(' ')}
    </code>
  );
}

function Where({ place, report, onOpenAt, first }: Omit<Props, 'problem'> & { place: Place; first: boolean }) {
  return (
    <p class="where">
      {report.inputs.length > 1 && place.input && <span>{place.input}</span>}
      {place.offset !== null && <span>{first && 'first '}at byte {count(Number(place.offset))} <small>({hexOffset(String(place.offset))})</small></span>}
      {place.line !== undefined && <span>line {count(place.line)} of the text</span>}
      {place.frame !== null && <span>frame {count(Number(place.frame))}</span>}
      {place.time !== null && <span>at <TimeLink ns={place.time} report={report} onOpenAt={onOpenAt} /></span>}
      {place.hex && <Bytes hex={place.hex} />}
    </p>
  );
}

function Places({ problem, report, onOpenAt }: Props) {
  const [first, ...others] = placesOf(report, problem.id);
  if (!first) return null;
  const where = (place: Place, index: number) => <Where key={index} place={place} report={report} onOpenAt={onOpenAt} first={place === first} />;
  return (
    <>
      {where(first, 0)}
      {others.length > 0 && (
        <details>
          <summary>{plural(others.length, 'further place')}</summary>
          {others.map(where)}
        </details>
      )}
    </>
  );
}

function Item(props: Props) {
  const { problem } = props;
  return (
    <li class={`problem ${problem.severity}`}>
      <div class="problem-head">
        <h3>{problem.title}</h3>
        <span class="times">{count(problem.count)}×</span>
        <span class="tag">{words[problem.severity]}</span>
        {problem.detail && <span class="detail">{problem.detail}</span>}
      </div>
      <Places {...props} />
      <p><span class="legend">Why</span> {problem.cause}</p>
      <p><span class="legend">Do</span> {problem.remedy}</p>
    </li>
  );
}

export function Problems({ report, onOpenAt }: { report: Report; onOpenAt: OpenAt }) {
  if (!report.problems.length) return null;
  const sorted = [...report.problems].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const serious = sorted.filter((problem) => problem.severity !== 'info');
  const harmless = sorted.filter((problem) => problem.severity === 'info');
  const list = (problems: Problem[]) => (
    <ul class="panel problems">
      {problems.map((problem) => <Item key={problem.id} problem={problem} report={report} onOpenAt={onOpenAt} />)}
    </ul>
  );
  return (
    <section aria-labelledby="problems-title">
      <h2 id="problems-title">Problems</h2>
      {serious.length > 0 ? list(serious) : <p class="hint">None that matter.</p>}
      {harmless.length > 0 && (
        <details>
          <summary>Harmless, but good to know ({harmless.length})</summary>
          {list(harmless)}
        </details>
      )}
    </section>
  );
}
