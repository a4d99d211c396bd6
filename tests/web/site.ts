// SPDX-License-Identifier: MIT
// Serves the built page from a subfolder with a plain file server, for any browser. Lists its demos.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const dist = process.env['TONKOPF_DIST'] ?? join(root, 'dist');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export interface Served {
  url: string;
  close(): Promise<void>;
}

/** Serves `folder` below /some/folder/, and no other file. onStream: answers the page's request for the bytes of a live recording. */
export async function serve(folder = dist, onStream?: (response: ServerResponse) => void): Promise<Served> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} holds no page: run npm run build first`);
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (onStream && pathname === '/some/folder/stream') return onStream(response);
    const path = normalize(join(folder, decodeURIComponent(pathname.replace(/^\/some\/folder\//, '')) || 'index.html'));
    const known =
      pathname.startsWith('/some/folder/') &&
      path.startsWith(folder + sep) &&
      existsSync(path) &&
      statSync(path).isFile();
    if (!known) return void response.writeHead(404).end('not here');
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(path)); // synchronously: a test may replace the folder directly afterwards
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/some/folder/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

export interface Given {
  name: string;
  bytes: Uint8Array;
}

export const demo = (name: string): Given => ({ name, bytes: readFileSync(join(dist, 'demos', name)) });

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/(.{64})/g, '$1\n');
