// SPDX-License-Identifier: MIT
// Side effects of the page: reading files, recognising inputs, converting. Every effect reads the state and ends with an action.
import demos, { type Demo } from 'virtual:demos';
import {
  type Action,
  type Conversion,
  type Failure,
  LARGE,
  type Input,
  type Loaded,
  type Recording,
  type SourceItem,
  bytesOf,
  findRecording,
  inputsOf,
  loaded,
  memoryOf,
  outputOf,
  overridesOf,
} from './job.js';
import * as format from './format.js';
import { tonkopfModule } from './io/module.js';
import type { ProgramFile, Programs } from './io/probe/program.js';
import { contentKey, recall, remember } from './io/remembered.js';
import { MAX_FILES, fetchDemo, filesOf, fromFiles, fromText } from './io/read.js';
import { BlockStore } from './io/block-store.js';
import { rulesSetting } from './io/rules.js';
import { keepOnly, keepCheckpoints, questionOf, readFailure, wire } from './conversions.js';
import { dispatch, getPage, subscribe } from './store.js';
import { keepTimelines, prepareTimeline, startTimeline } from './timelines.js';
import { Bridge, Stopped, WorkerFailure } from './worker/bridge.js';

// Recognition has its own worker: it does not wait for a long conversion, and "Cancel" stops only the conversion.
const inspector = new Bridge(tonkopfModule);

/** Where ELF files and linker maps have the control blocks that a debug probe reads. */
export const programsOf = (files: ProgramFile[]): Promise<Programs> => inspector.programs(files);

/** A rehearsal that takes longer is stopped. */
const REHEARSAL_MS = 10_000;

let prepared: Promise<void> | null = null;

/** Loads the converter and the timeline, starts the workers that the first recording needs, and has their code compiled. */
export function prepare(): Promise<void> {
  prepared ??= Promise.all([inspector.warm(), warmConverter()])
    .then(rehearse)
    .catch(() => {}); // the first recording reports the reason
  return prepared;
}

/** A worker converts a short recording, and ends: Chromium compiles a function of the converter when it is first called, and then has it for all workers. */
async function rehearse(): Promise<void> {
  const bridge = new Bridge(tonkopfModule),
    timer = setTimeout(() => bridge.stop(), REHEARSAL_MS);
  await bridge.rehearse().finally(() => bridge.stop());
  clearTimeout(timer);
}

/** Starts the workers that convert and draw, so that a recognised recording need not wait for them. */
const warmConverter = (): Promise<unknown> => Promise.all([first.bridge.warm(), prepareTimeline()]);

export function startEffects(): void {
  subscribe(() => {
    look();
    pump();
  });
}

// ---- Files ---------------------------------------------------------------------------------------

export function addFiles(files: readonly File[]): void {
  if (files.length) dispatch({ type: 'add', sources: fromFiles(files) });
}

/** Adds the files of a drop or a paste; if there are none, calls `otherwise`. */
export async function addTransfer(transfer: DataTransfer, otherwise: () => void): Promise<void> {
  try {
    const { files, more } = await filesOf(transfer);
    if (!files.length) return otherwise();
    addFiles(files);
    if (more)
      dispatch({
        type: 'notice',
        notice: {
          tone: 'info',
          text: `Only the first ${MAX_FILES} files of the folder are read; the command line takes all.`,
        },
      });
  } catch (error) {
    dispatch({
      type: 'notice',
      notice: {
        tone: 'error',
        text: `What you dropped or pasted could not be read: ${format.sentence(message(error))}`,
      },
    });
  }
}

export function addText(text: string): void {
  if (text.trim()) dispatch({ type: 'add', sources: [fromText(text)] });
  else
    dispatch({
      type: 'notice',
      notice: {
        tone: 'error',
        text: 'The clipboard holds no text. Copy the hex or base64 text first, then paste it here.',
      },
    });
}

let lastDemo: Pick<Demo, 'files'> | null = null;

