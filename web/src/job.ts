// SPDX-License-Identifier: MIT
// The state of the page as tagged unions, and the reducer. A recording becomes one trace; it has one or several inputs. Its conversion is
// in exactly one of the states below, so that impossible combinations (a progress bar without a worker, a result beside an error) cannot be
// represented.
import type { LeftOut, Progress, Report, DetectedInput, Role, Override as PlanOverride } from '../../wasm/types.js';
import { timeRangeOf, traceNs } from '../../wasm/report.js';
import { type Extent, loadSeconds, traceOf } from '../../wasm/estimate.js';
import { keyOf } from '../../wasm/cache-key.js';
import type { Range } from './io/perfetto.js';
import type { Memory } from './io/remembered.js';
import type { BlockStore } from './io/block-store.js';

export type Encoding = DetectedInput['encoding'];

/** A file or text that the user dropped, chosen, pasted, or a demo. */
export interface SourceItem {
  id: number;
  name: string;
  blob: Blob;
  origin: 'file' | 'paste' | 'demo' | 'memory' | 'live';
  /** format chosen by the user; null: recognised */
  encoding: Encoding | null;
  /** hash of its bytes; undefined: not computed yet, null: cannot be computed */
  content?: string | null;
  /** from the memory: the hash of the recording that this file helped to read; undefined: of several */
  helps?: string | undefined;
  /** options of the recording until the user changes them: those of a demo, or those of the last time */
  options: Readonly<Record<string, string>>;
}

/** Settings of the user on a card; null: as recognised. */
export interface Override {
  role: Role | null;
  core: number | null;
  /** null: as planned; 'own': a separate recording; otherwise the key of the input that it belongs to */
  with: string | null;
}

export const noOverride: Override = { role: null, core: null, with: null };

/** One input, as shown on a card. */
export interface Input {
  key: string;
  source: SourceItem;
  detected: DetectedInput;
  /** as planned; none: belongs to no recording */
  role: Role | 'none';
  /** keys of the recordings that it can belong to */
  partners: string[];
  override: Override;
}

export interface Failure {
  /** one sentence for the user */
  text: string;
  /** offset in the input, if known */
  place: string;
  advice: string;
}

export interface Output {
  report: Report;
  /** null: the recording was only read; its trace is made when the user asks for it */
  store: BlockStore | null;
  /** size of the trace; an estimate until the trace is made */
  extent: Extent;
  /** of a recording that was only read: estimated size of the trace; null: the trace was made while reading */
  whole: Extent | null;
  bytesIn: number;
  seconds: number;
  /** the browser could not read an input to its end */
  cut: Failure | null;
}

export type Conversion =
  | { kind: 'queued' }
  /** soFar: report on what was read so far; null: none yet */
  | { kind: 'running'; progress: Progress; soFar: Report | null; startedAt: number; now: number }
  | { kind: 'done'; output: Output }
  | { kind: 'cancelled' }
  | { kind: 'failed'; failure: Failure; salvaged: BlockStore | null }
  /** no input was recognised, so there is no conversion yet */
  | { kind: 'unknown' }
  /** already a Perfetto trace, which the viewer opens unchanged */
  | { kind: 'trace' };

export interface Recording {
  id: string;
  /** keys of its inputs, in order */
  inputs: string[];
  /** option key -> value; only options that the user changed */
  options: Readonly<Record<string, string>>;
  /** changes exactly when the trace changes */
  cacheKey: string;
  conversion: Conversion;
}

export type HandOver =
  | { kind: 'idle' }
  /** the viewer's window is open; ready: the trace is finished and only the viewer's answer is missing; silent: it has been missing for
   * long */
  | { kind: 'waiting'; recording: string; ready: boolean; done?: string; silent?: boolean }
  | { kind: 'blocked'; recording: string }
  | { kind: 'closed'; recording: string }
  | { kind: 'failed'; recording: string; text: string }
  | { kind: 'handed'; recording: string }
  /** the viewer's window was open already and now shows another time range */
  | { kind: 'moved'; recording: string };

/** A file that is made because the user wants to save it. */
export interface Task {
  id: number;
  recording: string;
  /** path of the signal whose samples are saved; null: the trace */
  samples: string | null;
  /** progress, as text; empty: unknown yet */
  done: string;
}

export type Content =
  | { kind: 'empty' }
  | { kind: 'looking'; sources: SourceItem[]; before: Loaded | null }
  /** a target is being recorded (live/) */
  | { kind: 'live'; before: Loaded | null }
  | Loaded;

