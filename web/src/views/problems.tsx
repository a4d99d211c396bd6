// SPDX-License-Identifier: MIT
import type { Problem, Report, Severity } from '../../../wasm/types.js';
import { count, hexOffset } from '../format.js';
import { type OpenAt, TimeLink } from './time-link.js';

const words: Record<Severity, string> = { loss: 'lost on the target', damage: 'damage', notice: 'to know', info: 'harmless' };
const order: Severity[] = ['loss', 'damage', 'notice', 'info'];

function Bytes({ hex }: { hex: string }) {
  const [first, ...rest] = hex.split(' ');
  return (
    <code>
      <b>{first}</b> {rest.join(' ')}
    </code>
  );
}

function Where({ problem, report, onOpenAt }: { problem: Problem; report: Report; onOpenAt: OpenAt }) {
  const several = report.inputs.length > 1;
  return (
    <p class="where">
      {several && <span>{report.inputs[problem.input]?.name}</span>}
      {problem.offset !== null && <span>first at byte {count(Number(problem.offset))} <small>({hexOffset(problem.offset)})</small></span>}
      {problem.line !== undefined && <span>line {count(problem.line)} of the text</span>}
      {problem.frame !== null && <span>frame {count(problem.frame)}</span>}
      {problem.timeNs !== null && <span>at <TimeLink ns={problem.timeNs} report={report} onOpenAt={onOpenAt} /></span>}
      {problem.hex && <Bytes hex={problem.hex} />}
    </p>
  );
}

function Item({ problem, report, onOpenAt }: { problem: Problem; report: Report; onOpenAt: OpenAt }) {
  return (
    <li class={`problem ${problem.severity}`}>
      <div class="problem-head">
        <h3>{problem.title}</h3>
        <span class="times">{count(problem.count)}×</span>
        <span class="tag">{words[problem.severity]}</span>
        {problem.detail && <span class="detail">{problem.detail}</span>}
      </div>
      <Where problem={problem} report={report} onOpenAt={onOpenAt} />
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
