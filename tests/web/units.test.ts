// SPDX-License-Identifier: MIT
// Pure functions of the page.
import { describe, expect, test, vi } from 'vitest';
import type { Report, DetectedInput } from '../../wasm/types.js';
import { traceNs } from '../../wasm/report.js';
import { bytes, count, digits, duration, grouped, timesOf } from '../../web/src/format.js';
import { traceName } from '../../web/src/io/download.js';
import { around, rangeOf, viewerUrl } from '../../web/src/io/perfetto.js';
import { checkViewer } from '../../web/src/io/settings.js';
import { BlockStore } from '../../web/src/io/block-store.js';
import { Clock } from '../../web/src/timeline/axis.js';
import { drawPicture } from '../../web/src/timeline/draw.js';
import type { Facts, RawRows } from '../../web/src/timeline/engine.js';
import { type Line, isOpenBy, layoutOf, linesOf, noChoice, pathTo, settled } from '../../web/src/timeline/layout.js';
import type { FromTimeline } from '../../web/src/timeline/messages.js';
import { placed } from '../../web/src/timeline/names.js';
import { peersOf } from '../../web/src/timeline/peers.js';
import {
  type Conversion,
  type Loaded,
  type Output,
  type Page,
  type SourceItem,
  type StoredSnapshot,
  VIEWER_LIMIT,
  canOpen,
  fittingPart,
  fromStored,
  initialPage,
  isNew,
  loaded,
  reduce,
  snapshotOf,
  toStored,
  tooLarge,
  overridesOf,
  sourcesOf,
} from '../../web/src/job.js';

const source = (id: number, name: string): SourceItem => ({
  id,
  name,
  blob: new Blob(['x']),
  origin: 'file',
  encoding: null,
  options: {},
});

const detected = (
  index: number,
  name: string,
  group: number,
  hasEvents = true,
  format: string | null = 'f',
): DetectedInput => ({
  source: index,
  member: null,
  block: 0,
  name,
  encoding: 'binary',
  gzip: false,
  encodingReason: '',
  bytes: 1,
  cut: null,
  core: null,
  plan: {
    role: format === null ? 'none' : 'recording',
    format,
    group: format === null ? null : group,
    core: null,
    order: index,
    serves: [],
    partners: [],
    apart: '',
    reason: '',
  },
  probe: {
    format,
    title: '',
    confidence: 1,
    mode: '',
    reason: '',
    looked: 1,
    frames: 1,
    valid: 1,
    textBytes: 0,
    namesTick: true,
    tickNs: '1',
    hasEvents,
    takesTimes: false,
    goesOn: false,
    cores: [],
    content: '',
  },
});

const add = (page: Page, sources: SourceItem[]): Page => reduce(page, { type: 'add', sources });

/** The state of the page after the worker recognised these inputs, one source each. */
function seen(before: Page, all: [name: string, group: number, hasEvents?: boolean, format?: string | null][]): Page {
  const known = sourcesOf(before).length;
  const looking = add(
    before,
    all.slice(known).map(([name], index) => source(known + index, name)),
  );
  const { content } = looking;
  if (content.kind !== 'looking') throw new Error('not looking');
  return reduce(looking, {
    type: 'detected',
    sources: content.sources,
    detectedInputs: all.map(([name, group, events, format], index) => detected(index, name, group, events, format)),
  });
}

const content = (page: Page): Loaded => loaded(page) as Loaded;
const members = (page: Page): string[][] => content(page).recordings.map(({ inputs }) => inputs);

