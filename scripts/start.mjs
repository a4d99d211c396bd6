// SPDX-License-Identifier: MIT
// Installs missing tools, builds the page and serves it: `npm start`. --dev: the page reloads when its source changes.
import { join } from 'node:path';
import { build_page } from './build.mjs';
import { root } from './lib.mjs';
import { setup } from './setup.mjs';

const PORT = Number(process.env.PORT) || 8080;
const dev = process.argv.includes('--dev');

setup('start');
await build_page();
const vite = await import('vite');
const configFile = join(root, 'web', 'vite.config.ts');
const settings = { host: '127.0.0.1', port: PORT, strictPort: false };
const server = dev
  ? await vite.createServer({ configFile, server: settings })
  : await vite.preview({ configFile, preview: settings, logLevel: 'warn' });
if (dev) await server.listen();
const [url] = server.resolvedUrls?.local ?? [];
console.log(`\nTonkopf is at ${url}   (Ctrl+C ends it)`);
