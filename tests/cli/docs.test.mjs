// SPDX-License-Identifier: MIT
// The commands in the user documentation run as written.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { bench_recording } from '../generator/demo-signals.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { wave_dump } from '../generator/demo-wave.mjs';
import { Folder, ROOT, TOOL, tool } from './tool.mjs';

const read = (/** @type {string} */ name) => readFileSync(join(ROOT, name), 'utf8');

/** Lines of ```sh blocks that call the program. @param {string} page */
const commands_of = (page) =>
  [...page.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block]) => block.split('\n'))
    .filter((line) => /(^|\| )tonkopf /.test(line));

const CLI_PAGE = read('docs/CLI.md');
const README_PART = /## On the command line\n(.*?)\n## /s.exec(read('README.md'))?.[1] ?? '';

/** @type {Folder} */
let folder;
/** @type {number} */
let port;
beforeAll(async () => {
  folder = new Folder();
  mkdirSync(folder.at('bin'));
  mkdirSync(folder.at('out'));
  mkdirSync(folder.at('captures'));
  symlinkSync(TOOL, folder.at('bin/tonkopf'));
  // Fetches what the link names, as the viewer does.
  folder.write(
    'bin/xdg-open',
    `#!${process.execPath}
const url = new URLSearchParams(process.argv[2].split('?')[1]).get('url');
require('node:http').get(url, { headers: { Origin: 'https://ui.perfetto.dev' } }, (answer) => answer.resume());
`,
  );
  chmodSync(folder.at('bin/xdg-open'), 0o755);
  const motor = folder.write('capture.bin', motor_recording({ bytes: 40_000 }));
  const cores = gateway_recordings({ bytes: 40_000 });
  for (const [i, names] of [
    ['core0.bin', 'trace.core0.bin'],
    ['core1.bin', 'trace.core1.bin'],
  ].entries())
    for (const name of names) folder.write(name, cores[i]);
  for (const name of ['trace.bin', 'first.bin', 'before.bin', 'after.bin', 'captures/one.bin'])
    copyFileSync(motor, folder.at(name));
  folder.write('ring.bin', readFileSync(motor).subarray(20_000)); // without the names and the tick length
  folder.write('calls.dat', heatpump({ rounds: 100 }).trace);
  folder.write('wave.vcd', wave_dump());
  folder.write('wave.vcd.gz', gzipSync(wave_dump()));
  for (const name of ['recording.recTr', 'fast.recTr']) folder.write(name, bench_recording());
  folder.write('late.bin', lift_recording({ bytes: 40_000 }).subarray(20_000));
  folder.write('firmware.elf', heatpump_elf());
  folder.write('names.dic', '-v810\nObj-Dic:\n4\n0x20000320 Cabin\n***\n');
  port = await new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const chosen = /** @type {net.AddressInfo} */ (server.address()).port;
      server.close(() => resolve(chosen));
    });
  });
});
afterAll(() => folder.remove());

/** The line unchanged, except the serial port and the port of the viewer. @param {string} line */
function run(line) {
  const here = line.replace(/\/dev\/tty\w+/, 'capture.bin').replace('--open', `--open --port ${port}`);
  return spawnSync('bash', ['-o', 'pipefail', '-c', here], {
    cwd: folder.path,
    env: { ...process.env, PATH: `${folder.at('bin')}:${process.env.PATH}` },
  });
}

describe.each([
  ['docs/CLI.md', CLI_PAGE, 12],
  ['README.md', README_PART, 4],
  ['docs/REPORT.md', read('docs/REPORT.md'), 3],
  ['docs/formats/flux.md', read('docs/formats/flux.md'), 5],
  ['docs/formats/vcd.md', read('docs/formats/vcd.md'), 5],
])('%s', (_, page, least) => {
  const commands = commands_of(page);

  test('contains commands', () => expect(commands.length).toBeGreaterThanOrEqual(least));

  test.each(commands)('%s', (line) => {
    const { status, stdout, stderr } = run(line);
    expect(status, stderr.toString()).toBe(0);
    expect(stderr.toString()).not.toMatch(/warning|not used|ignored/);
    if (!/ -o |> |tonkopf (conv|serve)/.test(line)) expect(stdout.length).toBeGreaterThan(0);
    rmSync(folder.at('both.pftrace'), { force: true });
  });

  test('names only existing options', async () => {
    const known = new Set((await tool(['options-json'])).text.match(/(?<="name":")[a-z-]+/g));
    const named = page.match(/(?<=[\s`]--)[a-z][a-z-]+/g) ?? [];
    const foreign = new Set(['install', 'prefix', 'build', 'target', 'preset', 'config']); // options of cmake and cpack
    for (const name of named) if (!foreign.has(name)) expect(known, name).toContain(name);
  });
});

test.each([
  ['ring.bin', 'first.bin', 'task', 'telemetry'],
  ['calls.dat', 'firmware.elf', 'function', 'board_init'],
  ['late.bin', 'names.dic', 'object', 'Cabin'],
])('%s with %s has names of a %s', (recording, side, _, name) => {
  const report = (/** @type {string[]} */ ...words) =>
    run(['tonkopf info --quiet --json', recording, ...words].join(' ')).stdout.toString();
  const alone = report(),
    both = report('--with', side);
  expect([alone.includes(name), both.includes(name)]).toEqual([false, true]);
});

test('the table of exit codes equals that of the help', async () => {
  const listed = [...CLI_PAGE.matchAll(/^\| ([\d, ]+) \|/gm)].map(([, code]) => code);
  expect(listed).toEqual(['0', '1', '2', '3', '4', '129, 130, 143']);
  const man = (await tool(['man'])).text;
  for (const code of listed) expect(man).toContain(`.B ${code}\n`);
});

describe('the keys of a dump are those of docs/REPORT.md', () => {
  const page =
    read('docs/REPORT.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Lines of a dump')) ?? '';
  test.each(['frames', 'records', 'events', 'tracks'])('%s', async (stage) => {
    const row = new RegExp(`^\\| \`${stage}\` \\| (.*)$`, 'm').exec(page)?.[1] ?? '';
    const known = new Set([...row.matchAll(/`([a-z_]+)`/g)].map(([, key]) => key));
    const used = new Set();
    for (const name of ['damaged.bin', 'active-objects.bin', 'freertos.bin']) {
      const { out } = await tool(['dump', '--json', '--stage', stage, join(ROOT, 'web/public/demos', name)]);
      for (const line of out.toString().trim().split('\n'))
        for (const key of Object.keys(JSON.parse(line))) used.add(key);
    }
    expect(used.size).toBeGreaterThan(3);
    expect([...used].filter((key) => !known.has(key))).toEqual([]);
  });
});