describe('job', () => {
  test('inputs of one group are one recording, others are separate ones', () => {
    expect(
      members(
        seen(initialPage, [
          ['a', 0],
          ['b', 0],
          ['c', 1],
        ]),
      ),
    ).toEqual([['0:0', '1:0'], ['2:0']]);
  });

  test('an answer to an older question is ignored', () => {
    const first = add(initialPage, [source(0, 'a')]);
    const older = first.content.kind === 'looking' ? first.content.sources : [];
    const second = add(first, [source(1, 'b')]);
    expect(reduce(second, { type: 'detected', sources: older, detectedInputs: [detected(0, 'a', 0)] })).toBe(second);
  });

  test('a result is kept when another file is added, and the new recording is shown', () => {
    const one = seen(initialPage, [['a', 0]]);
    const cacheKey = content(one).recordings[0]?.cacheKey ?? '';
    const kept = reduce(one, { type: 'conversion', cacheKey, conversion: { kind: 'cancelled' } });
    const two = seen(kept, [
      ['a', 0],
      ['b', 1],
    ]);
    expect(content(two).recordings.map(({ conversion }) => conversion.kind)).toEqual(['cancelled', 'queued']);
    expect(content(two).selected).toBe('1:0');
  });

  test('a recording that gains a core is converted again', () => {
    const one = seen(initialPage, [['a', 0]]);
    const cacheKey = content(one).recordings[0]?.cacheKey ?? '';
    const kept = reduce(one, { type: 'conversion', cacheKey, conversion: { kind: 'cancelled' } });
    expect(
      content(
        seen(kept, [
          ['a', 0],
          ['b', 0],
        ]),
      ).recordings.map(({ conversion }) => conversion.kind),
    ).toEqual(['queued']);
  });

  test('the inputs are arranged as planned; an unused input is shown separately', () => {
    const page = seen(initialPage, [
      ['a', 0],
      ['names', 0],
      ['b', 1],
      ['of another format', 0],
    ]);
    const { content: looking } = add(page, []);
    if (looking.kind !== 'looking' || !looking.before) throw new Error('not looking');
    const detectedInputs = looking.before.inputs.map(({ detected: one, key }) => {
      if (key === '1:0')
        return { ...one, plan: { ...one.plan, role: 'names' as const, group: null, order: -1, serves: [0, 1] } };
      return key === '3:0' ? { ...one, plan: { ...one.plan, role: 'none' as const, group: null } } : one;
    });
    const planned = reduce(
      { ...page, content: looking },
      { type: 'detected', sources: looking.sources, detectedInputs },
    );
    expect(members(planned)).toEqual([['1:0', '0:0'], ['1:0', '2:0'], ['3:0']]);
    expect(content(planned).recordings.map(({ conversion }) => conversion.kind)).toEqual([
      'queued',
      'queued',
      'unknown',
    ]);
  });

  test("the user's setting of an input is passed to the planner, by the index of its source", () => {
    let page = seen(initialPage, [
      ['gone', 0],
      ['a', 1],
      ['b', 2],
    ]);
    page = reduce(page, { type: 'remove', source: 0 });
    page = reduce(page, { type: 'override', input: '1:0', change: { with: '2:0', core: 3 } });
    page = reduce(page, { type: 'override', input: '2:0', change: { with: 'own' } });
    page = reduce(page, { type: 'options', recording: '2:0', change: { format: 'f' } });
    if (page.content.kind !== 'looking') throw new Error('not looking');
    expect(isNew(page.content)).toBe(false);
    expect(overridesOf(page.content)).toMatchObject({
      '0:0': { role: null, core: 3, with: '1:0', format: null },
      '1:0': { core: null, with: '1:0', format: 'f' },
    });
  });

  test('an option starts the conversion again; removing it restores no old result', () => {
    let page = seen(initialPage, [['a', 0]]);
    const cacheKey = content(page).recordings[0]?.cacheKey;
    page = reduce(page, { type: 'options', recording: '0:0', change: { 'tick-ns': '5' } });
    expect(content(page).recordings[0]?.cacheKey).not.toBe(cacheKey);
    page = reduce(page, { type: 'options', recording: '0:0', change: { 'tick-ns': null } });
    expect(content(page).recordings[0]?.cacheKey).toBe(cacheKey);
    expect(content(page).recordings[0]?.conversion.kind).toBe('queued');
  });

  test('an unrecognised input waits for a format', () => {
    let page = seen(initialPage, [['a', 0, false, null]]);
    expect(content(page).recordings[0]?.conversion.kind).toBe('unknown');
    page = reduce(page, { type: 'options', recording: '0:0', change: { format: 'f' } });
    if (page.content.kind !== 'looking') throw new Error('not looking');
    page = reduce(page, {
      type: 'detected',
      sources: page.content.sources,
      detectedInputs: [detected(0, 'a', 0, false, 'f')],
    });
    expect(content(page).recordings[0]).toMatchObject({ conversion: { kind: 'queued' }, options: { format: 'f' } });
  });

  test('a snapshot survives storing: inputs, overrides, options and selection are those of before', () => {
    let page = seen(initialPage, [
      ['a', 0],
      ['b', 0],
      ['c', 1],
    ]);
    const [first] = content(page).recordings;
    page = reduce(page, { type: 'options', recording: first!.id, change: { 'tick-ns': '5' } });
    const input = content(page).inputs[1]!.key;
    page = reduce(page, { type: 'override', input, change: { core: 3 } });
    const before = content(page);
    const stored = JSON.parse(JSON.stringify(toStored(before))) as StoredSnapshot;
    const snapshot = fromStored(
      stored,
      before.sources.map(({ blob }) => blob),
    );
    const restored = reduce(initialPage, { type: 'restore', snapshot });
    expect(restored.content).toMatchObject({ kind: 'looking', sources: before.sources });
    expect(content(restored)).toEqual(before);
    expect(snapshot).toEqual(snapshotOf(page));
    if (page.content.kind !== 'looking') throw new Error('not looking');
    expect(overridesOf({ kind: 'looking', ...snapshot })).toEqual(overridesOf(page.content));
  });

  test('a snapshot has no results', () => {
    const page = seen(initialPage, [['a', 0]]);
    const [{ cacheKey }] = content(page).recordings as [Loaded['recordings'][0]];
    const conversion: Conversion = { kind: 'failed', failure: { text: '', place: '', advice: '' }, salvaged: null };
    const failed = reduce(page, { type: 'conversion', cacheKey, conversion });
    expect(snapshotOf(failed)!.before!.recordings.map((one) => one.conversion.kind)).toEqual(['queued']);
    expect(snapshotOf(initialPage)).toBeNull();
  });

  test('removing the last input shows the start page', () => {
    expect(reduce(seen(initialPage, [['a', 0]]), { type: 'remove', source: 0 }).content).toEqual({ kind: 'empty' });
  });
});

