// SPDX-License-Identifier: MIT
// The commands conv, dump and info on the wasm core: the same output, byte for byte, as the native program.
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { convert, inspect } from '../../wasm/convert.js';
import type { Conversion, Encoding, Listeners } from '../../wasm/convert.js';
import { modules } from '../../wasm/index.js';
import type { InputChoice, Problem, Report, Sighting } from '../../wasm/types.js';
import { TraceFile, findFiles, print, stem } from './files.js';
import type { NamedFile } from './files.js';
import { UsageError } from './options.js';
import type { Settings } from './options.js';

export const EXIT = { fine: 0, problems: 1, usage: 2, input: 3, output: 4 } as const;

/** Problems that the reading side adds; the native program tells them as warnings. */
const HOST_PROBLEMS = new Set(['GZIP_CUT', 'TEXT_DIGITS']);

interface Recording {
  choices: InputChoice[];
  files: NamedFile[];
}

interface Work {
  files: NamedFile[];
  recordings: Recording[];
  skipped: boolean;
}

// ---- Messages ------------------------------------------------------------------------------------------------------------

export const error = (text: string): void => void process.stderr.write(`tonkopf: ${text}\n`);

class Messages {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  say(text: string): void {
    if (!this.#settings.flags.has('quiet')) process.stderr.write(`${text}\n`);
  }

  warn(text: string): void {
    this.say(`tonkopf: warning: ${text}`);
  }

