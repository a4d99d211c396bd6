// SPDX-License-Identifier: MIT
// C, the library in Node, the worker of the built page and Python are hosts of one conversion: each performs the same
// requests, with the same bytes, and ends with the same traces, reports, messages and exit code.
//
// What differs by design is made equal first:
// - All hosts answer at most 512 kB of a request, as the WebAssembly module does.
// - PROGRESS needs no answer and is left out.
// - A source without a recording: library and page end at the plan, so only the requests up to there are compared.
// - Of several files of which one is no recording, the library and Python convert nothing: as above.
// - The page converts one recording per request of its user: of a source with several recordings the requests up to the
//   plan are compared once, without the message that the others are set aside, and the exit code is that of all of them. It gives a conversion only the files of its
//   recording, so of several files that are not one recording nothing is compared.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type * as Library from '../../wasm/index.js';
import type { DetectedInput, InputChoice } from '../../wasm/types.js';
import { tar, zip } from '../common/archives.mjs';
import { pythonVariables } from '../common/python.mjs';
import { recordingsOf } from '../common/recordings.js';
import { recordRequests } from '../common/requests.mjs';
// @ts-expect-error plain JavaScript
import { Folder } from '../cli/tool.mjs';
// @ts-expect-error plain JavaScript
import { gateway_recordings } from '../generator/demo-gateway.mjs';
// @ts-expect-error plain JavaScript
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
// @ts-expect-error plain JavaScript
import { lift_recording } from '../generator/demo-lift.mjs';
// @ts-expect-error plain JavaScript
import { motor_recording } from '../generator/demo-motor.mjs';
import { cases as goldenCases, sampled } from '../golden/cases.mjs';
import { browser, newContext, root, served } from './harness.js';

const folder = new Folder() as { path: string; write(name: string, bytes: Uint8Array): void; remove(): void };
afterAll(() => folder.remove());

/** The requests that a host performed, and the traces that its caller got: length and checksum of each. */
interface Answer {
  lines: string[];
  traces: string[];
}

interface Case {
  name: string;
  paths: string[];
  range?: [fromNs: string, toNs: string];
  /** the sources cannot seek; the page has only files, which can seek */
  once?: boolean;
}

const EXPECT = 'cpu.load<50%';
const FAIL_ON = 'damage';
const UNREADABLE = 3; // exit code

