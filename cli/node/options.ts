// SPDX-License-Identifier: MIT
// Parsing and help from the table of the native program (options.json, written by `tonkopf options-json`).
import type { FormatInfo, OptionInfo } from '../../wasm/types.js';
import table from './options.json' with { type: 'json' };

export interface Option {
  name: string;
  letter: string | null;
  value: string | null;
  choices: string | null;
  kind: string;
  help: string;
  min?: string;
  max?: string;
  split?: boolean;
  /** the only names that a list takes */
  words?: string[];
}

export interface Command {
  name: string;
  operands: string;
  summary: string;
  details: string;
  options: Option[];
  examples: { line: string; text: string }[];
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** What the command line said: by option name; flags are true, lists are arrays. */
export interface Settings {
  inputs: string[];
  with: string[];
  set: string[];
  failOn: string[];
  expect: string[];
  /** --from and --to choose what the report covers; else what the output holds */
  rangeOfFigures?: boolean;
  /** of a dump: by event, task and core */
  only: [key: string, value: string][];
  text: Map<string, string>;
  flags: Set<string>;
  from: bigint | null;
  to: bigint | null;
}

/** These need a server of their own, a shell, or reading without an end. */
const NATIVE_ONLY = new Set(['serve', 'open', 'viewer', 'port', 'hand-over']);
const COMMANDS = new Set(['conv', 'dump', 'info', 'compare', 'help']);

export const commands: Command[] = (table as Command[])
  .filter(({ name }) => COMMANDS.has(name))
  .map((command) => ({ ...command, options: command.options.filter(({ name }) => !NATIVE_ONLY.has(name)) }));

/** Filters of dump, in the order in which the native program checks them. */
const ONLY = new Set(['event', 'task', 'core']);

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

function checked(option: Option, value: string): string {
  if (option.choices && !option.choices.split('|').includes(value))
    throw new UsageError(`--${option.name} takes one of ${option.choices}, not "${value}"`);
  if (option.kind !== 'number') return value;
  const number = /^(0x[0-9a-f]+|\d+)$/i.test(value) ? BigInt(value) : null;
  const [min, max] = [BigInt(option.min ?? 0), BigInt(option.max ?? 0)];
  if (number !== null && number >= min && number <= max) return String(number);
  throw new UsageError(`--${option.name} takes a number from ${min} to ${max}, not "${value}"`);
}

function pieces(option: Option, value: string): string[] {
  const words = value.split(',').map((word) => word.replace(/^[ \t]+|[ \t]+$/g, ''));
  if (words.includes('')) throw new UsageError(`--${option.name}: there is an empty name in the list`);
  return words;
}

function store(settings: Settings, option: Option, value: string): void {
  const lists: Record<string, string[]> = {
    input: settings.inputs,
    with: settings.with,
    set: settings.set,
    'fail-on': settings.failOn,
    expect: settings.expect,
  };
  const list = lists[option.name];
  if (ONLY.has(option.name))
    settings.only.push(...pieces(option, value).map((piece): [string, string] => [option.name, piece]));
  else if (!option.value) settings.flags.add(option.name);
  else if (list) list.push(...(option.split ? pieces(option, value) : [value]));
  else settings.text.set(option.name, checked(option, value));
}

export function parse(command: Command, args: string[]): Settings {
  const settings: Settings = {
    inputs: [],
    with: [],
    set: [],
    failOn: [],
    expect: [],
    only: [],
    text: new Map(),
    flags: new Set(),
    from: null,
    to: null,
  };
  const rest = [...args];
  const unknown = (text: string): never => {
    throw new UsageError(`unknown option ${text}; \`tonkopf ${command.name} --help\` lists them`);
  };
  const take = (option: Option, attached: string | null): void => {
    const value = option.value ? (attached ?? rest.shift()) : '';
    if (value === undefined || (value === '' && option.value && !option.split))
      throw new UsageError(`--${option.name} needs a value: --${option.name} ${option.value}`);
    if (!option.value && attached !== null) throw new UsageError(`--${option.name} takes no value`);
    store(settings, option, value);
  };
  const named = (input: string): string => {
    if (!input) throw new UsageError('an input has no name; - stands for standard input');
    return input;
  };
  const takeLetters = (argument: string): void => {
    for (let at = 1; at < argument.length; at++) {
      const option = command.options.find(({ letter }) => letter === argument[at]) ?? unknown(argument);
      const attached = argument.slice(at + 1).replace(/^=/, '');
      take(option, option.value && attached ? attached : null);
      if (option.value) return;
    }
  };
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') settings.inputs.push(...rest.splice(0).map(named));
    else if (argument === '-' || !argument.startsWith('-') || argument.startsWith('-@'))
      settings.inputs.push(named(argument));
    else if (argument.startsWith('--')) {
      const [, name, attached] = /^--([^=]*)(?:=(.*))?$/s.exec(argument)!;
      take(command.options.find((option) => option.name === name) ?? unknown(argument), attached ?? null);
    } else takeLetters(argument);
  }
  if (!settings.flags.has('help')) check(command, settings);
  return settings;
}

// ---- What the options say together -----------------------------------------------------------------------------------

const UNITS: Record<string, bigint> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1000n, ns: 1n };
const MOST_NS = (1n << 63n) - 1n;

/** "1.5s", "200ms", "30us", or a whole number of nanoseconds, exactly. */
function parseTime(option: string, text: string | undefined): bigint | null {
  if (text === undefined) return null;
  const match = /^(\d+)(?:(?:\.(\d+))?(s|ms|us|ns))?$/.exec(text);
  const scale = UNITS[match?.[3] ?? 'ns']!;
  if (match && BigInt(match[1]!) > MOST_NS / scale - 1n)
    throw new UsageError(`--${option} ${text} is beyond what a trace can hold`);
  if (!match)
    throw new UsageError(`--${option} takes a time such as 1.5s, 20ms, 300us or 5000 (nanoseconds), not "${text}"`);
  const digits = match[2] ?? '';
  return BigInt(match[1]!) * scale + (BigInt(digits || '0') * scale) / 10n ** BigInt(digits.length);
}

