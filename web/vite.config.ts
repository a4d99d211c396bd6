// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const top = join(root, '..');
const publicDir = join(root, 'public');

/** The development server injects inline scripts and styles; the built page keeps its policy. */
const policyOnlyWhenBuilt = (): Plugin => ({
  name: 'policy-only-when-built',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''),
});

const hashOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** sw.js with the list of all files of the build. Its bytes, and so the version, change when any file does. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const files = new Map<string, string>();
    for (const [name, item] of Object.entries(bundle)) files.set(name, hashOf(item.type === 'chunk' ? item.code : item.source));
    for (const entry of readdirSync(publicDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(path.slice(publicDir.length + 1).replaceAll('\\', '/'), hashOf(readFileSync(path)));
    }
    const names = [...files.keys()].sort();
    const version = hashOf(JSON.stringify(names.map((name) => [name, files.get(name)])));
    const source = readFileSync(join(root, 'src', 'sw.js'), 'utf8')
      .replace("'@VERSION@'", JSON.stringify(version))
      .replace("'@FILES@'", JSON.stringify(names));
    this.emitFile({ type: 'asset', fileName: 'sw.js', source });
  },
});

const ROWS = 6;
const COLUMNS = 110;

interface Row {
  name: string;
  kind: string;
  core: number | null;
  busy: number[];
}

/** A few rows of a report, coarse enough for a thumbnail. */
function thumbnail(rows: Row[]): Row[] {
  const weight = (row: Row): number => row.busy.reduce((sum, share) => sum + share, 0);
  const chosen = rows
    .filter((row) => row.kind !== 'idle' && weight(row) > 0)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, ROWS);
  return rows.filter((row) => chosen.includes(row)).map((row) => ({ name: '', kind: row.kind, core: row.core, busy: coarse(row.busy) }));
}

function coarse(busy: number[]): number[] {
  const width = Math.max(1, busy.length / COLUMNS);
  return Array.from({ length: Math.min(COLUMNS, busy.length) }, (_, column) => {
    const part = busy.slice(Math.floor(column * width), Math.max(Math.floor(column * width) + 1, Math.floor((column + 1) * width)));
    return Math.round((part.reduce((sum, share) => sum + share, 0) / part.length) * 100) / 100;
  });
}

/** The demos: their texts, and pictures drawn from what the converter really says about them. */
const demos = (): Plugin => ({
  name: 'demos',
  resolveId: (id) => (id === 'virtual:demos' ? '\0virtual:demos' : null),
  async load(id) {
    if (id !== '\0virtual:demos') return null;
    const { make_demos } = await import(pathToFileURL(join(top, 'scripts', 'generate-demos.mjs')).href);
    const { demos: list, files } = make_demos() as { demos: { title: string; sentence: string; files: string[] }[]; files: Map<string, Uint8Array> };
    const library = join(top, 'lib', 'index.js');
    if (!existsSync(library)) this.error('lib/ is missing: run `npm run build` (or build:lib) first');
    const { convert } = await import(pathToFileURL(library).href);
    const shown = [];
    for (const demo of list) {
      const inputs = demo.files.map((name) => ({ name, bytes: files.get(name) }));
      const { report } = await convert(inputs);
      shown.push({ ...demo, rows: thumbnail(report.strip.rows) });
    }
    return `export default ${JSON.stringify(shown)}`;
  },
});

export default defineConfig({
  root,
  base: './',
  publicDir,
  plugins: [policyOnlyWhenBuilt(), demos(), serviceWorker()],
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
