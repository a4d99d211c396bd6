// SPDX-License-Identifier: MIT
// The commands conv, dump, info and compare on the wasm core: the same output, byte for byte, as the native program,
// but that damage inside a deflate block may be seen some bytes later.
import fs from 'node:fs';
import { basename } from 'node:path';
import tty from 'node:tty';
import { convert, inspect, recordingsOf, takesOption } from '../../wasm/convert.js';
import type { Conversion, Encoding, Listeners } from '../../wasm/convert.js';
import { Core } from '../../wasm/tonkopf.js';
import { CoreError, compareReports, describe, isReport } from '../../wasm/index.js';
import { tonkopfModule } from '../../wasm/node.js';
import { placesOf, timeUnit, traceNs } from '../../wasm/report.js';
import type { FormatInfo, InputChoice, Problem, Progress, Report, DetectedInput, Override } from '../../wasm/types.js';
import { EXIT, formOf, isText, judge, worse } from './figures.js';
import {
  ClosedPipe,
  OutputError,
  TraceFile,
  dropRepeated,
  findFiles,
  joined,
  keepPipes,
  print,
  reasonOf,
  refuseOutput,
  removeScratch,
  statOf,
  stem,
  tell,
  makeNamesUnique,
} from './files.js';
import type { NamedFile } from './files.js';
import { UsageError } from './options.js';
import type { Settings } from './options.js';

/** Problems that the reading side adds; the native program tells them as warnings. */
const HOST_PROBLEMS = new Set(['GZIP_CUT', 'TEXT_DIGITS', 'TEXT_INCOMPLETE', 'ARCHIVE_DAMAGED']);

interface Recording {
  choices: InputChoice[];
  files: NamedFile[];
}

interface Work {
  files: NamedFile[];
  recordings: Recording[];
  skipped: boolean;
}

/** What a conversion found, without what the reading side adds. */
interface Findings {
  report: Report;
  /** name of an input whose compressed data or text is damaged */
  damaged: string | null;
}

/** A signal asks to stop; the code is that of the exit. */
export class Stopped extends Error {
  constructor(readonly code: number) {
    super('stopped');
  }
}

const stopping = new AbortController();

/** The first request ends what is being read, the second one everything. */
function stopOn(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', code: number): void {
  process.on(signal, () => {
    if (!stopping.signal.aborted) return stopping.abort(new Stopped(code));
    removeScratch();
    process.exit(code);
  });
}

/** Not before standard input was read: that waits without listening. */
function listenForStops(): void {
  if (process.listenerCount('SIGINT')) return;
  stopOn('SIGHUP', 129);
  stopOn('SIGINT', 130);
  stopOn('SIGTERM', 143);
}

// ---- Messages ------------------------------------------------------------------------------------------------------------

