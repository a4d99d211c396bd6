// SPDX-License-Identifier: MIT
// Every event and log line of the visible time range, as a table. Nothing is kept for it: it is a dump of the range.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Report } from '../../../wasm/types.js';
import type { Range } from '../io/perfetto.js';
import { count } from '../format.js';
import { Clock } from './axis.js';
import { type DumpedEvent, eventsOf } from './dump.js';
import type { Session } from './session.js';
import { namesOf } from './texts.js';

/** Makes a dump of a time range; ends early when there are more lines than a user reads. */
export type Dump = (range: Range, signal: AbortSignal) => Promise<{ lines: string[]; isWhole: boolean }>;

type Chosen = Session['chosen'];

const MOST = 500; // rows of the table
const PATIENCE_MS = 300; // the view rests for so long before its events are read

interface Props {
  report: Report;
  session: Session;
  /** length of a tick in nanoseconds of the trace */
  tickNs: bigint;
  chosen: Chosen;
  /** the tab is open */
  isOpen: boolean;
  dump: Dump;
  /** shows a place in the timeline */
  onShow(range: Range): void;
}

interface Found {
  events: DumpedEvent[];
  isWhole: boolean;
}

type State = { kind: 'reading' } | { kind: 'failed'; text: string } | ({ kind: 'read' } & Found);

function useEvents({ session, tickNs, chosen, isOpen, dump }: Props): State {
  const [state, set] = useState<State>({ kind: 'reading' });
  const { startNs, endNs } = chosen.visible ?? { startNs: 0n, endNs: 0n };
  useEffect(() => {
    if (!isOpen || endNs <= startNs) return;
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      set({ kind: 'reading' });
      const before = startNs > tickNs ? startNs - tickNs : startNs; // a dump begins with what was so at its start
      const { lines, isWhole } = await dump({ startNs: before, endNs }, stop.signal);
      const events = eventsOf(await namesOf(session), lines, startNs / tickNs, endNs / tickNs);
      if (!stop.signal.aborted) set({ kind: 'read', events, isWhole });
    };
    const timer = setTimeout(
      () =>
        void read().catch((error: unknown) => {
          if (!stop.signal.aborted)
            set({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
        }),
      PATIENCE_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [isOpen, startNs, endNs, tickNs]);
  return state;
}

const holds = ({ context, text, detail }: DumpedEvent, filter: string): boolean =>
  `${context} ${text} ${detail}`.toLowerCase().includes(filter);

export function Events(props: Props) {
  const { report, tickNs, chosen, onShow } = props;
  const state = useEvents(props);
  const [filter, setFilter] = useState('');
  const [said, setSaid] = useState('');
  const clock = useMemo(() => new Clock({ tickNs }, report), [tickNs, report]);
  const row = useRef<HTMLTableRowElement>(null);
  const events = useMemo(
    () => (state.kind === 'read' ? state.events.filter((event) => holds(event, filter.toLowerCase())) : []),
    [state, filter],
  );
  const at = chosen.item ? events.filter(({ ticks }) => ticks === chosen.item?.begin) : [];
  const own = at.filter(({ context }) => context === chosen.item?.title);
  const selected = new Set(own.length ? own : at); // events of other tracks may have the same time
  const first = events.findIndex((event) => selected.has(event));
  const from = first < MOST ? 0 : first - MOST / 2; // the selected event is always among the rows
  useEffect(() => row.current?.scrollIntoView({ block: 'nearest' }), [first]);
  const since = (index: number): bigint | null => (index > 0 ? events[index]!.ticks - events[index - 1]!.ticks : null);
  const cells = (event: DumpedEvent, index: number): string[] => {
    const difference = since(index);
    return [
      clock.moment(event.ticks),
      difference === null ? '' : `+${clock.duration(difference)}`,
      event.context,
      event.text,
      event.detail,
    ];
  };
  const copy = (): void => {
    const text = events.map((event, index) => cells(event, index).join('\t')).join('\n');
    navigator.clipboard.writeText(`${text}\n`).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser denied access to the clipboard.'),
    );
  };
  return (
    <section aria-labelledby="events-list-title">
      <div class="table-head">
        <h2 id="events-list-title">
          Events of the visible time{' '}
          <small>
            {state.kind === 'read' && `${count(events.length)}${state.isWhole ? '' : ' and more: zoom in'}`}
          </small>
        </h2>
        <span role="status">{state.kind === 'reading' ? 'Reading …' : said}</span>
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter: events"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <button type="button" class="link" disabled={!events.length} onClick={copy}>
          Copy events
        </button>
      </div>
      {state.kind === 'failed' && <p class="hint">The events could not be read: {state.text}</p>}
      {state.kind === 'read' && !events.length && <p class="hint">No event.</p>}
      {events.length > 0 && (
        <div class="panel scroll events" tabIndex={0} role="region" aria-label="Table: events">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col" class="num">
                  Difference
                </th>
                <th scope="col">Context</th>
                <th scope="col">Event</th>
                <th scope="col">Detail</th>
              </tr>
            </thead>
            <tbody>
              {events.slice(from, from + MOST).map((event, place) => {
                const index = from + place;
                const [time, difference, context, text, detail] = cells(event, index);
                const isChosen = selected.has(event);
                return (
                  <tr
                    key={index}
                    ref={index === first ? row : null}
                    class={isChosen ? 'chosen' : undefined}
                    aria-current={isChosen ? 'true' : undefined}
                  >
                    <td>
                      <button
                        type="button"
                        class="link"
                        title="Show it in the timeline"
                        onClick={() => onShow(rangeAround(event, tickNs, chosen))}
                      >
                        {time}
                      </button>
                    </td>
                    <td class="num">{difference}</td>
                    <td>
                      <bdi>{context}</bdi>
                    </td>
                    <td>
                      <bdi>{text}</bdi>
                    </td>
                    <td>
                      <bdi>{detail}</bdi>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {events.length > from + MOST && (
        <p class="hint">
          Shown are {count(MOST)} of {count(events.length)}. Zoom in, filter, or copy all of them.
        </p>
      )}
    </section>
  );
}

/** The view as it is, with the event selected on the rows of its context. */
function rangeAround({ ticks, context }: DumpedEvent, tickNs: bigint, { visible }: Chosen): Range {
  const at = ticks * tickNs;
  const { startNs, endNs } = visible ?? { startNs: at, endNs: at + tickNs };
  return { startNs, endNs, track: context, exact: { startNs: at, endNs: at } };
}
