// SPDX-License-Identifier: MIT
// The artefacts of scripts/release.mjs, and the sources, on a machine without any other software: each is installed with exactly the
// commands of its documentation.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { root as project } from '../../../scripts/lib.mjs';
import { PACKAGES } from '../../../scripts/pack_npm.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';
import { makeRoot } from './root.mjs';

vi.setConfig({ testTimeout: 3_600_000 }); // complete builds

const platform = `linux-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
const release = join(project, 'build', 'release');
const TOOL = process.env.TONKOPF_CLI ?? join(project, 'build', 'native', 'cli', 'tonkopf');
/** @type {ReturnType<typeof makeRoot>} */
let machine;
/** @type {Buffer} */
let expected;

beforeAll(() => {
  if (!existsSync(release)) throw new Error(`${release} is missing: run node scripts/release.mjs`);
  machine = makeRoot();
  writeFileSync(join(machine.work, 'run.bin'), motor_recording({ bytes: 60_000 }));
  expected = execFileSync(TOOL, ['conv', '--quiet', '-o', '-', 'run.bin'], { cwd: machine.work, maxBuffer: 1 << 26 });
}, 3_600_000);
afterAll(() => machine?.remove());

/** @param {string} name */
const wrote = (name) => expect(readFileSync(join(machine.work, name)).equals(expected)).toBe(true);

/** The first code block of a language in a page. @param {string} page @param {string} language */
const lines = (page, language) =>
  /** @type {RegExpExecArray} */ (
    new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(project, page), 'utf8'))
  )[1];

test('the static program', () => {
  cpSync(join(release, `tonkopf-${platform}.tar.gz`), join(machine.work, `tonkopf-${platform}.tar.gz`));
  machine.run(
    `tar -xzf tonkopf-${platform}.tar.gz; mv tonkopf-${platform}/* .; bin/tonkopf --version; bin/tonkopf conv --quiet run.bin -o program.pftrace`,
  );
  wrote('program.pftrace');
});

test('the script of the GitHub Action', () => {
  cpSync(join(project, '.github', 'actions', 'convert', 'convert.sh'), join(machine.work, 'convert.sh'));
  machine.run('PATH=$PWD/bin:$PATH RECORDINGS=run.bin FAIL_ON=damage EXPECT="cpu.load<=100%" OUT=gate ./convert.sh');
  expect(readdirSync(join(machine.work, 'gate')).sort()).toEqual(['report.md', 'run.pftrace']);
  wrote('gate/run.pftrace');
});

test('the image of the Dockerfile: only the files that it copies', () => {
  const recipe = readFileSync(join(project, '.github', 'recipes', 'Dockerfile'), 'utf8'),
    image = join(machine.work, 'image');
  const copies = [...recipe.matchAll(/^COPY (\S+) (\S+)$/gm)],
    [, entry] = /** @type {RegExpExecArray} */ (/^ENTRYPOINT \["(\S+)"\]$/m.exec(recipe));
  for (const [, from, to] of copies) cpSync(join(machine.work, from), join(image, to));
  mkdirSync(join(image, 'data'));
  cpSync(join(machine.work, 'run.bin'), join(image, 'data', 'run.bin'));
  machine.run(`chroot image ${entry} conv --quiet /data/run.bin`);
  wrote('image/data/run.pftrace');
});

