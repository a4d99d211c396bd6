// SPDX-License-Identifier: MIT
// The packed library, installed: in Node, in pages bundled by Vite, webpack and esbuild, as plain modules from a static server, and
// type-checked without the DOM's and Node's types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, root } from '../../../scripts/lib.mjs';
import { packMain } from '../../../scripts/pack_npm.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-npm-'));
/** @param {string} command @param {string[]} args @param {string} cwd */
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const bin = (/** @type {string} */ name) => join(folder, 'node_modules', '.bin', name);
const write = (/** @type {string} */ name, /** @type {string | Uint8Array} */ content) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const digest = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest('hex');

const PAGE = `
async function main() {
  const file = new File([await (await fetch('/run.bin')).arrayBuffer()], 'run.bin');
  const { trace, report } = await convert(file);
  const hash = await crypto.subtle.digest('SHA-256', trace);
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex + ' ' + report.tasks.length + ' ' + (await reportText(report)).includes('Tasks');
}
main().then((text) => { document.title = text; }, (error) => { document.title = 'error: ' + error; });
`;
const HTML = '<!doctype html><meta charset="utf-8"><title>…</title><script type="module" src="./main.js"></script>';

/** @type {string} */
let expected;
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('node:http').Server} */
let server;

beforeAll(async () => {
  const tarball = packMain(folder);
  write('package.json', '{ "name": "user", "private": true, "type": "module" }');
  write('public/run.bin', Uint8Array.from(motor_recording({ bytes: 60_000 })));
  run('npm', [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    tarball,
    'esbuild@0.28.2',
    'vite@8.3.8',
    'webpack@5.102.1',
    'webpack-cli@6.0.1',
    'typescript-5@npm:typescript@5.9.3',
  ]);
  write(
    'node.mjs',
    `import { convert } from 'tonkopf'; import { createHash } from 'node:crypto';
    const { trace, report } = await convert('public/run.bin'); console.log(createHash('sha256').update(trace).digest('hex'), report.tasks.length, true);`,
  );
  expected = run(process.execPath, ['node.mjs']).trim();
  browser = await playwright.launch({
    timeout: 0,
    executablePath: /** @type {string} */ (chromium()),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const types = /** @type {Record<string, string>} */ ({
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.wasm': 'application/wasm',
  });
  server = createServer((request, response) => {
    const file = join(
      folder,
      decodeURIComponent(new URL(/** @type {string} */ (request.url), 'http://localhost').pathname),
    );
    const found = [file, join(folder, 'public', 'run.bin')].find(
      (path) => existsSync(path) && (path === file || request.url?.endsWith('/run.bin')),
    );
    response
      .writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      .end(found ? readFileSync(found) : '');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
}, 3_600_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The final content of a page from the static server. @param {string} path */
async function shown(path) {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await page.goto(`http://127.0.0.1:${port}/${path}`);
  await page.waitForFunction(() => document.title !== '…');
  const title = await page.title();
  await page.close();
  return title;
}

test('Node: a path', () => {
  expect(expected).toMatch(/^[0-9a-f]{64} \d+ true$/);
});

test('Node: the lines of the README', () => {
  const [, lines] = /** @type {RegExpExecArray} */ (
    /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))
  );
  cpSync(join(folder, 'public', 'run.bin'), join(folder, 'capture.bin'));
  write(
    'readme.mjs',
    `${lines}import { createHash } from 'node:crypto';
    console.log(createHash('sha256').update(trace).digest('hex'), report.tasks.length, true);`,
  );
  expect(run(process.execPath, ['readme.mjs']).trim()).toBe(expected);
});

test('plain modules from a static server', async () => {
  write('plain/index.html', HTML);
  cpSync(join(folder, 'node_modules', 'tonkopf', 'lib'), join(folder, 'plain', 'tonkopf'), { recursive: true });
  write('plain/main.js', `import { convert, reportText } from './tonkopf/browser.js';${PAGE}`);
  expect(await shown('plain/index.html')).toBe(expected);
});

test('Vite', async () => {
  write('vite/index.html', HTML);
  write('vite/main.js', `import { convert, reportText } from 'tonkopf';${PAGE}`);
  run(bin('vite'), ['build', '--logLevel', 'error', '--base', './', '--outDir', 'dist', 'vite']);
  expect(await shown('vite/dist/index.html')).toBe(expected);
});

test('webpack', async () => {
  write('webpack/index.html', HTML.replace('./main.js', './dist/main.js'));
  write('webpack/main.js', `import { convert, reportText } from 'tonkopf';${PAGE}`);
  run(bin('webpack'), ['--mode', 'production', '--entry', './webpack/main.js', '--output-path', 'webpack/dist']);
  expect(await shown('webpack/index.html')).toBe(expected);
});

test('esbuild, with the address of the module as an option', async () => {
  write('esbuild/index.html', HTML.replace('./main.js', './dist/main.js'));
  write(
    'esbuild/main.js',
    `import { convert, reportText, setModuleAddress } from 'tonkopf/browser';
    import path from 'tonkopf/tonkopf.wasm';
    setModuleAddress(new URL(path, import.meta.url));${PAGE}`,
  );
  run(bin('esbuild'), [
    'esbuild/main.js',
    '--bundle',
    '--format=esm',
    '--loader:.wasm=file',
    '--public-path=./',
    '--outdir=esbuild/dist',
    '--log-level=error',
  ]);
  expect(await shown('esbuild/index.html')).toBe(expected);
});

test.each(['tonkopf', 'tonkopf/browser'])('types of %s need neither the DOM nor Node', (name) => {
  write(
    'types/use.ts',
    `import { convert, CoreError, InputError } from '${name}';
    import type { Input, Options, Result } from '${name}';
    const options: Options = { 'tick-ns': 1000, set: { mode: 'free-rtos' }, onBlock: (block) => void block.length };
    // @ts-expect-error no such option
    const wrong: Options = { 'tik-ns': 1 };
    export const go = async (input: Input): Promise<Result> => convert([input, { name: 'a.bin', bytes: new Uint8Array(4), core: 1 }], options);
    export const words = (error: unknown): string => (error instanceof CoreError || error instanceof InputError ? error.code : String(wrong));`,
  );
  write(
    'types/tsconfig.json',
    '{ "compilerOptions": { "target": "ES2022", "lib": ["ES2022"], "types": [], "module": "ESNext", "moduleResolution": "bundler", "strict": true, "noEmit": true, "skipLibCheck": false }, "include": ["use.ts"] }',
  );
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'types/tsconfig.json']);
});

test.each([
  ['5.9', () => join(folder, 'node_modules', 'typescript-5', 'bin', 'tsc')],
  ['7', () => join(root, 'node_modules', 'typescript', 'bin', 'tsc')],
])('TypeScript %s: a trace becomes a Blob, rows have the type of their table', (_, tsc) => {
  write(
    'rows/use.ts',
    `import { convert, expectation, startConversion } from 'tonkopf';
    import type { Report, TasksRow } from 'tonkopf';
    const { trace, report } = await convert(new Uint8Array(4));
    const conversion = await startConversion();
    const { rest, head } = conversion.finish();
    export const blobs = [new Blob([trace]), new Blob([conversion.feed(trace), rest, head])];
    export const share: number | null | undefined = report.tasks?.[0]?.share;
    export const names = (report.tasks ?? []).map((task: TasksRow): string => task.name);
    // @ts-expect-error no such column
    report.queues?.[0]?.share;
    // @ts-expect-error null if the time range contains no event
    export const start: string = report.time.start;
    export async function holds(one: Report): Promise<boolean> {
      // @ts-expect-error without await
      if (expectation(one, 'cpu.load<80%')) return true;
      // @ts-expect-error it returns nothing, and throws
      if (await expectation(one, 'cpu.load<80%')) return true;
      await expectation(one, 'cpu.load<80%');
      return true;
    }`,
  );
  write(
    'rows/tsconfig.json',
    '{ "compilerOptions": { "target": "ES2022", "lib": ["ES2022", "DOM"], "types": [], "module": "ESNext", "moduleResolution": "bundler", "strict": true, "noUncheckedIndexedAccess": true, "noEmit": true, "skipLibCheck": false }, "include": ["use.ts"] }',
  );
  run(process.execPath, [tsc(), '-p', 'rows/tsconfig.json']);
});

test('third-party parts are named', () => {
  const lib = join(folder, 'node_modules', 'tonkopf', 'lib');
  const notices = readFileSync(join(lib, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['nanopb', 'zlib', 'musl']) expect(notices).toContain(name);
  expect(readdirSync(lib)).toContain('browser.js');
  expect(readdirSync(lib).filter((name) => name.endsWith('.wasm'))).toEqual(['tonkopf.wasm']);
});
