// SPDX-License-Identifier: MIT
import { useState } from 'preact/hooks';
import { placesOf } from '../../../wasm/report.js';
import type { Place, Problem, Report, Severity } from '../../../wasm/types.js';
import { count, grouped, hexOffset, sentence } from '../format.js';
import { rangeOf } from '../io/perfetto.js';
import { type OpenAt, TimeLink } from './time-link.js';

const words: Record<Severity, string> = { loss: 'lost', damage: 'damage', notice: 'to know', info: 'harmless' };

interface Shared {
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

function Where({ place, report, onOpenAt }: Pick<Shared, 'report' | 'onOpenAt'> & { place: Place }) {
  return (
    <>
      {report.inputs.length > 1 && place.input && <span>{place.input}</span>}
      {place.offset !== null && (
        <span>
          at byte {count(Number(place.offset))} <small>({hexOffset(String(place.offset))})</small>
        </span>
      )}
      {place.line != null && <span>line {count(place.line)} of the text</span>}
      {place.frame !== null && <span>frame {count(Number(place.frame))}</span>}
      {place.time !== null && (
        <span>
          at <TimeLink time={place.time} report={report} onOpenAt={onOpenAt} />
        </span>
      )}
      {place.hex && <Bytes hex={place.hex} />}
    </>
  );
}

const KEPT = 26; // occurrences of one problem in a report: the first ones, and a sample of the others

/** One occurrence of a problem, with buttons to the previous and next one. */
function Places({ problem, report, onOpenAt }: Shared & { problem: Problem }) {
  const [at, setAt] = useState(0);
  const places = placesOf(report, problem.id);
  const place = places[at];
  if (!place) return null;
  const last = places.length - 1;
  const go = (to: number): void => {
    setAt(to);
    const time = places[to]?.time;
    if (time != null) onOpenAt?.(rangeOf(BigInt(time), 0n, report));
  };
  return (
    <div class="problem-location">
      {last > 0 && (
        <span class="stepper" role="group" aria-label={`Places of “${problem.title}”`}>
          <button
            type="button"
            class="button small"
            aria-label="Previous place"
            aria-disabled={at === 0}
            onClick={() => at > 0 && go(at - 1)}
          >
            ‹
          </button>
          <span role="status">{`place ${at + 1} of ${places.length}${places.length === KEPT ? ' that were kept' : ''}`}</span>
          <button
            type="button"
            class="button small"
            aria-label="Next place"
            aria-disabled={at === last}
            onClick={() => at < last && go(at + 1)}
          >
            ›
          </button>
        </span>
      )}
      <Where place={place} report={report} onOpenAt={onOpenAt} />
    </div>
  );
}

/** "1180 events", but "interrupt 1180": a number after a name is an id. */
const countFirst = (detail: string): string => detail.replace(/^\d+(?= )/, grouped);

function Item({ problem, ...shared }: Shared & { problem: Problem }) {
  return (
    <li class={`problem ${problem.severity}`}>
      <div class="problem-head">
        <h3>{problem.title}</h3>
        <span class="times">{count(problem.count)}×</span>
        <span class="tag">{words[problem.severity]}</span>
        {problem.detail && <span class="detail">{countFirst(problem.detail)}</span>}
      </div>
      <Places problem={problem} {...shared} />
      <p class="advice">
        <span class="legend">Why</span> <span>{sentence(problem.cause)}</span>
      </p>
      <p class="advice">
        <span class="legend">Do</span> <span>{problem.remedy}</span>
      </p>
    </li>
  );
}

export function Problems(shared: Shared) {
  const { report } = shared;
  if (!report.problems.length) return null;
  const serious = report.problems.filter((problem) => problem.severity !== 'info');
  const harmless = report.problems.filter((problem) => problem.severity === 'info');
  const list = (problems: Problem[]) => (
    <ul class="panel problems">
      {problems.map((problem) => (
        <Item key={problem.id} problem={problem} {...shared} />
      ))}
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
