// SPDX-License-Identifier: MIT
// One input: what it is, why we think so, and the menus that say otherwise.
import { bytes, plural } from '../format.js';
import { type Encoding, type Input, type Loaded, type Recording, coreOf, inputsOf, roleOf } from '../job.js';
import { dispatch } from '../store.js';

const encodings: Record<Encoding, string> = { binary: 'binary', hex: 'hex text', base64: 'base64 text', json: 'JSON of a converter' };

/** Further recordings in the same text are one source: its encoding is changed for all of them. */
function EncodingMenu({ input }: { input: Input }) {
  const { source, sighting } = input;
  return (
    <label>
      <span>Encoding</span>
      <select
        value={source.encoding ?? 'auto'}
        onChange={(event) => {
          const { value } = event.currentTarget;
          dispatch({ type: 'encoding', source: source.id, encoding: value === 'auto' ? null : (value as Encoding) });
        }}
      >
        <option value="auto">as recognised{source.encoding ? '' : ` (${encodings[sighting.encoding]})`}</option>
        {Object.entries(encodings).map(([value, label]) => (
          <option key={value} value={value}>{label}</option>
        ))}
      </select>
    </label>
  );
}

const CORES = 32;

function CoreMenu({ input }: { input: Input }) {
  const found = input.sighting.core;
  return (
    <label>
      <span>Core</span>
      <select
        value={input.override.core ?? 'auto'}
        onChange={(event) => {
          const { value } = event.currentTarget;
          dispatch({ type: 'override', input: input.key, change: { core: value === 'auto' ? null : Number(value) } });
        }}
      >
        <option value="auto">{found === null ? 'as the recording says' : `as recognised (core ${found})`}</option>
        {Array.from({ length: CORES }, (_, core) => (
          <option key={core} value={core}>core {core}</option>
        ))}
      </select>
    </label>
  );
}

function RoleMenu({ input }: { input: Input }) {
  return (
    <label>
      <span>Use it for</span>
      <select value={roleOf(input)} onChange={(event) => dispatch({ type: 'override', input: input.key, change: { role: event.currentTarget.value as 'recording' | 'side' } })}>
        <option value="recording">the timeline</option>
        <option value="side">names only (earlier capture)</option>
      </select>
    </label>
  );
}

function HomeMenu({ input, content }: { input: Input; content: Loaded }) {
  const others = content.inputs.filter((other) => other.key !== input.key);
  if (!others.length) return null;
  const value = input.override.with ?? 'auto';
  return (
    <label>
      <span>Belongs to</span>
      <select
        value={value}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          dispatch({ type: 'override', input: input.key, change: { with: chosen === 'auto' ? null : chosen } });
        }}
      >
        <option value="auto">as recognised</option>
        <option value="own">a trace of its own</option>
        {others.map((other) => (
          <option key={other.key} value={other.key}>the trace of {other.sighting.name}</option>
        ))}
      </select>
    </label>
  );
}

function Found({ input }: { input: Input }) {
  const { sighting } = input;
  const { probe } = sighting;
  const core = coreOf(input);
  const facts = [
    bytes(input.source.blob.size),
    sighting.gzip ? `gzip, ${encodings[sighting.encoding]}` : encodings[sighting.encoding],
    ...(probe.frames ? [plural(probe.frames, 'frame')] : []),
    ...(core === null ? [] : [`core ${core}`]),
    ...(roleOf(input) === 'side' ? ['names only'] : []),
  ];
  return <p class="facts">{facts.join(' · ')}</p>;
}

export function InputCard({ input, content, recording, open }: { input: Input; content: Loaded; recording: Recording; open: boolean }) {
  const { sighting } = input;
  const alone = inputsOf(content, recording).length === 1;
  const armored = sighting.encoding !== 'binary' || sighting.gzip;
  return (
    <li class={alone ? 'card solo' : 'card'}>
      <div class="card-head">
        <div>
          {!alone && <h2>{sighting.name}</h2>}
          <Found input={input} />
        </div>
        <button type="button" class="key quiet small" aria-label={`Remove ${sighting.name}`} onClick={() => dispatch({ type: 'remove', source: input.source.id })}>
          Remove
        </button>
      </div>
      <p class="why">
        {sighting.probe.reason}
        {armored && sighting.encodingReason && ` ${sighting.encodingReason}`}
        {!alone && sighting.groupReason && ` ${sighting.groupReason}`}
      </p>
      {open && (
        <div class="menus">
          <EncodingMenu input={input} />
          <CoreMenu input={input} />
          <RoleMenu input={input} />
          <HomeMenu input={input} content={content} />
        </div>
      )}
    </li>
  );
}
