// SPDX-License-Identifier: MIT
// Initial inputs of the fuzz targets, made from the project's test cases and tables.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases } from '../golden/cases.mjs';
import { arm_map, elf_file, gnu_map, iar_map, line_table, lld_map } from '../generator/elf.mjs';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { fastlz, lz4 } from '../generator/flux.mjs';
import { DESCRIPTION, WITH_DESCRIPTION } from '../generator/golden-systemview.mjs';
import { tar, zip } from '../common/archives.mjs';
import { formats } from '../common/formats.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Files of each golden case of a format: [{ bytes, side }], side inputs first, small cases only. */
const goldenCases = (limit, format = 'tonbandgeraet') =>
  cases()
    .filter((one) => one.format === format)
    .map(({ inputs }) => inputs.map(({ path, side }) => ({ bytes: readFileSync(path), side })))
    .filter((files) => files.reduce((sum, file) => sum + file.bytes.length, 0) <= limit);

const withHead = (head, limit) =>
  goldenCases(1 << 20).flatMap((files) =>
    files.map(({ bytes }) => Buffer.concat([Buffer.from(head), bytes.subarray(0, limit)])),
  );

// ---- QS ----

const widths = { T: 4, O: 4, F: 4, S: 2, E: 2, Q: 1, P: 2, C: 4, 1: 1, 2: 2, 4: 4 };

/** Number and payload of each record of records.def, with simple values. */
function qsRecords() {
  const table = readFileSync(join(here, '..', '..', 'core', 'formats', 'qs', 'records.def'), 'utf8');
  const records = [...table.matchAll(/^QS_RECORD\((\d+), \w+, (.*)\)$/gm)].map(([, number, list]) => {
    const fields = list.replaceAll('" "', '').replaceAll('"', '').split('\\0').filter(Boolean);
    const payload = fields.flatMap(([letter]) =>
      letter === 'z'
        ? [...Buffer.from('name\0')]
        : letter === 'p'
          ? [1]
          : letter === 'q'
            ? [4, 0, 0, 0, 8, 0, 0, 0]
            : Array.from({ length: widths[letter] ?? 0 }, (_, i) => (i ? 0 : 1)),
    );
    return { id: Number(number), payload };
  });
  const info = [0xc2, ...u32(~(2511010740 >>> 0)), 0x22, 0x41, 0x20, 0x44, 4, 8, 0x12, 1, 2, 3, 4, 5, 6];
  const user = [1, 0, 0, 0, 0x83, 7, 0x08, 0x61, 0, 0x26, 0, 0, 0x80, 0x3f, 0x2a, 1, 0, 2, 0, 0, 0];
  return [
    ...records.filter(({ id }) => id !== 64),
    { id: 64, payload: info },
    { id: 100, payload: user },
    { id: 124, payload: user },
  ];
}

const u32 = (number) => [number & 0xff, (number >> 8) & 0xff, (number >> 16) & 0xff, number >>> 24];

/** A recording of some records with checksums and sequence numbers. */
function qsStream(records) {
  let sequence = 0;
  return Buffer.from(
    records.flatMap(({ id, payload }) => {
      const body = [++sequence & 0xff, id, ...payload];
      const sum = ~body.reduce((total, byte) => total + byte, 0) & 0xff;
      return [
        ...[...body, sum].flatMap((byte) => (byte === 0x7e || byte === 0x7d ? [0x7d, byte ^ 0x20] : [byte])),
        0x7e,
      ];
    }),
  );
}

/** Recordings: all records with and without target info, and a few of each kind. */
function qsStreams() {
  const all = qsRecords();
  const info = all.find(({ id }) => id === 64);
  const parts = [all, [info, ...all]];
  for (let at = 0; at < all.length; at += 8) parts.push([info, ...all.slice(at, at + 8), ...all.slice(at, at + 4)]);
  return parts.map(qsStream);
}

/** Golden cases as inputs of the whole conversion: by chunks, with several cores and earlier captures. */
function conversions() {
  return goldenCases(1900).flatMap((files, number) => {
    if (files.length > 3) return [];
    const several = files.length > 1;
    const head = (files.length - 1) | (files[0].side ? 0x40 : 0) | (several && !files[0].side ? 0x80 : 0);
    const parts = files.map(({ bytes }, index) =>
      index + 1 < files.length ? Buffer.concat([Buffer.from([bytes.length & 0xff, bytes.length >> 8]), bytes]) : bytes,
    );
    const with_ = (options, part) =>
      Buffer.concat([Buffer.from([head, options, part, number & 0xff, (number * 7) & 0xff]), ...parts]);
    return [with_(0, 0), with_(0x10 << (number % 4), [9, 0x1b, 0x2d, 0x3f][number % 4]), with_(0, 0xc0 | (number % 8))];
  });
}