/** If the user starts several demos while the network is slow, only the last one is shown. */
export async function addDemo(demo: Pick<Demo, 'files' | 'options'>): Promise<void> {
  const { files: names, options = {} } = demo;
  lastDemo = demo;
  const outcome = await Promise.all(names.map(fetchDemo)).then(
    (files): Action => ({ type: 'add', sources: fromFiles(files, 'demo', options) }),
    (error: unknown): Action => ({
      type: 'notice',
      notice: { tone: 'error', text: `${message(error)} Check the network connection and reload the page.` },
    }),
  );
  if (lastDemo !== demo) return;
  lastDemo = null;
  dispatch(outcome);
}

/** `#demo=freertos` in the page's address starts that demo. */
export function playLinkedDemo(): void {
  const wanted = new URLSearchParams(location.hash.slice(1)).get('demo');
  if (wanted === null) return;
  lastDemo = null;
  dispatch({ type: 'clear' });
  const demo = demos.find(({ id }) => id === wanted);
  if (demo) void addDemo(demo);
  else
    dispatch({
      type: 'notice',
      notice: {
        tone: 'error',
        text: `There is no demo “${wanted}”. There are ${demos.map(({ id }) => id).join(', ')}.`,
      },
    });
}

// ---- Memory --------------------------------------------------------------------------------------

const isLookedUp = ({ content }: SourceItem): boolean => content !== undefined;

/** Skips a file with the same bytes as another one and shows a message. */
function withoutTwins(sources: readonly SourceItem[]): { sources: SourceItem[]; said: string } {
  const firsts = new Map<string, SourceItem>();
  const twins: string[] = [];
  const kept = sources.filter((source) => {
    const other = source.content ? firsts.get(source.content) : undefined;
    if (other)
      twins.push(
        `${source.name} contains the same bytes as ${other.name === source.name ? 'the one before' : other.name}. The page reads it once.`,
      );
    else if (source.content) firsts.set(source.content, source);
    return !other;
  });
  return { sources: kept, said: twins.join(' ') };
}

/** The files that helped to read these recordings the last time, without duplicates. */
async function helpersOf(known: { content: string; sides: File[] }[]): Promise<SourceItem[]> {
  const helpers = new Map<string | null, SourceItem>();
  for (const { content: helps, sides } of known)
    for (const source of fromFiles(sides, 'memory')) {
      const content = await contentKey(source.blob);
      helpers.set(content, { ...source, content, helps: helpers.has(content) ? undefined : helps });
    }
  return [...helpers.values()];
}

/** Looks the new files up in the memory and adds the files that helped the last time. */
async function lookUp(sources: readonly SourceItem[]): Promise<{ sources: SourceItem[]; said: string }> {
  const keyed = await Promise.all(
    sources.map(async (source) =>
      isLookedUp(source) ? source : { ...source, content: await contentKey(source.blob) },
    ),
  );
  const { sources: kept, said } = withoutTwins(keyed);
  const helped: { content: string; sides: File[] }[] = [];
  const known = await Promise.all(
    kept.map(async (source) => {
      const memory =
        sources.includes(source) || source.origin === 'demo' || !source.content ? null : await recall(source.content);
      if (!memory || !source.content) return source;
      helped.push({ content: source.content, sides: memory.sides });
      return { ...source, options: memory.options };
    }),
  );
  return { sources: withoutTwins([...known, ...(await helpersOf(helped))]).sources, said };
}

export function forget(id: string): void {
  const content = loaded(getPage());
  const recording = findRecording(getPage(), id);
  const known = content && recording && memoryOf(content, recording);
  if (known) void remember(known.key, { options: {}, sides: [] });
  dispatch({ type: 'forget', recording: id });
}

function keep(content: Loaded, recording: Recording): void {
  const known = memoryOf(content, recording);
  if (known) void remember(known.key, known.memory);
}

// ---- Recognising ---------------------------------------------------------------------------------

let lookedAt: SourceItem[] | null = null;