export interface Loaded {
  kind: 'loaded';
  sources: SourceItem[];
  inputs: Input[];
  recordings: Recording[];
  selected: string;
}

export interface Page {
  content: Content;
  handOver: HandOver;
  tasks: Task[];
  /** a message above the page: rejected files, a new version; null: none */
  notice: { tone: 'error' | 'info'; text: string } | null;
}

export const initialPage: Page = { content: { kind: 'empty' }, handOver: { kind: 'idle' }, tasks: [], notice: null };

export type Action =
  | { type: 'add'; sources: SourceItem[] }
  | { type: 'remove'; source: number }
  | { type: 'live' }
  /** the recording has ended; empty: it has no bytes */
  | { type: 'live-ended'; sources: SourceItem[] }
  /** the sources, looked up in the memory: their options, the files that belong to them, duplicates */
  | { type: 'recalled'; from: SourceItem[]; sources: SourceItem[]; said: string }
  | { type: 'forget'; recording: string }
  | { type: 'encoding'; source: number; encoding: Encoding | null }
  | { type: 'detected'; sources: SourceItem[]; detectedInputs: DetectedInput[] }
  | { type: 'detection-failed'; sources: SourceItem[]; text: string }
  | { type: 'stop-looking' }
  | { type: 'override'; input: string; change: Partial<Override> }
  | { type: 'options'; recording: string; change: Record<string, string | null> }
  | { type: 'select'; recording: string }
  | { type: 'conversion'; cacheKey: string; conversion: Conversion }
  | { type: 'progress'; cacheKey: string; progress: Progress; now: number }
  | { type: 'so-far'; cacheKey: string; report: Report }
  | { type: 'hand-over'; handOver: HandOver }
  /** starts, or updates its progress */
  | { type: 'task'; task: Task }
  | { type: 'task-ended'; id: number }
  | { type: 'notice'; notice: Page['notice'] }
  | { type: 'clear' }
  /** shows what an earlier page, or this one before, has shown */
  | { type: 'restore'; snapshot: Snapshot };

/** Like keyOf of wasm/convert.ts, but with the source's number, which does not change when other sources are removed. */
export const inputKey = (detected: DetectedInput, sources: readonly SourceItem[]): string =>
  keyOf(detected).replace(/^\d+/, (source) => String(sources[Number(source)]?.id ?? source));

export const loaded = (page: Page): Loaded | null =>
  page.content.kind === 'loaded' ? page.content : page.content.kind === 'empty' ? null : page.content.before;

export function sourcesOf({ content }: Page): SourceItem[] {
  if (content.kind === 'empty') return [];
  return content.kind === 'live' ? (content.before?.sources ?? []) : content.sources;
}

/** ELF files and linker maps of the user. */
export const symbolFilesOf = (page: Page): Pick<SourceItem, 'name' | 'blob'>[] =>
  (loaded(page)?.inputs ?? []).flatMap(({ source, detected: { probe, member, gzip, encoding } }) =>
    probe.content === 'symbols' && source.origin !== 'demo' && !member && !gzip && encoding === 'binary'
      ? [{ name: source.name, blob: source.blob }]
      : [],
  );

export const findRecording = (page: Page, id: string): Recording | null =>
  loaded(page)?.recordings.find((recording) => recording.id === id) ?? null;

export const inputsOf = (content: Loaded, recording: Recording): Input[] =>
  recording.inputs.flatMap((key) => content.inputs.filter((input) => input.key === key));

/** The report of a conversion; while it runs, that of what was read so far, if there are events. */
export function reportOf(conversion: Conversion): Report | null {
  if (conversion.kind === 'done') return conversion.output.report;
  const soFar = conversion.kind === 'running' ? conversion.soFar : null;
  return soFar?.events.total ? soFar : null;
}

/** The viewer is a 32-bit program and needs memory for the file and for its tables. */
export const VIEWER_LIMIT = 2_000_000_000;

export const tooLarge = ({ extent }: Pick<Output, 'extent'>, limit = VIEWER_LIMIT): boolean => extent.bytes > limit;

/** A larger recording is read without making its trace, because users look at a small share of it. */
export const LARGE = 64 << 20;

/** The page offers a time range if the viewer would load for longer. */
export const SLOW_SECONDS = 5;

export const isSlow = ({ extent }: Pick<Output, 'extent'>): boolean => loadSeconds(extent) > SLOW_SECONDS;