describe('a trace that is too large for the viewer', () => {
  const LIMIT = 2_000_000_000;
  const output = (bytes: number): Output =>
    ({
      report: { time_unit: 'ns', time: { start: '1000', end: '11000', duration: '10000' }, events: { total: 5 } },
      extent: { bytes },
    }) as unknown as Output;
  const done = (bytes: number): Conversion => ({ kind: 'done', output: output(bytes) });

  test('is not opened; one of just the maximum size is', () => {
    expect(VIEWER_LIMIT).toBe(LIMIT);
    expect([tooLarge(output(LIMIT)), tooLarge(output(LIMIT + 1))]).toEqual([false, true]);
    expect([canOpen(done(LIMIT)), canOpen(done(LIMIT + 1))]).toEqual([true, false]);
    expect(tooLarge(output(100), 99)).toBe(true);
  });

  test('a part of a trace that is too large begins with it and fits', () => {
    const { startNs, endNs } = fittingPart(output(2 * LIMIT));
    expect(Number(endNs - startNs)).toBe(4000); // 0.4 of it: half, minus a margin
  });
});

describe('store', () => {
  test('the header replaces the first bytes across blocks', async () => {
    const store = new BlockStore();
    for (const block of [
      [1, 2],
      [3, 4],
      [5, 6],
    ])
      store.add(new Uint8Array(block));
    store.setHead(new Uint8Array([9, 8, 7]));
    expect([...new Uint8Array(await store.toBuffer())]).toEqual([9, 8, 7, 4, 5, 6]);
    expect(store.bytes).toBe(6);
    expect((await store.toBlob().arrayBuffer()).byteLength).toBe(6);
  });

  test('above 256 MB blocks become blobs, whose bytes are read back unchanged', async () => {
    const store = new BlockStore();
    const size = 16 << 20;
    for (let i = 0; i < 20; i++) store.add(new Uint8Array(size).fill(i));
    store.setHead(new Uint8Array([99]));
    const all = new Uint8Array(await store.toBuffer());
    expect(all.length).toBe(20 * size);
    expect([all[0], all[1], all[size], all[20 * size - 1]]).toEqual([99, 0, 1, 19]);
  });
});

