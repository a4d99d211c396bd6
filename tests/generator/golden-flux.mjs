// SPDX-License-Identifier: MIT
//
// Golden cases of flux.

import { FluxStream, MEMBER, double, field, integer, text } from './flux.mjs';

/** @typedef {import('./golden-cases.mjs').GoldenCase} GoldenCase */

/** @param {string} name @param {string} proves @param {FluxStream} stream @param {Record<string, string>} [options] @returns {GoldenCase} */
const one = (name, proves, stream, options) => ({ name, proves, options, inputs: { 'input.bin': stream } });

const STEP = 10;

/** Two counters and a state; `count` samples of each. @param {FluxStream} s @param {number} [count] @param {number} [from] */
function some(s, count = 8, from = 0) {
  for (let i = from; i < from + count; i++)
    s.int(2, STEP, i * 3)
      .event(3, null, i % 3)
      .real(4, null, i / 4);
  return s;
}

/** @param {FluxStream} s */
const defined = (s) =>
  s
    .head('rig')
    .scope(1, 'drive')
    .signal(2, 'speed [rpm]', 'integer', { parent: 1, description: 'of the shaft' })
    .signal(3, 'mode', 'event', { parent: 1, descriptor: 'gantt<>', tags: 'gantt' })
    .signal(4, 'load', 'float', { parent: 1 })
    .labels(3, 0, { 0: 'idle', 1: 'ramp', 2: 'hold' });

/** @param {FluxStream} [s] */
const started = (s = new FluxStream()) => defined(s).open(0, 'us', 0);

const every_type = (/** @type {FluxStream} */ s) =>
  s
    .head('types')
    .signal(1, 'text', 'text')
    .signal(2, 'blob', 'binary')
    .signal(3, 'log', 'event', { descriptor: 'log<>', tags: 'log' })
    .signal(4, 'bit', 'logic', { descriptor: 'default<bits=1>', scale: 1 })
    .signal(5, 'word', 'logic', { descriptor: 'default<bits=16>', scale: 16 })
    .signal(6, 'flags', 'integer', { descriptor: 'default<df=Hex>', format: 'hex' })
    .signal(7, 'pair', 'integers', { descriptor: 'default<dim=2>', scale: 2 })
    .signal(8, 'leds', 'events', { descriptor: 'default<dim=3>', scale: 3 })
    .signal(9, 'curve', 'floats', { descriptor: 'default<dim=2>', scale: 2 })
    .labels(8, 8, { 0: 'off', 1: 'on' })
    .member(7, 0, 'x', MEMBER.integer)
    .open(0, 'ns', 0);

const samples_of_every_type = (/** @type {FluxStream} */ s) =>
  s
    .words(1, 5, 'hello')
    .binary(2, null, [1, 2, 255])
    .event(3, null, 7)
    .states(4, null, '1')
    .states(5, null, '1010')
    .int(6, null, -255)
    .ints(7, null, [3, -4])
    .events(8, null, [0, 1, 2], { counted: true })
    .floats(9, null, [0.5, 2])
    .words(1, 5, '')
    .binary(2, null, [])
    .event(3, null, 0)
    .states(4, null, '0')
    .states(5, null, 'ZX')
    .int(6, null, 16)
    .ints(7, null, [4, 4])
    .events(8, null, [1], { counted: true })
    .floats(9, null, [1, NaN])
    .words(1, 5, 'ä'.repeat(60))
    .states(4, null, 'X')
    .states(5, null, '11U0')
    .close(0, 30);

const struct = new FluxStream()
  .head('structs')
  .signal(2, 'frame', 'struct')
  .member(2, 0, 'kind', MEMBER.local)
  .member(2, 1, 'id', MEMBER.integer, { descriptor: 'default<df=Hex>' })
  .member(2, 2, 'body', MEMBER.struct)
  .member(2, 3, 'temp', MEMBER.float, { parent: 2 })
  .member(2, 4, 'secret', MEMBER.integer | 0x80)
  .labels(2, 8, { 1: 'request', 2: 'reply' })
  .open(0, 'us', 100)
  .binary(2, 5, [
    ...field(0, MEMBER.local, [1]),
    ...field(1, MEMBER.integer, integer(31)),
    ...field(2, MEMBER.struct, field(3, MEMBER.float, double(21.5))),
    ...field(4, MEMBER.integer, [9]),
  ])
  .binary(2, 5, [
    ...field(0, MEMBER.local, [3]),
    ...field(5, MEMBER.text, [...Buffer.from('no label')]),
    ...field(6, MEMBER.integers | 0x10, [2, ...[1, 7], ...[1, 8]]),
  ])
  .sample(2, 5, null)
  .close(0, 130);