/** Control characters, which names of files and tasks may hold, as they are written in JSON. */
const escaped = (text: string): string =>
  text.replace(/[\x00-\x1f\x7f-\x9f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const error = (text: string): void => tell(`tonkopf: ${escaped(text)}\n`);

class Messages {
  readonly #settings: Settings;
  readonly #told = new Set<string>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  say(text: string): void {
    if (!this.#settings.flags.has('quiet')) tell(`${escaped(text)}\n`);
  }

  warn(text: string): void {
    this.say(`tonkopf: warning: ${text}`);
  }

  warnOnce(text: string): void {
    if (!this.#told.has(text)) this.warn(text);
    this.#told.add(text);
  }

  /** It was told in other words. */
  leaveOut(text: string): void {
    this.#told.add(text);
  }

  detail(text: string): void {
    if (this.#settings.flags.has('verbose')) tell(`${escaped(text)}\n`);
  }
}

// ---- Finding -------------------------------------------------------------------------------------------------------------

function forcedEncoding(settings: Settings): Encoding | null {
  const name = settings.text.get('format') ?? 'auto';
  return name === 'auto' ? null : name === 'bin' ? 'binary' : (name as Encoding);
}

function reportUnknown(detected: DetectedInput, file: NamedFile, messages: Messages): void {
  const { probe } = detected,
    reason = probe.reason || detected.encodingReason,
    isOpen = probe.content === '' || probe.content === 'other';
  if (detected.member?.reason) return; // told already
  if (file.fromFolder || detected.member) messages.detail(`${detected.name}: left out, ${reason}`);
  else
    error(
      `${detected.name}: not recognised: ${reason}${reason.endsWith('.') ? '' : '.'}${probe.looked && isOpen ? ' If it is a recording all the same, name its format with --type.' : ''}`,
    );
}

/** What is wrong with the compressed data of inputs, whatever they turn out to be. */
function reportCuts(detectedInputs: DetectedInput[], files: NamedFile[], messages: Messages): void {
  for (const { source, member, name, cut } of detectedInputs) {
    if (cut === null) continue;
    messages.warnOnce(`${files[source]!.name}${member ? `/${member.path}` : ''}: ${cut}`);
    messages.leaveOut(`${name}: ${cut}`); // a part of a text
  }
}

/** What is wrong with archives, and which of their files cannot be read. */
function reportArchives(detectedInputs: DetectedInput[], files: NamedFile[], messages: Messages): void {
  const told = new Set<number>();
  for (const { source, member, name } of detectedInputs) {
    if (member?.problem && !told.has(source)) messages.warn(`${files[source]!.name}: ${member.problem}`);
    told.add(source);
    if (member?.reason) messages.warn(`${name}: left out, ${member.reason}`);
  }
}

/** One side of a comparison: of options that nobody takes nothing is said, since the other side may. */
async function findSide(settings: Settings, messages: Messages): Promise<Work> {
  let skipped = false;
  const missing = (problem: Error): void => {
    error(problem.message);
    skipped = true;
  };
  const { files, sideFiles } = findSources(settings, messages, missing);
  const encoding = forcedEncoding(settings);
  const all = [...sideFiles, ...files]; // as the native program reads them
  const isSide = ({ source }: DetectedInput): boolean => source < sideFiles.length;
  const type = settings.text.get('type') ?? 'auto';
  const overrides = all.map(({ core }, index): Override => ({
    role: index < sideFiles.length ? 'names' : null,
    core,
    format: type === 'auto' ? null : type,
  }));
  const detectedInputs = await inspect(
    await tonkopfModule(),
    all.map(({ source }) => source),
    all.map(() => encoding),
    Object.fromEntries(overrides.entries()),
  );
  reportArchives(detectedInputs, all, messages);
  reportCuts(detectedInputs, all, messages);
  const recordings = recordingsOf(detectedInputs).map((choices): Recording => ({
    choices,
    files: choices.flatMap(({ role, detected }) => (role === 'recording' ? all[detected.source]! : [])),
  }));
  for (const detected of detectedInputs) {
    const { role, format, reason } = detected.plan;
    const file = all[detected.source]!;
    if (encoding) detected.encodingReason = 'named by --format';
    if (!isSide(detected) && !detected.member?.reason)
      messages.detail(`${detected.name}: ${detected.encodingReason}; ${detected.probe.reason}`);
    const isKnown =
      format !== null ||
      ((detected.probe.content === 'symbols' || detected.probe.content === 'times') && recordings.length > 0);
    if (role === 'none' && !isKnown && !isSide(detected)) {
      reportUnknown(detected, file, messages);
      skipped ||= !file.fromFolder && !detected.member;
    } else if (role === 'none' && recordings.length) {
      messages.warn(`${detected.name}: not used: ${reason}`);
    } else if (role !== 'recording' && role !== 'none' && !isSide(detected)) {
      messages.detail(`${detected.name}: ${reason}`);
    } else if (
      role === 'recording' &&
      file.core !== null &&
      recordings.length > 1 &&
      recordings.some(({ files: [only, ...others] }) => only === file && !others.length)
    ) {
      messages.warn(`${detected.name}: ${reason}`);
    }
  }
  if (!recordings.length && !skipped) error('none of the files there is a recording; --verbose says why');
  return { files: all, recordings, skipped: skipped || !recordings.length };
}

async function findWork(settings: Settings, messages: Messages): Promise<Work> {
  const work = await findSide(settings, messages);
  await reportUnused(settings, work.recordings, messages);
  return work;
}

const keyOf = (setting: string): string => setting.slice(0, setting.indexOf('='));

const formatOf = (recording: Recording): string | null =>
  recording.choices.find(({ role }) => role === 'recording')?.detected.plan.format ?? null;

/** Options of other formats than all recordings here: a typing error, or one line for many kinds of recordings. */
async function reportUnused({ set, text }: Settings, recordings: Recording[], messages: Messages): Promise<void> {
  const mode = text.get('mode') ?? 'auto',
    given = [
      ...(mode === 'auto' ? [] : [['mode', mode, 'mode']]),
      ...set.map((setting) => ['set', setting, keyOf(setting)]),
    ];
  if (!given.length || !recordings.length) return;
  const { formats } = await describe();
  for (const [option, setting, key] of given as [string, string, string][]) {
    const having = formats
      .filter(({ options }) => options.some((other) => other.key === key))
      .map(({ name }) => name)
      .join(', ');
    if (!recordings.some(({ choices }) => takesOption(formats, choices, key)))
      messages.warn(`--${option} ${setting} is not used: it is for recordings of another format (${having})`);
  }
}

function findSources(
  settings: Settings,
  messages: Messages,
  missing: (problem: Error) => void,
): { files: NamedFile[]; sideFiles: NamedFile[] } {
  const recursive = settings.flags.has('recursive');
  if (!settings.inputs.length) throw new UsageError('no input named; - stands for standard input');
  if (
    [...settings.inputs, ...settings.with].filter((input) =>
      /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)(@\d+)?$/.test(input),
    ).length > 1
  )
    throw new UsageError('standard input (-) can be read only once');
  const files = findFiles(settings.inputs, recursive, missing);
  const sideFiles = findFiles(settings.with, recursive, (problem) => {
    throw problem;
  });
  dropRepeated(files, sideFiles, (text) => messages.warn(text));
  const all = [...files, ...sideFiles];
  refuseOutput(all, settings.text.get('output') ?? '-');
  makeNamesUnique(all);
  keepPipes(all);
  return { files, sideFiles };
}

function coreOptions(settings: Settings): Record<string, string> {
  const options: Record<string, string> = {};
  const mode = settings.text.get('mode');
  const type = settings.text.get('type');
  if (type && type !== 'auto') options.format = type;
  if (mode) options.mode = mode === 'freertos' ? 'free-rtos' : mode;
  for (const setting of settings.set) options[keyOf(setting)] = setting.slice(setting.indexOf('=') + 1);
  for (const key of ['tick-ns', 'wall-clock-ns']) {
    const value = settings.text.get(key);
    if (value) options[key] = value;
  }
  if (settings.flags.has('raw-events')) options['raw-events'] = '1';
  const part = settings.rangeOfFigures ? 'figures-' : '';
  if (settings.from !== null) options[`${part}from-ns`] = String(settings.from);
  if (settings.to !== null) options[`${part}to-ns`] = String(settings.to);
  return options;
}

/** Refuses what the core does not take, whatever the recordings are. */
export async function checkOptions(settings: Settings): Promise<void> {
  const options = Object.entries(coreOptions(settings));
  if (!options.length) return;
  const core = await Core.open(await tonkopfModule());
  core.begin();
  for (const [key, value] of options) core.setOption(key, value);
  core.close();
}

/** An option of another format is for other recordings of this command line, or `reportUnused` said that it is for none. */
async function ownOptions(settings: Settings, recording: Recording): Promise<Record<string, string>> {
  const options = coreOptions(settings);
  if (!settings.set.length && !options.mode) return options;
  const { formats } = await describe();
  return Object.fromEntries(Object.entries(options).filter(([key]) => takesOption(formats, recording.choices, key)));
}

async function run(settings: Settings, work: Work, recording: Recording, listeners: Listeners): Promise<Conversion> {
  let bytes = 0;
  listenForStops();
  const onProgress = (progress: Progress): void => {
    bytes = progress.bytesIn;
  };
  try {
    return await convert(
      await tonkopfModule(),
      work.files.map(({ source }) => source),
      recording.choices,
      await ownOptions(settings, recording),
      { ...listeners, onProgress, signal: stopping.signal },
    );
  } catch (problem) {
    if (problem instanceof Stopped) problem.message = `${nameOf(recording)}: stopped after ${bytes} bytes`;
    throw problem;
  }
}

// ---- The report ------------------------------------------------------------------------------------------------------------

/** The report of the core alone; what the reading side found is told. */
function findingsOf(report: Report, messages: Messages): Findings {
  const ofHost = report.problems.filter(({ id }) => HOST_PROBLEMS.has(id));
  for (const problem of ofHost)
    if (problem.id !== 'ARCHIVE_DAMAGED') messages.warnOnce(`${inputName(report, problem)}: ${problem.cause}`);
  return {
    report: { ...report, problems: report.problems.filter((problem) => !ofHost.includes(problem)) },
    damaged: ofHost.length ? inputName(report, ofHost[0]!) : null,
  };
}

/** Of the first recording where the problem has no place. */
function inputName(report: Report, { id }: Problem): string {
  const number = placesOf(report, id)[0]?.input_number ?? report.inputs.findIndex(({ role }) => role === 'recording');
  return report.inputs[number]?.name ?? '';
}

/** Name of the input that has what --fail-on names; "any" is everything that is worth a second look. */
function findTrouble({ report, damaged }: Findings, word: string, name: string): string | null {
  if ((word === 'drops' && report.events.lost > 0) || (word === 'restarts' && report.events.restarts > 0)) return name;
  const matches = ({ id, severity }: Problem): boolean =>
    word === 'any' ? severity !== 'info' : severity === word || id === word;
  const problem = report.problems.find(matches);
  if (problem) return inputName(report, problem);
  return word === 'damage' || word === 'any' ? damaged : null;
}

function fails(settings: Settings, findings: Findings, name: string): boolean {
  let failed = false;
  for (const word of settings.failOn) {
    const found = findTrouble(findings, word, name);
    if (found !== null) error(`${found}: has ${word}, and --fail-on ${word} was given`);
    failed ||= found !== null;
  }
  const empty = settings.failOn.length > 0 && Number(findings.report.events.timed) === 0;
  if (empty) error(`${name}: has no event with a time, so --fail-on has nothing to judge`);
  return failed || empty;
}

const timeText = (report: Report, time: string): string =>
  timeUnit(report) !== 'ns' ? `${time} ${timeUnit(report)}` : `${time.padStart(10, '0').replace(/(.{9})$/, '.$1')} s`;

function reportRange({ from, to, text }: Settings, report: Report, name: string, messages: Messages): void {
  const { first, last } = report.time;
  if (from !== null && from > BigInt(last) * traceNs(report))
    messages.warn(
      `${name}: --from ${text.get('from')} is beyond the end of the recording, ${timeText(report, last)}; nothing is left`,
    );
  if (to !== null && to < BigInt(first) * traceNs(report))
    messages.warn(
      `${name}: --to ${text.get('to')} is before the first event, ${timeText(report, first)}; nothing is left`,
    );
}

/** Files of symbols that served nobody, or not wholly: a dump tells it nowhere else. */
function reportSymbols({ symbols }: Report, messages: Messages): void {
  for (const { name, note } of symbols ?? []) if (note) messages.warn(`${name}: ${note}`);
}

function reportProblem(report: Report, problem: Problem, messages: Messages): void {
  const detail = problem.detail ? ` (${problem.detail})` : '';
  const [first] = placesOf(report, problem.id);
  const place = first?.offset == null ? '' : `, first at byte ${first.offset}`;
  messages.say(
    `  ${inputName(report, problem)}: ${problem.title}${detail}, ${problem.count} time${problem.count === 1 ? '' : 's'}${place}`,
  );
  messages.detail(`    ${problem.cause} ${problem.remedy}`);
}

const nameOf = (recording: Recording): string =>
  recording.choices.find(({ role }) => role === 'recording')!.detected.name;

/** Wrong usage that shows when the inputs are known does not hide that one of them was skipped. */
async function withSkippedInputs(work: Work, rest: () => Promise<number>): Promise<number> {
  try {
    return worse(work.skipped ? EXIT.input : EXIT.fine, await rest());
  } catch (problem) {
    if (!work.skipped || !(problem instanceof UsageError)) throw problem;
    error(problem.message);
    return worse(EXIT.input, EXIT.usage);
  }
}

// ---- Commands --------------------------------------------------------------------------------------------------------------

/** Where text goes: standard output, or the file that --output names. */
async function printed(
  settings: Settings,
  work: (write: (text: Uint8Array | string) => void) => Promise<void>,
): Promise<void> {
  const path = settings.text.get('output') ?? '-';
  if (path === '-') return work(print);
  const file = new TraceFile(path);
  try {
    return await work((text) => file.write(typeof text === 'string' ? Buffer.from(text) : text));
  } finally {
    await file.commit(new Uint8Array(0), false); // lines are whole whatever comes in between
  }
}

export async function info(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  const work = await findWork(settings, messages);
  if (!work.recordings.length) return EXIT.input;
  let code: number = work.skipped ? EXIT.input : EXIT.fine;
  await printed(settings, async (write) => {
    for (const [index, recording] of work.recordings.entries()) {
      if (index && !settings.flags.has('json') && !settings.text.has('csv')) writeIfRead(write, '\n');
      code = worse(code, await inform(settings, work, recording, messages, (text) => writeIfRead(write, text)));
    }
  });
  return code;
}

async function inform(
  settings: Settings,
  work: Work,
  recording: Recording,
  messages: Messages,
  write: (text: string) => void,
): Promise<number> {
  const { report, reportJson } = await run({ ...settings, rangeOfFigures: true }, work, recording, {});
  reportRange(settings, report, nameOf(recording), messages);
  const failed = fails(settings, findingsOf(report, messages), nameOf(recording)) ? EXIT.problems : EXIT.fine;
  const judged = worse(
    failed,
    await judge(reportJson, settings, nameOf(recording), error, (text) => messages.say(text)),
  );
  if (settings.flags.has('json')) write(`${reportJson}\n`);
  else if (isText(settings)) write(`${heading(recording)}\n`);
  return settings.flags.has('json') ? judged : worse(judged, await printReport(reportJson, settings, write));
}

async function printReport(json: string, settings: Settings, write: (text: string) => void): Promise<number> {
  try {
    write(await formOf(json, settings));
    return EXIT.fine;
  } catch (problem) {
    if (!(problem instanceof UsageError)) throw problem;
    error(problem.message); // further recordings may have the table
    return EXIT.usage;
  }
}

/** The JSON of a report when the file is one; nothing else is read to its end here. */
async function storedReport(path: string): Promise<string | null> {
  if (path === '-' || !statOf(path)?.isFile()) return null;
  const file = fs.openSync(path, 'r');
  const first = Buffer.alloc(1);
  try {
    fs.readSync(file, first, 0, 1, 0);
  } finally {
    fs.closeSync(file);
  }
  if (first.toString() !== '{') return null;
  const json = fs.readFileSync(path, 'utf8');
  return (await isReport(json)) ? json : null;
}

/** One of the two operands as JSON; a number is the exit code, and a message was printed. `recordings`: it adds its own. */
async function reportOf(
  settings: Settings,
  path: string,
  messages: Messages,
  recordings: Recording[],
): Promise<string | number> {
  const stored = await storedReport(path);
  if (stored !== null) return stored;
  const mine = { ...settings, inputs: [path] };
  const work = await findSide(mine, messages);
  recordings.push(...work.recordings);
  if (!work.recordings.length) return EXIT.input;
  if (work.recordings.length > 1) {
    error(`${path}: ${work.recordings.length} recordings; compare takes one on each side`);
    return EXIT.usage;
  }
  const { report, reportJson } = await run(mine, work, work.recordings[0]!, {});
  findingsOf(report, messages);
  return reportJson;
}

export async function compare(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  const [first, second] = settings.inputs;
  if (first === undefined || second === undefined || settings.inputs.length > 2)
    throw new UsageError('compare takes two recordings or reports, as in `tonkopf compare before.bin after.bin`');
  const recordings: Recording[] = [];
  const before = await reportOf(settings, first, messages, recordings);
  if (typeof before === 'number') return before;
  const after = await reportOf(settings, second, messages, recordings);
  if (typeof after === 'number') return after;
  await reportUnused(settings, recordings, messages);
  const compared = await compareReports(before, after);
  let code: number = EXIT.fine;
  await printed(settings, async (write) => {
    code = await printReport(compared, settings, (text) => writeIfRead(write, text));
  });
  return code;
}

/** A reader that has seen enough does not change what --fail-on finds. */
function writeIfRead(write: (text: string) => void, text: string): void {
  try {
    write(text);
  } catch (problem) {
    if (!(problem instanceof ClosedPipe)) throw problem;
  }
}

function heading(recording: Recording): string {
  const members = recording.choices.filter(({ role }) => role === 'recording');
  return members
    .map(({ detected, core }) => {
      const lines = [
        `${detected.name}: ${detected.encodingReason}; ${detected.probe.format ? detected.probe.reason : 'not recognised, read as --type says'}`,
      ];
      if (members.length > 1) lines.push(`${detected.name}: core ${core ?? -1}; ${detected.plan.reason}`);
      return lines.map((line) => `${escaped(line)}\n`).join('');
    })
    .join('');
}

const STAGES = ['frames', 'records', 'events', 'tracks', 'outline', 'original'];

/** What people read best where nobody asked for a stage. */
function bestStage(formats: FormatInfo[], recording: Recording, settings: Settings): string {
  const format = formatOf(recording);
  return formats.some(({ name, outlined }) => outlined && name === format) && !settings.only.length
    ? 'outline'
    : 'events';
}

/** null: a message was printed. */
function original(formats: FormatInfo[], recording: Recording): 'original' | null {
  const format = formatOf(recording);
  if (formats.some(({ name, original }) => original && name === format)) return 'original';
  error(`${nameOf(recording)}: --like original prints call traces and QS recordings, this is none`);
  return null;
}

const isTerminal = (): boolean => tty.isatty(1);

function isColored(settings: Settings): boolean {
  const when = settings.text.get('color') ?? 'auto';
  if (settings.flags.has('json') || when === 'never') return false;
  const shows = isTerminal() && process.env.TERM !== 'dumb' && (settings.text.get('output') ?? '-') === '-';
  return when === 'always' || (shows && !process.env.NO_COLOR);
}

export async function dump(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  if (settings.text.has('keep'))
    throw new UsageError('--keep is for the native program, which reads devices as they send');
  if ((settings.from !== null || settings.to !== null) && /^(frames|records)$/.test(settings.text.get('stage') ?? ''))
    throw new UsageError('--from and --to need --stage events, tracks or outline: the others have no time yet');
  const path = settings.text.get('signal');
  const filtered =
    settings.text.has('stage') || settings.text.has('like') || settings.flags.has('json') || settings.only.length;
  if (settings.flags.has('csv') && path === undefined)
    throw new UsageError('--csv prints the samples of a signal: name it with --signal');
  if (path !== undefined && filtered)
    throw new UsageError('--signal prints samples as CSV: without --stage, --like, --json, --event, --task and --core');
  const narrowed =
    settings.text.has('stage') ||
    settings.flags.has('json') ||
    settings.only.length ||
    settings.from !== null ||
    settings.to !== null;
  if (settings.text.has('like') && narrowed)
    throw new UsageError(
      '--like prints whole recordings as lines: without --stage, --json, --event, --task, --core, --from and --to',
    );
  const work = await findWork(settings, messages);
  if (!work.recordings.length) return EXIT.input;
  if (path !== undefined) return withSkippedInputs(work, () => samples(settings, work, path, messages));
  const json = settings.flags.has('json');
  const { formats } = await describe();
  let code: number = work.skipped ? EXIT.input : EXIT.fine;
  await untilClosed(() =>
    printed(settings, async (write) => {
      for (const [index, recording] of work.recordings.entries()) {
        if (work.recordings.length > 1 && !json)
          write(
            `${index ? '\n' : ''}${escaped(`# ${nameOf(recording)}${recording.files.length > 1 ? ' and its other cores' : ''}`)}\n`,
          );
        const paint = isColored(settings) ? painter() : null;
        let empty = true;
        const onBlock = (block: Uint8Array): void => {
          empty = false;
          write(paint ? paint(block) : block);
        };
        const asked = settings.text.has('like')
          ? original(formats, recording)
          : (settings.text.get('stage') ?? bestStage(formats, recording, settings));
        const result =
          asked &&
          (await unlessMisused(
            run(settings, work, recording, {
              dump: { stage: STAGES.indexOf(asked), json, only: settings.only },
              onBlock,
            }),
          ));
        if (!result) {
          code = worse(code, EXIT.usage); // others may be of another format
          continue;
        }
        if (empty && settings.only.length)
          messages.warn(`${nameOf(recording)}: nothing is left by --event, --task and --core`);
        const { report } = findingsOf(result.report, messages);
        reportRange(settings, report, nameOf(recording), messages);
        reportSymbols(report, messages);
      }
    }),
  );
  return code;
}

/** A reader that has seen enough does not change what was found before. */
async function untilClosed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    if (!(problem instanceof ClosedPipe)) throw problem;
  }
}

/** null: a message was printed, about what cannot be had of this recording. */
async function unlessMisused(conversion: Promise<Conversion>): Promise<Conversion | null> {
  try {
    return await conversion;
  } catch (problem) {
    if (!(problem instanceof CoreError) || problem.code !== 'misuse') throw problem;
    error(problem.message);
    return null;
  }
}

/** The samples of one signal. */
async function samples(settings: Settings, work: Work, path: string, messages: Messages): Promise<number> {
  const [recording] = work.recordings;
  if (work.recordings.length > 1)
    throw new UsageError(`--signal takes one recording, these are ${work.recordings.length}`);
  let missing = '';
  await printed(settings, async (write) => {
    try {
      const result = await run(settings, work, recording!, { samples: path, onBlock: write });
      reportRange(settings, findingsOf(result.report, messages).report, nameOf(recording!), messages);
    } catch (problem) {
      if (!(problem instanceof CoreError) || problem.code !== 'misuse') throw problem;
      missing = problem.message;
    }
  });
  if (missing) throw new UsageError(`${nameOf(recording!)}: --signal ${path}: ${missing}`);
  return EXIT.fine;
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
    return lines
      .map((line) =>
        DAMAGE.test(line) ? `\x1b[31m${line}\x1b[0m\n` : line.replace(/^([^ ]*)/, '\x1b[2m$1\x1b[0m') + '\n',
      )
      .join('');
  };
}

