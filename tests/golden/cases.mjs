// SPDX-License-Identifier: MIT
// The golden cases: tests/golden/FORMAT/CASE/ with input*.bin, options, and what is expected as text.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(dirname(here));
export const tool = join(process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native'), 'tests', 'tool_feed');

export const CHUNKS = [1, 2, 3, 7, 64, 4096, 1 << 20]; // the last one is "whole"

const optionsOf = (folder) => {
  const file = join(folder, 'options');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'));
};

/** Side inputs first, then the recordings; several recordings carry their core. */
function inputsOf(folder) {
  const names = readdirSync(folder)
    .filter((name) => /^input.*\.bin$/.test(name))
    .sort();
  const files = names.map((name) => ({
    name,
    path: join(folder, name),
    side: name.includes('.side.'),
    core: /core(\d+)/.exec(name)?.[1],
  }));
  return [...files.filter((file) => file.side), ...files.filter((file) => !file.side)];
}

export function cases() {
  return readdirSync(here, { withFileTypes: true })
    .filter((format) => format.isDirectory())
    .flatMap((format) =>
      readdirSync(join(here, format.name), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => [format.name, entry.name]),
    )
    .map(([format, name]) => {
      const folder = join(here, format, name);
      const options = optionsOf(folder);
      // A few bytes may be too few to recognise: the folder says what they are.
      if (!options.some((option) => option.startsWith('format='))) options.push(`format=${format}`);
      return { format, name: `${format}/${name}`, folder, inputs: inputsOf(folder), options };
    });
}

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

export async function native_trace(one, chunk) {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-golden-'));
  try {
    const out = join(folder, 'out.pftrace');
    const { stdout, stderr, status } = await run_native(one, '--chunk', String(chunk), '--out', out, '--report');
    return { trace: readFileSync(out), report: stdout.toString(), stderr, status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const expected_file = (one, what) => join(one.folder, `expected.${what}.txt`);
