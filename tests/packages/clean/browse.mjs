// SPDX-License-Identifier: MIT
// Serves the current folder, opens PATH of it in Chromium, and writes the bytes that the page posts to /trace into OUT: node browse.mjs
// PATH OUT
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const [path, out] = process.argv.slice(2);
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
});
/** @type {(trace: Buffer) => void} */
let posted;
const trace = new Promise((/** @type {(trace: Buffer) => void} */ done) => (posted = done));

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    posted(await buffer(request));
    return void response.end();
  }
  const file = `.${new URL(request.url ?? '', 'http://localhost').pathname.replace(/\/$/, '/index.html')}`;
  if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
  response
    .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    .end(readFileSync(file));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const browser = spawn(
  'chromium',
  [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--user-data-dir=${mkdtempSync(join(tmpdir(), 'browser-'))}`,
    `http://127.0.0.1:${port}/${path}`,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
const ended = once(browser, 'exit');
writeFileSync(
  out,
  await Promise.race([trace, ended.then(() => Promise.reject(new Error('the browser ended without an answer')))]),
);
browser.kill();
await ended;
process.exit(0);