describe('texts and addresses', () => {
  test('file names', () => {
    expect(['capture.bin', 'a/b/x.core0.bin', 'log', 'dump.bin.gz', '.bin', ''].map(traceName)).toEqual([
      'capture.pftrace',
      'x.core0.pftrace',
      'log.pftrace',
      'dump.pftrace',
      'trace.pftrace',
      'trace.pftrace',
    ]);
  });

  test('the address of the viewer contains commands and range', () => {
    const url = viewerUrl(
      'https://ui.perfetto.dev',
      { expand: ['^(A B|C+)$'], collapse: ['y'], pin: ['x'] },
      { startNs: 5n, endNs: 9n },
    );
    expect(url).not.toContain('+');
    const query = new URLSearchParams(url.split('?')[1]);
    expect([query.get('visStart'), query.get('visEnd')]).toEqual(['5', '9']);
    expect(JSON.parse(query.get('startupCommands') ?? '')).toEqual([
      { id: 'dev.perfetto.ExpandTracksByRegex', args: ['^(A B|C+)$'] },
      { id: 'dev.perfetto.CollapseTracksByRegex', args: ['y'] },
      { id: 'dev.perfetto.PinTracksByRegex', args: ['x'] },
    ]);
  });

  test('marks become notes of the viewer', () => {
    const notes = [{ atNs: 12_345_678_901_234_567n, text: 'späte Antwort & co' }];
    const view = { expand: [], collapse: [], pin: [] };
    const query = new URLSearchParams(viewerUrl('https://ui.perfetto.dev', view, null, notes).split('?')[1]);
    expect(JSON.parse(query.get('startupCommands')!)).toEqual([
      { id: 'dev.perfetto.AddNoteAtTimestamp', args: ['12345678901234567', 'späte Antwort & co'] },
    ]);
  });

  test('a link shows the slice and a tenth on each side, never more than the trace, and the tracks of its task', () => {
    const report = { time_unit: 'ns', time: { start: '1000', end: '900000', duration: '899000' } } as unknown as Report;
    expect(rangeOf(5000n, 1000n, report, 'a+b 3')).toEqual({
      startNs: 4899n,
      endNs: 6101n,
      track: 'a+b 3',
      exact: { startNs: 5000n, endNs: 6000n },
    });
    expect(rangeOf(1000n, 899_000n, report)).toMatchObject({ startNs: 1000n, endNs: 900_000n, track: undefined });
    expect(around(2000n, report)).toEqual({ startNs: 1000n, endNs: 502_000n });
    const query = new URLSearchParams(
      viewerUrl(
        'https://ui.perfetto.dev',
        { expand: [], collapse: [], pin: [] },
        rangeOf(5000n, 1000n, report, 'a+b 3'),
      ).split('?')[1],
    );
    expect(JSON.parse(query.get('startupCommands') ?? '').map(({ args }: { args: string[] }) => args[0])).toEqual([
      '^a\\+b 3$',
      '^a\\+b 3$',
    ]);
  });

  test('invalid viewer addresses are rejected', () => {
    for (const bad of ['', 'nonsense', 'javascript:alert(1)', 'file:///x', 'ui.perfetto.dev'])
      expect(checkViewer(bad).ok, bad).toBe(false);
    expect(checkViewer(' https://own.example/perfetto/?x#y ')).toEqual({
      ok: true,
      url: 'https://own.example/perfetto',
    });
  });

  test('numbers', () => {
    expect([bytes(5), bytes(90004), bytes(3e9)]).toEqual(['5 B', '90 kB', '3 GB']);
    expect([duration('0'), duration('1500'), duration('512000000'), duration('61500000000')]).toEqual([
      '0 ns',
      '1.5 µs',
      '512 ms',
      '1 min 1.5 s',
    ]);
    expect(count(9514)).toBe('9\u202f514');
    expect(grouped('13668 of 13668 frames decode')).toBe('13\u202f668 of 13\u202f668 frames decode');
    expect(grouped('begins at byte 4096; QP 7.3.0, run-2024.bin, 20240101.bin, 0x1234, 12.3456 %')).toBe(
      'begins at byte 4\u202f096; QP 7.3.0, run-2024.bin, 20240101.bin, 0x1234, 12.3456 %',
    );
  });

  test('only separate numbers are counts', () => {
    expect(grouped('1234 events; (5678), 9999: 4321.')).toBe(
      '1\u202f234 events; (5\u202f678), 9\u202f999: 4\u202f321.',
    );
    expect(grouped('18446744073709551615 bytes')).toBe(
      '18\u202f446\u202f744\u202f073\u202f709\u202f551\u202f615 bytes',
    );
    for (const text of [
      '/tmp/2024/1234',
      'C:\\runs\\1234\\2024',
      'main.c:1234',
      'http://127.0.0.1:9001/1234',
      'a=1234',
      '#1234',
      '"1234"',
      '1234/5678',
      '1234-5678',
      '1234+',
      '-1234',
      '1.2345',
      '2024.bin',
      'x2024',
      '1234x',
      '\u00e41234',
      '[1234]',
    ])
      expect(grouped(`see ${text} there`)).toBe(`see ${text} there`);
  });

  test('times of unknown unit are shown as counts, not as nanoseconds; the viewer has its own unit', () => {
    const reportOf = (unit: string, ns: string): Report =>
      ({
        time_unit: unit,
        tick: { ns },
        time: { start: '500', end: '100000', duration: '99500' },
      }) as unknown as Report;
    const told = (report: Report): string[] => {
      const times = timesOf(report);
      return [times.duration('1500'), times.since('501'), times.moment('501')];
    };
    expect(told(reportOf('ticks', '1'))).toEqual(['1\u202f500 ticks', '1 tick', '501 ticks']);
    expect(told(reportOf('records', '1000'))).toEqual(['1\u202f500 records', '1 record', '501 records']);
    expect(told(reportOf('ns', '100'))).toEqual(['1.5 µs', '0.000000001 s', '0.000000501 s']);
    expect(rangeOf(2000n, 1000n, reportOf('records', '1000'))).toMatchObject({
      startNs: 1_899_000n,
      endNs: 3_101_000n,
      track: undefined,
    });
    expect(around(600n, reportOf('records', '1000'))).toEqual({ startNs: 500_000n, endNs: 1_100_000n });
  });

  test('times below a nanosecond are correct; the viewer shows one as a nanosecond', () => {
    const report = {
      time_unit: 'ps',
      time_certainty: 'measured',
      tick: { ns: 1 },
      time: { start: '0', end: '46335', duration: '46335' },
    } as unknown as Report;
    const { duration, moment } = timesOf(report);
    expect([duration('46335'), duration('700'), duration('20500')]).toEqual(['46.335 ns', '700 ps', '20.5 ns']);
    expect(moment('20500')).toBe('0.000000020500 s');
    const long = 9_123_456_789_012_345_678n;
    expect(timesOf({ ...report, time_unit: 'fs' }).moment(long)).toBe('9123.456789012345678 s');
    expect(traceNs(report)).toBe(1n);
  });

  test('the axis of the timeline has the unit of the report', () => {
    const marks = (unit: string, tickNs: bigint, to: number): string[] => {
      const report = { time_unit: unit, tick: { ns: String(tickNs) }, time: { start: '0' } } as unknown as Report;
      return new Clock({ tickNs }, report).marks(0, to, 4).map(({ text }) => text);
    };
    expect(marks('ps', 1n, 46_335)).toEqual(['0', '20 ns', '40 ns']);
    expect(marks('ps', 1n, 700)).toEqual(['0', '200 ps', '400 ps', '600 ps']);
    expect(marks('ticks', 1n, 46_335)).toEqual(['0', '20\u202f000 ticks', '40\u202f000 ticks']);
    expect(marks('records', 1000n, 100)).toEqual(['0', '50 records', '100 records']);
    expect(marks('ns', 10n, 1000)).toEqual(['0', '5 µs', '10 µs']);
  });

  test('numbers with six digits', () => {
    expect([
      digits(0.00989655172413793),
      digits(-5.999999254659043),
      digits(1441),
      digits('18446744073709551615'),
    ]).toEqual(['0.00989655', '-6', '1441', '18446744073709551615']);
  });
});

