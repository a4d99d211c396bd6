// SPDX-License-Identifier: MIT
import { rowsOf, timeRangeOf } from '../../../wasm/report.js';
import type { Problem, Report } from '../../../wasm/types.js';
import { count, duration, frequency, percent, plural, timesOf } from '../format.js';
import { RATE, type Recording } from '../job.js';
import { wordsOf } from './options.js';

type Tone = 'good' | 'warn' | 'bad';

const ofSeverity = (report: Report, ...severities: Problem['severity'][]): Problem[] =>
  report.problems.filter((problem) => severities.includes(problem.severity));

/** The state of the recording in words, with one of three tones. */
export function verdictOf(report: Report): { tone: Tone; text: string } {
  const bad = ofSeverity(report, 'loss', 'damage');
  const notices = ofSeverity(report, 'notice');
  if (report.events.total === 0) return { tone: 'bad', text: 'Nothing to show: no event could be read.' };
  if (bad.length) {
    const first = bad
      .map((problem) => problem.title.toLowerCase())
      .slice(0, 2)
      .join(', ');
    return { tone: 'bad', text: `Not complete: ${first}${bad.length > 2 ? ` and ${bad.length - 2} more` : ''}.` };
  }
  if (notices.length)
    return {
      tone: 'warn',
      text: `Complete, with ${plural(notices.length, 'note')} to read before you trust each number.`,
    };
  return { tone: 'good', text: 'Complete: every byte was read and understood.' };
}

const tickSource: Record<Report['tick']['source'], string> = {
  recording: 'from the recording',
  option: 'as you set it',
  side: 'from the earlier capture',
  assumed: 'assumed',
  counted: 'in the trace',
};

function Figure({
  label,
  value,
  notes = [],
  tone,
}: {
  label: string;
  value: string;
  notes?: string[];
  tone?: Tone | undefined;
}) {
  return (
    <div class={tone ? `figure ${tone}` : 'figure'}>
      <dt>{label}</dt>
      <dd>
        {value}
        {notes.map((note) => (
          <span key={note}>{note}</span>
        ))}
      </dd>
    </div>
  );
}

/** What the share does not include, in words. */
function besides({ cpu }: Report): string[] {
  const named = [
    ['interrupts', cpu.interrupts],
    ['not measured', cpu.unmeasured],
  ] as const;
  return named.flatMap(([words, share]) => (share ? [`${words} ${percent(share).replaceAll(' ', '\u00a0')}`] : []));
}

/** The length of one tick or record. Not shown if the times are nanoseconds. */
function Tick({ report, rate }: { report: Report; rate: number }) {
  const { ns, source, hz } = report.tick;
  const length = duration(String(ns));
  if (source === 'counted')
    return (
      <Figure label={`One ${timesOf(report).unit.replace(/s$/, '')}`} value={length} notes={[tickSource.counted]} />
    );
  if (hz) return <Figure label="Clock" value={frequency(Number(hz))} notes={[tickSource[source]]} />;
  if (rate) return <Figure label="Clock" value={frequency(rate)} notes={[tickSource.option]} />;
  if (source === 'recording' && Number(ns) === 1) return null;
  return (
    <Figure label="Tick" value={length} notes={[tickSource[source]]} tone={source === 'assumed' ? 'warn' : undefined} />
  );
}

export function Figures({ report, options }: { report: Report; options: Recording['options'] }) {
  const problems = ofSeverity(report, 'loss', 'damage', 'notice').length;
  const [tasks, objects, interrupts] = ['tasks', 'objects', 'interrupts'].map((id) => rowsOf(report, id).length) as [
    number,
    number,
    number,
  ];
  const { load } = report.cpu;
  return (
    <dl class="panel figures">
      {report.events.total > 0 && (
        <Figure label="Duration" value={timesOf(report).duration(timeRangeOf(report).duration)} />
      )}
      <Figure label="Events" value={count(report.events.total)} />
      {tasks > 0 && <Figure label="Tasks" value={count(tasks)} />}
      {objects > 0 && <Figure label="Objects" value={count(objects)} />}
      {interrupts > 0 && (
        <Figure label="Interrupts" value={count(interrupts)} notes={[interrupts === 1 ? 'kind' : 'kinds']} />
      )}
      {report.cores.length > 0 && <Figure label="Cores" value={count(report.cores.length)} />}
      {load !== null && <Figure label="CPU busy" value={percent(load)} notes={besides(report)} />}
      {report.events.total > 0 && <Tick report={report} rate={Number(options[RATE])} />}
      {report.events.lost > 0 && <Figure label="Lost" value={count(report.events.lost)} tone="bad" />}
      {report.events.restarts > 0 && <Figure label="Restarts" value={count(report.events.restarts)} tone="warn" />}
      <Figure label="Problems" value={count(problems)} tone={problems === 0 ? 'good' : verdictOf(report).tone} />
    </dl>
  );
}

const short: Record<Tone, string> = { good: 'Complete', warn: 'Complete, with notes', bad: 'Not complete' };

/** Format, length and load, in the bar. isSoFar: of what was read so far. */
export function Facts({ report, isSoFar }: { report: Report; isSoFar: boolean }) {
  const { format, cores, cpu, events } = report;
  const facts = [
    [format.title, wordsOf(format.mode)].filter(Boolean).join(', '),
    cores.length > 1 ? `${cores.length} cores` : '',
    events.total > 0 ? timesOf(report).duration(timeRangeOf(report).duration) : '',
    cpu.load === null ? '' : `CPU ${percent(cpu.load)}`,
    isSoFar ? 'so far' : '',
  ].filter(Boolean);
  return (
    <p class="chips">
      {facts.map((fact, index) => (
        <span key={fact}>{index > 0 ? ` · ${fact}` : fact}</span>
      ))}
    </p>
  );
}

/** The state of the recording in the bar; the whole sentence is a tooltip. */
export function Verdict({ report }: { report: Report }) {
  const { tone, text } = verdictOf(report);
  return (
    <p class={`verdict ${tone}`} title={text}>
      <span class="status-dot" aria-hidden="true" />
      {report.events.total === 0 ? 'Nothing to show' : short[tone]}
    </p>
  );
}