/** Beside a device or a pipe no file is wanted. */
const isNoPlace = (path: string): boolean => /^\/(dev|proc)\//.test(path) || !(statOf(path)?.isFile() ?? true);

function chosenFolder(output: string | undefined): string | null {
  if (!output || output === '-') return null;
  return output.endsWith('/') || statOf(output)?.isDirectory() ? output : null;
}

function makeFolder(folder: string): void {
  try {
    if (!fs.existsSync(folder)) fs.mkdirSync(folder);
  } catch (problem) {
    throw new OutputError(
      `${folder}: the folder cannot be made: ${(problem as NodeJS.ErrnoException).code === 'EEXIST' ? 'Not a directory' : reasonOf(problem)}`,
    );
  }
}

/** A trace is no text. */
function refuseTerminal(output: string | undefined): void {
  if (output === '-' && isTerminal())
    throw new UsageError(
      'a trace is no text, and standard output is a terminal; name a file with --output, or redirect it',
    );
}

/** The first attempt is the short name; two recordings never meet in one file. */
/** The number of a recording among those of its text or archive, from 0. */
function countPart(recording: Recording, parts: Map<string, number>): number {
  const { member, block } = recording.choices.find(({ role }) => role === 'recording')!.detected;
  const { path } = recording.files[0]!;
  const part = member ? (parts.get(path) ?? 0) : block;
  parts.set(path, part + 1);
  return part;
}

