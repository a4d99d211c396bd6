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
import type { Note } from '../io/perfetto.js';
import { useReportCore } from '../io/report.js';
import { useTimeline } from '../timelines.js';
import { CompareWith, othersOf, useComparison } from './compare.js';
import { Drawer, type DrawerTab } from './drawer.js';
import { ExportReport } from './export.js';
import { onlyOpen, problemsTab, tableTabs } from './figure-tabs.js';
import { Figures, verdictOf } from './figures.js';
import { Rules, useRules, useVerdicts, withVerdicts } from './rules.js';
import { Tables, placedTables } from './tables.js';
import { ResponseTimes } from './tasks.js';
import { type OpenAt, TimeLink } from './time-link.js';

export { IntervalTables } from './interval.js';

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
function Marks({ marks, report, onOpenAt }: { marks: readonly Note[]; report: Report; onOpenAt: OpenAt }) {
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

const soFar = <p class="hint so-far">So far: the recording is still being read.</p>;

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
  const marks = useTimeline(recording)?.session.chosen.marks ?? [];
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
  const jobs = report.jobs?.some(({ count }) => Number(count ?? 0) > 0);
  const tabs: DrawerTab[] = [
    ...tableTabs({ report, onOpenAt }, placed, tables, {
      tasks: jobs && <ResponseTimes report={report} name={title} onOpenAt={onOpenAt} />,
    }),
    ...(events ? [{ id: 'events', title: 'Events', content: events }] : []),
    problemsTab({ report, onOpenAt }, output && verdictOf(report).text),
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
          <Marks marks={marks} report={report} onOpenAt={onOpenAt} />
          {inputs}
          {output && (
            <>
              <div class="row">
                <ExportReport report={shown} name={name} marks={marks} />
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
  return <Drawer tabs={output ? tabs : onlyOpen(tabs, open, soFar)} />;
}
