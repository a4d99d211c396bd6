// SPDX-License-Identifier: MIT
//
// Writes the inputs of the golden tests: tests/golden/FORMAT/CASE/{input*.bin, options, README.md}.
// This file is the source of truth; the inputs are kept in the tree so that a test needs no generator.
//   node tests/generator/golden-cases.mjs           writes what differs
//   node tests/generator/golden-cases.mjs --check   only says what differs; exit code 1 if anything does

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORTEXM } from './golden-cortexm.mjs';
import { DUMPS } from './golden-dumps.mjs';
import { EXTENSIONS } from './golden-extensions.mjs';
import { FLUX } from './golden-flux.mjs';
import { FRAMING } from './golden-framing.mjs';
import { PSF } from './golden-psf.mjs';
import { QS_BYTES } from './golden-qs.mjs';
import { QS_OBJECTS } from './golden-qs-objects.mjs';
import { RTOS } from './golden-rtos.mjs';
import { TIME } from './golden-time.mjs';
import { VCD } from './golden-vcd.mjs';

/**
 * @typedef {object} GoldenCase
 * @property {string} name of the folder: what the case proves
 * @property {string} proves one sentence
 * @property {number[]} [rows] rows of "What is done about it" in docs/formats/tonbandgeraet.md
 * @property {Record<string, string>} [options] as for tk_set_option
 * @property {Record<string, { bytes(): Uint8Array }>} inputs by file name
 */

/** @type {GoldenCase[]} of Tonbandgeraet */
export const CASES = [...FRAMING, ...TIME, ...RTOS, ...EXTENSIONS, ...DUMPS];

/** @typedef {{ title: string, folder: string, cases: GoldenCase[], more: () => string[] }} GoldenFormat */

/** @type {GoldenFormat[]} more: lines of the index page before the cases */
const FORMATS = [
  { title: 'Tonbandgeraet', folder: 'tonbandgeraet', cases: CASES, more: rows_of_the_page },
  { title: 'Cortex-M call traces', folder: 'cortexm', cases: CORTEXM, more: () => [] },
  { title: 'QS', folder: 'qs', cases: [...QS_BYTES, ...QS_OBJECTS], more: () => [] },
  { title: 'TraceRecorder', folder: 'tracealyzer', cases: PSF, more: () => [] },
  { title: 'flux', folder: 'flux', cases: FLUX, more: () => [] },
  { title: 'VCD', folder: 'vcd', cases: VCD, more: () => [] },
];

const MAX_INPUT_LEN = 4096;
const HERE = dirname(fileURLToPath(import.meta.url));
export const GOLDEN_DIR = join(HERE, '../golden');

/** @param {GoldenCase} golden */
function case_files(golden) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  for (const [name, stream] of Object.entries(golden.inputs)) {
    const bytes = stream.bytes();
    if (bytes.length > MAX_INPUT_LEN) throw new Error(`${golden.name}/${name} has ${bytes.length} bytes`);
    files.set(name, bytes);
  }
  if (golden.options) {
    files.set(
      'options',
      Buffer.from(
        Object.entries(golden.options)
          .map(([key, value]) => `${key}=${value}\n`)
          .join(''),
      ),
    );
  }
  files.set('README.md', Buffer.from(`${golden.proves}\n`));
  return files;
}

/** The cases of every numbered row. */
function rows_of_the_page() {
  /** @type {Map<number, string[]>} */
  const by_row = new Map();
  for (const { name, rows } of CASES) for (const row of rows ?? []) by_row.set(row, [...(by_row.get(row) ?? []), name]);
  const lines = ['## Rows of docs/formats/tonbandgeraet.md', '', '| row | cases |', '|---|---|'];
  for (const row of [...by_row.keys()].sort((a, b) => a - b)) lines.push(`| ${row} | ${by_row.get(row)?.join(', ')} |`);
  return [...lines, '', 'Row 32 (bounded memory) is a number, not a case: `npm run bench`.', ''];
}

/** The page that lists all cases. @param {GoldenFormat} format */
function index_page({ title, cases, more }) {
  const lines = [
    `# Golden cases: ${title}`,
    '',
    '<!-- written by tests/generator/golden-cases.mjs -->',
    '',
    'Each folder is one behaviour. `input*.bin` are the inputs: `input.coreN.bin` is the file of core N, `input.side.bin` an earlier',
    'capture that only lends its names and tick length and is fed first. `options` has lines `key=value` as for `tk_set_option`.',
    '',
    ...more(),
    '## Cases',
    '',
    '| case | proves |',
    '|---|---|',
  ];
  for (const { name, proves } of cases) lines.push(`| ${name} | ${proves} |`);
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** @param {GoldenFormat} format */
function wanted_files(format) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map([[join(format.folder, 'README.md'), index_page(format)]]);
  for (const golden of format.cases) {
    const folder = join(format.folder, golden.name);
    if (files.has(join(folder, 'README.md'))) throw new Error(`two cases ${golden.name}`);
    for (const [name, bytes] of case_files(golden)) files.set(join(folder, name), bytes);
  }
  return files;
}

/** Folders and inputs in the tree that no case describes. */
function strangers(
  /** @type {Map<string, Uint8Array>} */ wanted,
  /** @type {string} */ dir,
  /** @type {string} */ format,
) {
  const own = /^(input.*\.bin|options|README\.md)$/;
  return readdirSync(join(dir, format), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(dir, format, name))
        .filter((file) => own.test(file))
        .map((file) => join(format, name, file)),
    )
    .filter((path) => !wanted.has(path));
}

/** @param {string} path */
function read_or_null(path) {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/**
 * Paths that differ between the cases and the tree; with `write` they are brought in step.
 * @param {{ write: boolean, dir?: string }} options
 * @returns {{ changed: string[], strange: string[] }}
 */
export function sync_golden_inputs({ write, dir = GOLDEN_DIR }) {
  for (const { folder } of FORMATS) mkdirSync(join(dir, folder), { recursive: true });
  const wanted = new Map(FORMATS.flatMap((format) => [...wanted_files(format)]));
  const changed = [...wanted]
    .filter(([path, bytes]) => !read_or_null(join(dir, path))?.equals(bytes))
    .map(([path]) => path);
  for (const path of write ? changed : []) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), /** @type {Uint8Array} */ (wanted.get(path)));
  }
  return { changed, strange: FORMATS.flatMap(({ folder }) => strangers(wanted, dir, folder)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = !process.argv.includes('--check');
  const { changed, strange } = sync_golden_inputs({ write });
  for (const path of changed) console.log(`${write ? 'wrote' : 'differs'} ${path}`);
  for (const path of strange) console.log(`not described by any case: ${path}`);
  console.log(
    `${FORMATS.reduce((sum, { cases }) => sum + cases.length, 0)} cases in ${relative(process.cwd(), GOLDEN_DIR)}`,
  );
  if (strange.length > 0 || (!write && changed.length > 0)) process.exitCode = 1;
}