function checkSet({ set, text, flags }: Settings): void {
  for (const setting of set)
    if (!/^[^=]+=./s.test(setting)) throw new UsageError(`--set takes KEY=VALUE, not "${setting}"`);
  const keys = set.map((setting) => setting.slice(0, Math.max(0, setting.indexOf('='))));
  for (const [index, key] of keys.entries()) {
    const earlier = key ? keys.indexOf(key) : index;
    if (earlier < index) throw new UsageError(`--set ${set[earlier]} and --set ${set[index]} contradict each other`);
  }
  const options: [key: string, option: string][] = [
    ['mode', 'mode'],
    ['format', 'type'],
    ['tick-ns', 'tick-ns'],
    ['from-ns', 'from'],
    ['to-ns', 'to'],
    ['raw-events', 'raw-events'],
    ['wall-clock-ns', 'wall-clock-ns'],
    ['rate-hz', 'tick-ns'],
  ];
  for (const [key, option] of options) {
    const given = text.has(option) || flags.has(option) || (key === 'rate-hz' && keys.includes('tick-ns'));
    if (given && keys.includes(key)) throw new UsageError(`--set ${key}= and --${option} contradict each other`);
  }
}

/** Number of characters to insert, remove or change; the case of letters does not count. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a.toUpperCase()].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b.toUpperCase()].entries())
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row[b.length]!;
}

/** As the native program says it: the three nearest names, or what there is. */
function suggestion(words: string[], word: string): string {
  const near = words
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ far }) => far <= Math.floor(word.length / 3) + 1)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
  return near.length
    ? `the nearest names are ${near.join(', ')}`
    : 'use drops, damage, loss, notice, restarts, any, or the name of a problem (docs/REPORT.md lists them)';
}

function check(command: Command, settings: Settings): void {
  if (settings.flags.has('quiet') && settings.flags.has('verbose'))
    throw new UsageError('--quiet and --verbose contradict each other');
  const forms = ['json', 'markdown', 'csv'].filter(
    (name) => settings.text.has(name) || (name !== 'csv' && settings.flags.has(name)),
  );
  if (forms.length > 1) throw new UsageError(`--${forms[0]} and --${forms[1]} contradict each other`);
  checkSet(settings);
  const words = command.options.find(({ name }) => name === 'fail-on')?.words ?? [];
  for (const word of settings.failOn)
    if (!words.includes(word)) throw new UsageError(`--fail-on: there is no "${word}"; ${suggestion(words, word)}`);
  const [from, to] = [settings.text.get('from'), settings.text.get('to')];
  settings.from = parseTime('from', from);
  settings.to = parseTime('to', to);
  if ((settings.from ?? 0n) < (settings.to ?? MOST_NS)) return;
  if (!from) throw new UsageError(`--to ${to} leaves no time: it begins at 0`);
  throw new UsageError(`--from ${from} is not before --to ${to}`);
}

// ---- Help ------------------------------------------------------------------------------------------------------------

const WIDTH = 96;
const INDENT = 30;

function wrapped(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    const fits = indent + line.length + (line ? 1 : 0) + word.length <= WIDTH;
    if (!line) lines[lines.length - 1] = word;
    else if (fits) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function optionHelp({ letter, name, value, choices, help }: Option): string {
  const head = `${letter ? `  -${letter}, ` : '      '}--${name}${value ? ` ${value}` : ''}`;
  const gap = head.length >= INDENT ? `\n${' '.repeat(INDENT)}` : ' '.repeat(INDENT - head.length);
  return `${head}${gap}${wrapped(help, INDENT)}\n${choices ? `${' '.repeat(INDENT)}One of: ${choices}\n` : ''}`;
}

export function commandHelp(command: Command): string {
  const examples = command.examples.map(({ line, text }) => `  ${line}\n      ${text}\n`).join('');
  return (
    `${command.summary}\n\nUsage: tonkopf ${command.name} [OPTIONS]${command.operands ? ` ${command.operands}` : ''}\n\n${wrapped(command.details, 0)}\n\nOptions:\n` +
    `${command.options.map(optionHelp).join('')}${examples ? `\nExamples:\n${examples}` : ''}`
  );
}

export function overview(version: string, formats: FormatInfo[]): string {
  const row = (name: string, text: string): string => `  ${name.padEnd(14)} ${text}\n`;
  const choice = ({ key, help, choices }: OptionInfo): string =>
    `    --set ${key.padEnd(14)} ${help}${choices ? ` (${choices.join('|')})` : ''}\n`;
  const format = ({ name, title, options }: FormatInfo): string => row(name, title) + options.map(choice).join('');
  return (
    `tonkopf ${version}: turns what a microcontroller recorded into a Perfetto trace.\n\nUsage: tonkopf COMMAND [OPTIONS] INPUT...\n\nCommands:\n` +
    `${commands.map(({ name, summary }) => row(name, summary)).join('')}\nFormats:\n${formats.map(format).join('')}\n` +
    'Options:\n  -h, --help     Show this help; `tonkopf COMMAND --help` shows that of a command.\n  -V, --version  Show the version.\n\n' +
    'Exit codes: 0 fine, 1 what --fail-on and --expect name, 2 wrong usage,\n3 input not readable or not recognised, 4 output not writable, 130 stopped.\n'
  );
}
