// SPDX-License-Identifier: MIT
// Measures speed, output size and memory of conversions of generated recordings: native, in Node (WebAssembly), and on the page in Chromium.
//
//   npm run bench                       measures 1, 10 and 100 MB of every case (some minutes); prints tables, writes build/bench.json
//   npm run bench -- --full             also measures 1 GB (needs 3 GB of disk)
//   npm run bench -- --only markers --size 10M --where native,node --runs 3      measures a part; writes build/bench-part.json
//   npm run bench -- --compare FILE     also shows the change against an earlier JSON; --strict: exit code 1 if a figure became worse
//   npm run bench -- --from FILE        shows (with --compare: compares) an earlier JSON, and measures nothing
//   npm run bench -- --load             measures how the real trace_processor loads our traces and naive ones; --before TOOL: also those
//                                       of the tests/tool_feed of an earlier build
//   npm run bench -- --parts            measures time ranges of a long recording on the page: 1 GB of the first case
//   npm run bench -- --timeline         measures the timeline of the page, beside the real viewer: 10 MB, 100 MB and 1 GB of the first case, 10 MB of
//                                       the others (some minutes, 3 GB of disk); --only, --size and --runs choose others
//   npm run bench -- --live             measures a live recording in the page, at 1 Mbaud and at 10 Mbit/s; --seconds 60: of each (0: not). Then its memory over
//                                       --hours 4 of a target that sends --rate 100000 bytes per second (1.4 GB of disk; 1000000: 14 GB; --hours 0:
//                                       not), and how long record gdb: halts an emulated target
//   npm run bench -- --probe            measures how fast the page reads RTT through a debug probe in software; --seconds 3: each row
//   npm run bench -- --visit            measures the first visit to the page over a slow line, until a demo is shown; --mbit 10
//                                       --latency 40: rate and latency of the line; --identity: the server compresses nothing
//   npm run bench -- --page FILE...     measures the page in Chromium with the files of one recording
//   npm run bench -- --docs             writes the tables and the chart of docs/PERFORMANCE.md from build/bench.json
//   npm run bench -- --all              --full, --load, --parts, instructions per event at 10 MB and 1 GB, then --docs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, inputs, removeInputs } from './bench/cases.mjs';
import { goalTable } from './bench/goals.mjs';
import { machine, versions } from './bench/machine.mjs';
import { asText, compare, comparedCell, makeRow, regressions, tables } from './bench/rows.mjs';
import { build_page } from './build.mjs';
import { buildReleased } from './cmake.mjs';
import { root } from './lib.mjs';

const KEEP_BELOW = 500e6; // larger recordings are deleted after their measurement, because they would fill the disk

const LONG = 50e6; // longer recordings need fewer runs, because their times vary little

const EVERYWHERE = 'native,node,chromium';

const { values, positionals } = parseArgs({
  allowPositionals: process.argv.includes('--page'),
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    size: { type: 'string' },
    where: { type: 'string', default: EVERYWHERE },
    runs: { type: 'string', default: '7' },
    from: { type: 'string' },
    compare: { type: 'string' },
    threshold: { type: 'string', default: '10' },
    strict: { type: 'boolean', default: false },
    load: { type: 'boolean', default: false },
    parts: { type: 'boolean', default: false },
    timeline: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    probe: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    hours: { type: 'string', default: '4' },
    rate: { type: 'string', default: '100000' },
    visit: { type: 'boolean', default: false },
    mbit: { type: 'string', default: '10' },
    latency: { type: 'string', default: '40' },
    identity: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    json: { type: 'string' },
    before: { type: 'string' },
  },
});
const narrowed = Boolean(values.only || values.size || values.where !== EVERYWHERE) && !values.load && !values.parts;
const json = values.json ?? join(root, 'build', narrowed ? 'bench-part.json' : 'bench.json');

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});