/** Bytes that the core has to read. Symbol files count almost nothing. */
export const bytesOf = (inputs: readonly Input[]): number =>
  inputs.reduce((sum, { role, detected }) => sum + (role === 'symbols' ? 0 : detected.bytes), 0);

export interface Finished {
  report: Report;
  /** null: the recording was only read */
  store: BlockStore | null;
  /** of a recording that was only read: estimated size of its trace */
  leftOut: LeftOut;
  bytesIn: number;
  seconds: number;
  cut: Failure | null;
}

/** The result of a conversion. */
export function outputOf({ leftOut, ...finished }: Finished): Output {
  const { report, store } = finished;
  if (!store) return { ...finished, whole: traceOf(leftOut), extent: traceOf(leftOut) };
  return { ...finished, whole: null, extent: { packets: Number(report.output.packets), bytes: store.bytes } };
}

/** For a trace that is too large for the viewer: a range from its start with which it fits. Leaves a margin, because trace size is
 * uneven. */
export function fittingPart({ report, extent }: Pick<Output, 'report' | 'extent'>, limit = VIEWER_LIMIT): Range {
  const { start, end } = timeRangeOf(report),
    ns = traceNs(report),
    [startNs, endNs] = [start * ns, end * ns];
  return {
    startNs,
    endNs: startNs + BigInt(Math.floor(Number(endNs - startNs) * Math.min(1, limit / extent.bytes) * 0.8)),
  };
}

export function canOpen(conversion: Conversion): boolean {
  if (conversion.kind === 'done') return !tooLarge(conversion.output) && conversion.output.report.events.total > 0;
  return conversion.kind === 'running' || conversion.kind === 'queued' || conversion.kind === 'trace';
}

/** Options of a trace, regardless of its size. */
export const canOpenPart = (conversion: Conversion): boolean =>
  conversion.kind === 'done' && conversion.output.report.events.total > 0;

/** What to remember of a recording, and its hash; null: no hash. */
export function memoryOf(content: Loaded, recording: Recording): { key: string; memory: Memory } | null {
  const inputs = inputsOf(content, recording);
  const main = inputs.find(({ role }) => role === 'recording')?.source;
  if (!main?.content || main.origin === 'demo') return null;
  const { options } = recording;
  const beside = inputs
    .filter(({ role, source }) => role === 'names' && source !== main && source.origin !== 'demo')
    .map(({ source }) => source);
  return {
    key: main.content,
    memory: { options, sides: [...new Set(beside)].map(({ blob, name }) => new File([blob], name)) },
  };
}

/** Whether the memory has set anything of this recording. */
export const isRecalled = (content: Loaded, recording: Recording): boolean =>
  inputsOf(content, recording).some(
    ({ source, role }) =>
      source.origin === 'memory' ||
      (role === 'recording' && source.origin !== 'demo' && Object.keys(source.options).length > 0),
  );

/** Key of the format's option for the clock rate, for clocks whose period is no whole number of ns. */
export const RATE = 'rate-hz';

/** Recognised, but of no use for any recording here. */
export const isIdle = (content: Loaded, recording: Recording): boolean =>
  inputsOf(content, recording).every(
    ({ role, detected }) =>
      role === 'none' &&
      (detected.plan.format !== null || detected.probe.content === 'symbols' || detected.probe.content === 'times'),
  );

export const coreOf = (input: Input): number | null => input.detected.plan.core;

/** Title of a recording: its first input and the number of the others. */
export function titleOf(content: Loaded, recording: Recording): string {
  const inputs = inputsOf(content, recording);
  const recorded = inputs.filter((input) => input.role === 'recording');
  const first = recorded[0] ?? inputs[0];
  if (!first) return 'recording';
  const more = recorded.length - 1;
  return more > 0 ? `${first.detected.name} + ${more} more` : first.detected.name;
}

const isLooking = (sources: SourceItem[], page: Page): Page => ({
  ...page,
  notice: null,
  content: sources.length ? { kind: 'looking', sources, before: loaded(page) } : { kind: 'empty' },
});

// ---- Recordings that come back

/** The files and choices of the user, without results. Its files are recognised again, because another version of the page may read it. */
export interface Snapshot {
  sources: SourceItem[];
  before: Loaded | null;
}

export function snapshotOf(page: Page): Snapshot | null {
  const [sources, before] = [sourcesOf(page), loaded(page)];
  return sources.length ? { sources, before: before && withoutResults(before) } : null;
}