/** Golden recordings in pieces, with and without long messages in between. */
function lateTicks() {
  return goldenCases(900).flatMap((files, number) => {
    if (files.length > 1) return [];
    const bytes = files[0].bytes;
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 200)
      pieces.push(
        Buffer.concat([Buffer.from([number % 11, Math.min(200, bytes.length - at)]), bytes.subarray(at, at + 200)]),
      );
    const messages = Buffer.from([0xf0, 1, 0xf0, 2]);
    const tick = Buffer.from([0, 5, 4, 2, 0xe8, 7, 0]);
    return [
      Buffer.concat([Buffer.from([1 + (number % 15), number, 1]), ...pieces, ...(number % 2 ? [messages, tick] : [])]),
    ];
  });
}

/** Golden recordings of all formats: with a side input of their format, by cores, with the format given and recognised. */
const snapshots = () =>
  formats().flatMap(({ name: format }, number) =>
    goldenCases(1200, format)
      .filter((files) => files.length <= 3)
      .map((files, index) => {
        const several = files.length > 1 ? (files[0].side ? 0x40 : 0x80) : 0;
        const parts = files.map(({ bytes }, at) =>
          at + 1 < files.length ? Buffer.concat([Buffer.from([bytes.length & 0xff, bytes.length >> 8]), bytes]) : bytes,
        );
        return Buffer.concat([
          Buffer.from([number, (files.length - 1) | several | (index % 3 ? 0 : 0x20), 5, 1, 0x55, 0x12, 4]),
          ...parts,
        ]);
      }),
  );

/** Golden QS recordings: options, sizes, output, chunk boundaries, and the earlier capture, dictionary file or second recording. */
function qsConversions() {
  return goldenCases(4000, 'qs').flatMap((files, number) => {
    if (files.length > 2) return [];
    const several = files.length > 1 ? (files[0].side ? 0x80 : 0x40) : 0;
    const parts = files.map(({ bytes }, index) =>
      index + 1 < files.length ? Buffer.concat([Buffer.from([bytes.length & 0xff, bytes.length >> 8]), bytes]) : bytes,
    );
    const head = [
      several | [3, 0, 0x39, 7][number % 4],
      number % 5 ? 0 : 1 << (number % 8),
      number % 3 ? 0 : [4, 0x80, 0x90, 0xb0, 1, 3, 8][number % 7],
      number & 0xff,
      1,
    ];
    return [Buffer.concat([Buffer.from(head), ...parts])];
  });
}

/** Golden TraceRecorder recordings: the second file, output, chunk boundaries. */
function psfConversions() {
  return goldenCases(4000, 'tracealyzer').map((files, number) => {
    const parts = files.map(({ bytes }, index) =>
      index + 1 < files.length ? Buffer.concat([Buffer.from([bytes.length & 0xff, bytes.length >> 8]), bytes]) : bytes,
    );
    return Buffer.concat([
      Buffer.from([files.length - 1, number % 3 ? 0 : [4, 0x80, 0x90, 0xb0, 1, 3, 8][number % 7], number & 0xff, 1]),
      ...parts,
    ]);
  });
}

/** Golden SystemView recordings: alone, with a description file and as two cores; output, chunk boundaries. */
function systemviewConversions() {
  const before = (bytes) => Buffer.concat([Buffer.from([bytes.length & 0xff, bytes.length >> 8]), bytes]);
  const described = before(Buffer.from(DESCRIPTION));
  const head = (inputs, number, output) => Buffer.from([inputs | ((number & 3) << 2), output, number & 0xff, 1]);
  const own = [0, 0x80, 0xa0].map((output, number) =>
    Buffer.concat([head(1, number, output), described, Buffer.from(WITH_DESCRIPTION)]),
  );
  const golden = goldenCases(4000, 'systemview').flatMap(([{ bytes }], number) => {
    const output = [0, 0, 1, 2, 0x80, 0x90, 0xa0, 0xb0][number % 8];
    return [Buffer.alloc(0), described, before(bytes.subarray(0, 380))].map((first, inputs) =>
      Buffer.concat([head(inputs, number, output), first, bytes]),
    );
  });
  return [...own, ...golden];
}

