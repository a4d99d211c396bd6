// SPDX-License-Identifier: MIT
// What the page knows, as tagged unions, and the pure function that changes it.
// A recording is one trace: one or several inputs that belong together. Its conversion is in exactly one of the
// states below, so that a bar without a worker, or a result beside an error, cannot be written down.
import type { FormatInfo, OptionInfo, Progress, Report, Sighting } from '../../wasm/types.js';
import type { Memory } from './io/memory.js';
import type { Spool } from './io/spool.js';

export type Encoding = Sighting['encoding'];
export type Role = 'recording' | 'side';

/** Something that was dropped, chosen, pasted or started as a demo. */
export interface SourceItem {
  id: number;
  name: string;
  blob: Blob;
  origin: 'file' | 'paste' | 'demo' | 'memory';
  /** chosen by the person; null: recognised */
  encoding: Encoding | null;
  /** what its bytes are known by; undefined: not asked yet, null: cannot be told */
  content?: string | null;
  /** from the memory: the content of the recording that it helped to read; undefined: of several */
  helps?: string | undefined;
  /** what the recording in it is converted with until a person changes it: of a demo, or as the last time */
  options: Readonly<Record<string, string>>;
}

/** What a person changed on a card; null: as recognised. */
export interface Override {
  role: Role | null;
  core: number | null;
  /** null: as found; 'own': a recording of its own; otherwise the key of an input it goes with */
  with: string | null;
}

export const noOverride: Override = { role: null, core: null, with: null };

/** One input as shown on a card. */
export interface Input {
  key: string;
  source: SourceItem;
  sighting: Sighting;
  /** as decided: by a person, or by what is in it */
  role: Role;
  override: Override;
}

export interface Failure {
  /** one sentence for people */
  text: string;
  /** where in the input, if that is known */
  place: string;
  advice: string;
}

export interface Output {
  report: Report;
  reportText: string;
  spool: Spool;
  seconds: number;
  /** an input ended early because the browser could not read on */
  cut: Failure | null;
}

export type Conversion =
  | { kind: 'queued' }
  | { kind: 'running'; progress: Progress; startedAt: number; now: number }
  | { kind: 'done'; output: Output }
  | { kind: 'cancelled' }
  | { kind: 'failed'; failure: Failure; salvaged: Spool | null }
  /** nothing in it could be recognised, so there is nothing to convert yet */
  | { kind: 'unknown' }
  /** a trace already, which the viewer takes as it is */
  | { kind: 'trace' };

export interface Recording {
  id: string;
  /** keys of its inputs, in order */
  inputs: string[];
  /** option key -> value, only what a person set */
  options: Readonly<Record<string, string>>;
  /** changes exactly when the conversion has to run again */
  recipe: string;
  conversion: Conversion;
}

export type HandOver =
  | { kind: 'idle' }
  /** the viewer's window is open; ready: the trace is there and only the viewer's answer is missing */
  | { kind: 'waiting'; recording: string; ready: boolean }
  | { kind: 'blocked'; recording: string }
  | { kind: 'silent'; recording: string }
  | { kind: 'closed'; recording: string }
  | { kind: 'failed'; recording: string; text: string }
  | { kind: 'handed'; recording: string }
  /** the viewer's window was there already and shows another part */
  | { kind: 'moved'; recording: string };

export type Content =
  | { kind: 'empty' }
  | { kind: 'looking'; sources: SourceItem[]; before: Loaded | null }
  | Loaded;

export interface Loaded {
  kind: 'loaded';
  sources: SourceItem[];
  inputs: Input[];
  recordings: Recording[];
  selected: string;
}

export interface Catalogue {
  formats: FormatInfo[];
  common: OptionInfo[];
}

export interface Page {
  content: Content;
  handOver: HandOver;
  catalogue: Catalogue | null;
  /** a sentence above everything: what could not be taken in, a new version; null: none */
  notice: { tone: 'error' | 'info'; text: string } | null;
}

export const initialPage: Page = { content: { kind: 'empty' }, handOver: { kind: 'idle' }, catalogue: null, notice: null };

