// SPDX-License-Identifier: MIT
// Tests tonkopf.exe: builds the program, runs it under wine and compares its results with those of the native program. A stage of `npm run test:packages`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { gateway_recordings } from '../tests/generator/demo-gateway.mjs';
import { motor_recording } from '../tests/generator/demo-motor.mjs';
import { cross } from './cross.mjs';
import { root, wine } from './lib.mjs';

const folder = join(root, 'build', 'windows-test');
const native = process.env.TONKOPF_CLI ?? join(root, 'build', 'native', 'cli', 'tonkopf');
const emulator = wine();
if (!emulator) {
  console.log('skipped: wine is missing, which runs programs for Windows');
  process.exit(0);
}
if (!existsSync(native)) throw new Error(`${native} is missing: run \`npm run build:native\``);

const program = join(cross('windows-x86_64'), 'bin', 'tonkopf.exe');

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'many'), { recursive: true });
const env = { ...process.env, WINEDEBUG: '-all', WINEPREFIX: join(root, 'build', 'wine') };
const options = { cwd: folder, env, maxBuffer: 1 << 28 };
const motor = motor_recording({ bytes: 60_000 });
const [core0, core1] = gateway_recordings({ bytes: 40_000 });
const inputs = {
  'run.bin': motor,
  'messung ä.bin': motor,
  'run.hex': Buffer.from(motor).toString('hex'),
  'run.gz': gzipSync(motor),
  'c0.bin': core0,
  'c1.bin': core1,
  'many/1.bin': motor,
  'many/2.bin': core0,
  'note.txt': 'only words\n',
};
for (const [name, content] of Object.entries(inputs)) writeFileSync(join(folder, name), content);

let failures = 0;
function check(what, ok, detail = '') {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${ok ? '' : `\n${detail}`}`);
  if (!ok) failures++;
}

const ours = (args, input) => spawnSync(native, args, { ...options, input });
const theirs = (args, input) => spawnSync(emulator, [program, ...args], { ...options, input });

/** Checks that the native program and tonkopf.exe under wine have the same exit code and standard output. */
function same(args, input) {
  const [a, b] = [ours(args, input), theirs(args, input)];
  check(
    `${args.join(' ')}${input ? ' (pipe)' : ''}`,
    a.status === b.status && a.stdout.equals(b.stdout),
    `exit ${a.status} and ${b.status}\n${b.stderr}`,
  );
}

theirs(['--version']); // the first start lets wine create its folder, and is not checked
same(['--version']);
for (const name of ['run.bin', 'messung ä.bin', 'run.hex', 'run.gz']) {
  same(['conv', '-o', '-', name]);
  same(['info', name]);
  same(['info', '--json', name]);
}
for (const stage of ['frames', 'records', 'events', 'tracks']) same(['dump', '--stage', stage, 'run.bin']);
same(['conv', '-o', '-', 'c0.bin@0', 'c1.bin@1']);
same(['conv', '-', '-o', '-'], motor);
same(['dump', '-'], motor);
for (const args of [
  ['conv', 'none.bin'],
  ['conv', 'note.txt'],
  ['conv', 'run.bin', '-o', 'missing/x'],
  ['conv', '--frmat', 'x'],
  ['conv', 'c0.bin@1', 'c1.bin@1'],
])
  same(args);

const plain = ours(['conv', '-o', '-', 'run.bin']).stdout;
check(
  'files are renamed into place',
  theirs(['conv', 'run.bin']).status === 0 && readFileSync(join(folder, 'run.pftrace')).equals(plain),
);
check(
  '... and replaced',
  theirs(['conv', 'run.bin']).status === 0 && readFileSync(join(folder, 'run.pftrace')).equals(plain),
);
check(
  '--gzip',
  theirs(['conv', '-z', 'run.bin']).status === 0 &&
    gunzipSync(readFileSync(join(folder, 'run.pftrace.gz'))).equals(plain),
);
check(
  'globs',
  theirs(['conv', 'many\\*.bin']).status === 0 &&
    readdirSync(join(folder, 'many')).filter((name) => name.endsWith('.pftrace')).length === 2,
);
check('nothing half is left', !readdirSync(folder).some((name) => name.endsWith('.part')));
const { status } = spawnSync(
  'bash',
  ['-c', `"${emulator}" "${program}" dump run.bin | head -n 1 >/dev/null; exit \${PIPESTATUS[0]}`],
  options,
);
check('a reader that goes away is no error', status === 0, `exit ${status}`);
rmSync(folder, { recursive: true, force: true });
console.log(failures ? `${failures} failed` : 'all the same');
process.exit(failures ? 1 : 0);