/** What the worker recognises. */
interface Asked {
  sources: readonly SourceItem[];
  overrides: string;
  answer: ReturnType<Bridge['inspect']>;
}
let asked: Asked | null = null;

function look(): void {
  const { content } = getPage();
  const sources = content.kind === 'looking' ? content.sources : null;
  if (sources === lookedAt) return;
  lookedAt = sources;
  const overrides = content.kind === 'looking' ? overridesOf(content) : {};
  if (asked && !(sources && isAbout(asked, sources, JSON.stringify(overrides)))) {
    inspector.stop(); // a newer question has made its answer obsolete
    asked = null;
  }
  if (!sources) return;
  asked ??= ask(sources, overrides);
  if (sources.every(isLookedUp)) return inspect(sources, asked);
  void lookUp(sources).then(({ sources: known, said }) =>
    dispatch({ type: 'recalled', from: sources, sources: known, said }),
  );
}

/** The worker need not be asked again for files that were looked up meanwhile. */
const isAbout = ({ sources: old, overrides }: Asked, sources: readonly SourceItem[], wanted: string): boolean =>
  overrides === wanted &&
  old.length === sources.length &&
  old.every(({ blob, encoding }, index) => sources[index]!.blob === blob && sources[index]!.encoding === encoding);

function ask(sources: readonly SourceItem[], overrides: ReturnType<typeof overridesOf>): Asked {
  warmConverter();
  const answer = inspector.inspect(sources.map(wire), overrides);
  answer.catch(() => {}); // inspect() reports the reason
  return { sources, overrides: JSON.stringify(overrides), answer };
}

function inspect(sources: SourceItem[], { answer }: Asked): void {
  answer.then(
    ({ detectedInputs, cut }) => {
      if (lookedAt === sources) lookedAt = asked = null;
      const { content: now } = getPage(),
        isAwaited = now.kind === 'looking' && now.sources === sources;
      dispatch({ type: 'detected', sources, detectedInputs });
      if (cut && isAwaited) dispatch({ type: 'notice', notice: { tone: 'error', text: readFailure(cut).text } });
    },
    (error: unknown) => {
      if (error instanceof Stopped) return;
      if (lookedAt === sources) lookedAt = asked = null;
      dispatch({
        type: 'detection-failed',
        sources,
        text: `${format.sentence(message(error))} Reload the page and try again.`,
      });
    },
  );
}

// ---- Converting ----------------------------------------------------------------------------------

/** A worker that converts, and the recording that it converts. */
interface Lane {
  bridge: Bridge;
  running: { cacheKey: string; bytes: number } | null;
}

/** A small recording does not wait for a larger one: it gets a second worker. */
const SMALL = 16 << 20;
const first: Lane = { bridge: new Bridge(tonkopfModule), running: null };
const second: Lane = { bridge: new Bridge(tonkopfModule), running: null };

/** The selected recording comes first, then the others in the order of their size. */
function queuedIn(content: Loaded): Recording[] {
  const queued = content.recordings.filter((recording) => recording.conversion.kind === 'queued');
  const rank = (recording: Recording): number =>
    recording.id === content.selected ? -1 : bytesOf(inputsOf(content, recording));
  return queued.sort((a, b) => rank(a) - rank(b));
}

function halt(lane: Lane): void {
  lane.running = null;
  lane.bridge.stop();
}

function pump(): void {
  const { content } = getPage();
  const current = loaded(getPage());
  const isThere = (key: string): boolean => current?.recordings.some(({ cacheKey }) => cacheKey === key) === true;
  for (const lane of [first, second])
    // the recording was removed or its options were changed
    if (lane.running && !isThere(lane.running.cacheKey)) halt(lane);
  keepOnly(current?.recordings ?? []);
  keepTimelines(current?.recordings ?? []);
  if (content.kind !== 'loaded') return;
  const [next] = queuedIn(content);
  if (next && !first.running) return void convert(content, next, first);
  const small = queuedIn(content).find((recording) => bytesOf(inputsOf(content, recording)) <= SMALL);
  if (small && !second.running && first.running && first.running.bytes > SMALL) void convert(content, small, second);
}