export type Action =
  | { type: 'catalogue'; catalogue: Catalogue }
  | { type: 'add'; sources: SourceItem[] }
  | { type: 'remove'; source: number }
  /** the same sources, looked up in the memory: what is known of them, what comes with them, what is there twice */
  | { type: 'recalled'; from: SourceItem[]; sources: SourceItem[]; said: string }
  | { type: 'forget'; recording: string }
  | { type: 'encoding'; source: number; encoding: Encoding | null }
  | { type: 'sighted'; sources: SourceItem[]; sightings: Sighting[] }
  | { type: 'sighting-failed'; sources: SourceItem[]; text: string }
  | { type: 'stop-looking' }
  | { type: 'override'; input: string; change: Partial<Override> }
  | { type: 'options'; recording: string; change: Record<string, string | null> }
  | { type: 'select'; recording: string }
  | { type: 'conversion'; recipe: string; conversion: Conversion }
  | { type: 'progress'; recipe: string; progress: Progress; now: number }
  | { type: 'hand-over'; handOver: HandOver }
  | { type: 'notice'; notice: Page['notice'] }
  | { type: 'clear' };

export const inputKey = ({ source, member, block }: Sighting, sources: readonly SourceItem[]): string =>
  [sources[source]?.id ?? source, ...(member ? [member.number] : []), block].join(':');

export const loaded = (page: Page): Loaded | null =>
  page.content.kind === 'loaded' ? page.content : page.content.kind === 'looking' ? page.content.before : null;

export const sourcesOf = (page: Page): SourceItem[] => (page.content.kind === 'empty' ? [] : page.content.sources);

export const findRecording = (page: Page, id: string): Recording | null =>
  loaded(page)?.recordings.find((recording) => recording.id === id) ?? null;

export const inputsOf = (content: Loaded, recording: Recording): Input[] =>
  recording.inputs.flatMap((key) => content.inputs.filter((input) => input.key === key));

/** The viewer is a 32-bit program and keeps the file beside its tables. */
export const VIEWER_LIMIT = 2_000_000_000;

export const tooLarge = ({ spool }: Pick<Output, 'spool'>, limit = VIEWER_LIMIT): boolean => spool.bytes > limit;

/** Where (ns) a trace that is too large for the viewer would have to end, with some room for uneven parts. */
export function fittingEnd({ report: { time }, spool }: Pick<Output, 'report' | 'spool'>, options: Recording['options'], limit = VIEWER_LIMIT): string {
  const from = Number(options['from-ns'] || time.start);
  const to = Number(options['to-ns'] || time.end);
  return String(Math.floor(from + (to - from) * (limit / spool.bytes) * 0.8));
}

export function canOpen(conversion: Conversion): boolean {
  if (conversion.kind === 'done') return !tooLarge(conversion.output) && conversion.output.report.events.total > 0;
  return conversion.kind === 'running' || conversion.kind === 'queued' || conversion.kind === 'trace';
}

/** Options that belong to one look at a recording, and are not remembered. */
const passing = ['from-ns', 'to-ns'];

/** What to remember of a recording, and under which content; null: nothing to go by. */
export function memoryOf(content: Loaded, recording: Recording): { key: string; memory: Memory } | null {
  const inputs = inputsOf(content, recording);
  const main = inputs.find(({ role }) => role === 'recording')?.source;
  if (!main?.content || main.origin === 'demo') return null;
  const options = Object.fromEntries(Object.entries(recording.options).filter(([key]) => !passing.includes(key)));
  const beside = inputs.filter(({ role, source }) => role === 'side' && source !== main && source.origin !== 'demo').map(({ source }) => source);
  return { key: main.content, memory: { options, sides: [...new Set(beside)].map(({ blob, name }) => new File([blob], name)) } };
}

/** Whether anything of this recording is as it was the last time, without a word from the person. */
export const isRecalled = (content: Loaded, recording: Recording): boolean =>
  inputsOf(content, recording).some(({ source, role }) => source.origin === 'memory' || (role === 'recording' && source.origin !== 'demo' && Object.keys(source.options).length > 0));

/** Key of the option with which a format takes the rate of its clock, where a whole number of ns is not exact enough. */
export const RATE = 'rate-hz';

export const coreOf = (input: Input): number | null => input.override.core ?? input.sighting.core;

/** What one recording is called: its first input, and how many more. */
export function titleOf(content: Loaded, recording: Recording): string {
  const inputs = inputsOf(content, recording);
  const recorded = inputs.filter((input) => input.role === 'recording');
  const first = recorded[0] ?? inputs[0];
  if (!first) return 'recording';
  const more = recorded.length - 1;
  return more > 0 ? `${first.sighting.name} + ${more} more` : first.sighting.name;
}

const isLooking = (sources: SourceItem[], page: Page): Page => ({
  ...page,
  notice: null,
  content: sources.length ? { kind: 'looking', sources, before: loaded(page) } : { kind: 'empty' },
});

