// SPDX-License-Identifier: MIT
// Tables of the marked interval that the timeline does not have: of its queues and locks, jobs and waits, from a report of this time range.
// A large recording is read again only if the user asks for it.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { tablesOf } from '../../../wasm/report.js';
import type { Report } from '../../../wasm/types.js';
import { reportOfRange } from '../conversions.js';
import type { Range } from '../io/perfetto.js';
import { useReportCore } from '../io/report.js';
import { LARGE, type Loaded, type Recording, bytesOf, inputsOf, titleOf } from '../job.js';
import { Tables, placedTables } from './tables.js';
import type { OpenAt } from './time-link.js';

const PATIENCE_MS = 300; // the cursors rest for so long before the recording is read
const SHOWN = new Set(['jobs', 'activations', 'waits']); // beside those of queues and locks
const GROUP = 'interval';

interface Props {
  content: Loaded;
  recording: Recording;
  range: Range;
  onOpenAt: OpenAt;
}

type State = { kind: 'reading' } | { kind: 'failed'; text: string } | { kind: 'read'; report: Report };

function useReport({ recording, range: { startNs, endNs } }: Props, isWanted: boolean): State {
  const [state, set] = useState<State>({ kind: 'reading' });
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    const read = (): Promise<void> =>
      reportOfRange(recording, { startNs, endNs }, stop.signal).then(
        (report) => set({ kind: 'read', report }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          set({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
        },
      );
    const timer = setTimeout(() => void read(), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [isWanted]);
  return state;
}

/** Another range needs another key: these tables stay those of their first range. */
export function IntervalTables(props: Props) {
  const { content, recording, onOpenAt } = props;
  const [isAsked, setAsked] = useState(false);
  const isWanted = isAsked || bytesOf(inputsOf(content, recording)) <= LARGE;
  const state = useReport(props, isWanted);
  const core = useReportCore();
  const said = (text: ComponentChildren) => <p class="hint">{text}</p>;
  if (!isWanted)
    return (
      <button type="button" class="button small" onClick={() => setAsked(true)}>
        Read the recording again for queues, jobs and waits
      </button>
    );
  if (state.kind === 'failed') return said(`Queues, jobs and waits could not be read: ${state.text}`);
  if (state.kind === 'reading' || !core) return <p role="status">Queues, jobs and waits: reading …</p>;
  const { report } = state;
  const placed = placedTables(report, tablesOf(report, core.schema()))
    .filter(({ group, table }) => group === 'queues' || SHOWN.has(table.id))
    .map((one) => ({ ...one, group: GROUP }));
  if (!placed.length) return said('The interval has no queues, jobs or waits.');
  return (
    <Tables
      placed={placed}
      group={GROUP}
      report={report}
      name={`${titleOf(content, recording).replace(/[^\w.@ -]+/g, '_')}.interval`}
      prefix="interval-"
      onOpenAt={onOpenAt}
      tasks={[]}
      onSamples={null}
    />
  );
}