const withoutResults = (content: Loaded): Loaded => ({
  ...content,
  recordings: content.recordings.map((recording) =>
    makeRecording(recording.id, inputsOf(content, recording), recording.options, null),
  ),
});

/** A snapshot as data: the bytes of its files are stored separately, in the same order. */
export interface StoredSnapshot {
  sources: Omit<SourceItem, 'blob'>[];
  inputs: (Omit<Input, 'source'> & { source: number })[];
  recordings: Pick<Recording, 'id' | 'inputs' | 'options'>[];
  selected: string;
}

export const toStored = ({ sources, inputs, recordings, selected }: Loaded): StoredSnapshot => ({
  sources: sources.map(({ blob: _, ...source }) => source),
  inputs: inputs.map((input) => ({ ...input, source: sources.indexOf(input.source) })),
  recordings: recordings.map(({ id, inputs, options }) => ({ id, inputs, options })),
  selected,
});

export function fromStored(stored: StoredSnapshot, blobs: readonly Blob[]): Snapshot {
  const sources = stored.sources.map((source, index) => ({ ...source, blob: blobs[index]! }));
  const inputs = stored.inputs.map((input) => ({ ...input, source: sources[input.source]! }));
  const recordings = stored.recordings.map(({ id, inputs: keys, options }): Recording =>
    makeRecording(
      id,
      keys.flatMap((key) => inputs.filter((input) => input.key === key)),
      options,
      null,
    ),
  );
  return { sources, before: { kind: 'loaded', sources, inputs, recordings, selected: stored.selected } };
}

// ---- The reducer

/** The same sources with other overrides. */
const planAgain = (page: Page): Page => {
  const { content } = page;
  return content.kind === 'empty' || content.kind === 'live'
    ? page
    : { ...page, content: { kind: 'looking', sources: [...content.sources], before: loaded(page) } };
};

/** Whether there is a source that was not recognised yet. */
export const isNew = ({ sources, before }: Extract<Content, { kind: 'looking' }>): boolean =>
  sources.some((source) => !before?.sources.includes(source));

/** The overrides for these sources, set by the user or by the memory. */
export function overridesOf({ sources, before }: Extract<Content, { kind: 'looking' }>): Record<string, PlanOverride> {
  const overrides: Record<string, PlanOverride> = {};
  // keys by the index among these sources, since the planner does not know the page's numbers
  const placed = (key: string): string =>
    key.replace(/^\d+/, (id) => String(sources.findIndex((source) => String(source.id) === id)));
  for (const [index, { origin, helps }] of sources.entries()) {
    const helped = helps === undefined ? -1 : sources.findIndex(({ content }) => content === helps);
    if (origin === 'memory') overrides[index] = { role: 'names', with: helped < 0 ? null : String(helped) };
  }
  for (const { key, override } of before?.inputs ?? []) {
    const format =
      before?.recordings.find(({ inputs, options }) => inputs.includes(key) && options['format'])?.options['format'] ??
      null;
    const partner = override.with === 'own' ? key : override.with;
    overrides[placed(key)] = {
      role: override.role,
      core: override.core,
      with: partner === null ? null : placed(partner),
      format,
    };
  }
  return overrides;
}

