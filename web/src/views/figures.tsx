// SPDX-License-Identifier: MIT
import type { Problem, Report } from '../../../wasm/types.js';
import { count, duration, frequency, percent, plural, timesOf } from '../format.js';
import { RATE, type Recording } from '../job.js';

type Tone = 'good' | 'warn' | 'bad';

const ofSeverity = (report: Report, ...severities: Problem['severity'][]): Problem[] =>
  report.problems.filter((problem) => severities.includes(problem.severity));

/** The state of the recording in words and in one of three tones. */
export function verdictOf(report: Report): { tone: Tone; text: string } {
  const bad = ofSeverity(report, 'loss', 'damage');
  const notices = ofSeverity(report, 'notice');
  if (report.events.total === 0) return { tone: 'bad', text: 'Nothing to show: no event could be read.' };
  if (bad.length) {
    const first = bad.map((problem) => problem.title.toLowerCase()).slice(0, 2).join(', ');
    return { tone: 'bad', text: `Not complete: ${first}${bad.length > 2 ? ` and ${bad.length - 2} more` : ''}. The rest is below.` };
  }
  if (notices.length) return { tone: 'warn', text: `Complete, with ${plural(notices.length, 'thing')} to know before you trust each number.` };
  return { tone: 'good', text: 'Complete: every byte was read and understood.' };
}

const tickSource: Record<Report['tick']['source'], string> = {
  recording: 'from the recording',
  option: 'as you set it',
  side: 'from the earlier capture',
  assumed: 'assumed',
};

function Figure({ label, value, note, tone }: { label: string; value: string; note?: string; tone?: Tone | undefined }) {
  return (
    <div class={tone ? `figure ${tone}` : 'figure'}>
      <dt>{label}</dt>
      <dd>
        {value}
        {note && <span>{note}</span>}
      </dd>
    </div>
  );
}

const parts = ['busyNs', 'idleNs', 'interruptNs', 'notMeasuredNs'] as const;
type Part = (typeof parts)[number];

/** A part of the time of all cores together. */
function shareOf(report: Report, part: Part): number {
  const all = report.cores.length * Number(report.time.durationNs);
  return all > 0 ? report.cores.reduce((sum, core) => sum + Number(core[part]), 0) / all : 0;
}

/** What the shares leave out, in words. */
function besides(report: Report): string {
  const named = [['interrupts', shareOf(report, 'interruptNs')], ['not measured', shareOf(report, 'notMeasuredNs')]] as const;
  return named.filter(([, share]) => share > 0).map(([words, share]) => `${words} ${percent(share)}`).join(', ');
}

export const hasSteps = (report: Report): boolean => report.events.byKind.some(({ kind }) => kind === 'step begins');

export function Figures({ report, options }: { report: Report; options: Recording['options'] }) {
  const rate = Number(options[RATE]);
  const problems = ofSeverity(report, 'loss', 'damage', 'notice').length;
  const busy = shareOf(report, 'busyNs');
  return (
    <dl class="panel figures">
      <Figure label="Duration" value={timesOf(report).duration(report.time.durationNs)} />
      <Figure label="Events" value={count(report.events.total)} />
      {report.tasks.length > 0 && <Figure label={hasSteps(report) ? 'Objects' : 'Tasks'} value={count(report.tasks.length)} />}
      {report.interrupts.length > 0 && <Figure label="Interrupts" value={count(report.interrupts.length)} note="kinds" />}
      <Figure label="Cores" value={count(Math.max(1, report.cores.length))} />
      {busy > 0 && <Figure label="CPU busy" value={percent(busy)} note={besides(report)} />}
      {rate ? <Figure label="Clock" value={frequency(rate)} note={tickSource.option} />
        : <Figure label="Tick" value={duration(report.tick.ns)} note={tickSource[report.tick.source]} tone={report.tick.source === 'assumed' ? 'warn' : undefined} />}
      {report.drops.count > 0 && <Figure label="Lost" value={count(report.drops.count)} tone="bad" />}
      {report.restarts > 0 && <Figure label="Restarts" value={count(report.restarts)} tone="warn" />}
      <Figure label="Problems" value={count(problems)} tone={problems === 0 ? 'good' : (verdictOf(report).tone)} />
    </dl>
  );
}

export function Verdict({ report }: { report: Report }) {
  const { tone, text } = verdictOf(report);
  return (
    <p class={`verdict ${tone}`}>
      <span class="lamp" aria-hidden="true" />
      {text}
    </p>
  );
}

export function Cores({ report }: { report: Report }) {
  if (report.cores.length < 2) return null;
  return (
    <section aria-labelledby="cores-title">
      <h2 id="cores-title">Cores</h2>
      <div class="panel scroll" tabIndex={0} role="region" aria-label="Table of cores">
        <table>
          <thead>
            <tr><th scope="col">Core</th><th scope="col" class="num">Busy</th><th scope="col" class="num">Idle</th><th scope="col" class="num">In interrupts</th><th scope="col" class="num">Not measured</th></tr>
          </thead>
          <tbody>
            {report.cores.map((core) => (
              <tr key={core.core}>
                <th scope="row">Core {core.core}</th>
                {parts.map((part) => <td key={part} class="num">{percent(Number(core[part]) / (Number(report.time.durationNs) || 1))}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