/** A rule, a zero, and the JSON of a report with all kinds and roles of columns. */
function reports() {
  const kinds = {
    name: '"a\\u00e4\\ud83d\\ude00"',
    text: '"x"',
    flag: 'true',
    count: '7',
    number: '-1.5e3',
    duration: '"18446744073709551615"',
    time: '"5"',
    share: '0.25',
  };
  const roles = ['value', 'key', 'at', 'note', 'measured', 'unmeasured', 'before', 'change', 'hidden'];
  const column = (kind, index) =>
    `{"key":"c${index}","title":"T","kind":"${kind}","unit":${kind === 'time' ? '"ns"' : 'null'},"role":"${index ? roles[index % roles.length] : 'value'}","of":null,"fold":"sum"}`;
  const columns = Object.keys(kinds).map(column).join(',');
  const row = `{${Object.values(kinds)
    .map((value, index) => `"c${index}":${value}`)
    .join(',')}}`;
  const table = (id, shape, rows) => [
    `{"id":"${id}","title":"T","shape":"${shape}","sort":"c3","columns":[${columns}]}`,
    `"${id}":${rows}`,
  ];
  const tables = [
    table('tasks', 'list', `[${row},${row},{}]`),
    table('cpu', 'figures', row),
    table('explain', 'prose', '[]'),
  ];
  const json = (chosen) =>
    `{"schema":4,"tool":"T","time_unit":"ns","tables":[${chosen.map(([info]) => info).join(',')}],${chosen.map(([, rows]) => rows).join(',')}}`;
  const expectations = [
    '',
    'cpu.c7<80%',
    'tasks[a].c5<5ms',
    'tasks[a]].c3>=7',
    'cpu.c1==x',
    'cpu.c4<-1.5',
    'tasks[*\u00e4*].c5<5ms ; rows >= 2 ; missing_ok',
    'tasks[a\\*\\]].c6>1s ; coverage >= 99.5% ; count >= 3',
    'jobs[*].response_max<5ms ; coverage >= 99%',
  ];
  return tables
    .flatMap((one) => expectations.map((text) => Buffer.from(`${text}\0${json([one])}`)))
    .concat(Buffer.from(`\0${json(tables)}`))
    .concat(
      Buffer.from(
        'cpu.load<80%\0{"schema":4,"tool":"T","time_unit":"ticks","tables":[{"id":"cpu","columns":["load","new"]},{"id":"tasks","columns":["name","cpu",{"key":"x","kind":"time"}]}],"cpu":{"load":0.5},"tasks":[{"name":"a","cpu":"7","x":"8"}]}',
      ),
    );
}

// ---- Symbols ----

const firmware = {
  functions: [
    { name: 'main', address: 0x100, size: 0x20, unit: 'main.c', lines: [10, 12, 9, 300] },
    { name: 'process', address: 0x120, size: 8, unit: 'comm.c', binding: 'local', lines: [5] },
    { name: 'process', address: 0x128, size: 8, unit: 'main.c', binding: 'local' },
    { name: 'process.part.0', address: 0x130, size: 8, unit: 'main.c', binding: 'local' },
    { name: '_ZN3app5clampIiEET_S1_', address: 0x138, size: 8, unit: 'app.cpp', binding: 'weak' },
  ],
  variables: [{ name: 'g', address: 0x20000000, size: 16, unit: 'main.c' }],
  constants: [{ address: 0x400, bytes: 'text' }],
  vectors: [0x20001000, 0x101, 0x121],
};
const kinds = [{}, { bigEndian: true }, { wide: true, machine: 183 }, { wide: true, bigEndian: true, machine: 183 }];
const maps = () => [
  gnu_map(firmware),
  gnu_map(firmware, { sections: false }),
  lld_map(firmware),
  iar_map(firmware),
  iar_map(firmware, { grouped: true }),
  arm_map(firmware),
];
const symbols = () =>
  [...kinds.map((kind) => elf_file(firmware, kind)), ...maps().map((text) => Buffer.from(text))].flatMap((bytes) =>
    [0, 1].map((flag) => Buffer.concat([Buffer.from([flag]), bytes])),
  );

/** Units of version 3 from the generator, and a hand-written one of version 5: a folder and a file, with texts of its own or of a
 * section. */