describe('rows that are painted stay where they are when others are added', () => {
  const rows = (tasks: [pid: number, name: string][], cores: number): RawRows => [
    [
      ...Array.from({ length: cores }, (_, core): RawRows[0][0] => [100 + core, 0, core, 0, false]),
      ...tasks.map(([pid]): RawRows[0][0] => [pid, 1, pid, 0, false]),
      ...tasks.map(([pid]): RawRows[0][0] => [200 + pid, 2, 200 + pid, 0, false]),
    ],
    tasks.map(([pid, name]): RawRows[1][0] => [200 + pid, 0, 1, 0, 0, false, `marker ${name}`, '', 0, 0]),
    tasks.map(([pid, name]): RawRows[2][0] => [pid, false, name]),
  ];
  const first: [number, string][] = [
      [1, 'm'],
      [2, 'k'],
    ],
    more: [number, string][] = [...first, [3, 'a'], [4, 'l']];
  const placesOf = ({ sections }: ReturnType<typeof layoutOf>): string[] =>
    sections.map((section) => `${section.key}: ${section.rows.map(({ row }) => row.title).join(', ')}`);
  const before = layoutOf(rows(first, 1));
  const closed = { ...noChoice, folds: { 'section Tracks': false } };

  test('without an earlier layout they are sorted', () => {
    expect(placesOf(before)).toEqual(['cores: CPU 0', 'tasks: k, m', 'section Tracks: marker k, marker m']);
    expect(placesOf(layoutOf(rows(more, 2)))).toEqual([
      'cores: CPU 0, CPU 1',
      'tasks: a, k, l, m',
      'section Tracks: marker a, marker k, marker l, marker m',
    ]);
  });

  test('new ones follow after everything; in a closed section, after its rows', () => {
    expect(placesOf(settled(layoutOf(rows(more, 2)), before, isOpenBy))).toEqual([
      'cores: CPU 0',
      'tasks: k, m',
      'section Tracks: marker k, marker m',
      'later 1 cores: CPU 1',
      'later 1 tasks: a, l',
      'later 1 section Tracks: marker a, marker l',
    ]);
    const isOpen: typeof isOpenBy = (layout, section) => isOpenBy(layout, section, closed);
    expect(placesOf(settled(layoutOf(rows(more, 2)), before, isOpen))).toEqual([
      'cores: CPU 0',
      'tasks: k, m',
      'section Tracks: marker k, marker m, marker a, marker l',
      'later 1 cores: CPU 1',
      'later 1 tasks: a, l',
    ]);
  });

  test('a part that was added later keeps its fold by its name, whatever the numbers of its rows', () => {
    const other: [number, string][] = [
      [7, 'm'],
      [9, 'k'],
    ];
    const late = (begun: [number, string][], added: [number, string]): Line[] => {
      const layout = settled(layoutOf(rows([...begun, added], 1)), layoutOf(rows(begun, 1)), isOpenBy);
      return linesOf(layout, noChoice).filter(({ title }) => title === 'Tasks, added later');
    };
    const [one] = late(first, [3, 'a']),
      [another] = late(other, [5, 'a']);
    expect(one!.name).toBe(another!.name);
  });

  test('when the recording is complete, they take their final order once, unless the user has touched the timeline', async () => {
    const made: { onmessage: ((event: { data: FromTimeline }) => void) | null }[] = [];
    vi.doMock('../../web/src/timeline/worker.js?worker&inline', () => ({
      default: class {
        onmessage: ((event: { data: FromTimeline }) => void) | null = null;
        constructor() {
          made.push(this);
        }
        postMessage(): void {}
      },
    }));
    vi.stubGlobal('document', { hidden: false });
    vi.stubGlobal('requestAnimationFrame', () => 0);
    const { Session } = await import('../../web/src/timeline/session.js');
    const layoutWhenComplete = (isTouched: boolean): ReturnType<typeof layoutOf> => {
      const session = new Session({} as WebAssembly.Module, {} as MessagePort, { limit: 0, every: 0 });
      const worker = made.at(-1)!;
      const tell = (data: FromTimeline): void => worker.onmessage!({ data });
      const facts = (points: number, isFinal: boolean): FromTimeline => ({
        type: 'facts',
        facts: { points, isFinal } as Facts,
      });
      session.isTouched = isTouched;
      tell({ type: 'rows', rows: rows(first, 1) });
      tell(facts(200_000, false));
      tell({ type: 'rows', rows: rows(more, 2) });
      expect(placesOf(session.layout)[0]).toBe('cores: CPU 0'); // while it grows, nothing moves
      tell(facts(300_000, true));
      return session.layout;
    };
    expect(layoutWhenComplete(false)).toEqual(layoutOf(rows(more, 2)));
    expect(placesOf(layoutWhenComplete(true))[0]).toBe('cores: CPU 0');
    vi.unstubAllGlobals();
    vi.doUnmock('../../web/src/timeline/worker.js?worker&inline');
  });

  test('a worker that fails before its recording comes is not used', async () => {
    let ended = 0;
    const made: { onerror?: ((event: object) => void) | undefined }[] = [];
    vi.resetModules();
    vi.doMock('../../web/src/timeline/worker.js?worker&inline', () => ({
      default: class {
        onerror?: (event: object) => void;
        constructor() {
          made.push(this);
        }
        postMessage(): void {}
        terminate(): void {
          ended++;
        }
      },
    }));
    const { Session, prepare } = await import('../../web/src/timeline/session.js');
    const open = (): object => new Session({} as WebAssembly.Module, {} as MessagePort, { limit: 0, every: 0 });
    prepare();
    open();
    expect(made).toHaveLength(1);
    prepare();
    made[1]!.onerror?.({ preventDefault: () => {} });
    expect(ended).toBe(1);
    open();
    expect(made).toHaveLength(3);
    vi.doUnmock('../../web/src/timeline/worker.js?worker&inline');
  });

  test('cores and tasks have a head where other rows are above them', () => {
    const titlesOf = (layout: typeof before): string[] => linesOf(layout, noChoice).map(({ title }) => title);
    expect(titlesOf(before)).toEqual(['CPU 0', 'k', 'm', 'Tracks', 'marker k', 'marker m']);
    const [rawRows, tracks] = rows(first, 0);
    const markers = layoutOf([rawRows.filter(([, kind]) => kind === 2), tracks, []]);
    expect(titlesOf(markers)).toEqual(['Tracks', 'marker k', 'marker m']);
    expect(titlesOf(settled(before, markers, isOpenBy))).toEqual([
      'Tracks',
      'marker k',
      'marker m',
      'CPUs',
      'CPU 0',
      'Tasks',
      'k',
      'm',
    ]);
    expect(titlesOf(settled(layoutOf(rows(first, 1)), layoutOf(rows(first, 0)), isOpenBy))).toEqual([
      'k',
      'm',
      'Tracks',
      'marker k',
      'marker m',
      'CPUs',
      'CPU 0',
    ]);
  });

  test('a section keeps its title when a second group of sections comes', () => {
    const grouped = (tracks: [track: number, parent: number][]): RawRows => [
      tracks.map(([track]): RawRows[0][0] => [track, 2, track, 0, false]),
      [
        [50, 0, 0, 0, 0, false, 'Target', '', 0, 0],
        [51, 50, 0, 0, 0, false, 'Queues', '', 0, 0],
        [60, 0, 0, 0, 0, false, 'Extra', '', 0, 0],
        ...tracks.map(([track, parent]): RawRows[1][0] => [track, parent, 1, 0, 0, false, `t${track}`, '', 0, 0]),
      ],
      [],
    ];
    const first = layoutOf(grouped([[1, 51]])),
      next = layoutOf(
        grouped([
          [1, 51],
          [2, 60],
        ]),
      );
    expect(placesOf(next)).toContain('section Target / Queues: t1');
    const regrouped = settled(next, first, isOpenBy);
    expect(placesOf(regrouped)).toEqual(['section Queues: t1', 'section Extra: t2']);
    const more = layoutOf(
      grouped([
        [1, 51],
        [2, 60],
        [3, 51],
      ]),
    );
    expect(placesOf(settled(more, regrouped, isOpenBy)).sort()).toEqual([
      'section Extra: t2',
      'section Queues: t1',
      'section Target / Queues: t3',
    ]);
  });

  test.each([noChoice, closed])('no line moves while tasks, cores and markers come one by one: %j', (choice) => {
    const yOf = (layout: typeof before): [key: string, y: number][] =>
      placed(linesOf(layout, choice)).placed.map(({ line, y }) => [line.key, y]);
    const steps: [tasks: number, cores: number][] = [
      [3, 1],
      [3, 2],
      [4, 2],
      [4, 3],
      [6, 3],
    ];
    const all: [number, string][] = [...more, [5, 'b'], [6, 'z']];
    let layout = before;
    for (const [tasks, cores] of steps) {
      const next = settled(layoutOf(rows(all.slice(0, tasks), cores)), layout, (of, section) =>
        isOpenBy(of, section, choice),
      );
      const now = new Map(yOf(next));
      expect(yOf(layout).map(([key]) => [key, now.get(key)])).toEqual(yOf(layout));
      layout = next;
    }
    const titles = linesOf(layout, { ...noChoice, folds: { 'section Tracks': true } }).map(({ title }) => title);
    expect([...titles].sort()).toEqual(
      expect.arrayContaining(['CPU 0', 'CPU 1', 'CPU 2', 'a', 'b', 'k', 'l', 'm', 'marker z', 'z']),
    );
    expect(titles).toContain('Tasks, added later');
    const late = layout.sections.find(({ of }) => of === 'tasks')!;
    expect(pathTo(layout, late.rows[0]!.row.row)).toEqual([late.key, 'tasks']); // it is shown sorted or not
    // the user sorts: then they are joined
    const sorted = linesOf(layout, noChoice, undefined, (a, b) => (a.title < b.title ? -1 : 1));
    expect(sorted.flatMap(({ row }) => (row?.kind === 1 ? [row.title] : []))).toEqual(['a', 'b', 'k', 'l', 'm', 'z']);
  });
});