export function reduce(page: Page, action: Action): Page {
  switch (action.type) {
    case 'live':
      return { ...page, notice: null, content: { kind: 'live', before: loaded(page) } };
    case 'live-ended': {
      if (page.content.kind !== 'live') return page;
      const before = { ...page, content: page.content.before ?? ({ kind: 'empty' } as const) };
      return action.sources.length ? reduce(before, { type: 'add', sources: action.sources }) : before;
    }
    case 'add':
      if (page.content.kind === 'live')
        return { ...page, notice: { tone: 'info', text: 'Stop the live recording before you add files.' } };
      return isLooking([...sourcesOf(page), ...action.sources], page);
    case 'remove':
      return isLooking(
        sourcesOf(page).filter((source) => source.id !== action.source),
        page,
      );
    case 'recalled':
    case 'detected':
    case 'detection-failed':
      return answered(page, action);
    case 'forget':
      return forgotten(page, action.recording);
    case 'encoding':
      return isLooking(
        sourcesOf(page).map((source) =>
          source.id === action.source ? { ...source, encoding: action.encoding } : source,
        ),
        page,
      );
    case 'stop-looking':
      return page.content.kind === 'looking' ? { ...page, content: page.content.before ?? { kind: 'empty' } } : page;
    case 'override':
      return planAgain(
        onLoaded(page, (content) => ({
          ...content,
          inputs: content.inputs.map((input) =>
            input.key === action.input ? { ...input, override: { ...input.override, ...action.change } } : input,
          ),
        })),
      );
    case 'options':
      return withChange(page, action);
    case 'select':
      return onLoaded(page, (content) =>
        content.recordings.some(({ id }) => id === action.recording)
          ? { ...content, selected: action.recording }
          : content,
      );
    case 'conversion':
      return onCacheKey(page, action.cacheKey, () => action.conversion);
    case 'progress':
      return onCacheKey(page, action.cacheKey, (conversion) =>
        conversion.kind === 'running' ? { ...conversion, progress: action.progress, now: action.now } : conversion,
      );
    case 'so-far':
      return onCacheKey(page, action.cacheKey, (conversion) =>
        conversion.kind === 'running' ? { ...conversion, soFar: action.report } : conversion,
      );
    case 'hand-over':
      return { ...page, handOver: action.handOver };
    case 'task':
      return { ...page, tasks: [...page.tasks.filter(({ id }) => id !== action.task.id), action.task] };
    case 'task-ended':
      return { ...page, tasks: page.tasks.filter(({ id }) => id !== action.id) };
    case 'notice':
      return { ...page, notice: action.notice };
    case 'clear':
      return initialPage;
    case 'restore':
      return { ...initialPage, content: { kind: 'looking', ...action.snapshot } };
  }
}

/** Applies the plan for the sources. */
function answered(page: Page, action: Extract<Action, { type: 'recalled' | 'detected' | 'detection-failed' }>): Page {
  const { content } = page;
  // The answer to an older question: files were added since, and a new answer is on its way.
  if (content.kind !== 'looking' || content.sources !== (action.type === 'recalled' ? action.from : action.sources))
    return page;
  switch (action.type) {
    case 'recalled':
      return {
        ...isLooking(action.sources, page),
        notice: action.said ? { tone: 'info', text: action.said } : page.notice,
      };
    case 'detected':
      return withInputs(page, action.sources, content.before, sight(action, content.before));
    case 'detection-failed':
      return { ...page, content: content.before ?? { kind: 'empty' }, notice: { tone: 'error', text: action.text } };
  }
}

function withChange(page: Page, { recording: id, change }: Extract<Action, { type: 'options' }>): Page {
  const changed = onLoaded(page, (content) => ({
    ...content,
    recordings: content.recordings.map((recording) =>
      recording.id === id ? withOptions(content, recording, change) : recording,
    ),
  }));
  return 'format' in change ? planAgain(changed) : changed;
}

/** The recording without options from the memory. */
function forgotten(page: Page, id: string): Page {
  const content = loaded(page);
  const recording = content?.recordings.find((one) => one.id === id);
  if (!content || !recording) return page;
  const own = inputsOf(content, recording).map(({ source }) => source.id);
  const sources = sourcesOf(page)
    .filter((source) => !(source.origin === 'memory' && own.includes(source.id)))
    .map((source) => (own.includes(source.id) && source.origin !== 'demo' ? { ...source, options: {} } : source));
  const recordings = content.recordings.map((one) => (one.id === id ? { ...one, options: {} } : one));
  return isLooking(sources, { ...page, content: { ...content, recordings } });
}

function onLoaded(page: Page, change: (content: Loaded) => Loaded): Page {
  const { content } = page;
  if (content.kind === 'loaded') return { ...page, content: change(content) };
  if ((content.kind === 'looking' || content.kind === 'live') && content.before)
    return { ...page, content: { ...content, before: change(content.before) } };
  return page;
}

function onCacheKey(page: Page, cacheKey: string, change: (conversion: Conversion) => Conversion): Page {
  return onLoaded(page, (content) => ({
    ...content,
    recordings: content.recordings.map((recording) =>
      recording.cacheKey === cacheKey ? { ...recording, conversion: change(recording.conversion) } : recording,
    ),
  }));
}

/** A file of an archive that is no recording. A file that could not be read may be a recording. */
const isByTheWay = ({ source, member, probe }: DetectedInput, useful: ReadonlySet<number>): boolean =>
  !!member && !member.reason && !probe.format && useful.has(source);

