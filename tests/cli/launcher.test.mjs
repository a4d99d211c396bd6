// SPDX-License-Identifier: MIT
// The packed npm packages, installed from files: `npx tonkopf` starts the native program and passes its exit code on.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORMS } from '../../scripts/cross.mjs';
import { writeNotices } from '../../scripts/notices.mjs';
import { PACKAGES, packMain, packPlatform } from '../../scripts/pack_npm.mjs';
import { version } from '../../scripts/version.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Folder, ROOT, TOOL, ended, hasRead } from './tool.mjs';

if (!existsSync(join(ROOT, 'lib/index.js'))) throw new Error('lib/ is missing: run `npm run build:lib`');

const MOTOR = motor_recording({ bytes: 60_000 });
const HERE = `${process.platform}-${process.arch}`;
const NAMES = Object.values(PACKAGES).map(({ name }) => name);
/** @type {Folder} */
let folder;
/** Path of the main package. @type {string} */
let main;
/** Paths of the others, by platform. @type {Record<string, string>} */
const programs = {};

/** @param {string} command @param {string[]} args @param {string} cwd */
const run = (command, args, cwd) => spawnSync(command, args, { cwd, maxBuffer: 1 << 28 });
const launcher = () => join(folder.at('user'), 'node_modules/.bin/tonkopf');
/** `npx tonkopf`, without a registry. @param {string[]} args */
const npx = (args, cwd = folder.at('user')) => run('npx', ['--offline', 'tonkopf', ...args], cwd);

/** Installs tarballs in an empty folder. @param {string} name @param {string[]} tarballs */
function install(name, tarballs) {
  mkdirSync(folder.at(name));
  writeFileSync(join(folder.at(name), 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], {
    cwd: folder.at(name),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(() => {
  folder = new Folder();
  main = packMain(folder.at('packed'));
  for (const [platform, { os }] of Object.entries(PACKAGES)) {
    // the native program of this machine; in a release scripts/cross.mjs makes those of all platforms
    const built = folder.at(`built-${platform}`);
    mkdirSync(join(built, 'bin'), { recursive: true });
    copyFileSync(TOOL, join(built, 'bin', os[0] === 'win32' ? 'tonkopf.exe' : 'tonkopf'));
    writeNotices(built, []);
    programs[platform] = packPlatform(platform, built, folder.at('packed'));
  }
  const here = Object.keys(PACKAGES).find((platform) => PACKAGES[platform].name === `@tonkopf/${HERE}`);
  install('user', [main, programs[/** @type {string} */ (here)]]);
  install('bare', [main]);
  writeFileSync(join(folder.at('user'), 'run.bin'), MOTOR);
});
afterAll(() => folder.remove());

describe('the packages', () => {
  /** @param {string} tarball */
  const manifest = (tarball) =>
    JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }));

  test('every platform of a release has a package with its program and the licences', () => {
    expect(Object.keys(PACKAGES).sort()).toEqual(Object.keys(PLATFORMS).sort());
    for (const [platform, tarball] of Object.entries(programs)) {
      const files = execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8' });
      const { name, os, cpu } = PACKAGES[platform];
      expect(files).toMatch(
        os[0] === 'win32' ? / package\/bin\/tonkopf\.exe$/m : /^-rwxr-xr-x .* package\/bin\/tonkopf$/m,
      );
      for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'README.md'])
        expect(files).toContain(`package/${file}\n`);
      expect(manifest(tarball)).toMatchObject({ name, version, os, cpu });
    }
  });

  test('the main package pins all platform packages; the repository names none, so that `npm ci` needs none', () => {
    expect(manifest(main).optionalDependencies).toEqual(Object.fromEntries(NAMES.map((name) => [name, version])));
    for (const file of ['package.json', 'package-lock.json'])
      expect(readFileSync(join(ROOT, file), 'utf8')).not.toContain('@tonkopf/');
  });

  test('the launcher is plain JavaScript, and the package contains no second command line', () => {
    expect(existsSync(join(folder.at('user'), 'node_modules/tonkopf/lib/cli.js'))).toBe(false);
    expect(readdirSync(join(folder.at('user'), 'node_modules/tonkopf/cli'))).toEqual(['launcher.mjs']);
  });
});

describe('npx tonkopf', () => {
  test('is the native program', () => {
    expect(npx(['--version']).stdout.toString()).toBe(run(TOOL, ['--version'], ROOT).stdout.toString());
    const options = npx(['options-json']).stdout; // only the native program has this command
    expect(options.equals(run(TOOL, ['options-json'], ROOT).stdout)).toBe(true);
  });

  test('converts from a file and from a pipe', () => {
    const expected = run(TOOL, ['conv', '-o', '-', 'run.bin'], folder.at('user')).stdout;
    expect(expected.length).toBeGreaterThan(10_000);
    expect(npx(['conv', 'run.bin']).status).toBe(0);
    expect(readFileSync(join(folder.at('user'), 'run.pftrace')).equals(expected)).toBe(true);
    const piped = spawnSync(launcher(), ['conv', '-', '-o', '-'], { input: MOTOR, maxBuffer: 1 << 28 });
    expect([piped.status, piped.stdout.equals(expected)]).toEqual([0, true]);
  });

  test('passes the exit code of the program on', () => {
    expect(npx(['info', '--expect', 'events.total<10', 'run.bin']).status).toBe(1);
    expect(npx(['info', '--frmat']).status).toBe(2);
    expect(npx(['info', 'none.bin']).status).toBe(3);
  });

  test('the library in the same package works', () => {
    const line = "import { convert } from 'tonkopf'; console.log((await convert('run.bin')).trace.length > 10000);";
    expect(run(process.execPath, ['--input-type=module', '-e', line], folder.at('user')).stdout.toString()).toBe(
      'true\n',
    );
  });
});

