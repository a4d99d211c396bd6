// SPDX-License-Identifier: MIT
// One input: its format, the reason for that choice, and menus to change it.
import { useId } from 'preact/hooks';
import type { FormatInfo, Report, DetectedInput, Role } from '../../../wasm/types.js';
import { bytes, grouped, plural, sentence } from '../format.js';
import { type Encoding, type Input, type Loaded, type Override, type Recording, coreOf, inputsOf } from '../job.js';
import { dispatch } from '../store.js';

const encodings: Record<Encoding, string> = {
  binary: 'binary',
  hex: 'hex text',
  base64: 'base64 text',
  json: 'JSON of a converter',
};

interface MenuProps {
  label: string;
  value: string | number;
  choices: [value: string | number, label: string][];
  onChange(value: string): void;
}

function Menu({ label, value, choices, onChange }: MenuProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const change = (input: Input, override: Partial<Override>): void =>
  dispatch({ type: 'override', input: input.key, change: override });

/** Several recordings in one text file share its encoding, so a change applies to all of them. */
function EncodingMenu({ input }: { input: Input }) {
  const { source, detected } = input;
  const recognised = source.encoding ? 'as recognised' : `as recognised (${encodings[detected.encoding]})`;
  return (
    <Menu
      label="Encoding"
      value={source.encoding ?? 'auto'}
      choices={[['auto', recognised], ...Object.entries(encodings)]}
      onChange={(value) =>
        dispatch({ type: 'encoding', source: source.id, encoding: value === 'auto' ? null : (value as Encoding) })
      }
    />
  );
}

const CORES = 32;

function CoreMenu({ input }: { input: Input }) {
  const found = input.override.core === null ? coreOf(input) : null;
  const recognised = found === null ? 'as the recording says' : `as recognised (core ${found})`;
  return (
    <Menu
      label="Core"
      value={input.override.core ?? 'auto'}
      choices={[
        ['auto', recognised],
        ...Array.from({ length: CORES }, (_, core): [number, string] => [core, `core ${core}`]),
      ]}
      onChange={(value) => change(input, { core: value === 'auto' ? null : Number(value) })}
    />
  );
}

function RoleMenu({ input }: { input: Input }) {
  return (
    <Menu
      label="Use it for"
      value={input.override.role ?? (input.role === 'names' ? 'names' : 'recording')}
      choices={[
        ['recording', 'the timeline'],
        ['names', 'names only (earlier capture)'],
      ]}
      onChange={(value) => change(input, { role: value as Role })}
    />
  );
}

/** Lists what the plan would choose. The user's earlier choice is in the list too, so that it can be undone. */
function HomeMenu({ input, content }: { input: Input; content: Loaded }) {
  const {
    partners,
    override,
    detected: { plan },
  } = input;
  const others = content.inputs.filter(
    ({ key }) => key !== input.key && (partners.includes(key) || key === override.with),
  );
  if (!others.length && override.with === null) return plan.apart && <p class="hint">{sentence(plan.apart)}</p>;
  return (
    <Menu
      label="Belongs to"
      value={input.override.with ?? 'auto'}
      choices={[
        ['auto', 'as recognised'],
        ['own', 'a trace of its own'],
        ...others.map((other): [string, string] => [other.key, `the trace of ${other.detected.name}`]),
      ]}
      onChange={(value) => change(input, { with: value === 'auto' ? null : value })}
    />
  );
}

/** "1 frame", "8 857 value changes" */
const countOf = (number: number, pieces: string): string =>
  plural(number, pieces.replace(/ies$/, 'y').replace(/s$/, ''), pieces);

function Found({
  input,
  frames,
  format,
  known,
}: {
  input: Input;
  frames: number;
  format: FormatInfo | undefined;
  known: boolean;
}) {
  const { detected } = input;
  const core = coreOf(input);
  const encoding = format?.text && detected.encoding === 'binary' ? 'text' : encodings[detected.encoding];
  const facts = [
    bytes(detected.member?.packed ?? input.source.blob.size),
    ...(known ? [detected.gzip ? `gzip, ${encoding}` : encoding] : []),
    ...(frames && format ? [countOf(frames, format.pieces.toLowerCase())] : []),
    ...(core === null ? [] : [`core ${core}`]),
    ...(input.role === 'names'
      ? ['names only']
      : input.role === 'symbols'
        ? ['names by address']
        : input.role === 'times'
          ? ['times of reception']
          : []),
  ];
  return <p class="facts">{facts.join(' · ')}</p>;
}

type Reported = Report['inputs'][number] & { facts: string[] };

/** What the conversion reports about this input. */
function reportOf(input: Input, { conversion }: Recording, inputs: readonly Input[]): Reported | null {
  if (conversion.kind !== 'done') return null;
  const { inputs: reported, facts } = conversion.output.report;
  const number = inputs.indexOf(input);
  return reported[number]
    ? {
        ...reported[number],
        facts: facts.filter(({ input_number }) => input_number === number).map(({ fact }) => fact),
      }
    : null;
}

/** For a long input, recognition reads only the beginning. */
function reasonFor({ role, detected: { bytes, probe } }: Input, reported: Reported | null): string {
  if (role === 'recording' && !probe.format && reported) return 'not recognised, read as the chosen format';
  return probe.format && Number(reported?.bytes ?? bytes) > probe.looked && !probe.reason.startsWith('begins')
    ? `at its beginning ${probe.reason}`
    : probe.reason;
}

export function InputCard({
  input,
  content,
  recording,
  format,
  open,
}: {
  input: Input;
  content: Loaded;
  recording: Recording;
  format: FormatInfo | undefined;
  open: boolean;
}) {
  const { detected } = input;
  const alone = inputsOf(content, recording).length === 1;
  const together = inputsOf(content, recording).filter(({ role }) => role === 'recording').length > 1;
  const home =
    recording.conversion.kind !== 'trace' && (input.role !== 'recording' || together) ? detected.plan.reason : '';
  const isEncoded = detected.encoding !== 'binary' || detected.gzip;
  const reported = reportOf(input, recording, inputsOf(content, recording));
  return (
    <li class={alone ? 'card single' : 'card'}>
      <div class="card-head">
        <div>
          {!alone && <h2>{detected.name}</h2>}
          <Found
            input={input}
            frames={reported?.frames ?? 0}
            format={format}
            known={recording.conversion.kind !== 'unknown'}
          />
        </div>
        {content.sources.length > 1 && (
          <button
            type="button"
            class="button quiet small"
            aria-label={`Remove ${detected.name}`}
            onClick={() => dispatch({ type: 'remove', source: input.source.id })}
          >
            Remove
          </button>
        )}
      </div>
      {recording.conversion.kind !== 'unknown' && (
        <p class="reason">
          {[grouped(reasonFor(input, reported)), isEncoded ? grouped(detected.encodingReason) : '', home]
            .filter(Boolean)
            .map(sentence)
            .join(' ')}
        </p>
      )}
      {reported?.facts.map((fact) => (
        <p class="facts" key={fact}>
          {sentence(grouped(fact))}
        </p>
      ))}
      {open && (
        <div class="selects">
          {!detected.member && <EncodingMenu input={input} />}
          {input.role === 'recording' && format?.cores && <CoreMenu input={input} />}
          {input.detected.probe.content !== 'symbols' && input.detected.probe.content !== 'times' && (
            <RoleMenu input={input} />
          )}
          <HomeMenu input={input} content={content} />
        </div>
      )}
    </li>
  );
}