/** Writes a part of the figures (rows, load, parts or work) to the JSON file. Keeps the other parts in the file. */
function writeJson(part) {
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify({ ...readJson(json), ...part }, null, 2)}\n`);
  console.log(`\nfigures in ${relative(process.cwd(), json)}`);
}

async function openPlaces(where) {
  buildReleased(['tool_bench']); // also needed if only Node or the page is measured: it counts the events and measures the floor
  const node = await import('./bench/node.mjs');
  await node.prepare();
  const page = where.includes('chromium') ? await openPage() : null;
  return { node: where.includes('node') ? node : null, page };
}

async function openPage() {
  const chromium = await import('./bench/chromium.mjs');
  await build_page();
  return chromium.openPage();
}

/** Combines two measurements of one recording: the least of each time, and the other figures of the faster one. */
function better(one, other) {
  if (!one) return other;
  const limits = Object.fromEntries(
    ['floorSeconds', 'copySeconds'].filter((key) => key in one).map((key) => [key, Math.min(one[key], other[key])]),
  );
  return { ...(one.seconds <= other.seconds ? one : other), ...limits };
}

/** Measures the library in a native program that discards the output. Returns { events, bytesOut, seconds, floorSeconds, copySeconds, floorBytesOut, heapPeak, rssPeak }. */
function measureNative({ files, floor }, runs) {
  const tool = join(root, 'build', 'native', 'tests', 'tool_bench');
  const words = [...(floor ? [`--${floor}`] : []), String(runs), ...files];
  return JSON.parse(execFileSync(tool, words, { encoding: 'utf8' }));
}

/** Measures native and Node alternately, so that other load on the machine slows down both. */
function measureCore(recording, runs, places) {
  const rounds = Math.min(runs, 4),
    each = Math.ceil(runs / rounds);
  let native = null,
    node = null;
  for (let round = 0; round < rounds; round++) {
    native = better(native, measureNative(recording, each));
    node = places.node ? better(node, places.node.measureNode(recording, each)) : null;
  }
  return { native, node };
}

async function measure(one, size, places) {
  const recording = inputs(one, size);
  const large = recording.bytes > KEEP_BELOW;
  const runs = large ? 1 : Math.min(Number(values.runs), recording.bytes > LONG ? 3 : Infinity);
  const pageRuns = recording.bytes > LONG ? 1 : Math.min(runs, 3);
  const { native, node } = measureCore(recording, runs, places);
  if (node && node.bytesOut !== native.bytesOut)
    throw new Error(`${one.name}: WebAssembly wrote ${node.bytesOut} bytes, native ${native.bytesOut}`);
  const page = (await places.page?.measure(recording, pageRuns, !large)) ?? null;
  if (page && page.events !== native.events)
    throw new Error(`${one.name}: the page shows ${page.events} events, native ${native.events}`);
  if (large) removeInputs(one, size);
  return { row: makeRow(one.name, size, recording.bytes, native, node, page), browser: page?.version };
}

async function bench() {
  const found = machine();
  const places = await openPlaces(values.where.split(','));
  const cases = CASES.filter(({ name }) => !values.only || name.includes(values.only));
  if (!cases.length)
    throw new Error(`no case is called ${values.only}; there are: ${CASES.map(({ name }) => name).join('; ')}`);
  const sizes = values.size
    ? values.size.split(',')
    : ['1M', '10M', '100M', ...(values.full || values.all ? ['1G'] : [])];
  const rows = [];
  let browser;
  for (const one of cases) {
    for (const size of sizes) {
      const result = await measure(one, size, places);
      rows.push(result.row);
      browser ??= result.browser;
      console.log(`${one.name}, ${size}: ${progressOf(result.row)}`);
    }
  }
  await places.page?.close();
  return {
    date: new Date().toISOString(),
    machine: found,
    versions: { ...versions(), chromium: browser ?? 'not used' },
    rows,
  };
}

const progressOf = ({ nativeRate, ofFloor, nodeRate, pageRate }) =>
  [
    `native ${nativeRate.toFixed(0)} MB/s (${ofFloor.toFixed(2)} of the floor)`,
    nodeRate && `Node ${nodeRate.toFixed(0)}`,
    pageRate && `page ${pageRate.toFixed(0)}`,
  ]
    .filter(Boolean)
    .join(', ');

function show({ rows }) {
  if (!rows) throw new Error(`${values.from} holds no rows of a bench`);
  const earlier = values.compare ? readJson(values.compare).rows : null;
  if (values.compare && !earlier) throw new Error(`${values.compare} holds no rows of a bench`);
  const changes = earlier ? compare(earlier, rows, Number(values.threshold) / 100) : [];
  for (const table of tables(rows, comparedCell(changes))) console.log(`\n${asText(table)}`);
  console.log(`\n${asText(goalTable({ rows }))}`);
  const worse = regressions(changes);
  if (earlier)
    console.log(
      worse.length
        ? `\nworse by more than ${values.threshold} %:\n  ${worse.join('\n  ')}`
        : `\nnothing is worse by more than ${values.threshold} %`,
    );
  return worse.length;
}

async function load() {
  const { measureLoad, showLoad } = await import('./bench/load.mjs');
  const rows = await measureLoad(values.all ? '4M' : (values.size ?? '4M'), {
    only: values.only,
    rounds: Math.min(Number(values.runs), 5),
    before: values.before,
  });
  console.log(`\n${showLoad(rows)}`);
  if (!values.only) writeJson({ load: rows });
}

async function visit() {
  const { firstVisits, visitTable } = await import('./bench/first-visit.mjs');
  await build_page();
  const { runs, mbit, latency, identity } = values;
  const line = { mbit: Number(mbit), latency: Number(latency) };
  console.log(visitTable(await firstVisits({ runs: Math.min(Number(runs), 5), line, compresses: !identity })));
}

async function page(paths) {
  if (!paths.length) throw new Error('--page needs the files of a recording');
  const opened = await openPage();
  const figures = await opened.measure({ paths }, 3);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  console.log({ ...figures, 'MB/s': bytes / figures.seconds / 1e6 });
  await opened.close();
}

async function parts() {
  const { measureParts, showParts } = await import('./bench/parts.mjs');
  const found = await measureParts(values.all ? '1G' : (values.size ?? '1G'));
  console.log(`\n${showParts(found)}`);
  writeJson({ parts: found });
}

/** Measures the instructions per event of a short and a long recording, and which functions need most of them. */
async function work() {
  const { count, inParallel, profile } = await import('./bench/count.mjs');
  buildReleased(['tool_bench']);
  const [one] = CASES;
  const growth = await inParallel(['10M', '1G'], async (size) => ({ size, perEvent: await count(one, size) }));
  removeInputs(one, '1G');
  for (const { size, perEvent } of growth)
    console.log(`${one.name}, ${size}: ${perEvent.toFixed(1)} instructions per event`);
  writeJson({ work: { case: one.name, growth, profile: await profile(one, '10M') } });
}

async function timeline() {
  buildReleased(['tool_bench']);
  await build_page();
  const { measureCode, measureTimeline, showTimeline } = await import('./bench/timeline.mjs');
  const cases = CASES.filter(({ name }) => !values.only || name.includes(values.only));
  const sizesOf = (one) => (values.size ?? (one === CASES[0] ? '10M,100M,1G' : '10M')).split(',');
  const rows = await measureTimeline(
    cases.flatMap((one) => sizesOf(one).map((size) => ({ one, size }))),
    Math.min(Number(values.runs), 3),
  );
  const code = measureCode();
  console.log(`\n${showTimeline(rows, code)}`);
  writeJson({ timeline: rows, timelineCode: code });
}

const LINES = [100_000, 1_000_000]; // bytes per second: 1 Mbaud with 10 bits per byte, 10 Mbit/s

async function probe() {
  const { head, measureProbe } = await import('./bench/probe.mjs');
  console.log(head);
  writeJson({ probe: await measureProbe(Number(values.seconds)) });
}

async function live() {
  await build_page();
  buildReleased(['tonkopf-cli']);
  const { head, hoursLine, measureHours, measureLive } = await import('./bench/live.mjs');
  const { haltLine, measureHalt } = await import('./bench/halt.mjs');
  const seconds = Number(values.seconds);
  if (seconds) console.log(head);
  const lines = seconds ? await measureLive(CASES[0], LINES, seconds) : null;
  const halt = seconds ? await measureHalt() : null;
  if (halt) console.log(`\n${haltLine(halt)}`);
  const hours = Number(values.hours) ? await measureHours(CASES[0], Number(values.hours), Number(values.rate)) : null;
  if (hours) console.log(hoursLine(hours));
  writeJson({ ...(lines && { live: lines, halt }), ...(hours && { hours }) });
}

async function writeAllDocs() {
  const { writeDocs } = await import('./bench/docs.mjs');
  writeDocs(readJson(json));
}

if (values.docs && !values.all) {
  await writeAllDocs();
} else if (values.load && !values.all) {
  await load();
} else if (values.parts && !values.all) {
  await parts();
} else if (values.timeline) {
  await timeline();
} else if (values.live) {
  await live();
} else if (values.probe) {
  await probe();
} else if (values.visit) {
  await visit();
} else if (values.page) {
  await page(positionals);
} else {
  const result = values.from ? readJson(values.from) : await bench();
  const worse = show(result);
  if (!values.from) writeJson(result);
  if (values.all) {
    await load();
    await parts();
    await work();
    await writeAllDocs();
  }
  process.exitCode = values.strict && worse ? 1 : 0;
}