const relations = () => {
  const s = new FluxStream()
    .head('calls')
    .scope(1, 'net')
    .signal(2, 'client', 'event', { parent: 1, descriptor: 'gantt<>' })
    .signal(3, 'server', 'event', { parent: 1, descriptor: 'gantt<>' })
    .signal(4, 'level', 'integer', { parent: 1 })
    .labels(2, 0, { 1: 'send', 2: 'wait' })
    .labels(3, 0, { 1: 'serve' })
    .labels(2, 1, { 1: '\\net\\server', 2: 'net/level', 3: 'net/nobody' })
    .labels(2, 2, { 1: 'Trigger/444444/line/no' })
    .labels(3, 1, { 1: 'net/client' })
    .labels(3, 3, { 1: 'note/red' })
    .open(0, 'ns', 0);
  return s
    .event(2, 10, 1)
    .relation(2, { target: 1, style: 1, delta: 5 })
    .event(3, 5, 1)
    .label(3, 1)
    .event(3, 4, 0)
    .relation(3, { kind: 1, target: 1, style: 0, delta: -6 })
    .event(2, 1, 2)
    .relation(2, { kind: 2, target: 2, style: 1, delta: 30 })
    .relation(2, { target: 3, style: 1, delta: 1 })
    .relation(2, { target: 9, style: 1, delta: 1 })
    .int(4, 5, 1)
    .int(4, 5, 2)
    .event(2, 1, 0)
    .close(0, 40);
};

const domains = () =>
  new FluxStream()
    .head('axes', { trace: 7 })
    .domain('us')
    .scope(1, 'time')
    .signal(2, 'temp', 'integer', { parent: 1 })
    .scope(3, 'spectrum')
    .signal(4, 'magnitude', 'float', { parent: 3 })
    .scope(5, 'steps')
    .signal(6, 'phase', 'text', { parent: 5 })
    .open(1, '', -50)
    .open(3, 'Hz', 0, 10)
    .open(5, 'idx', 3)
    .int(2, null, 1)
    .real(4, null, 1)
    .real(4, null, 0.5)
    .words(6, null, 'first')
    .int(2, 300, 2)
    .real(4, null, 0.25)
    .words(6, 2, 'second')
    .close(3, 40)
    .close(1, 1000)
    .open(1, 'ms', 0)
    .int(2, 1, 3)
    .close(1, 2);

const vectors = () =>
  new FluxStream()
    .head('bus')
    .signal(1, 'data', 'logic', { bits: [0, 3] })
    .signal(2, 'data', 'logic', { bits: [4, 7] })
    .signal(3, 'alone', 'logic', { bits: [8, 9] })
    .reference(2, 'upper')
    .open(0, 'ns', 0)
    .states(1, 5, '1010')
    .states(2, null, '11')
    .states(1, 5, '0')
    .states(3, null, '10')
    .states(2, 5, 'ZZZZ')
    .close(0, 20);

const ring = () => {
  const part = (/** @type {number} */ from) => some(new FluxStream().position(0, from * STEP), 4, from);
  return started()
    .section(3, part(40), 120)
    .section(3, part(44), 120)
    .section(2, part(32), 120)
    .section(2, part(36), 120, true);
};

const seam = (/** @type {(bytes: number[]) => void} */ damage) => {
  const s = some(started(), 24);
  damage(s.out);
  return s;
};

/** Changes the bytes at the first occurrence of `what`. @param {FluxStream} stream @param {number[]} what @param {(bytes: number[], at: number) => void} change */
const changed = (stream, what, change) => {
  const bytes = [...stream.bytes()];
  const at = bytes.findIndex((_, i) => what.every((byte, k) => bytes[i + k] === byte));
  change(bytes, at);
  return /** @type {FluxStream} */ (/** @type {unknown} */ ({ bytes: () => Uint8Array.from(bytes) }));
};