function sight(action: { sources: SourceItem[]; detectedInputs: DetectedInput[] }, before: Loaded | null): Input[] {
  const useful = new Set(action.detectedInputs.filter(({ probe }) => probe.format).map(({ source }) => source));
  return action.detectedInputs.flatMap((detected) => {
    const source = action.sources[detected.source];
    if (!source || isByTheWay(detected, useful)) return [];
    const key = inputKey(detected, action.sources);
    const known = before?.inputs.find((input) => input.key === key);
    const override = known?.override ?? {
      ...noOverride,
      role: source.origin === 'memory' ? 'names' : null,
      with: helped(action, source),
    };
    const partners = detected.plan.partners.map((place) => inputKey(action.detectedInputs[place]!, action.sources));
    return [{ key, source, detected, role: detected.plan.role, partners, override }];
  });
}

/** Key of the input that a remembered file belongs to. */
function helped(
  { sources, detectedInputs }: { sources: SourceItem[]; detectedInputs: DetectedInput[] },
  { helps }: SourceItem,
): string | null {
  const detected =
    helps === undefined ? undefined : detectedInputs.find(({ source }) => sources[source]?.content === helps);
  return detected ? inputKey(detected, sources) : null;
}

function withInputs(page: Page, sources: SourceItem[], before: Loaded | null, inputs: Input[]): Page {
  if (!inputs.length) return { ...page, content: { kind: 'empty' } };
  return { ...page, content: arrange(sources, inputs, before) };
}

/** The inputs of each recording in their order. An input that belongs to no recording is shown separately. */
export function groupInputs(inputs: readonly Input[]): Input[][] {
  const ordered = [...inputs].sort((a, b) => a.detected.plan.order - b.detected.plan.order);
  const groups = [...new Set(inputs.flatMap(({ detected }) => detected.plan.group ?? []))];
  const recordings = groups.map((group) =>
    ordered.filter(({ detected: { plan } }) => plan.group === group || plan.serves.includes(group)),
  );
  return [...recordings, ...inputs.filter(({ role }) => role === 'none').map((input) => [input])];
}

function arrange(sources: SourceItem[], inputs: Input[], before: Loaded | null): Loaded {
  const recordings = groupInputs(inputs).map((members) => {
    const id = (members.find((input) => input.role === 'recording') ?? members[0])?.key ?? '';
    const old = before?.recordings.find((recording) => recording.id === id);
    return makeRecording(id, members, old?.options ?? optionsOf(members), before);
  });
  const [good, bad] = [recordings.filter(isGood), recordings.filter((recording) => !isGood(recording))];
  const isFresh = (recording: Recording): boolean =>
    !before?.recordings.some((old) => old.cacheKey === recording.cacheKey);
  const kept = recordings.find((recording) => recording.id === before?.selected);
  const hasNew = sources.some(({ id }) => !before?.sources.some((old) => old.id === id)); // otherwise the user's overrides are used for planning
  const selected =
    ((hasNew ? undefined : kept) ?? good.find(isFresh) ?? bad.find(isFresh) ?? kept ?? recordings[0])?.id ?? '';
  return { kind: 'loaded', sources, inputs, recordings: [...good, ...bad], selected };
}

const isGood = ({ conversion }: Recording): boolean => conversion.kind !== 'unknown';

/** What the memory contains for these inputs. */
const optionsOf = (members: readonly Input[]): Recording['options'] =>
  Object.assign(
    {},
    ...members.filter(({ role }) => role === 'recording').map(({ source }) => source.options),
  ) as Recording['options'];

const canConvert = (members: readonly Input[]): boolean => members.some(({ role }) => role === 'recording');

const isTrace = ([only, ...more]: readonly Input[]): boolean =>
  !more.length &&
  only?.detected.probe.content === 'trace' &&
  only.detected.encoding === 'binary' &&
  !only.detected.member;

const keyFor = (members: readonly Input[], options: Recording['options']): string =>
  JSON.stringify([
    members.map((input) => [input.key, input.source.encoding, input.role, coreOf(input)]),
    Object.entries(options).sort(),
  ]);

function makeRecording(id: string, members: Input[], options: Recording['options'], before: Loaded | null): Recording {
  const cacheKey = keyFor(members, options);
  const same = before?.recordings.find((old) => old.cacheKey === cacheKey);
  return {
    id,
    inputs: members.map((input) => input.key),
    options,
    cacheKey,
    conversion: same?.conversion ?? { kind: canConvert(members) ? 'queued' : isTrace(members) ? 'trace' : 'unknown' },
  };
}

function withOptions(content: Loaded, recording: Recording, change: Record<string, string | null>): Recording {
  const all = Object.entries({ ...recording.options, ...change });
  const options = Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ''),
  );
  return makeRecording(recording.id, inputsOf(content, recording), options, content);
}
