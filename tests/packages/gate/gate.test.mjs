// SPDX-License-Identifier: MIT
// The script of the GitHub Action, with the program on the PATH.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, run } from '../../../scripts/lib.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-gate-')),
  action = join(root, '.github', 'actions', 'convert');
const TOOL = process.env.TONKOPF_CLI ?? join(root, 'build', 'native', 'cli', 'tonkopf');

beforeAll(() => {
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'captures'));
  symlinkSync(TOOL, join(folder, 'bin', 'tonkopf'));
  for (const name of ['one run.bin', 'two.bin'])
    writeFileSync(join(folder, 'captures', name), motor_recording({ bytes: 30_000 }));
  const bytes = Buffer.from(motor_recording({ bytes: 30_000 }));
  bytes.fill(0x55, 9000, 9100);
  writeFileSync(join(folder, 'damaged.bin'), bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @typedef {Record<string, string>} Texts */

/** The inputs of action.yml with their defaults, and its steps that run a script. @returns {{ defaults: Texts, steps: { name: string, run: string, env: Texts }[] }} */
function composite() {
  const text = readFileSync(join(action, 'action.yml'), 'utf8');
  const [head, , body] = /** @type {string[]} */ (text.split(/^(?:outputs|runs):\n/m));
  const defaults = Object.fromEntries(
    [...head.matchAll(/^  ([\w-]+):\n(?: {4}.*\n)*? {4}default: (.*)\n/gm)].map(([, name, value]) => [
      name,
      value.replace(/^'(.*)'$/, '$1'),
    ]),
  );
  const steps = body.split(/^    - name: /m).slice(1);
  return {
    defaults,
    steps: steps.flatMap((step) => {
      const [, run] = /^      run: '(.*)'$/m.exec(step) ?? [];
      if (!run) return [];
      expect(step).toMatch(/^      shell: bash$/m);
      const env = [...step.matchAll(/^        (\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)];
      expect(env).toHaveLength(step.split('${{').length - 1); // each expression is the value of an input
      return { name: step.split('\n')[0], run, env: Object.fromEntries(env.map(([, name, input]) => [name, input])) };
    }),
  };
}

const { defaults, steps } = composite();

/** Runs the steps of the action as GitHub does: each in a shell of its own, with the inputs as its environment. @param {Texts} inputs */
function convert(inputs) {
  const summary = join(folder, 'summary.md');
  rmSync(summary, { force: true });
  for (const name of Object.keys(inputs)) expect([...Object.keys(defaults), 'recordings']).toContain(name);
  const all = { ...defaults, ...inputs };
  let done = { status: /** @type {number | null} */ (0), stdout: '', stderr: '' };
  for (const { run, env } of steps) {
    writeFileSync(join(folder, 'step.sh'), run);
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-e', '-o', 'pipefail', join(folder, 'step.sh')],
      {
        cwd: folder,
        encoding: 'utf8',
        env: {
          HOME: folder,
          PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
          GITHUB_ACTIONS: 'true',
          GITHUB_ACTION_PATH: action,
          GITHUB_STEP_SUMMARY: summary,
          GITHUB_WORKSPACE: folder,
          ...Object.fromEntries(Object.entries(env).map(([name, input]) => [name, all[input]])),
        },
      },
    );
    done = { status, stdout: done.stdout + stdout, stderr: done.stderr + stderr };
    if (status !== 0) break;
  }
  return { ...done, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
}

test('every input of the action reaches a script', () => {
  expect(steps.map(({ name }) => name)).toEqual(['Install', 'Convert and judge']);
  const used = steps.flatMap(({ env }) => Object.values(env));
  expect([...used, 'artifact'].sort()).toEqual([...Object.keys(defaults), 'recordings'].sort());
});

test('recordings become traces, a report and a summary', () => {
  const { status, stderr, summary } = convert({
    recordings: 'captures/\n',
    'fail-on': 'damage,drops',
    expect: 'cpu.load<=100%\nevents.lost==0\n',
    out: 'out',
  });
  expect(stderr).not.toContain('error');
  expect(status).toBe(0);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['one run.pftrace', 'report.md', 'two.pftrace']);
  const [, first, second] = summary.split(/^# /m);
  expect(first).toMatch(/^one run\.bin\n/);
  expect(second).toMatch(/^two\.bin\n/);
  for (const part of [first, second]) {
    expect(part).toContain('\n## Verdicts\n');
    expect(part).toContain('\n- **holds** expect cpu.load\\<=100%\n');
    expect(part).toContain('\n- **holds** expect events.lost==0\n');
    expect(part).toContain('\n- **holds** fail-on damage\n');
    expect(part).toContain('\n- **holds** fail-on drops\n');
    expect(part).toContain('| Task');
  }
});

test('options that only affect traces do not break the report', () => {
  const { status, summary } = convert({
    recordings: 'captures/two.bin',
    options: '--wall-clock-ns 5 --tick-ns 1000\n--raw-events\n--gzip\n',
    out: 'packed',
  });
  expect(status).toBe(0);
  expect([...readFileSync(join(folder, 'packed', 'two.pftrace.gz')).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  expect(summary).toContain('| Task');
});

test('damage and violated rules fail it; the traces are written nevertheless', () => {
  const damaged = convert({ recordings: 'damaged.bin', 'fail-on': 'damage', out: 'bad' });
  expect(damaged.status).toBe(1);
  expect(readdirSync(join(folder, 'bad')).sort()).toEqual(['damaged.pftrace', 'report.md']);
  expect(damaged.summary).toContain('\n- **fails** fail-on damage: damaged.bin has damage\n');
  const busy = convert({
    recordings: 'captures/\ndamaged.bin',
    expect: 'cpu.load<0%\nqueues[nothing].max_fill<9\nevents.lost==0\ntasks[IDLE].longest_wait<1ms',
    out: 'fig',
  });
  expect(busy.status).not.toBe(0);
  const parts = busy.summary.split(/^# /m).slice(1);
  expect(parts.map((part) => part.split('\n')[0])).toEqual(['one run.bin', 'two.bin', 'damaged.bin']);
  for (const part of parts) {
    expect(part).toMatch(/\n- \*\*fails\*\* expect cpu\.load\\<0%: it is (at least )?[\d.]+ %, not \\< 0%\n/);
    expect(part).toMatch(
      /\n- \*\*not measured\*\* expect queues\\\[nothing\\\]\.max\\_fill\\<9: not measured: no row of /,
    );
    expect(part).toContain('\n- **holds** expect events.lost==0\n');
    expect(part).toMatch(/\n- \*\*not measured\*\* expect tasks\\\[IDLE\\\]\.longest\\_wait\\<1ms: /);
  }
});

test('a file of rules is annotated; its verdicts come first in the summary', () => {
  writeFileSync(join(folder, 'limits.rules'), 'cpu.load<80%\ndeadline control 10us\ncpu.load<=baseline*2\n');
  const report = spawnSync(TOOL, ['info', '--json', 'captures/two.bin'], { cwd: folder, encoding: 'utf8' }).stdout;
  writeFileSync(join(folder, 'before.json'), report);
  const { status, stdout, summary } = convert({
    recordings: 'captures/',
    rules: 'limits.rules',
    baseline: 'before.json',
    out: 'ruled',
  });
  expect(status).toBe(1);
  expect(stdout.match(/^::error file=limits\.rules,line=2::fails: (one run|two)\.bin: deadline/gm)).toHaveLength(2);
  const rows = summary.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.slice(1, 7).map((row) => row.split(' | ')[0])).toEqual([...Array(2).fill('| fails'), ...Array(4).fill('| holds')]); // prettier-ignore
  expect(readdirSync(join(folder, 'ruled'))).toEqual(expect.arrayContaining(['report.md', 'rules.md', 'rules.sarif', 'rules.xml'])); // prettier-ignore
  // rules among the options are for conv and info
  writeFileSync(join(folder, 'limits.rules'), 'cpu.load<80%\n');
  const options = '--expect cpu.load<1% --fail-on=damage --tick-ns 1000';
  const both = convert({ recordings: 'captures/two.bin', rules: 'limits.rules', options: options, out: 'both' });
  expect([both.status, both.stderr.includes('check')]).toEqual([1, false]);
  expect(both.summary).toMatch(/^\| holds \|/m);
  expect(both.summary).toContain('\n- **fails** expect cpu.load\\<1%');
  writeFileSync(join(folder, 'limits.rules'), 'cpu.laod<80%\n');
  const wrong = convert({ recordings: 'captures/two.bin', rules: 'limits.rules', out: 'wrong' });
  expect([wrong.status, wrong.stdout.includes('laod'), wrong.summary.includes('laod')]).toEqual([2, true, true]);
});

test('patterns, and ways to be green by mistake', () => {
  writeFileSync(join(folder, 'limits.rules'), 'cpu.load<80%\n');
  writeFileSync(join(folder, 'empty.rules'), '# cpu.load<80%\n');
  mkdirSync(join(folder, 'empty'));
  const two = 'captures/two.bin';
  const found = convert({ recordings: 'captures/*.bin', rules: 'limits.rules', out: 'pattern' });
  expect([found.status, found.summary.match(/^\| holds/gm)?.length]).toEqual([0, 2]);
  for (const [status, inputs] of /** @type {[number, Texts][]} */ ([
    [3, { recordings: 'captures/*.none', rules: 'limits.rules' }],
    [3, { recordings: 'empty', rules: 'limits.rules' }],
    [3, { recordings: `${two}\nnothing.bin`, rules: 'limits.rules' }],
    [3, { recordings: two, rules: 'missing.rules' }],
    [2, { recordings: two, rules: 'empty.rules' }],
    [3, { recordings: two, rules: 'limits.rules', baseline: 'missing.json' }],
    [2, { recordings: two, rules: 'limits.rules', baseline: 'limits.rules' }],
    [2, { recordings: '\n\n', rules: 'limits.rules' }],
    [2, { recordings: '', rules: 'limits.rules' }],
  ]))
    expect([convert({ ...inputs, out: 'mistake' }).status, inputs]).toEqual([status, inputs]);
});

test('a missing recording has its own exit code', () => {
  expect(convert({ recordings: 'nothing.bin', out: 'none' }).status).toBe(3);
  expect(convert({ recordings: 'captures/two.bin', 'fail-on': 'damge', out: 'typo' }).status).toBe(2);
});

test('each file of a folder or a pattern is accounted for: an empty or random one has the exit code of an unreadable input', () => {
  mkdirSync(join(folder, 'mixed'));
  writeFileSync(join(folder, 'mixed', 'good.bin'), motor_recording({ bytes: 30_000 }));
  writeFileSync(join(folder, 'mixed', 'empty.bin'), '');
  const random = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 13) & 255));
  writeFileSync(join(folder, 'mixed', 'random.bin'), random);
  for (const recordings of ['mixed', 'mixed/', 'mixed/*.bin']) {
    const { status, stderr } = convert({ recordings, expect: 'cpu.load<=100%', out: 'mixed-out' });
    expect([recordings, status]).toEqual([recordings, 3]);
    for (const name of ['empty.bin', 'random.bin']) expect(stderr).toContain(name);
    expect(existsSync(join(folder, 'mixed-out', 'good.pftrace'))).toBe(true);
  }
});

test('a release is downloaded and its checksum verified', async () => {
  const name = `tonkopf-linux-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`,
    releases = join(folder, 'v9.9.9');
  mkdirSync(join(folder, name, 'bin'), { recursive: true });
  mkdirSync(releases);
  writeFileSync(join(folder, name, 'bin', 'tonkopf'), '#!/bin/sh\necho it runs\n');
  chmodSync(join(folder, name, 'bin', 'tonkopf'), 0o755);
  run('tar', ['-czf', join(releases, `${name}.tar.gz`), '-C', folder, name]);
  const sum = createHash('sha256')
    .update(readFileSync(join(releases, `${name}.tar.gz`)))
    .digest('hex');
  const server = createServer((request, response) => {
    const file = join(folder, /** @type {string} */ (request.url));
    response.writeHead(existsSync(file) ? 200 : 404).end(existsSync(file) ? readFileSync(file) : '');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const port = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  const paths = join(folder, 'path');
  const install = (/** @type {string} */ sums) => {
    writeFileSync(join(releases, 'SHA256SUMS'), sums);
    rmSync(paths, { force: true });
    const env = {
      HOME: folder,
      PATH: '/usr/bin:/bin',
      RUNNER_TEMP: join(folder, 'runner'),
      GITHUB_PATH: paths,
      TONKOPF_RELEASES: `http://127.0.0.1:${port}`,
    };
    return new Promise((done) => {
      import('node:child_process').then(({ spawn }) =>
        spawn('bash', [join(action, 'install.sh'), 'v9.9.9'], { env }).on('close', done),
      );
    });
  };
  expect(await install(`${'0'.repeat(64)}  ${name}.tar.gz\n`)).not.toBe(0);
  expect(await install(`${sum}  ${name}.tar.gz\n`)).toBe(0);
  server.close();
  expect(spawnSync(join(readFileSync(paths, 'utf8').trim(), 'tonkopf'), { encoding: 'utf8' }).stdout).toBe('it runs\n');
});