test('texts on items that are too narrow end with a whole character; texts are measured once', () => {
  vi.stubGlobal('ImageData', class {});
  const drawn: string[] = [],
    measured: string[] = [];
  const context = {
    putImageData: () => {},
    fillRect: () => {},
    measureText: (text: string) => {
      measured.push(text);
      return { width: 6 * text.length };
    },
    fillText: (text: string) => drawn.push(text),
  } as unknown as CanvasRenderingContext2D;
  const item = { y: 10, text: 'measure', isOnItem: true };
  const picture = {
    pixels: new Uint8ClampedArray(4),
    width: 400,
    height: 20,
    texts: [
      ...[60, 50, 49, 40, 20, 19].map((width, index) => ({ ...item, width, x: 60 * index })),
      { ...item, text: '🙂🙂🙂🙂', width: 40, x: 360 }, // each is two units of UTF-16
    ],
    marks: [],
    scale: 1,
    isDark: false,
  };
  drawPicture(context, picture);
  expect(drawn).toEqual(['measure', 'measure', 'measur', 'measu', 'me', '🙂🙂']); // with a margin of 4 pixels on both sides
  const count = measured.length;
  drawPicture(context, picture);
  expect(measured.length).toBe(count);
  expect(new Set(measured).size).toBe(count);
  vi.unstubAllGlobals();
});