// Version 4: members without a parent, relations without kind and base.
function older() {
  const s = new FluxStream({ version: 4 })
    .head('old')
    .signal(2, 'state', 'event', { descriptor: 'gantt<>' })
    .signal(3, 'rec', 'struct')
    .member(3, 0, 'a', MEMBER.integer)
    .labels(2, 0, { 200: 'busy' })
    .labels(2, 1, { 1: '\\state' })
    .open(0, 'ms', 0);
  return s
    .sample(2, 1, [2, 0, [200]])
    .relation(2, { target: 1, style: 0, delta: 2 })
    .binary(3, 1, field(0, MEMBER.integer, [5]))
    .sample(2, 3, [2, 0, []])
    .close(0, 9);
}

/** Replaces the version in the header. @param {FluxStream} stream @param {number} version */
const with_version = (stream, version) =>
  changed(stream, [...Buffer.from('flux')], (bytes, at) => void (bytes[at + 4] = version));

/** @type {GoldenCase[]} */
export const FLUX = [
  one(
    'counters-and-states',
    'Numbers become counters, events with labels become slices; the unit comes from the name.',
    some(started()).close(0, 100),
  ),
  one(
    'samples-of-every-type',
    'Texts, bytes, points, bits, vectors, formatted numbers and arrays, each with its names and details.',
    samples_of_every_type(every_type(new FluxStream())),
  ),
  {
    name: 'text-before-the-head',
    proves: 'Text printed before the header is skipped and reported; the recording after it is decoded completely.',
    inputs: {
      'input.bin': {
        bytes: () => Buffer.concat([Buffer.from('ROM boot v1.2\r\n'.repeat(9)), some(started()).close(0, 100).bytes()]),
      },
    },
  },
  one(
    'newer-dialect',
    'Counters and states in the dialect of impulse 3, which is recognised from the content.',
    samples_of_every_type(every_type(new FluxStream({ newer: true }))),
  ),
  one(
    'integers-beyond-64-bits',
    'A counter shows the nearest double and contains all digits as a detail.',
    started()
      .sample(2, 1, [1, 0, [0x27, 0x8a, 0x35, 0x70, 0xc4, 0x8c, 0x1b, 0xee, 0x2b]])
      .sample(2, 1, [1, 0, [0xd9, 0x75, 0xca, 0x8f, 0x3b, 0x73, 0xe4, 0x11, 0xd4]])
      .sample(2, 1, [1, 0, [0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10]])
      .close(0, 40),
  ),
  one(
    'structs',
    'Members with labels, enums, a nested struct, a hidden member and one without a definition; none of them is a gap.',
    struct,
  ),
  one(
    'relations-and-labels',
    'Arrows begin at the earlier end; targets before and after the source, and unknown ones; labels become slice names.',
    relations(),
  ),
  one(
    'domains',
    'A domain other than time has an axis of its own, whose title names it; a negative start shifts all samples; a sequence that restarts is placed after the earlier one.',
    domains(),
  ),
  one(
    'vector-from-bit-slices',
    'Bits that are sampled separately form a vector that changes once per position; a single slice stays separate.',
    vectors(),
  ),
  one(
    'none-values-and-tags',
    '"None" and special floats are shown as marks on the counter, tags after the names.',
    started()
      .int(2, 1, 5, 1)
      .sample(2, 1, null)
      .int(2, 1, 7, 9)
      .event(3, null, 1, 1)
      .sample(3, 1, null, 2)
      .real(4, 1, NaN)
      .real(4, 1, -Infinity)
      .real(4, 1, 2)
      .close(0, 20),
  ),
  one(
    'tags-of-zeros',
    'A 0 of a bit or of an event without a label ends the slice; its tag is an instant. A labelled 0 is a slice with its tag.',
    started()
      .signal(5, 'bit', 'logic', { parent: 1, descriptor: 'default<bits=1>', scale: 1 })
      .signal(6, 'alarm', 'event', { parent: 1, descriptor: 'gantt<>', tags: 'gantt' })
      .states(5, 1, '1')
      .states(5, 1, '0', 1)
      .event(6, 1, 4)
      .event(6, 1, 0, 7)
      .event(3, 1, 0, 2)
      .close(0, 20),
  ),
  one(
    'labels-after-values',
    'A label defined after its value still names it; the last definition wins.',
    started()
      .event(3, 1, 1)
      .event(3, 1, 7)
      .labels(3, 0, { 7: 'fault' })
      .event(3, 1, 2)
      .labels(3, 0, { 7: 'stop' })
      .close(0, 9),
  ),
  one(
    'sub-nanosecond-times',
    'All times are below a nanosecond: the trace shows them multiplied by 1000, and its root track contains a note.',
    new FluxStream().head('fast').signal(1, 'n', 'integer').open(0, 'ps100', 0).int(1, 3, 1).int(1, 4, 2).close(0, 12),
  ),
  one(
    'sub-nanosecond-times-rounded',
    'With the option for real times, samples that fall into one nanosecond are counted.',
    new FluxStream().head('fast').signal(1, 'n', 'integer').open(0, 'ps100', 0).int(1, 3, 1).int(1, 4, 2).close(0, 12),
    { 'time-scale': 'real' },
  ),
  one(
    'packed-blocks',
    'All four compression methods, and a FastLZ block within an LZ4 block.',
    ['lz4', 'fastlz', 'zlib', 'gzip'].reduce(
      (s, method, i) =>
        s.block(/** @type {import('./flux.mjs').Method} */ (method), some(new FluxStream(), 12, i * 12)),
      new FluxStream().block('lz4', new FluxStream().block('fastlz', started())),
    ),
  ),
  one(
    'packed-block-wrong-size',
    'A block that declares more than its bytes can contain is skipped; one that contains less than it declares ends all open slices.',
    some(
      some(started(), 4)
        .block('lz4', some(new FluxStream(), 4, 4), 60_000_000)
        .block('zlib', some(new FluxStream(), 4, 4), 999),
      4,
      8,
    ),
  ),
  one('sections-in-ring-order', 'The newest sections come first in the file and last in the trace.', ring()),
  one(
    'missing-bytes',
    'After missing bytes the decoder finds the next entry; open slices end there.',
    seam((bytes) => bytes.splice(250, 11)),
  ),
  one(
    'foreign-bytes',
    'Foreign bytes are skipped, also when they look like samples of undefined signals.',
    seam((bytes) => bytes.splice(262, 0, ...Buffer.from('HH\x11boot: 1.2.3\r\n'))),
  ),
  one(
    'damaged-entry-length',
    'An entry length beyond the end of the file costs only its own sample.',
    changed(some(started(), 40), [0x12, 10, 0x11, 60], (bytes, at) => void bytes.splice(at + 2, 2, 0x91, 0xff)),
  ),
  one(
    'damaged-definition',
    'A definition whose type fits none of its samples is ignored: the signal keeps its name, other signals are unaffected.',
    changed(some(started(), 40), [...Buffer.from('load')], (bytes, at) => void (bytes[at + 5] = 5)),
  ),
  one(
    'missing-definition',
    'Samples without a definition are shown by number; the definitions and samples after them are unaffected.',
    changed(some(started(), 40), [...Buffer.from('speed')], (bytes, at) => void (bytes[at - 4] = 0x77)),
  ),
  one(
    'switch-to-undefined-trace',
    'A switch to a trace that does not begin there is damage.',
    changed(some(started(), 40).label(3, 1).int(2, 1, 7), [0, 0x41], (bytes, at) => void bytes.splice(at, 3, 0, 4, 1)),
  ),
  one(
    'truncated-file',
    'A truncated end is reported; open slices end with the last position.',
    seam((bytes) => bytes.splice(bytes.length - 5)),
  ),
  one(
    'no-definitions',
    'Signals without definitions are shown by number, with a guessed type.',
    new FluxStream()
      .head('bare')
      .open(0, 'ns', 0)
      .int(1, 1, 5)
      .event(2, 1, 5)
      .real(3, 1, 0.5)
      .binary(4, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9])
      .words(1, 1, 'a text, now'),
  ),
  one(
    'two-traces',
    'Each trace has its own items and times; entries belong to the trace that was selected last.',
    new FluxStream()
      .head('left', { trace: 1 })
      .signal(1, 'n', 'integer')
      .open(0, 'us', 0)
      .head('right', { trace: 300 })
      .signal(1, 'n', 'integer')
      .open(0, 'ns', 0)
      .int(1, 5, 1)
      .trace(1)
      .int(1, 1, 2)
      .trace(300)
      .int(1, 5, 3)
      .control(false, 513, 5, [field(0, MEMBER.integer, [249]), field(1, MEMBER.text, [...Buffer.from('start')])])
      .close(0, 20),
  ),
  one(
    'time-range',
    'Of a trace that comes later in the file, the time range contains its samples; the last samples before the range are drawn at its start.',
    new FluxStream()
      .head('left', { trace: 1 })
      .signal(1, 'n', 'integer')
      .signal(2, 'idle', 'integer')
      .open(0, 'us', 0)
      .int(1, 100, 1)
      .int(1, 60, 2)
      .int(1, 100, 3)
      .head('right', { trace: 2 })
      .signal(1, 'n', 'float')
      .signal(2, 'mode', 'text')
      .signal(3, 'idle', 'integer')
      .open(0, 'us', 0)
      .int(3, null, 7)
      .words(2, null, 'begun before')
      .real(1, 40, 0.25)
      .real(1, 40, 0.5)
      .real(1, 40, 0.75)
      .real(1, 60, 1)
      .words(2, null, 'begun within')
      .int(3, 60, 8)
      .close(0, 300),
    { 'from-ns': '150000', 'to-ns': '200000' },
  ),
  one(
    'older-version',
    'Version 4: members without a parent, relations without kind and base, events without a sign.',
    older(),
  ),
  one(
    'damaged-version',
    'The header contains the version of an older dialect, with which nothing can be decoded: the decoder ignores it, and the facts of the report contain it.',
    with_version(struct, 2),
  ),
  one(
    'damaged-version-newer-dialect',
    'A damaged version in a recording of the dialect of impulse 3.',
    with_version(samples_of_every_type(every_type(new FluxStream({ newer: true }))), 4),
  ),
  one('damaged-version-older-dialect', 'A damaged version in a recording of version 4.', with_version(older(), 6)),
  one(
    'damaged-byte-after-header',
    'One damaged byte in version 4: the decoder keeps version 4, although in another version the rest would be a single truncated entry.',
    changed(older(), [3, 2, 0, 0x21], (bytes, at) => void (bytes[at + 2] ^= 1)),
  ),
  one(
    'damaged-version-and-definition',
    'No version can decode the whole file: the decoder uses the version with the most definitions.',
    changed(
      with_version(samples_of_every_type(every_type(new FluxStream({ newer: true }))), 4),
      [...Buffer.from('text')],
      (bytes, at) => void bytes.splice(at - 4, 2, 0x77, 0x77),
    ),
  ),
  one(
    'nested-sequences',
    'A signal switches from the common sequence to its own and back: each switch ends its open slices.',
    new FluxStream()
      .head('bench')
      .signal(1, 'own', 'event', { descriptor: 'gantt<>' })
      .signal(2, 'other', 'event', { descriptor: 'gantt<>' })
      .open(0, 'us', 0)
      .event(1, 1, 5)
      .event(2, 1, 6)
      .open(1, 'ns', 5000)
      .event(1, 100, 7)
      .event(2, 2, 3)
      .close(1, 6000)
      .event(1, 5, 8)
      .event(2, 1, 9)
      .close(0, 20),
  ),
  one(
    'non-time-axis-restarts',
    'An axis other than time restarts: its samples are placed after the earlier ones, with the recorded positions as details.',
    new FluxStream()
      .head('lab')
      .scope(1, 'left')
      .signal(2, 'bin', 'integer', { parent: 1 })
      .signal(3, 'bin', 'integer')
      .signal(4, 'n', 'integer')
      .open(4, 'us', 0)
      .int(4, 100, 1)
      .open(1, 'Hz', 0)
      .int(2, 1, 5)
      .int(2, 1, 7)
      .close(1, 3)
      .open(1, 'Hz', 0)
      .int(2, 1, 6)
      .position(1, 0)
      .int(2, 1, 8)
      .close(1, 3)
      .open(3, 'Hz', 0)
      .int(3, 1, 4)
      .close(3, 3)
      .close(4, 200),
  ),
  one(
    'sequence-start-far-below-zero',
    'The sequence is placed as a whole after the earlier samples, and keeps its distances.',
    started()
      .int(2, 10, 1)
      .close(0, 20)
      .open(0, 'ms', -50)
      .int(2, 20, 2)
      .int(2, 20, 3)
      .position(0, -30)
      .int(2, 5, 4)
      .close(0, 10),
  ),
  one(
    'axis-start-out-of-range',
    'Positions too far below or above zero are skipped; the samples after them are decoded.',
    new FluxStream()
      .head('lab')
      .signal(2, 'bin', 'integer')
      .signal(4, 'n', 'integer')
      .open(4, 'us', 0)
      .int(4, 100, 1)
      .open(2, 'Hz', 0)
      .int(2, 1000, 5)
      .int(2, 1000, 7)
      .close(2, 3000)
      .open(2, 'Hz', -(2n ** 63n))
      .int(2, 1000, 6)
      .int(2, 1000, 8)
      .position(2, 0)
      .int(2, 1000, 9)
      .close(2, 5000)
      .close(4, 200),
  ),
  one(
    'empty-sequences',
    'Empty sequences get no track, and no sample moves because of them. A position below the start counts as the start.',
    started()
      .close(0, 50)
      .open(0, 'us', 0)
      .close(0, 90)
      .open(0, 'us', 0)
      .int(2, 10, 1)
      .close(0, 20)
      .open(0, 'us', 30)
      .position(0, 5)
      .int(2, 1, 2)
      .close(0, 10),
  ),
  one(
    'damage-in-trace-with-earlier-time',
    'Damage is placed at the last time of its own trace, so no time runs backwards.',
    changed(
      some(
        some(
          new FluxStream()
            .head('ahead', { trace: 1 })
            .signal(2, 'n', 'integer')
            .open(0, 'ms', 0)
            .int(2, 500, 1)
            .head('rig', { trace: 2 })
            .signal(2, 'speed', 'integer')
            .signal(3, 'mode', 'event')
            .signal(4, 'load', 'float')
            .open(0, 'us', 0),
          8,
        ).trace(2),
        16,
        8,
      ),
      [0, 4, 2],
      (bytes, at) => void bytes.splice(at, 3, 0, 0x77),
    ),
  ),
  one(
    'damage-before-the-first-sample-of-a-trace',
    'Damage before the first sample of its trace is placed at the latest time of the other traces; the recording begins with the first sample.',
    some(
      new FluxStream()
        .head('ahead', { trace: 1 })
        .signal(2, 'n', 'integer')
        .open(0, 'ms', 0)
        .int(2, 500, 1)
        .head('rig', { trace: 2 })
        .signal(2, 'speed', 'integer')
        .signal(3, 'mode', 'event')
        .signal(4, 'load', 'float')
        .raw([0, 0x77, 0x77, 0x33, 0xff])
        .open(0, 'ms', 510),
      8,
    ),
  ),
  one(
    'truncated-after-long-text',
    'A text near the end that is much longer than the earlier ones is not damage.',
    new FluxStream()
      .head('log')
      .signal(1, 'text', 'text')
      .open(0, 'us', 0)
      .words(1, 1, 'up')
      .words(1, 1, 'ready')
      .words(1, 1, 'a long line that tells what is connected, which version it has, and how long that took')
      .words(1, 1, 'done')
      .raw([0x0a, 1, 0x91]),
  ),
  one(
    'truncated-names-and-values',
    'A long value is truncated before its tag. A row of unknown width shows gaps where it has no value, once it contained a vector.',
    new FluxStream()
      .head('names')
      .signal(1, 'text', 'text')
      .signal(2, 'word', 'logic')
      .labels(1, 5, { 9: 'suspect' })
      .open(0, 'us', 0)
      .words(1, 1, 'x'.repeat(90), 1)
      .words(1, 1, 'y'.repeat(75), 9)
      .words(1, 1, 'z'.repeat(70), 9)
      .states(2, null, '1')
      .sample(2, 1, null)
      .states(2, 1, '1010')
      .sample(2, 1, null)
      .states(2, 1, '11')
      .close(0, 20),
  ),
  one(
    'duplicate-names',
    'A number distinguishes signals of one name; it is the same on every axis and in the tracks of sequences.',
    new FluxStream()
      .head('names')
      .signal(1, 'n', 'integer')
      .signal(2, 'n', 'integer')
      .open(2, 'us', 0)
      .int(2, 1, 3)
      .open(1, 'us', 0)
      .int(1, 1, 3)
      .close(2, 5)
      .close(1, 5)
      .open(2, 'V', 0)
      .int(2, 1, 4)
      .open(1, 'V', 0)
      .int(1, 1, 4),
  ),
  one(
    'sample-outside-sequence',
    'A sample that belongs to no sequence is placed at the last time of its trace.',
    defined(new FluxStream()).open(1, 'us', 0).int(2, 4, 1).close(1, 5).int(2, 3, 2),
  ),
];