function lineTables() {
  const tables = kinds
    .slice(0, 2)
    .map((kind) =>
      Buffer.concat([Buffer.from([kind.bigEndian ? 1 : 0, 0, 0]), Buffer.from(line_table(firmware.functions, kind))]),
    );
  const program = [0, 5, 2, 0, 1, 0, 0, 3, 5, 1, 0x4b, 2, 4, 0, 1, 1];
  const unit = (forms) => {
    const head = [1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, ...forms];
    const body = [5, 0, 4, 0, head.length, 0, 0, 0, ...head, ...program];
    return [body.length, 0, 0, 0, ...body];
  };
  const inline = unit([1, 1, 0x08, 1, 0x61, 0, 2, 1, 0x08, 2, 0x0b, 1, 0x62, 0x2e, 0x63, 0, 0]);
  const placed = (form) =>
    unit([1, 1, form, 1, 0, 0, 0, 0, 3, 1, form, 2, 0x0b, 5, 0x1e, 1, 2, 0, 0, 0, 0, ...new Array(16).fill(7)]);
  const texts = [6, 0, 0x61, 0, 0x62, 0x2e, 0x63, 0];
  return [
    ...tables,
    Buffer.from([0, 0, 0, ...inline]),
    Buffer.from([0, ...texts, ...placed(0x1f)]),
    Buffer.from([6, ...texts, ...placed(0x0e)]),
  ];
}

const names = () =>
  [
    '_ZN3app5clampIiEET_S1_.constprop.0.isra.0',
    '_ZNSt6vectorIiSaIiEE9push_backERKi',
    '_ZZN3app3runEiENKUliE_clEi',
    '_ZN4core3fmt9Formatter3pad17h0123456789abcdefE',
    '_ZlsRSoRK1A',
    '_ZNK1AcviEv',
    '_ZTV3app',
    '_ZN12_GLOBAL__N_11fEv',
    'int app::clamp<int>(int, char*) [clone .part.0]',
    '(anonymous namespace)::f(int) const',
    'operator new(unsigned int)',
    'libapp.a(tasks.cpp.o)',
    'main.cold',
  ].map((text) => Buffer.from(text));

/** Golden call traces: options, output, chunk boundaries, alone and with receive times. */
function callTraces() {
  const times = Buffer.from(
    `# cortexm-times 1\n${Array.from({ length: 40 }, (_, i) => `${i * 10} ${i * i * 1000}\n`).join('')}`,
  );
  return goldenCases(4000, 'cortexm').flatMap((files, number) => {
    const bytes = files.at(-1).bytes;
    const head = [
      [0, 4, 8, 64][number % 4],
      number % 3 ? 0 : [4, 0x80, 0x90, 0xc0, 1, 3][number % 6],
      number & 0xff,
      1,
    ];
    return [
      Buffer.concat([Buffer.from(head), bytes]),
      Buffer.concat([Buffer.from([0x80, 0, 0, number % 2, times.length & 0xff, times.length >> 8]), times, bytes]),
    ];
  });
}

/** Golden recordings of a format with one input: options, output, chunk boundaries. */
const singles = (format) =>
  goldenCases(4000, format).map(([{ bytes }], number) =>
    Buffer.concat([
      Buffer.from([number % 3, [0, 0, 1, 2, 0x80, 0x90, 0xa0, 0xb0][number % 8], number & 0xff, 1]),
      bytes,
    ]),
  );

/** Golden recordings for the decoder alone: options, checks, chunk boundaries, no repetition. */
const decodings = (format) =>
  goldenCases(1 << 20, format).flatMap((files, number) =>
    files
      .filter(({ bytes }) => bytes.length)
      .flatMap(({ bytes }) =>
        [0, 0x30].map((shown) =>
          Buffer.concat([Buffer.from([0, 2 | (number & 1) | shown, (21 + number) & 0xff, 4, 0]), bytes]),
        ),
      ),
  );

/** Golden flux streams with a block from some position on: packed by the target, or packed here, so that there are matches; damaged or
 * not, nested or not. */
const packings = () =>
  goldenCases(1500, 'flux').flatMap(([{ bytes }], number) =>
    [lz4, fastlz, deflateSync, gzipSync].flatMap((pack, method) => {
      const begin = 5 + (number % 20),
        inside = bytes.subarray(begin * 4),
        head = [0, 2 | (number & 1), (21 + number) & 0xff, 4, 0];
      const nested = number % 4 === 3 ? 8 : 0,
        change = number % 2 ? 0 : 1 + number;
      return inside.length < 8
        ? []
        : [
            Buffer.concat([Buffer.from([...head, method | nested, begin, number * 7, change]), bytes]),
            Buffer.concat([
              Buffer.from([...head, method | 4 | nested, begin, number * 7, change]),
              bytes.subarray(0, begin * 4),
              pack(inside),
            ]),
          ];
    }),
  );

/** The content of packed blocks of the golden recordings, by method. */
const packed = () => {
  const text = Buffer.from('abcabcabcabc, abracadabra abracadabra '.repeat(20));
  return [lz4(text), fastlz(text), deflateSync(text), gzipSync(text)].flatMap((bytes, method) =>
    [0, 3, 40].map((step) => Buffer.concat([Buffer.from([method, step, step * 5]), bytes])),
  );
};