test('a task talks to those that it exchanges something with, and to what it waits for', () => {
  const tasks: [pid: number, name: string][] = [
    [1, 'control'],
    [2, 'sensor'],
    [3, 'logger'],
    [4, 'lazy'],
    [5, 'other'],
  ];
  const tracks = ['commands', 'bus', 'spare', 'Interrupts', 'unread', 'ads', 'can rx', 'rx', 'delay'];
  const layout = layoutOf([
    [
      [99, 0, 0, 0, false],
      ...tasks.map(([pid]): RawRows[0][0] => [pid, 1, pid, 0, false]),
      ...tracks.map((_, index): RawRows[0][0] => [10 + index, 2, 10 + index, 0, false]),
      [20, 2, 20, 0, false],
    ],
    [
      ...tracks.map((name, index): RawRows[1][0] => [10 + index, 0, 1, 0, 0, false, name, '', 0, 0]),
      [20, 0, 3, 1, 0, false, 'main', '', 0, 0],
    ],
    tasks.map(([pid, name]): RawRows[2][0] => [pid, false, name]),
  ]);
  const report = {
    tasks: tasks.map(([pid, name]) => ({ pid, name })),
    interrupts: [
      { name: 'ADC', track: 'Interrupts' },
      { name: 'UART', track: 'unread' },
    ],
    communication: [
      { from: 'interrupt ADC', object: 'spare', to: 'sensor' },
      { from: 'sensor', object: 'commands', to: 'control' },
      { from: 'other', object: 'logger', to: 'lazy' }, // a queue with the name of a task
    ],
    mutexes: [],
    mutex_waits: [
      { name: 'bus', task: 'logger', owner: 'control' },
      { name: 'spare', task: 'other', owner: 'lazy' },
    ],
    waits: [
      { name: 'receive from reads', task: 'lazy' },
      { name: 'receive from unread', task: 'control' },
      { name: 'receive from can rx', task: 'logger' },
      { name: 'delay', task: 'logger' },
    ],
  } as unknown as Report;
  const namesOf = (pid: number): string[] => {
    const rows = layout.sections.flatMap((section) => section.rows),
      one = rows.find(({ row }) => row.kind === 1 && row.owner === pid)!.row,
      only = peersOf(layout, report, one);
    return linesOf(layout, noChoice, { text: '', only }).flatMap(({ row, title }) => (row ? [title] : []));
  };
  expect(namesOf(1)).toEqual(['control', 'logger', 'sensor', 'bus', 'commands', 'unread']);
  expect(namesOf(2)).toEqual(['control', 'sensor', 'commands', 'Interrupts', 'spare']);
  expect(namesOf(3)).toEqual(['control', 'logger', 'bus', 'can rx']); // neither "rx" nor the track "delay"
  expect(namesOf(4)).toEqual(['lazy', 'other', 'spare']); // "reads" is not "ads"
  expect(peersOf(layout, report, layout.sections[1]!.rows[0]!.row).has(20)).toBe(true); // its own waits
});

