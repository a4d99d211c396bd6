// SPDX-License-Identifier: MIT
// The commands in the user documentation run as written.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { bench_recording } from '../generator/demo-signals.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { wave_dump } from '../generator/demo-wave.mjs';
import { Folder, ROOT, TOOL, free_port, tool } from './tool.mjs';

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
  mkdirSync(folder.at('captures/below'), { recursive: true });
  symlinkSync(TOOL, folder.at('bin/tonkopf'));
  // Fetches what the link names, as the viewer does, and keeps it.
  folder.write(
    'bin/xdg-open',
    `#!${process.execPath}
const url = new URLSearchParams(process.argv[2].split('?')[1]).get('url');
const fetched = require('node:fs').createWriteStream('fetched.pftrace');
require('node:http').get(url, { headers: { Origin: 'https://ui.perfetto.dev' } }, (answer) => answer.pipe(fetched));
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
  for (const name of [
    'trace.bin',
    'first.bin',
    'before.bin',
    'after.bin',
    'captures/one.bin',
    'captures/below/two.bin',
  ])
    copyFileSync(motor, folder.at(name));
  folder.write('ring.bin', readFileSync(motor).subarray(20_000)); // without the names and the tick length
  folder.write('calls.dat', heatpump({ rounds: 100 }).trace);
  folder.write('wave.vcd', wave_dump());
  folder.write('wave.vcd.gz', gzipSync(wave_dump()));
  for (const name of ['recording.recTr', 'fast.recTr']) folder.write(name, bench_recording());
  folder.write('late.bin', lift_recording({ bytes: 40_000 }).subarray(20_000));
  folder.write('firmware.elf', heatpump_elf());
  folder.write('names.dic', '-v810\nObj-Dic:\n4\n0x20000320 Cabin\n***\n');
  port = await free_port();
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

/** @param {string} name */
const bytes = (name) => readFileSync(folder.at(name));
/** @param {string} name */
const list = (name) => readdirSync(folder.at(name), { recursive: true, encoding: 'utf8' }).sort();
/** Standard output of a command. @param {string} line */
const printed = (line) => run(line).stdout.toString();
/** Bytes of a trace that a command writes. @param {string} words */
const converted = (words) => run(`tonkopf conv ${words} -o other.pftrace --quiet`) && bytes('other.pftrace');
/** Values of a key in the lines of a dump. @param {string} text @param {string} key */
const values = (text, key) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => new RegExp(` ${key}=("[^"]*"|\\S+)`).exec(line)?.[1]?.replaceAll('"', ''));

/** The browser of these tests may write a little later than the program ends. @param {Buffer} trace */
const is_fetched = (trace) =>
  expect.poll(() => existsSync(folder.at('fetched.pftrace')) && bytes('fetched.pftrace').equals(trace)).toBe(true);

/**
 * What the comments of docs/CLI.md claim, and what its sentences claim about commands without a comment.
 * @type {[command: string, check: (out: string) => void | Promise<void>][]}
 */
const CLAIMS = [
  ['conv capture.bin', () => expect(bytes('capture.pftrace')).toEqual(converted('capture.bin'))],
  [
    'conv capture.bin -o trace.pftrace --gzip',
    () => expect(gunzipSync(bytes('trace.pftrace'))).toEqual(converted('capture.bin')),
  ],
  [
    'conv core0.bin@0 core1.bin@1 -o both.pftrace',
    () => expect(bytes('both.pftrace')).toEqual(converted('trace.core0.bin trace.core1.bin')),
  ],
  ['conv captures/ -o out/', () => expect(list('out')).toEqual(['one.pftrace'])],
  [
    'conv --recursive captures/ -o all/',
    () => expect(list('all').filter((name) => name.endsWith('.pftrace'))).toHaveLength(2),
  ],
  ['conv "captures/*.bin" -o some/', () => expect(list('some')).toEqual(['one.pftrace'])],
  [
    'conv capture.bin --from 10ms --to 0.5s',
    () => {
      expect(bytes('capture.pftrace')).toEqual(converted('capture.bin --from 10000000 --to 500000000'));
      expect(bytes('capture.pftrace')).not.toEqual(converted('capture.bin'));
    },
  ],
  [
    'cat capture.bin | tonkopf conv - > capture.pftrace',
    () => expect(bytes('capture.pftrace')).toEqual(converted('capture.bin')),
  ],
  ['conv ring.bin --with first.bin', () => expect(bytes('ring.pftrace').includes('telemetry')).toBe(true)],
  ['conv calls.dat --with firmware.elf', () => expect(bytes('calls.pftrace').includes('board_init')).toBe(true)],
  ['conv late.bin names.dic', () => expect(bytes('late.pftrace').includes('Cabin')).toBe(true)],
  ['info capture.bin', (out) => expect(out).toMatch(/Tonbandgeraet[^]*lost[^]*Load/i)],
  [
    'info --json capture.bin | head -c 300',
    (out) => expect(printed('tonkopf info --json capture.bin').startsWith(out) && out.length).toBe(300),
  ],
  ['dump capture.bin | head', (out) => expect(values(out, 'event').filter(Boolean)).toHaveLength(10)],
  [
    'dump --json capture.bin | grep -m 3 marker',
    (out) =>
      expect(out.trim().split('\n').map((line) => JSON.parse(line).event.includes('marker'))).toEqual([true, true, true]), // prettier-ignore
  ],
  ['dump --stage frames capture.bin | head -n 3', (out) => expect(values(out, 'frame')).toEqual(['0', '1', '2'])],
  [
    'info capture.bin -o report.txt',
    () => expect(bytes('report.txt').toString()).toBe(printed('tonkopf info capture.bin')),
  ],
  [
    'dump --event "task switched in,queue send" capture.bin | head',
    (out) => expect(new Set(values(out, 'event'))).toEqual(new Set(['task switched in', 'queue send'])),
  ],
  [
    'dump --task 2 --from 10ms --to 20ms capture.bin',
    (out) => {
      const seconds = values(out, 'seconds').map(Number);
      expect([Math.min(...seconds) >= 0.01, Math.max(...seconds) <= 0.02]).toEqual([true, true]);
      expect(values(out, 'id').filter((id) => id === '2').length).toBeGreaterThan(0);
    },
  ],
  [
    'dump --core 1 core0.bin@0 core1.bin@1 | head',
    (out) => expect(values(out, 'core')).toEqual(new Array(10).fill('1')),
  ],
  [
    'dump --json --stage records --event queue_send capture.bin | head -n 1',
    (out) => expect(Object.values(JSON.parse(out))).toContain('queue_send'),
  ],
  [
    'dump --signal bench/uart/state --csv wave.vcd | head',
    (out) => expect(out).toMatch(/^time_\w+,value,details\r?\n\d/),
  ],
  ['info --markdown capture.bin', (out) => expect(out).toMatch(/^#.*\n[^]*\n\|[- |:]+\|\n/)],
  ['info --from 10ms --to 0.5s capture.bin', (out) => expect(out).not.toBe(printed('tonkopf info capture.bin'))],
  ['info --csv tasks capture.bin', (out) => expect(out).toMatch(/^recording,name,[^]*\ncapture\.bin,control,/)],
  [
    'info --csv tasks *.bin',
    (out) => {
      const [head, ...rows] = out.trim().split('\n');
      expect(head).toMatch(/^recording,name,/);
      const named = new Set(rows.map((row) => row.split(',')[0]));
      for (const name of ['after.bin', 'before.bin', 'capture.bin']) expect(named).toContain(name);
    },
  ],
  ['info --why control capture.bin', (out) => expect(out).toMatch(/^control, response .*\n +ran [\d.]+ \w+/m)],
  [
    'info --schema',
    (out) => expect(Object.keys(JSON.parse(out))).toEqual(expect.arrayContaining(['tables', 'problems'])),
  ],
  ['compare before.bin after.bin', (out) => expect(out).toMatch(/worse|better|beyond the noise/)],
  [
    'info --json before.bin > baseline.json',
    () => expect(JSON.parse(bytes('baseline.json').toString())).toHaveProperty('schema'),
  ],
  ['compare --csv tasks baseline.json after.bin', (out) => expect(out).toMatch(/^name,[^]*\ncontrol,/)],
  ['conv --open capture.bin', () => is_fetched(converted('capture.bin'))],
  ['serve --open capture.pftrace', () => is_fetched(bytes('capture.pftrace'))],
  [
    'conv --quiet --fail-on damage,drops capture.bin',
    () => {
      folder.write('damaged.dat', Buffer.concat([bytes('capture.bin').subarray(0, 20_001), Buffer.alloc(500, 0x5a)]));
      expect(run('tonkopf conv --quiet --fail-on damage,drops damaged.dat').status).toBe(1);
    },
  ],
  [
    "info --expect 'cpu.load<80%' --expect 'events.lost==0' capture.bin",
    () => expect(run("tonkopf info --expect 'cpu.load<0%' capture.bin").status).toBe(1),
  ],
  [
    "info --expect 'tasks[*].cpu<10s ; rows >= 3' capture.bin",
    () => expect(run("tonkopf info --expect 'tasks[*].cpu<10s ; rows >= 30' capture.bin").status).toBe(1),
  ],
];

/** A line as CLAIMS names it. @param {string} line */
const bare = (line) => line.replace(/ +#.*/, '').replace(/^tonkopf /, '');

test('each command of docs/CLI.md has a claim', () =>
  expect(commands_of(CLI_PAGE).map(bare)).toEqual(CLAIMS.map(([command]) => command)));

describe.each([
  ['docs/CLI.md', CLI_PAGE, 12],
  ['README.md', README_PART, 4],
  ['docs/REPORT.md', read('docs/REPORT.md'), 3],
  ['docs/formats/flux.md', read('docs/formats/flux.md'), 5],
  ['docs/formats/vcd.md', read('docs/formats/vcd.md'), 5],
])('%s', (_, page, least) => {
  const commands = commands_of(page);

  test('contains commands', () => expect(commands.length).toBeGreaterThanOrEqual(least));

  test.each(commands)('%s', async (line) => {
    const { status, stdout, stderr } = run(line);
    expect(status, stderr.toString()).toBe(0);
    expect(stderr.toString()).not.toMatch(/warning|not used|ignored/);
    if (!/ -o |> |tonkopf (conv|serve)/.test(line)) expect(stdout.length).toBeGreaterThan(0);
    if (page === CLI_PAGE) await CLAIMS.find(([command]) => command === bare(line))?.[1](stdout.toString());
    for (const name of ['both.pftrace', 'fetched.pftrace']) rmSync(folder.at(name), { force: true });
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