export function reduce(page: Page, action: Action): Page {
  switch (action.type) {
    case 'catalogue':
      return { ...page, catalogue: action.catalogue };
    case 'add':
      return isLooking([...sourcesOf(page), ...action.sources], page);
    case 'remove':
      return isLooking(sourcesOf(page).filter((source) => source.id !== action.source), page);
    case 'recalled':
      if (page.content.kind !== 'looking' || page.content.sources !== action.from) return page;
      return { ...isLooking(action.sources, page), notice: action.said ? { tone: 'info', text: action.said } : page.notice };
    case 'forget':
      return forgotten(page, action.recording);
    case 'encoding':
      return isLooking(
        sourcesOf(page).map((source) => (source.id === action.source ? { ...source, encoding: action.encoding } : source)),
        page,
      );
    case 'sighted':
      // An answer to an older question: more was dropped meanwhile, and a new answer is on its way.
      if (page.content.kind !== 'looking' || page.content.sources !== action.sources) return page;
      return withInputs(page, action.sources, page.content.before, sight(action, page.content.before));
    case 'sighting-failed':
      if (page.content.kind !== 'looking' || page.content.sources !== action.sources) return page;
      return {
        ...page,
        content: page.content.before ?? { kind: 'empty' },
        notice: { tone: 'error', text: action.text },
      };
    case 'stop-looking':
      return page.content.kind === 'looking' ? { ...page, content: page.content.before ?? { kind: 'empty' } } : page;
    case 'override':
      return onLoaded(page, (content) => {
        const inputs = content.inputs.map((input) =>
          input.key === action.input ? { ...input, override: { ...input.override, ...action.change } } : input,
        );
        return arrange(content.sources, inputs, content);
      });
    case 'options':
      return onLoaded(page, (content) => ({
        ...content,
        recordings: content.recordings.map((recording) =>
          recording.id === action.recording ? withOptions(content, recording, action.change) : recording,
        ),
      }));
    case 'select':
      return onLoaded(page, (content) =>
        content.recordings.some(({ id }) => id === action.recording) ? { ...content, selected: action.recording } : content,
      );
    case 'conversion':
      return onRecipe(page, action.recipe, () => action.conversion);
    case 'progress':
      return onRecipe(page, action.recipe, (conversion) =>
        conversion.kind === 'running' ? { ...conversion, progress: action.progress, now: action.now } : conversion,
      );
    case 'hand-over':
      return { ...page, handOver: action.handOver };
    case 'notice':
      return { ...page, notice: action.notice };
    case 'clear':
      return { ...initialPage, catalogue: page.catalogue };
  }
}

/** The recording as it would have been without a memory. */
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
  if (content.kind === 'looking' && content.before) return { ...page, content: { ...content, before: change(content.before) } };
  return page;
}

function onRecipe(page: Page, recipe: string, change: (conversion: Conversion) => Conversion): Page {
  return onLoaded(page, (content) => ({
    ...content,
    recordings: content.recordings.map((recording) =>
      recording.recipe === recipe ? { ...recording, conversion: change(recording.conversion) } : recording,
    ),
  }));
}

/** What lies in an archive beside a recording, and is none. What cannot be read may be one. */
const isByTheWay = ({ source, member, probe }: Sighting, useful: ReadonlySet<number>): boolean =>
  !!member && !member.reason && !probe.format && useful.has(source);

function sight(action: { sources: SourceItem[]; sightings: Sighting[] }, before: Loaded | null): Input[] {
  const useful = new Set(action.sightings.filter(({ probe }) => probe.format).map(({ source }) => source));
  return action.sightings.flatMap((sighting) => {
    const source = action.sources[sighting.source];
    if (!source || isByTheWay(sighting, useful)) return [];
    const key = inputKey(sighting, action.sources);
    const known = before?.inputs.find((input) => input.key === key);
    const override = known?.override ?? { ...noOverride, role: source.origin === 'memory' ? 'side' : null, with: helped(action, source) };
    return [{ key, source, sighting, role: 'recording', override }];
  });
}

/** Key of the input that a remembered file belongs to. */
function helped({ sources, sightings }: { sources: SourceItem[]; sightings: Sighting[] }, { helps }: SourceItem): string | null {
  const sighting = helps === undefined ? undefined : sightings.find(({ source }) => sources[source]?.content === helps);
  return sighting ? inputKey(sighting, sources) : null;
}

function withInputs(page: Page, sources: SourceItem[], before: Loaded | null, inputs: Input[]): Page {
  if (!inputs.length) return { ...page, content: { kind: 'empty' } };
  return { ...page, content: arrange(sources, inputs, before) };
}