test('nested slices of a task are its calls; otherwise they are what it waits for', () => {
  const rows = (depths: number[]): RawRows => [
    [[1, 1, 5, 0, false], ...depths.map((depth): RawRows[0][0] => [2 + depth, 2, 9, depth, false])],
    [[9, 0, 3, 5, 0, false, 'main', '', 0, 0]],
    [[5, false, 'main']],
  ];
  const taskOf = (depths: number[]) => layoutOf(rows(depths)).sections[0]!.rows[0]!;
  expect(taskOf([0]).row.reasons).toBe(2);
  expect(taskOf([0]).children.map(({ title }) => title)).toEqual(['waits for']);
  expect(taskOf([0, 1]).row.reasons).toBe(0);
  expect(taskOf([0, 1]).children.map(({ title }) => title)).toEqual(['calls', 'calls']);
});

describe('bytes of a live recording that begins again', () => {
  test('it is closed when the bytes before each beginning are removed', async () => {
    const done: string[] = [];
    let made = 0;
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    vi.doMock('../../web/src/io/recordings.js', () => ({
      create: async () => {
        const id = `recording ${++made}`;
        return { id, append: async () => true, file: async () => new File([], id), close: async () => 0 };
      },
      remove: async (id: string) => {
        if (id === 'recording 1') await released;
        done.push(`removed ${id}`);
      },
    }));
    const { Keeper } = await import('../../web/src/live/keeper.js');
    const keeper = new Keeper('', () => {});
    keeper.restart([]);
    keeper.restart([]);
    const closed = keeper.close().then(({ id }) => done.push(`closed ${id}`));
    while (!done.length) await new Promise((resolve) => setTimeout(resolve)); // the second one is removed
    await new Promise((resolve) => setTimeout(resolve)); // whatever does not wait for the first one has happened
    release();
    await closed;
    expect(done).toEqual(['removed recording 2', 'removed recording 1', 'closed recording 3']);
    vi.doUnmock('../../web/src/io/recordings.js');
  });
});
