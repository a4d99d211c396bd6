// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, defineConfig } from 'vite';
import type * as Library from '../wasm/index.js';
import { LEVELS, thumbnail } from './thumbnails.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const top = join(root, '..');
const publicDir = join(root, 'public');

/** The development server injects inline scripts and styles; the built page keeps its policy. */
const policyOnlyWhenBuilt = (): Plugin => ({
  name: 'policy-only-when-built',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''),
});

const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes sw.js with the hashes of all files of the build. Any changed file changes its bytes and so its version. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post', // Vite changes the code that loads the timeline before
    handler(_, bundle) {
      const files = new Map<string, string>();
      for (const [name, item] of Object.entries(bundle))
        files.set(name, hashOf(item.type === 'chunk' ? item.code : item.source));
      for (const entry of readdirSync(publicDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        files.set(path.slice(publicDir.length + 1).replaceAll('\\', '/'), hashOf(readFileSync(path)));
      }
      const names = [...files.keys()].sort();
      const hashes = Object.fromEntries(names.map((name) => [name, files.get(name)]));
      const version = hashOf(JSON.stringify(hashes)).slice(0, 16);
      const source = readFileSync(join(root, 'src', 'sw.js'), 'utf8')
        .replace("'@VERSION@'", JSON.stringify(version))
        .replace("'@FILES@'", JSON.stringify(hashes));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  },
});

/** The browser fetches the converter together with the code that loads it, not before. */
const preloadedConverter = (): Plugin => ({
  name: 'preloaded-converter',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => /tonkopf[^/]*\.wasm$/.test(name)) // the timeline is loaded after the page is shown
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `./${name}`, as: 'fetch', crossorigin: true, fetchpriority: 'low' },
          injectTo: 'head',
        })),
  },
});

/** The library, which the page's build asks. */
async function library(): Promise<typeof Library> {
  const path = join(top, 'lib', 'index.js');
  if (!existsSync(path)) throw new Error('lib/ is missing: run `npm run build` (or build:lib) first');
  return import(pathToFileURL(path).href);
}

/** The demos: their texts, and pictures drawn from their timelines. */
const demos = (): Plugin => ({
  name: 'demos',
  resolveId: (id) => (id === 'virtual:demos' ? '\0virtual:demos' : null),
  async load(id) {
    if (id !== '\0virtual:demos') return null;
    const { make_demos } = await import(pathToFileURL(join(top, 'scripts', 'generate-demos.mjs')).href);
    const { demos: list, files } = make_demos() as {
      demos: { files: string[]; options?: Record<string, string> }[];
      files: Map<string, Uint8Array<ArrayBuffer>>;
    };
    const shown = [];
    for (const demo of list) {
      const inputs = demo.files.map((name) => ({ name, bytes: files.get(name)! }));
      shown.push({ ...demo, rows: await thumbnail(join(top, 'lib'), { files: inputs, options: demo.options ?? {} }) });
    }
    return `export const levels = ${LEVELS};export default ${JSON.stringify(shown)}`;
  },
});

/** The formats and options, so that the page shows them before it has loaded the converter. */
const catalogue = (): Plugin => ({
  name: 'catalogue',
  resolveId: (id) => (id === 'virtual:catalogue' ? '\0virtual:catalogue' : null),
  async load(id) {
    if (id !== '\0virtual:catalogue') return null;
    return `export default ${JSON.stringify(await (await library()).describe())}`;
  },
});

/** The definitions of columns and tables, which the page shows as tooltips, from the tables of docs/REPORT.md. */
const definitions = (): Plugin => ({
  name: 'definitions',
  resolveId: (id) => (id === 'virtual:definitions' ? '\0virtual:definitions' : null),
  load(id) {
    if (id !== '\0virtual:definitions') return null;
    const path = join(top, 'docs', 'REPORT.md');
    this.addWatchFile(path);
    const text = readFileSync(path, 'utf8');
    const meanings = (rows: RegExpStringIterator<RegExpExecArray>) =>
      [...rows].flatMap(([, keys = '', meaning = '']) =>
        [...keys.matchAll(/`(?:\*_)?(\w+?)(?:_\*)?`/g)].map(([, key]) => [key, meaning.replaceAll('`', '')]),
      );
    const section = (title: string): string => text.slice(text.indexOf(`\n## ${title}\n`)).split('\n## ')[1] ?? '';
    const columns = (title: string) =>
      Object.fromEntries(meanings(section(title).matchAll(/^\| (`.*?) \| (.*?) \|$/gm)));
    const tables = Object.fromEntries(meanings(text.matchAll(/^\| (`job_distribution`) \| (.*?) \|$/gm)));
    return `export default ${JSON.stringify({ jobs: columns('Jobs'), waits: columns('Waits'), tables })}`;
  },
});

/** Writes the documentation pages beside the page. */
const documentation = (): Plugin => ({
  name: 'documentation',
  apply: 'build',
  async generateBundle() {
    const { documentation_pages } = await import(pathToFileURL(join(top, 'scripts', 'docs-pages.mjs')).href);
    for (const [fileName, source] of documentation_pages() as Map<string, string>)
      this.emitFile({ type: 'asset', fileName, source });
  },
});

/** The licences of third-party code in the page. */
const licences = (): Plugin => ({
  name: 'licences',
  apply: 'build',
  async generateBundle() {
    const { inPage, notices } = (await import(pathToFileURL(join(top, 'scripts', 'notices.mjs')).href)) as {
      inPage(): string[][];
      notices(parts: string[][]): string;
    };
    const own = readFileSync(join(top, 'LICENSE'), 'utf8');
    this.emitFile({
      type: 'asset',
      fileName: 'licences.txt',
      source: `Tonkopf\n=======\n\n${own.trim()}\n\n\n${notices(inPage())}`,
    });
  },
});

const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { version: string };

/** Address of the source repository: from GitHub's environment, or given to the build. */
function sourceAddress(): string {
  const { TONKOPF_SOURCE, GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  return TONKOPF_SOURCE ?? (GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : '');
}

export default defineConfig({
  root,
  base: './',
  publicDir,
  plugins: [
    policyOnlyWhenBuilt(),
    preloadedConverter(),
    demos(),
    catalogue(),
    definitions(),
    documentation(),
    licences(),
    serviceWorker(),
  ],
  define: { VERSION: JSON.stringify(version), SOURCE: JSON.stringify(sourceAddress()) },
  build: {
    outDir: join(top, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