  detail(text: string): void {
    if (this.#settings.flags.has('verbose')) process.stderr.write(`${text}\n`);
  }
}

// ---- Finding -------------------------------------------------------------------------------------------------------------

function forcedEncoding(settings: Settings): Encoding | null {
  const name = settings.text.get('format') ?? 'auto';
  return name === 'auto' ? null : name === 'bin' ? 'binary' : (name as Encoding);
}

function tellUnknown(sighting: Sighting, file: NamedFile, messages: Messages): void {
  const reason = sighting.probe.reason || sighting.encodingReason;
  if (file.fromFolder) messages.detail(`${sighting.name}: left out, ${reason}`);
  else error(`${sighting.name}: not recognised: ${reason} If it is a recording all the same, name its format with --type.`);
}

async function findWork(settings: Settings, messages: Messages): Promise<Work> {
  let skipped = false;
  const missing = (problem: Error): void => {
    error(problem.message);
    skipped = true;
  };
  const files = findFiles(settings.inputs, missing);
  const sideFiles = settings.with.length ? findFiles(settings.with, (problem) => { throw problem; }) : [];
  const encoding = forcedEncoding(settings);
  const wasm = await modules();
  const all = [...files, ...sideFiles];
  const sightings = await inspect(wasm, files.map(({ source }) => source), files.map(() => encoding));
  const sides = sideFiles.length ? await inspect(wasm, sideFiles.map(({ source }) => source), sideFiles.map(() => encoding)) : [];
  const forced = (settings.text.get('type') ?? 'auto') !== 'auto';
  const known = sightings.filter((sighting) => {
    if (encoding) sighting.encodingReason = 'named by --format';
    messages.detail(`${sighting.name}: ${sighting.encodingReason}; ${sighting.probe.reason}`);
    if (sighting.probe.format || forced) return true;
    const file = files[sighting.source]!;
    tellUnknown(sighting, file, messages);
    skipped ||= !file.fromFolder;
    return false;
  });
  if (!known.length && !skipped) error('none of the files there is a recording; --verbose says why');
  // What holds names and no events helps to read the others, if there are others.
  const others = known.some(({ probe }) => probe.hasEvents);
  const aside = known.filter(({ probe }) => others && probe.format !== null && !probe.hasEvents);
  for (const { name } of aside) messages.detail(`${name}: read for its names only`);
  const sideChoices = [...sides.map((sighting): InputChoice => ({ sighting: { ...sighting, source: sighting.source + files.length }, role: 'side', core: null })),
    ...aside.map((sighting): InputChoice => ({ sighting, role: 'side', core: null }))];
  return { files: all, recordings: grouped(known.filter((sighting) => !aside.includes(sighting)), files, sideChoices), skipped: skipped || !known.length };
}

/** Files whose cores were given by @N are one recording; the library has grouped the rest. */
function grouped(sightings: Sighting[], files: NamedFile[], sides: InputChoice[]): Recording[] {
  const given = (sighting: Sighting): number | null => files[sighting.source]!.core;
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const key = given(sighting) === null ? `group ${sighting.group}` : 'given';
    groups.set(key, [...(groups.get(key) ?? []), sighting]);
  }
  return [...groups.values()].map((members) => {
    const recordings = members.map((sighting): InputChoice => ({ sighting, role: 'recording', core: given(sighting) ?? sighting.core }));
    return { choices: [...sides, ...recordings], files: members.map(({ source }) => files[source]!) };
  });
}

const UNITS: Record<string, bigint> = { '': 1_000_000_000n, s: 1_000_000_000n, ms: 1_000_000n, us: 1000n, ns: 1n };

/** "1.5s", "200ms", "30us", "5000ns" or a bare number of seconds, exactly. */
function parseTime(text: string): bigint {
  const match = /^(\d{1,18})(?:\.(\d+))?(s|ms|us|ns|)$/.exec(text);
  if (!match) throw new UsageError('--from and --to take a time such as 1.5s, 200ms, 30us or 5000ns');
  const scale = UNITS[match[3]!]!;
  const digits = match[2] ?? '';
  return BigInt(match[1]!) * scale + (BigInt(digits || '0') * scale) / 10n ** BigInt(digits.length);
}

function rangeOptions(settings: Settings): Record<string, string> {
  const [from, to] = [settings.text.get('from'), settings.text.get('to')];
  const options: Record<string, string> = {};
  if (from) options['from-ns'] = String(parseTime(from));
  if (to) options['to-ns'] = String(parseTime(to));
  if (to && BigInt(options['from-ns'] ?? 0) >= BigInt(options['to-ns']!)) throw new UsageError(`--from ${from ?? '0s'} is not before --to ${to}`);
  return options;
}

function coreOptions(settings: Settings): Record<string, string> {
  const options: Record<string, string> = rangeOptions(settings);
  const mode = settings.text.get('mode');
  const type = settings.text.get('type');
  if (type && type !== 'auto') options.format = type;
  if (mode) options.mode = mode === 'freertos' ? 'free-rtos' : mode;
  for (const setting of settings.set) {
    const at = setting.indexOf('=');
    if (at < 1) throw new UsageError('--set takes KEY=VALUE');
    options[setting.slice(0, at)] = setting.slice(at + 1);
  }
  for (const key of ['tick-ns', 'wall-clock-ns']) {
    const value = settings.text.get(key);
    if (value) options[key] = value;
  }
  if (settings.flags.has('raw-events')) options['raw-events'] = '1';
  return options;
}

function run(settings: Settings, work: Work, recording: Recording, listeners: Listeners): Promise<Conversion> {
  return modules().then((wasm) => convert(wasm, work.files.map(({ source }) => source), recording.choices, coreOptions(settings), listeners));
}

// ---- The report ------------------------------------------------------------------------------------------------------------

/** The report of the core alone; what the reading side found is told. */
function coreReport(report: Report, messages: Messages): Report {
  for (const problem of report.problems) {
    delete (problem as { line?: unknown }).line;
    if (HOST_PROBLEMS.has(problem.id)) messages.warn(`${report.inputs[problem.input]?.name ?? ''}: ${problem.cause}`);
  }
  return { ...report, problems: report.problems.filter(({ id }) => !HOST_PROBLEMS.has(id)) };
}

/** As the core writes it: control characters by number. */
function jsonText(report: Report): string {
  const numbers: Record<string, string> = { b: '0008', t: '0009', n: '000a', f: '000c', r: '000d' };
  return JSON.stringify(report).replace(/\\(.)/g, (escape, letter: string) => (numbers[letter] ? `\\u${numbers[letter]}` : escape));
}

function hasTrouble(report: Report, word: string): boolean {
  if (word === 'drops') return report.drops.count > 0;
  if (word === 'restarts') return report.restarts > 0;
  if (word === 'any') return report.problems.some(({ severity }) => severity !== 'info');
  return report.problems.some(({ id, severity }) => severity === word || id === word);
}

function fails(settings: Settings, report: Report, name: string): boolean {
  const found = settings.failOn.filter((word) => hasTrouble(report, word));
  for (const word of found) error(`${name}: has ${word}, and --fail-on ${word} was given`);
  return found.length > 0;
}

function tellProblem(report: Report, problem: Problem, messages: Messages): void {
  const detail = problem.detail ? ` (${problem.detail})` : '';
  const place = problem.offset === null ? '' : `, first at byte ${problem.offset}`;
  messages.say(`  ${report.inputs[problem.input]?.name ?? ''}: ${problem.title}${detail}, ${problem.count} time${problem.count === 1 ? '' : 's'}${place}`);
  messages.detail(`    ${problem.cause} ${problem.remedy}`);
}

const nameOf = (recording: Recording): string => recording.choices.find(({ role }) => role === 'recording')!.sighting.name;

// ---- Commands --------------------------------------------------------------------------------------------------------------

export async function info(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  const work = await findWork(settings, messages);
  let failed = false;
  for (const [index, recording] of work.recordings.entries()) {
    const result = await run(settings, work, recording, {});
    const report = coreReport(result.report, messages);
    failed = fails(settings, report, nameOf(recording)) || failed;
    if (settings.flags.has('json')) print(`${jsonText(report)}\n`);
    else print(`${index ? '\n' : ''}${heading(recording)}\n${result.reportText}`);
  }
  return work.skipped ? EXIT.input : failed ? EXIT.problems : EXIT.fine;
}

function heading(recording: Recording): string {
  const members = recording.choices.filter(({ role }) => role === 'recording');
  const given = members.every((_, index) => recording.files[index]!.core !== null);
  return members
    .map(({ sighting, core }) => {
      const several = members.length > 1 ? `${sighting.name}: core ${core ?? -1}; ${given ? 'the cores were given' : sighting.groupReason}\n` : '';
      return `${sighting.name}: ${sighting.encodingReason}; ${sighting.probe.reason}\n${several}`;
    })
    .join('');
}

const STAGES = ['frames', 'records', 'events', 'tracks'];

export async function dump(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  const work = await findWork(settings, messages);
  const json = settings.flags.has('json');
  const stage = STAGES.indexOf(settings.text.get('stage') ?? 'events');
  const when = settings.text.get('color') ?? 'auto';
  const colored = !json && (when === 'always' || (when === 'auto' && fs.fstatSync(1).isCharacterDevice() && !process.env.NO_COLOR));
  for (const [index, recording] of work.recordings.entries()) {
    if (work.recordings.length > 1 && !json) print(`${index ? '\n' : ''}# ${nameOf(recording)}${recording.files.length > 1 ? ' and its other cores' : ''}\n`);
    const paint = colored ? painter() : null;
    const result = await run(settings, work, recording, { dump: { stage, json }, onBlock: (block) => print(paint ? paint(block) : block) });
    coreReport(result.report, messages);
  }
  return work.skipped ? EXIT.input : EXIT.fine;
}

/** A frame that was rejected, or a problem in its place among the events. */
const DAMAGE = / event="problem"| verdict="(?!ok"|empty")/;

/** The first column dimmed, damaged items red; lines may be cut by blocks. */
function painter(): (block: Uint8Array) => string {
  const decoder = new TextDecoder();
  let rest = '';
  return (block) => {
    const lines = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    return lines.map((line) => (DAMAGE.test(line) ? `\x1b[31m${line}\x1b[0m\n` : line.replace(/^([^ ]*)/, '\x1b[2m$1\x1b[0m') + '\n')).join('');
  };
}

function outputPaths(settings: Settings, work: Work): string[] {
  const output = settings.text.get('output');
  const folder = output && output !== '-' && fs.existsSync(output) && fs.statSync(output).isDirectory() ? output : null;
  if (output && !folder && work.recordings.length > 1) {
    throw new UsageError(`these are ${work.recordings.length} recordings, --output names one file; name a folder, or say with @N which files are cores of one recording`);
  }
  const ending = settings.flags.has('gzip') ? '.pftrace.gz' : '.pftrace';
  const taken = new Set<string>();
  const fromStdin = work.recordings.length === 1 && work.recordings[0]!.files[0]!.path === '-';
  return work.recordings.map(({ files, choices }) => {
    if (output && !folder) return output;
    if (fromStdin && !output && !fs.fstatSync(1).isCharacterDevice()) return '-';
    const source = files[0]!.path === '-' ? 'stdin' : files[0]!.path;
    const { block } = choices.find(({ role }) => role === 'recording')!.sighting;
    const place = (name: string): string => (folder ? join(folder, basename(name)) : name);
    const suffix = (block ? `-${block + 1}` : '') + ending;
    const short = place(stem(source)) + suffix;
    const path = taken.has(short) ? place(source) + suffix : short;
    taken.add(path);
    return path;
  });
}

function tellResult(settings: Settings, report: Report, name: string, path: string, messages: Messages): void {
  const cores = report.cores.length;
  const { tick, time } = report;
  const length = tick.ns === '1' && tick.source === 'assumed' ? `${time.durationNs} ticks` : `${(Number(time.durationNs) / 1e9).toFixed(6)} s`;
  messages.say(`${name} -> ${path === '-' ? 'standard output' : path}: ${report.events.total} events, ${cores} core${cores === 1 ? '' : 's'}, ${length}, ${report.output.bytes} bytes`);
  const expected = Number(settings.text.get('core-count') ?? cores);
  if (expected !== cores) messages.warn(`--core-count says ${expected}, the data has ${cores}; all of them were converted`);
  for (const problem of report.problems) if (problem.severity !== 'info' || settings.flags.has('verbose')) tellProblem(report, problem, messages);
  for (const line of report.explain) messages.say(`  ${line}`);
}

async function convertOne(settings: Settings, work: Work, recording: Recording, path: string, messages: Messages): Promise<boolean> {
  if (work.files.some((file) => file.path === path && path !== '-')) throw new UsageError(`${path} is an input; --output has to name another file`);
  const file = new TraceFile(path);
  let result: Conversion;
  try {
    result = await run(settings, work, recording, { onBlock: (block) => file.write(block) });
  } catch (problem) {
    file.discard();
    throw problem;
  }
  await file.commit(result.head, settings.flags.has('gzip'));
  const report = coreReport(result.report, messages);
  tellResult(settings, report, nameOf(recording), path, messages);
  return fails(settings, report, nameOf(recording));
}

export async function conv(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  const work = await findWork(settings, messages);
  const paths = outputPaths(settings, work);
  let failed = false;
  for (const [index, recording] of work.recordings.entries()) failed = (await convertOne(settings, work, recording, paths[index]!, messages)) || failed;
  return work.skipped ? EXIT.input : failed ? EXIT.problems : EXIT.fine;
}