export function cancel(cacheKey: string): void {
  for (const lane of [first, second]) if (lane.running?.cacheKey === cacheKey) halt(lane);
  dispatch({ type: 'conversion', cacheKey, conversion: { kind: 'cancelled' } });
}

export const again = (cacheKey: string): void =>
  dispatch({ type: 'conversion', cacheKey, conversion: { kind: 'queued' } });

async function convert(content: Loaded, recording: Recording, lane: Lane): Promise<void> {
  const { cacheKey } = recording;
  const startedAt = performance.now();
  const inputs = inputsOf(content, recording);
  const total = bytesOf(inputs);
  lane.running = { cacheKey, bytes: total };
  dispatch({
    type: 'conversion',
    cacheKey,
    conversion: {
      kind: 'running',
      progress: { bytesIn: 0, bytesTotal: total, events: 0, bytesOut: 0 },
      soFar: null,
      startedAt,
      now: startedAt,
    },
  });
  const store = new BlockStore();
  const readOnly = total >= LARGE; // users look at a small share of a long trace
  let result: Conversion;
  try {
    const { report, head, memoryBytes, leftOut, cut } = await lane.bridge.convert(
      questionOf(content, recording, { ...recording.options, ...rulesSetting() }),
      {
        onProgress: (progress) => dispatch({ type: 'progress', cacheKey, progress, now: performance.now() }),
        onReport: (report) => dispatch({ type: 'so-far', cacheKey, report }),
        onBlock: (block) => store.add(block),
      },
      { register: readOnly ? cacheKey : null, timeline: startTimeline(cacheKey) },
    );
    if (readOnly) keepCheckpoints(cacheKey, lane.bridge);
    if (readOnly) lane.bridge = new Bridge(tonkopfModule);
    store.setHead(head);
    const seconds = (performance.now() - startedAt) / 1000;
    const output = outputOf({
      report,
      store: readOnly ? null : store,
      leftOut,
      bytesIn: total,
      seconds,
      cut: cut && readFailure(cut),
    });
    // Performance marks for the browser's developer tools and for scripts/bench/chromium.mjs.
    const detail = { bytesIn: total, bytesOut: store.bytes, events: report.events.total, wasmBytes: memoryBytes };
    performance.measure('conversion', { start: startedAt, detail });
    const nothing = output.cut !== null && report.events.total === 0;
    result = nothing && output.cut ? { kind: 'failed', failure: output.cut, salvaged: null } : { kind: 'done', output };
  } catch (error) {
    if (error instanceof Stopped) return; // the code that stopped the conversion has reported it
    result = { kind: 'failed', failure: explain(error, inputs), salvaged: store.bytes > 0 ? store : null };
  }
  if (lane.running?.cacheKey === cacheKey) lane.running = null;
  if (result.kind === 'done') keep(content, recording);
  dispatch({ type: 'conversion', cacheKey, conversion: result });
}

function explain(error: unknown, inputs: readonly Input[]): Failure {
  const failure =
    error instanceof WorkerFailure ? error.failure : { code: 'worker', text: message(error), offset: null };
  const where =
    failure.offset === null
      ? ''
      : `byte ${format.count(Number(failure.offset))} of ${inputs[0]?.detected.name ?? 'the input'}`;
  const memory = /memory|allocation|RangeError/i.test(`${failure.code} ${failure.text}`);
  if (/misuse/i.test(failure.code))
    return {
      text: format.sentence(failure.text),
      place: '',
      advice: 'Correct this option. The conversion then starts again.',
    };
  return {
    text: memory ? 'The browser ran out of memory for the converter.' : format.sentence(failure.text),
    place: where,
    advice: memory
      ? 'Close other tabs and try again, or limit the time range in the options of this recording.'
      : 'Try again; if it fails at the same position, change the format or the encoding on the card.',
  };
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