const hasNamesOnly = ({ sighting: { probe } }: Input): boolean => probe.format !== null && !probe.hasEvents;

/** What holds names and no events helps to read the others, if there are others. */
function withRoles(inputs: readonly Input[]): Input[] {
  const others = inputs.some((input) => input.sighting.probe.hasEvents);
  return inputs.map((input) => ({ ...input, role: input.override.role ?? (others && hasNamesOnly(input) ? 'side' : 'recording') }));
}

/**
 * Puts inputs into recordings: as the core grouped them, changed by what a person said. An input that only gives
 * names belongs to every recording, unless a person named one.
 */
export function groupInputs(inputs: readonly Input[]): Input[][] {
  const everywhere = inputs.filter((input) => input.role === 'side' && input.override.with === null);
  const groups = groupHomes(inputs.filter((input) => !everywhere.includes(input)));
  return groups.length ? groups.map((members) => [...everywhere, ...members]) : [everywhere];
}

function groupHomes(inputs: readonly Input[]): Input[][] {
  const home = new Map<string, string>();
  for (const input of inputs) {
    const { with: partner } = input.override;
    const found = `group ${input.sighting.group}`;
    home.set(input.key, partner === null ? found : partner === 'own' ? `own ${input.key}` : `with ${partner}`);
  }
  // "with X" means: where X lives now; a loop of such wishes ends at the input itself.
  const resolve = (key: string, hops: number): string => {
    const place = home.get(key) ?? `own ${key}`;
    return place.startsWith('with ') && hops > 0 ? resolve(place.slice(5), hops - 1) : place;
  };
  const groups = new Map<string, Input[]>();
  for (const input of inputs) {
    const place = resolve(input.key, inputs.length);
    groups.set(place, [...(groups.get(place) ?? []), input]);
  }
  return [...groups.values()];
}

function arrange(sources: SourceItem[], found: readonly Input[], before: Loaded | null): Loaded {
  const inputs = withRoles(found);
  const recordings = groupInputs(inputs).map((members) => {
    const id = (members.find((input) => input.role === 'recording') ?? members[0])?.key ?? '';
    const old = before?.recordings.find((recording) => recording.id === id);
    return makeRecording(id, members, old?.options ?? optionsOf(members), before);
  });
  const [good, bad] = [recordings.filter(isGood), recordings.filter((recording) => !isGood(recording))];
  const isFresh = (recording: Recording): boolean => !before?.recordings.some((old) => old.recipe === recording.recipe);
  const kept = recordings.find((recording) => recording.id === before?.selected);
  const hasNew = sources.some(({ id }) => !before?.sources.some((old) => old.id === id)); // else it is what a person changed that is looked at
  const selected = ((hasNew ? undefined : kept) ?? good.find(isFresh) ?? bad.find(isFresh) ?? kept ?? recordings[0])?.id ?? '';
  return { kind: 'loaded', sources, inputs, recordings: [...good, ...bad], selected };
}

const isGood = ({ conversion }: Recording): boolean => conversion.kind !== 'unknown';

/** What is known of these inputs without asking. */
const optionsOf = (members: readonly Input[]): Recording['options'] =>
  Object.assign({}, ...members.filter(({ role }) => role === 'recording').map(({ source }) => source.options)) as Recording['options'];

const canConvert = (members: readonly Input[], options: Readonly<Record<string, string>>): boolean =>
  members.some((input) => input.role === 'recording' && (input.sighting.probe.format !== null || !!options['format']));

const isTrace = ([only, ...more]: readonly Input[]): boolean => !more.length && only?.sighting.probe.content === 'trace' && only.sighting.encoding === 'binary' && !only.sighting.member;

function makeRecording(id: string, members: Input[], options: Recording['options'], before: Loaded | null): Recording {
  const recipe = JSON.stringify([
    members.map((input) => [input.key, input.source.encoding, input.role, coreOf(input)]),
    Object.entries(options).sort(),
  ]);
  const same = before?.recordings.find((recording) => recording.recipe === recipe);
  const conversion: Conversion = same?.conversion ?? { kind: canConvert(members, options) ? 'queued' : isTrace(members) ? 'trace' : 'unknown' };
  return { id, inputs: members.map((input) => input.key), options, recipe, conversion };
}

function withOptions(content: Loaded, recording: Recording, change: Record<string, string | null>): Recording {
  const all = Object.entries({ ...recording.options, ...change });
  const options = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ''));
  return makeRecording(recording.id, inputsOf(content, recording), options, content);
}