test('npm: the packed packages', () => {
  machine.copyNode();
  const { name } = PACKAGES[platform];
  cpSync(join(release, 'npm'), join(machine.work, 'npm'), { recursive: true });
  mkdirSync(join(machine.work, 'user'));
  writeFileSync(join(machine.work, 'user', 'use.mjs'), lines('docs/API.md', 'js'));
  const said = machine.run(
    `cd user; npm install --silent --offline --no-audit --no-fund ../npm/tonkopf-[0-9]*.tgz ../npm/${name.slice(1).replace('/', '-')}-*.tgz; cp ../run.bin capture.bin; node use.mjs; npx --offline tonkopf conv --quiet -o npx.pftrace capture.bin`,
  );
  expect(said).toMatch(/^0\.\d+ \[/);
  wrote('user/capture.pftrace');
  wrote('user/npx.pftrace');
});

test('npm: a page bundled by Vite, and plain modules from a static server, in Chromium', () => {
  machine.install('chromium');
  const page = join(machine.work, 'user'),
    main = (/** @type {string} */ from) => `import { convert } from '${from}';
    convert(new Uint8Array(await (await fetch('/run.bin')).arrayBuffer())).then(({ trace }) => trace, String).then((body) => fetch('/trace', { method: 'POST', body }));`;
  for (const [name, from] of [
    ['vite', 'tonkopf'],
    ['plain', '../node_modules/tonkopf/lib/browser.js'],
  ]) {
    mkdirSync(join(page, name));
    writeFileSync(join(page, name, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>');
    writeFileSync(join(page, name, 'main.js'), main(from));
  }
  cpSync(join(import.meta.dirname, 'browse.mjs'), join(page, 'browse.mjs'));
  machine.run(
    'cd user; cp ../run.bin .; npm install --silent --no-audit --no-fund vite@8.3.8; npx vite build --logLevel error --base ./ --outDir dist vite',
  );
  for (const path of ['vite/dist/', 'plain/']) {
    machine.run(`cd user; node browse.mjs ${path} shown.pftrace`);
    wrote('user/shown.pftrace');
  }
});

test('Python: the wheel as in the release workflow, and the commands of the README', () => {
  const workflow = readFileSync(join(project, '.github', 'workflows', 'release.yml'), 'utf8');
  const [, steps] = /** @type {RegExpExecArray} */ (/\n {2}run:\n[\s\S]*?- run: \|\n((?: {10}.*\n)+)/.exec(workflow));
  cpSync(join(release, 'wheels'), join(machine.work, 'wheels'), { recursive: true });
  machine.install('python3', 'python3-venv');
  const said = machine.run(steps.replaceAll('${{ matrix.platform }}', platform));
  expect(said).toContain('tonbandgeraet');
  writeFileSync(join(machine.work, 'use.py'), `${lines('README.md', 'py')}\nprint(report["cpu"]["load"])\n`);
  expect(machine.run('cp run.bin capture.bin; env/bin/python use.py')).toMatch(/^0\.\d+\n/);
  wrote('capture.pftrace');
});

test('from the sources: build, installation, the example in C', () => {
  machine.copyProject();
  machine.run('cd tonkopf; npm run --silent build:native; cmake --install build/native');
  machine.run(`cd tonkopf/docs/example; cc convert.c -o /try/convert $(pkg-config --cflags --libs tonkopf); ldconfig
    cd /try; ./convert run.bin library.pftrace; tonkopf conv --quiet run.bin -o built.pftrace`);
  wrote('library.pftrace');
  wrote('built.pftrace');
  expect(existsSync(join(machine.folder, 'usr/local/share/man/man1/tonkopf.1'))).toBe(true);
  machine.run('cmake --build tonkopf/build/native --target uninstall');
  expect(existsSync(join(machine.folder, 'usr/local/bin/tonkopf'))).toBe(false);
});

test('from the sources without Node, with third-party sources that are there', () => {
  const [, block] = /** @type {RegExpExecArray} */ (
    /Without npm, [^\n]*\n\n```text\n([\s\S]*?)```/.exec(readFileSync(join(project, 'docs', 'CLI.md'), 'utf8'))
  );
  expect(block).toMatch(/^cmake --preset native .*\ncmake --build --preset native\n$/);
  machine.run(
    `rm -r tonkopf/build/native /usr/local/bin/node; cd tonkopf\n${block}cd ..; tonkopf/build/native/cli/tonkopf conv --quiet run.bin -o without.pftrace`,
  );
  wrote('without.pftrace');
});