/** Process id of the program that a launcher started. @param {number | undefined} pid */
const programOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

describe.skipIf(process.platform !== 'linux')('signals', () => {
  /** Starts the launcher on a pipe that stays open, until the program has read it. @param {string[]} args */
  async function started(args) {
    const child = spawn(launcher(), args, { cwd: folder.at('user'), detached: true });
    const result = ended(child);
    child.stdin.write(MOTOR);
    await expect.poll(() => programOf(child.pid)).toBeGreaterThan(0);
    const pid = programOf(child.pid);
    await hasRead(/** @type {any} */ ({ pid }), MOTOR.length);
    return { child, pid, result };
  }

  test.each(
    /** @type {[NodeJS.Signals, number][]} */ ([
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ]),
  )('%s reaches the program, which reports and ends with %d', async (signal, code) => {
    const { child, result } = await started(['info', '-']);
    child.kill(signal);
    const { text, errors, code: status } = await result;
    expect([status, errors]).toEqual([code, expect.stringMatching(/standard input: stopped after \d+ bytes/)]);
    expect(text).toContain('Duration');
  });

  test('a signal to the whole process group, several times at once, leaves a complete trace', async () => {
    const { child, pid, result } = await started(['conv', '-', '-o', 'live.pftrace']);
    process.kill(pid, 'SIGSTOP'); // so that it does not end before the last signal is sent
    // Of two equal signals a stopped program would get one only, however often they were forwarded.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT']) process.kill(-(/** @type {number} */ (child.pid)), signal);
    child.kill('SIGINT');
    process.kill(pid, 'SIGCONT');
    const { code, errors } = await result;
    expect([code, errors]).toEqual([0, expect.stringContaining('stopped by you')]);
    expect(readFileSync(join(folder.at('user'), 'live.pftrace')).length).toBeGreaterThan(10_000);
  });

  test('a program that a signal ended: exit code 128 plus its number', async () => {
    const { pid, result } = await started(['info', '-']);
    process.kill(pid, 'SIGKILL');
    expect((await result).code).toBe(137);
  });
});

describe('no package for the platform', () => {
  const sentence = (/** @type {string} */ platform) =>
    `tonkopf: there is no program for ${platform} (no package @tonkopf/${platform}): use the library (import { convert } from 'tonkopf') or a program from https://github.com/tonkopf/tonkopf/releases\n`;

  test('no platform package is installed: one sentence, and the exit code of a command that is not found', () => {
    const { status, stdout, stderr } = npx(['--version'], folder.at('bare'));
    expect([status, stdout.toString(), stderr.toString()]).toEqual([127, '', sentence(HERE)]);
  });

  test('the package of another platform is not used', () => {
    const other = "data:text/javascript,Object.defineProperty(process, 'platform', { value: 'freebsd' })";
    const { status, stderr } = run(
      process.execPath,
      ['--import', other, 'node_modules/tonkopf/cli/launcher.mjs', '--version'],
      folder.at('user'),
    );
    expect([status, stderr.toString()]).toEqual([127, sentence(`freebsd-${process.arch}`)]);
  });
});

test('the workflow publishes the platform packages before the main package, and none twice', () => {
  const steps = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  const [, lines] = /** @type {RegExpExecArray} */ (/name: npm, [^\n]*\n {8}run: \|\n((?: {10}.*\n)+)/.exec(steps));
  const place = folder.at('publish');
  mkdirSync(join(place, 'npm'), { recursive: true });
  for (const tarball of [main, ...Object.values(programs)])
    copyFileSync(tarball, join(place, 'npm', basename(tarball)));
  mkdirSync(join(place, 'bin'));
  // a registry that already contains one of them
  writeFileSync(
    join(place, 'bin/npm'),
    `#!/bin/sh\ncase "$1 $2" in "view @tonkopf/darwin@${version}") echo ${version};; view*) exit 1;; *) echo "$@" >> asked;; esac\n`,
    { mode: 0o755 },
  );
  execFileSync('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: place,
    env: { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}`, GITHUB_REF_NAME: `v${version}` },
  });
  const asked = readFileSync(join(place, 'asked'), 'utf8').trim().split('\n');
  const files = NAMES.filter((name) => name !== '@tonkopf/darwin').map(
    (name) => `${name.slice(1).replace('/', '-')}-${version}.tgz`,
  );
  const command = (/** @type {string} */ file) => `publish --provenance --access public ./npm/${file}`;
  expect(asked.slice(0, -1).sort()).toEqual(files.map(command).sort());
  expect(asked.at(-1)).toBe(command(`tonkopf-${version}.tgz`));
});