const summary = (bytes: Uint8Array): string => `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;

// ---- Hosts -----------------------------------------------------------------------------------------------------------

const build = process.env['TONKOPF_NATIVE'] ?? join(root, 'build', 'native');
let outputs = 0;

async function inC({ paths, range, once }: Case): Promise<Answer> {
  const output = join(folder.path, `trace-${outputs++}-`);
  const settings = [
    'figures=range',
    `expect=${EXPECT}`,
    `fail-on=${FAIL_ON}`,
    ...(range ? [`from-ns=${range[0]}`, `to-ns=${range[1]}`] : []),
  ];
  const files = paths.map((path) => `${basename(path)}=${path}`);
  const { stdout } = await promisify(execFile)(
    join(build, 'tests', 'tool_requests'),
    [output, ...settings, once ? '--once' : '--', ...files],
    { maxBuffer: 1 << 28 },
  );
  const lines = stdout.trimEnd().split('\n');
  const count = lines.filter((line) => line.startsWith('close')).length;
  const traces = Array.from({ length: count }, (_, index) => summary(readFileSync(`${output}${index}`)));
  return { lines, traces };
}

async function* onceOnly(path: string): AsyncGenerator<Uint8Array> {
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
}

async function inNode(library: typeof Library, { paths, range, once }: Case, take: () => string[][]): Promise<Answer> {
  const inputs = paths.map((path) => (once ? { name: basename(path), bytes: onceOnly(path) } : path));
  const options = { expect: EXPECT, failOn: FAIL_ON, ...(range && { 'from-ns': range[0], 'to-ns': range[1] }) };
  const results = await library.convertAll(inputs, options).catch((error: { code?: string }) => {
    if (error.code !== 'unknown-format' && error.code !== 'empty') throw error;
    return [];
  });
  return { lines: take().at(-1)!, traces: results.map(({ trace }) => summary(trace)) };
}

/** Runs all cases in one process. */
async function inPython(cases: Case[]): Promise<Answer[]> {
  const program = promisify(execFile)('python3', ['-B', join(root, 'tests', 'common', 'requests.py')], {
    maxBuffer: 1 << 30,
    env: { ...process.env, ...pythonVariables },
  });
  const words = cases.map(({ paths, range, once = false }) => ({
    paths,
    once,
    python: { expect: [EXPECT], fail_on: [FAIL_ON], options: range ? { 'from-ns': range[0], 'to-ns': range[1] } : {} },
  }));
  program.child.stdin!.end(words.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { stdout } = await program;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

// ---- The worker of the page ------------------------------------------------------------------------------------------

/** Code to run before that of a worker: it records the requests and returns them on request. */
const PRELUDE = `{
  const recorder = (${recordRequests.toString()})();
  addEventListener('message', ({ data }) => {
    if (data.type === 'requests') postMessage({ type: 'requests', id: data.id, lists: recorder.take() });
  });
}
`;

/** Makes the page start its workers with the recording code before their own. */
function recordWorkers(prelude: string): void {
  const workers: Worker[] = [];
  Object.assign(window, { workers });
  window.Blob = class extends Blob {
    constructor(parts: BlobPart[] = [], options: BlobPropertyBag = {}) {
      super(/javascript/.test(options.type ?? '') ? [prelude, ...parts] : parts, options);
    }
  };
  window.Worker = class extends Worker {
    override postMessage(message: unknown, options?: unknown): void {
      if ((message as { type: string }).type === 'open') workers.push(this); // it has the converter; the worker of the timeline waits for a recording
      super.postMessage(message, options as StructuredSerializeOptions);
    }
  };
}

interface WireFile {
  name: string;
  base64: string;
}

interface Asked {
  type: 'inspect' | 'start' | 'requests';
  files: WireFile[];
  rest: object;
}

/** Asks the worker as the page does. Of the trace, length and checksum are returned. */
const ask = (page: Page, asked: Asked): Promise<any> =>
  page.evaluate(async ({ type, files, rest }) => {
    const [worker] = (window as unknown as { workers: Worker[] }).workers;
    const sources = files.map(({ name, base64 }) => ({
      name,
      blob: new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]),
      encoding: null,
    }));
    const id = `test ${Math.random()}`;
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    let head: Uint8Array = new Uint8Array(0);
    const answer = await new Promise<any>((done) => {
      const listen = ({ data }: MessageEvent): void => {
        if (data.id !== id) return;
        if (data.type === 'block') blocks.push(data.block);
        if (data.type === 'report') head = data.head;
        if (!['inspect', 'done', 'failed', 'requests'].includes(data.type)) return;
        worker!.removeEventListener('message', listen);
        done(data);
      };
      worker!.addEventListener('message', listen);
      worker!.postMessage({ type, id, sources, ...rest });
    });
    const trace = new Uint8Array(await new Blob(blocks).arrayBuffer());
    if (trace.length) trace.set(head);
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', trace));
    const digits = [...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return { ...answer, block: undefined, trace: `${trace.length} ${digits}` };
  }, asked);

const lineIs = (...kinds: string[]): ((line: string) => boolean) => {
  return (line) => kinds.includes(line.split(' ')[0]!);
};

/** Combines the conversions of several recordings of a source. */
function joined(lists: string[][]): string[] {
  const kept = lists.map((lines) =>
    lines.filter((line) => lists.length === 1 || !/^message .* not used: set aside$/.test(line)),
  );
  const [first, ...others] = kept.map((lines) => {
    const open = lines.findIndex(lineIs('open'));
    return { look: lines.slice(0, open), run: lines.slice(open) };
  });
  let worst = 0;
  const runs = [first!, ...others].flatMap(({ look, run }) => {
    expect(look.filter(lineIs('read', 'plan'))).toEqual(first!.look.filter(lineIs('read', 'plan')));
    return run.filter((line) => !lineIs('done')(line));
  });
  const lines = runs.map((line) => {
    if (!lineIs('close')(line)) return line;
    worst = Math.max(worst, Number(line.split(' ')[1]));
    return `close ${worst}`;
  });
  const last = lists.map((list) => Number(list.at(-1)!.split(' ')[1]));
  return [...first!.look, ...lines, `done ${Math.max(...last)}`];
}

/** Null: the page converts these files one by one. */
async function inWorker(page: Page, { paths, range }: Case): Promise<Answer | null> {
  const files = paths.map((path) => ({ name: basename(path), base64: readFileSync(path).toString('base64') }));
  const { detectedInputs } = (await ask(page, { type: 'inspect', files, rest: { overrides: {} } })) as {
    detectedInputs: DetectedInput[];
  };
  const options = { expect: EXPECT, 'fail-on': FAIL_ON, ...(range && { 'from-ns': range[0], 'to-ns': range[1] }) };
  const take = async (): Promise<string[][]> =>
    ((await ask(page, { type: 'requests', files: [], rest: {} })) as { lists: string[][] }).lists;
  const inspected = await take();
  const recordings: InputChoice[][] = recordingsOf(detectedInputs);
  const used = recordings.map((choices) => new Set(choices.map(({ detected }) => detected.source)).size);
  if (recordings.length && used.some((count) => count < paths.length)) return null;
  const lists: string[][] = [],
    traces: string[] = [];
  for (const choices of recordings) {
    const rest = { choices, options, samples: null, register: null };
    const { type, text, trace } = await ask(page, { type: 'start', files, rest });
    if (type === 'failed') throw new Error(text);
    lists.push((await take()).at(-1)!);
    traces.push(trace);
  }
  return { lines: lists.length ? joined(lists) : inspected.at(-1)!, traces };
}

// ---- Comparison ------------------------------------------------------------------------------------------------------

/** The compared parts of an answer. */
const ASPECTS: Record<string, (answer: Answer) => string[]> = {
  requests: ({ lines }) => lines.filter(lineIs('read', 'keep', 'plan', 'open', 'discard')),
  trace: ({ lines, traces }) => [...traces, ...lines.filter(lineIs('write', 'rewrite'))],
  report: ({ lines }) => lines.filter(lineIs('report')),
  messages: ({ lines }) => lines.filter(lineIs('message')),
  verdict: ({ lines }) => lines.filter(lineIs('close', 'done')),
};

const upToPlan = ({ lines }: Answer): Answer => ({
  lines: lines.slice(0, lines.findIndex(lineIs('plan')) + 1),
  traces: [],
});

function firstDifference(found: string[], wanted: string[]): string {
  const at = wanted.findIndex((line, index) => line !== found[index]),
    index = at < 0 ? wanted.length : at;
  return `${found[index] ?? 'nothing'} instead of ${wanted[index] ?? 'nothing'}`;
}

/** Number of cases in which a host gave the same answer as C. */
type Table = Record<string, Record<string, number>>;

function tableText(table: Table, counts: Record<string, number>): string {
  const names = Object.keys(ASPECTS);
  const rows = Object.entries(table).map(
    ([host, equal]) => `| ${host} | ${names.map((name) => `${equal[name]} of ${counts[host]}`).join(' | ')} |`,
  );
  return [`| host | ${names.join(' | ')} |`, `|---|${names.map(() => '---:|').join('')}`, ...rows].join('\n');
}

async function compare(
  cases: Case[],
): Promise<{ table: Table; counts: Record<string, number>; differences: string[] }> {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.addInitScript(recordWorkers, PRELUDE);
  await page.goto(served.url);
  await page.waitForFunction(() => (window as unknown as { workers: Worker[] }).workers.length > 0);
  const recorder = recordRequests();
  const answers: { C: Answer[]; Node: Answer[]; Python: Answer[]; page: (Answer | null)[] } = {
    C: [],
    Node: [],
    Python: [],
    page: [],
  };
  try {
    const library = (await import(/* @vite-ignore */ join(root, 'lib', 'index.js'))) as typeof Library;
    const python = inPython(cases);
    for (const one of cases) {
      answers.C.push(await inC(one));
      answers.Node.push(await inNode(library, one, recorder.take));
      answers.page.push(one.once ? null : await inWorker(page, one));
    }
    answers.Python = await python;
  } finally {
    recorder.stop();
    await context.close();
  }
  const table: Table = {},
    counts: Record<string, number> = {},
    differences: string[] = [];
  for (const [host, given] of Object.entries(answers)) {
    const equal: Record<string, number> = Object.fromEntries(Object.keys(ASPECTS).map((aspect) => [aspect, 0]));
    table[host] = equal;
    counts[host] = given.filter(Boolean).length;
    for (const [index, answer] of given.entries()) {
      if (!answer) continue;
      const expected = answers.C[index]!;
      const isPartlyUnread = cases[index]!.paths.length > 1 && expected.lines.at(-1) === `done ${UNREADABLE}`;
      const isRefused = !answer.traces.length && isPartlyUnread;
      const isUnread = isRefused || (!expected.traces.length && (host === 'Node' || host === 'page'));
      for (const [aspect, of] of Object.entries(ASPECTS)) {
        const [found, wanted] = (isUnread ? [upToPlan(answer), upToPlan(expected)] : [answer, expected]).map((one) =>
          of(one),
        ) as [string[], string[]];
        if (JSON.stringify(found) === JSON.stringify(wanted)) equal[aspect]!++;
        else differences.push(`${cases[index]!.name}: ${aspect} of ${host}: ${firstDifference(found, wanted)}`);
      }
    }
  }
  return { table, counts, differences };
}

async function expectEqual(title: string, cases: Case[]): Promise<void> {
  expect(cases.length).toBeGreaterThan(0);
  const { table, counts, differences } = await compare(cases);
  console.log(`${title}: ${cases.length} cases, of which the answer equals that of C\n\n${tableText(table, counts)}\n`);
  expect(differences).toEqual([]);
}

// ---- Cases -----------------------------------------------------------------------------------------------------------

function generated(): Case[] {
  const motor = Buffer.from(motor_recording({ bytes: 300_000 })),
    lift = Buffer.from(lift_recording({ bytes: 20_000 })),
    cores = gateway_recordings({ bytes: 40_000 }).map((bytes: Uint8Array, core: number) => ({
      path: `run.core${core}.bin`,
      bytes: Buffer.from(bytes),
    })) as { path: string; bytes: Buffer }[],
    { trace, times } = heatpump({ rounds: 100 }) as { trace: Uint8Array; times: string },
    packed = gzipSync(motor),
    hex = Buffer.from(motor.toString('hex').replace(/(.{64})/g, '$1\n')),
    members = [{ path: 'a/run.bin', bytes: motor, deflated: true }];
  const damaged = Buffer.from(motor);
  damaged.fill(0x5a, 20_000, 20_500);
  const files: Record<string, Uint8Array> = {
    'run.bin': motor,
    'empty.bin': Buffer.alloc(0),
    'words.txt': Buffer.from('only words, no recording at all'),
    'damaged.bin': damaged,
    'run.gz': packed,
    'cut.gz': packed.subarray(0, packed.length - 2000),
    'run.hex': hex,
    'odd.hex': Buffer.concat([hex.subarray(0, 2000), Buffer.from('zz'), hex.subarray(2000)]),
    'run.hex.gz': gzipSync(hex),
    'run.b64': Buffer.from(motor.toString('base64')),
    'one.zip': zip(members),
    'cut.zip': zip(members).subarray(0, -30),
    'one.tar': tar(members),
    'one.tar.gz': gzipSync(tar(members)),
    'cores.zip': zip(cores),
    'two.zip': zip([
      { path: 'a.bin', bytes: motor },
      { path: 'b.bin', bytes: lift },
    ]),
    'ram.bin': Buffer.concat([Buffer.alloc(700_000, 0xff), motor, Buffer.alloc(100)]),
    'calls.bin': trace,
    'calls.times': Buffer.from(times),
    'calls.elf': heatpump_elf() as Uint8Array,
    ...Object.fromEntries(cores.map(({ path, bytes }) => [path, bytes])),
  };
  for (const [name, bytes] of Object.entries(files)) folder.write(name, bytes);
  const at = (...names: string[]): string[] => names.map((name) => join(folder.path, name));
  const alone = Object.keys(files).filter((name) => !/^calls\.(times|elf)/.test(name));
  const seeking = alone.map((name) => ({ name, paths: at(name) }));
  const range: [string, string] = ['1000000', '20000000'];
  return [
    ...seeking,
    ...sampled(seeking.filter(({ name }) => name !== 'empty.bin')) // the library rejects them
      .map((one) => ({ ...one, name: `${one.name}, which cannot seek`, once: true })),
    { name: 'two cores', paths: at(...cores.map(({ path }) => path)) },
    { name: 'two recordings', paths: at('run.bin', 'damaged.bin') },
    { name: 'with symbols and times', paths: at('calls.bin', 'calls.elf', 'calls.times') },
    ...['run.bin', 'run.gz', 'one.zip', 'run.hex'].map((name) => ({
      name: `a time range of ${name}`,
      paths: at(name),
      range,
    })),
  ];
}

/** Unchanged, for any options of the case. */
function golden(): Case[] {
  return goldenCases().map(({ name, inputs }: { name: string; inputs: { path: string }[] }) => ({
    name,
    paths: inputs.map(({ path }) => path),
  }));
}

test('generated inputs', () => expectEqual('Generated inputs', generated()));
test('inputs of the golden cases', () => expectEqual('Golden cases', sampled(golden())));

const samples = process.env['TONKOPF_SAMPLES'] ?? '';

test.skipIf(!samples)('samples', async () => {
  const files = readdirSync(samples, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, path: join(samples, name) }))
    .filter(({ path }) => statSync(path).isFile())
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  await expectEqual(
    'Samples',
    sampled(files).map(({ name, path }) => ({ name, paths: [path] })),
  );
});