/** gzip of one and of several members, one of them empty, raw deflate, and foreign bytes after them; by steps. */
const gunzips = () => {
  const text = Buffer.from('abcabcabcabc, abracadabra abracadabra '.repeat(20));
  const members = Buffer.concat([gzipSync(text), gzipSync(Buffer.alloc(0)), gzipSync(text)]);
  return [
    [0, gzipSync(text)],
    [0, members],
    [0, Buffer.concat([members, Buffer.from('padding')])],
    [1, deflateRawSync(text)],
  ].flatMap(([raw, bytes]) => [0, 3, 40].map((step) => Buffer.concat([Buffer.from([raw, step, step * 5]), bytes])));
};

/** Recordings as files, packed, in archives and as text, alone and two together. */
const wrapped = () => {
  const files = goldenCases(1500).map(([{ bytes }]) => bytes);
  const forms = (bytes) => [
    bytes,
    gzipSync(bytes),
    Buffer.concat([gzipSync(bytes.subarray(0, 99)), gzipSync(bytes.subarray(99))]),
    gzipSync(bytes).subarray(0, -9),
    zip([
      { path: 'a.bin', bytes, method: 8 },
      { path: 'note.txt', bytes: Buffer.from('a note') },
    ]),
    gzipSync(tar([{ path: 'a.core0.bin', bytes }])),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('base64')),
  ];
  const two = (first, second) => Buffer.concat([Buffer.from([first.length & 0xff, first.length >> 8]), first, second]);
  return files
    .slice(0, 24)
    .flatMap((bytes, number) =>
      forms(bytes).flatMap((form, kind) => [
        Buffer.concat([Buffer.from([(number + kind) % 16, 0, 20 * kind, number]), form]),
        ...(kind === number % 8
          ? [Buffer.concat([Buffer.from([kind, 1, 200, 3]), two(form, files[(number + 1) % files.length])])]
          : []),
      ]),
    );
};

/** Golden cases with metadata: its length in two bytes, the metadata, and the stream, after a head. */
const described = (head) =>
  goldenCases(1 << 14, 'ctf').flatMap((files) => {
    const [side, stream] = files.length > 1 ? files.map(({ bytes }) => bytes) : [Buffer.alloc(0), files[0].bytes];
    return [Buffer.concat([Buffer.from([...head, side.length & 0xff, side.length >> 8]), side, stream])];
  });

const makers = {
  sources: wrapped,
  decode_tband: () => decodings('tonbandgeraet'),
  decode_qs: () => [
    ...decodings('qs'),
    ...qsStreams().map((bytes, number) => Buffer.concat([Buffer.from([0, 2, number, 1, 0]), bytes])),
  ],
  decode_psf: () => decodings('tracealyzer'),
  decode_flux_packed: packings,
  unpack: packed,
  gunzip: gunzips,
  convert_cortexm: callTraces,
  symbols,
  dwarf_lines: lineTables,
  symbol_names: names,
  report_read: reports,
  convert_qs: () => [
    ...qsConversions(),
    ...qsStreams().flatMap((bytes, number) =>
      [
        [0, 0, 0],
        [3, 0, 0],
      ].map((head) => Buffer.concat([Buffer.from([...head, number, 1]), bytes])),
    ),
  ],
  convert_psf: psfConversions,
  convert_systemview: systemviewConversions,
  convert_ctf: () => [...described([0x80, 0, 9, 1]), ...singles('ctf')],
  tsdl: () => described([]),
  late_tick: lateTicks,
  snapshot: snapshots,
  convert: conversions,
  cobs: () => withHead([0, 0], 298),
  records: () => withHead([0x80], 299),
  hdlc: () =>
    [...goldenCases(390, 'qs').flatMap((files) => files.map(({ bytes }) => bytes)), ...qsStreams()].map((bytes) =>
      Buffer.concat([Buffer.from([3, 1]), bytes.subarray(0, 398)]),
    ),
  qs_records: () => qsRecords().map(({ id, payload }) => Buffer.from([0, 8, payload.length, id, ...payload])),
};

/** Seeds of a format's targets that have none of their own: its golden cases. */
function goldenSeeds(target) {
  const [, kind, format] = /^(decode|convert)_(\w+)$/.exec(target) ?? [];
  if (!formats().some(({ name }) => name === format)) return [];
  return kind === 'decode' ? decodings(format) : singles(format);
}

/** Seeds of a target; a target without seeds starts with its corpus. */
export const seedsOf = (target) => (makers[target] ? makers[target]() : goldenSeeds(target));
