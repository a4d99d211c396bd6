// SPDX-License-Identifier: MIT
// The drawer of a recording with figures. Its code is loaded after the page is shown.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { tablesOf, traceNs } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import { useOpenTab } from '../drawer.js';
import { exportSamples } from '../handoff.js';
import { bytes } from '../format.js';
import { type Loaded, type Output, type Recording, type Task, reportOf, titleOf } from '../job.js';
import { useReportCore } from '../io/report.js';
import { useTimeline } from '../timelines.js';
import { CompareWith, othersOf, useComparison } from './compare.js';
import { Drawer, type DrawerTab } from './drawer.js';
import { ExportReport } from './export.js';
import { Figures, verdictOf } from './figures.js';
import { Findings } from './findings.js';
import { Problems } from './problems.js';
import { Rules, useRules, useVerdicts, withVerdicts } from './rules.js';
import { GROUPS, Tables, placedTables } from './tables.js';
import { ResponseTimes } from './tasks.js';
import { type OpenAt, TimeLink } from './time-link.js';

function DetailsOf({ output }: { output: Output }) {
  const { report, whole, seconds, extent } = output;
  return (
    <>
      {report.time_note && <p class="hint">{report.time_note}</p>}
      <p class="hint">
        {whole ? 'Read' : 'Converted'} in {seconds.toFixed(2)} s{!whole && ` into ${bytes(extent.bytes)}`} by{' '}
        {report.tool}.
      </p>
    </>
  );
}

/** The marks of the user in the timeline. */
function Marks({ recording, report, onOpenAt }: { recording: Recording; report: Report; onOpenAt: OpenAt }) {
  const marks = useTimeline(recording)?.session.chosen.marks ?? [];
  if (!marks.length) return null;
  return (
    <section aria-labelledby="marks-title">
      <h2 id="marks-title">Marks</h2>
      <ul class="panel marks">
        {marks.map(({ atNs, text }) => (
          <li key={String(atNs)}>
            <TimeLink time={String(atNs / traceNs(report))} report={report} onOpenAt={onOpenAt} /> <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  content: Loaded;
  recording: Recording;
  /** files that are being made of this recording */
  tasks: readonly Task[];
  report: Report;
  /** null: the report is on what was read so far */
  output: Output | null;
  onOpenAt: OpenAt;
  inputs: ComponentChildren;
  /** the content of the tab "Events"; null: there is no such tab */
  events: ComponentChildren;
}

/** The drawer of a recording that was read. All tabs exist at all times, so that the page can be printed. */
export function Results({ content, recording, report, output, tasks, onOpenAt, inputs, events }: Props) {
  const title = titleOf(content, recording);
  const name = title.replace(/[^\w.@ -]+/g, '_');
  const core = useReportCore();
  const open = useOpenTab();
  const [other, setOther] = useState('');
  const others = othersOf(content, recording);
  const chosen = others.find(({ id }) => id === other) ?? null;
  const compared = useComparison(chosen, report);
  const [rules, setRules] = useRules();
  const judged = useVerdicts(output && rules, report, chosen && reportOf(chosen.conversion), title);
  const shown = withVerdicts(report, judged);
  const tabled = compared ?? shown;
  const placed = core ? placedTables(tabled, tablesOf(tabled, core.schema())) : []; // the schema describes the columns
  const tables = (group: string) => (
    <Tables
      placed={placed}
      group={group}
      report={tabled}
      name={name}
      onOpenAt={onOpenAt}
      tasks={tasks}
      onSamples={output && ((path) => void exportSamples(recording.id, path))}
    />
  );
  const hasTables = (group: string): boolean => placed.some((one) => one.group === group);
  const jobs = report.jobs?.some(({ count }) => Number(count ?? 0) > 0);
  const groups = GROUPS.filter(({ id }) => hasTables(id) || (id === 'tasks' && jobs));
  const serious = report.problems.filter(({ severity }) => severity !== 'info').length;
  const tabs: DrawerTab[] = [
    ...(report.findings
      ? [
          {
            id: 'findings',
            title: 'Findings',
            count: report.findings.length,
            content: <Findings report={report} onOpenAt={onOpenAt} />,
          },
        ]
      : []),
    ...groups.map(({ id, title: words }) => ({
      id,
      title: words,
      content: (
        <>
          {id === 'tasks' && <ResponseTimes report={report} name={title} onOpenAt={onOpenAt} />}
          {tables(id)}
        </>
      ),
    })),
    ...(events ? [{ id: 'events', title: 'Events', content: events }] : []),
    {
      id: 'problems',
      title: 'Problems',
      count: serious,
      content: (
        <>
          {output && <p class="hint">{verdictOf(report).text}</p>}
          <Problems report={report} onOpenAt={onOpenAt} />
        </>
      ),
    },
    ...(output && others.length
      ? [
          {
            id: 'compare',
            title: 'Compare',
            content: (
              <>
                <CompareWith content={content} others={others} chosen={chosen} onChoose={setOther} />
                {tables('compare')}
              </>
            ),
          },
        ]
      : []),
    {
      id: 'more',
      title: 'More',
      content: (
        <>
          <Figures report={report} options={recording.options} />
          <Marks recording={recording} report={report} onOpenAt={onOpenAt} />
          {inputs}
          {output && (
            <>
              <div class="row">
                <ExportReport report={shown} name={name} />
                <button type="button" class="button" onClick={() => print()}>
                  Print the report
                </button>
              </div>
              <Rules rules={rules} result={judged} report={report} onRules={setRules} onOpenAt={onOpenAt} />
            </>
          )}
          {tables('more')}
          {output && <DetailsOf output={output} />}
        </>
      ),
    },
  ];
  return <Drawer tabs={output ? tabs : tabs.map((tab) => soFar(tab, open))} />;
}

/** A tab with figures that still grow. Only the open tab is drawn, because they change several times a second. */
const soFar = (tab: DrawerTab, open: string | null): DrawerTab => ({
  ...tab,
  content: tab.id === open && (
    <>
      <p class="hint so-far">So far: the recording is still being read.</p>
      {tab.content}
    </>
  ),
});