function freePath(
  recording: Recording,
  part: number,
  folder: string | null,
  ending: string,
  taken: Set<string>,
): string {
  const source = recording.files[0]!.path === '-' ? 'stdin' : recording.files[0]!.path;
  const place = (name: string): string =>
    folder ? joined(folder, basename(name)) : isNoPlace(source) ? basename(name) : name;
  const path = (attempt: number): string =>
    place(attempt ? source : stem(source)) + (part ? `-${part + 1}` : '') + (attempt > 1 ? `.${attempt}` : '') + ending;
  let attempt = 0;
  while (taken.has(path(attempt)) || statOf(path(attempt))?.isDirectory()) attempt++;
  taken.add(path(attempt));
  return path(attempt);
}

function outputPaths(settings: Settings, work: Work): string[] {
  const first = work.recordings[0]?.files[0]!.path ?? '';
  const piped = work.recordings.length === 1 && (first === '-' || /^\/(dev|proc\/self)\/fd\//.test(first));
  const output = settings.text.get('output') ?? (piped && !isTerminal() ? '-' : undefined);
  const folder = chosenFolder(output);
  if (output && !folder && work.recordings.length > 1) {
    throw new UsageError(
      `these are ${work.recordings.length} recordings, --output names one file; name a folder, or say with @N which files are cores of one recording`,
    );
  }
  refuseTerminal(output);
  if (folder) makeFolder(folder);
  const taken = new Set<string>();
  const parts = new Map<string, number>();
  const ending = settings.flags.has('gzip') ? '.pftrace.gz' : '.pftrace';
  return work.recordings.map((recording) =>
    output && !folder ? output : freePath(recording, countPart(recording, parts), folder, ending, taken),
  );
}

function reportResult(
  settings: Settings,
  report: Report,
  name: string,
  path: string,
  bytes: number,
  messages: Messages,
): void {
  const cores = report.cores.length;
  messages.say(
    `${name} -> ${path === '-' ? 'standard output' : path}: ${report.events.total} event${Number(report.events.total) === 1 ? '' : 's'}, ${cores ? `${cores} core${cores === 1 ? '' : 's'}, ` : ''}${timeText(report, report.time.duration)}, ${bytes} bytes`,
  );
  const expected = Number(settings.text.get('core-count') ?? cores);
  if (expected !== cores)
    messages.warn(`--core-count says ${expected}, the data has ${cores}; all of them were converted`);
  reportRange(settings, report, name, messages);
  for (const problem of report.problems)
    if (problem.severity !== 'info' || settings.flags.has('verbose')) reportProblem(report, problem, messages);
  for (const { sentence } of report.explain) messages.say(`  ${sentence}`);
}

async function convertOne(
  settings: Settings,
  work: Work,
  recording: Recording,
  path: string,
  messages: Messages,
): Promise<number> {
  refuseOutput(work.files, path);
  const file = new TraceFile(path);
  let result: Conversion;
  try {
    result = await run(settings, work, recording, { onBlock: (block) => file.write(block) });
  } catch (problem) {
    file.discard();
    if (problem instanceof Stopped) problem.message = `stopped; ${path} was not written`;
    throw problem;
  }
  let bytes: number;
  try {
    bytes = await file.commit(result.head, settings.flags.has('gzip'));
  } catch (problem) {
    if (!(problem instanceof ClosedPipe) || !(settings.failOn.length || settings.expect.length)) throw problem;
    throw new OutputError(
      `${nameOf(recording)}: the reader of standard output went away before the end, so ${settings.failOn.length ? '--fail-on' : '--expect'} could not be judged`,
    );
  }
  const findings = findingsOf(result.report, messages);
  reportResult(settings, findings.report, nameOf(recording), path, bytes, messages);
  const failed = fails(settings, findings, nameOf(recording)) ? EXIT.problems : EXIT.fine;
  return worse(
    failed,
    await judge(result.reportJson, settings, nameOf(recording), error, (text) => messages.say(text)),
  );
}

export async function conv(settings: Settings): Promise<number> {
  const messages = new Messages(settings);
  const work = await findWork(settings, messages);
  if (!work.recordings.length) return EXIT.input;
  return withSkippedInputs(work, () => convertAll(settings, work, messages));
}

async function convertAll(settings: Settings, work: Work, messages: Messages): Promise<number> {
  const paths = outputPaths(settings, work);
  let code: number = EXIT.fine;
  for (const [index, recording] of work.recordings.entries())
    code = worse(code, await convertOne(settings, work, recording, paths[index]!, messages));
  return code;
}
