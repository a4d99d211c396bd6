// SPDX-License-Identifier: MIT
// The golden cases: tests/golden/FORMAT/cases.json lists them; CASE.txt beside it contains the expected events and trace as text.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { write_golden_inputs } from '../generator/golden-cases.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(dirname(here));
export const tool = join(process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native'), 'tests', 'tool_feed');

export const WHOLE = 1 << 20; // the chunk size at which a case is one chunk

/** The inputs of all cases, written by the generator: FORMAT/CASE/{input*.bin, options}. */
const inputs_folder = join(root, 'build', 'golden');
write_golden_inputs(inputs_folder);

/** Path of an input of a case, such as golden_input('qs/lift'). */
export const golden_input = (name, file = 'input.bin') => join(inputs_folder, name, file);

/** Side inputs first, then the recordings; with several recordings each file name contains its core. */
function inputsOf(folder, files) {
  const inputs = files
    .sort()
    .map((name) => ({
      name,
      path: join(folder, name),
      side: name.includes('.side.'),
      core: /core(\d+)/.exec(name)?.[1],
    }));
  return [...inputs.filter((input) => input.side), ...inputs.filter((input) => !input.side)];
}

export function cases() {
  return readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: format }) =>
      JSON.parse(readFileSync(join(here, format, 'cases.json'), 'utf8')).map((one) => {
        const folder = join(inputs_folder, format, one.name);
        // The first bytes may be too few to recognise the format, so the folder names it.
        const options = Object.entries({ format, ...one.options }).map(([key, value]) => `${key}=${value}`);
        const name = `${format}/${one.name}`;
        return { format, name, inputs: inputsOf(folder, Object.keys(one.inputs)), options };
      }),
    );
}

const SAMPLE_STEP = 9;

/** Every ninth item of a list; the whole list in `npm run test:packages -- cases`. For comparisons that are slow and whose items resemble each other. */
export const sampled = (list) =>
  process.env.TONKOPF_EVERY_CASE ? list : list.filter((_, index) => index % SAMPLE_STEP === 0);

const words = ({ inputs, options }) => [
  ...options,
  ...inputs.map(({ path, side, core }) => (side ? `+${path}` : core ? `${path}@${core}` : path)),
];

/** Runs the native library over a case: { stdout, status }. */
export function run_native(one, ...args) {
  return new Promise((resolve) => {
    execFile(tool, [...args, ...words(one)], { encoding: 'buffer', maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      resolve({ stdout, stderr: String(stderr), status: error ? (error.code ?? -1) : 0 }),
    );
  });
}

async function converted(one, chunk) {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-golden-'));
  try {
    const out = join(folder, 'out.pftrace');
    const { stdout, stderr, status } = await run_native(one, '--chunk', String(chunk), '--out', out, '--report');
    return { trace: readFileSync(out), report: stdout.toString(), stderr, status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const known = new Map();

/** The result of the native library; of an input that is one chunk it is kept, because several test files compare it. */
export function native_trace(one, chunk) {
  if (chunk !== WHOLE) return converted(one, chunk);
  const key = words(one).join('\0');
  if (!known.has(key)) known.set(key, converted(one, chunk));
  return known.get(key);
}

const TRACE = '\n# trace\n';
const expected_file = ({ name }) => join(here, `${name}.txt`);

/** The expected output of a case: { events, trace }, as text. */
export function read_expected(one) {
  const text = readFileSync(expected_file(one), 'utf8');
  const at = text.indexOf(TRACE);
  return { events: text.slice('# events\n'.length, at + 1), trace: text.slice(at + TRACE.length) };
}

export const write_expected = (one, { events, trace }) =>
  writeFileSync(expected_file(one), `# events\n${events}${TRACE.slice(1)}${trace}`);
