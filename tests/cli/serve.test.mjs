// SPDX-License-Identifier: MIT
// The command serve: what it answers, what it refuses, and the two ways into the viewer in a real Chromium.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Folder, TOOL, ended, start, tool } from './tool.mjs';

const VIEWER = 'https://ui.perfetto.dev';
const CHROMIUM = process.env.TONKOPF_CHROMIUM ?? '/usr/bin/chromium';
/** @type {Folder} */
let folder;
/** @type {Buffer} */
let trace;
beforeAll(() => {
  folder = new Folder();
  folder.write('run.bin', motor_recording({ bytes: 300_000 }));
  expect(spawnSync(TOOL, ['conv', folder.at('run.bin'), '-o', folder.at('my run.pftrace')]).status).toBe(0);
  trace = readFileSync(folder.at('my run.pftrace'));
});
afterAll(() => folder.remove());

/** @type {import('node:child_process').ChildProcess[]} */
let running = [];
afterEach(() => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
  running = [];
});

/** A port that nobody listens on. @returns {Promise<number>} */
function free_port() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** Starts serving and waits for its links. @param {string[]} args @param {Record<string, string>} [env] */
async function serve(args, env) {
  const child = start(args, { env });
  running.push(child);
  const result = ended(child);
  let text = '';
  child.stdout?.on('data', (piece) => (text += piece));
  const page = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//;
  await expect.poll(() => text).toMatch(page);
  return { child, result, direct: /^https?:\S+url=\S+/m.exec(text)?.[0] ?? '', page: page.exec(text)?.[0] ?? '' };
}

/**
 * @param {string} url @param {{ method?: string, headers?: Record<string, string>, body?: string }} [options]
 * @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, body: Buffer }>}
 */
function ask(url, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (answer) => {
      /** @type {Buffer[]} */
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('the direct way', () => {
  /** @type {number} */
  let port;
  /** @type {string} */
  let address;
  const origin = { Origin: VIEWER };
  beforeEach(async () => {
    port = await free_port();
    address = `http://127.0.0.1:${port}/my_run.pftrace`;
  });
  const serve_here = () => serve(['serve', folder.at('my run.pftrace'), '--port', String(port)]);

  test('the link names the viewer, the file and the startup commands', async () => {
    const { direct } = await serve_here();
    expect(direct.startsWith(`${VIEWER}/#!/?url=${address}&`)).toBe(true);
    const commands = JSON.parse(new URLSearchParams(direct.slice(direct.indexOf('?'))).get('startupCommands') ?? '');
    expect(commands.map((/** @type {{ id: string }} */ { id }) => id)).toContain('dev.perfetto.PinTracksByRegex');
    for (const { args } of commands) expect(() => new RegExp(args[0])).not.toThrow();
  });

  test('the viewer gets the file once, with its origin allowed, and the program ends', async () => {
    const { result } = await serve_here();
    expect(
      (await ask(`http://127.0.0.1:${port}/status`, { method: 'POST', headers: origin, body: 'x'.repeat(1000) }))
        .status,
    ).toBe(404);
    const preflight = await ask(address, {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Private-Network': 'true' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-private-network']).toBe('true');
    const answer = await ask(address, { headers: origin });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(VIEWER);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.body.equals(trace)).toBe(true);
    expect((await result).code).toBe(0);
  });

  test('connections that say nothing do not keep the viewer out for long', async () => {
    const { result } = await serve_here();
    const silent = Array.from({ length: 40 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
    await Promise.all(
      silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
    );
    let status = 0;
    while (status !== 200) {
      status = await ask(address, { headers: origin }).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    for (const socket of silent) socket.destroy();
    expect((await result).code).toBe(0);
  });

  test('another port than the viewer reads from is said', async () => {
    const { child, result } = await serve_here();
    child.kill('SIGTERM');
    const { errors, code } = await result;
    expect(errors).toContain('reads from port 9001 only');
    expect(code).toBe(143);
  });

  test('everything else is refused and does not end it', async () => {
    const { child } = await serve_here();
    const at = (/** @type {string} */ path) => `http://127.0.0.1:${port}${path}`;
    /** @type {[string, Parameters<typeof ask>[1], number][]} */
    const refused = [
      [at('/'), { headers: origin }, 404],
      [at('/my_run.pftrac'), { headers: origin }, 404],
      [at('/my_run.pftrace/'), { headers: origin }, 404],
      [at('/%2e%2e%2fmy_run.pftrace'), { headers: origin }, 404],
      [at('/%2e%2e/etc/passwd'), { headers: origin }, 404],
      [address, {}, 403],
      [address, { headers: { Origin: 'https://evil.example' } }, 403],
      [address, { headers: { Origin: `${VIEWER}.evil.example` } }, 403],
      [address, { headers: { Origin: 'null' } }, 403],
      [address, { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } }, 403],
      [address, { headers: { ...origin, Host: `evil.example:${port}` } }, 403],
      [address, { headers: { ...origin, Host: `localhost:${port}` } }, 403],
      [address, { headers: { ...origin, Host: '127.0.0.1' } }, 403],
      [address, { method: 'POST', headers: origin }, 405],
      [address, { method: 'HEAD', headers: origin }, 405],
      [address, { method: 'DELETE', headers: origin }, 405],
    ];
    for (const [url, options, status] of refused) {
      const answer = await ask(url, options);
      expect(answer.status, `${JSON.stringify(options)} ${url}`).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.body.length).toBe(0);
    }
    expect(child.exitCode).toBe(null);
    expect((await ask(address, { headers: origin })).status).toBe(200);
  });

  test('only this computer can reach it', async () => {
    const { page } = await serve_here();
    const outside =
      Object.values(networkInterfaces())
        .flat()
        .find((entry) => entry && entry.family === 'IPv4' && !entry.internal)?.address ?? '127.0.0.2';
    for (const target of [port, Number(new URL(page).port)]) {
      const outcome = await new Promise((resolve) => {
        const socket = net.connect(target, outside);
        socket.on('connect', () => resolve('connected'));
        socket.on('error', (error) => resolve(/** @type {any} */ (error).code));
      });
      expect(outcome, `${outside}:${target}`).toBe('ECONNREFUSED');
    }
  });

  test('an aborted download does not end it', async () => {
    folder.write('big.pftrace', Buffer.alloc(64e6)); // more than the buffers between us hold
    const { child } = await serve(['serve', folder.at('big.pftrace'), '--port', String(port)]);
    const first = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () =>
        socket.write(`GET /big.pftrace HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${VIEWER}\r\n\r\n`),
      );
      socket.once('data', (piece) => {
        socket.destroy();
        resolve(piece.toString('latin1', 0, 15));
      });
    });
    expect(first).toBe('HTTP/1.1 200 OK');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(child.exitCode).toBe(null);
  });

  test('Ctrl-C ends it with its own exit code', async () => {
    const { child, result } = await serve_here();
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
  });

  test('a busy port: said, and the page still works', async () => {
    const blocker = net.createServer();
    await new Promise((resolve) => blocker.listen(port, '127.0.0.1', () => resolve(null)));
    const { page, direct, child, result } = await serve_here();
    expect(direct).toBe('');
    expect((await ask(`${page}trace`)).body.equals(trace)).toBe(true);
    expect((await result).errors).toContain(`port ${port} is in use`);
    expect(child.exitCode).toBe(0);
    blocker.close();
  });

  test('two programs never share a port: each serves its own file', async () => {
    const first = await serve_here();
    const second = await serve(['serve', folder.at('run.bin'), '--port', String(port)]);
    expect(second.direct).toBe('');
    for (let i = 0; i < 8; i++)
      expect((await ask(`http://127.0.0.1:${port}/run.bin`, { headers: origin })).status).toBe(404);
    expect((await ask(address, { headers: origin })).body.equals(trace)).toBe(true);
    expect((await first.result).code).toBe(0);
    second.child.kill('SIGINT');
    expect((await second.result).errors).toContain(`port ${port} is in use`);
  });

  test('a port can be used again as soon as its program has ended', async () => {
    const { result } = await serve_here();
    await ask(address, { headers: origin });
    await result;
    const again = await serve_here();
    expect(again.direct).toContain(`127.0.0.1:${port}`);
    expect((await ask(address, { headers: origin })).body.equals(trace)).toBe(true);
  });

  test('conv --serve converts and serves with the commands of its report', async () => {
    const { result, direct } = await serve([
      'conv',
      folder.at('run.bin'),
      '-o',
      folder.at('served.pftrace'),
      '--serve',
      '--port',
      String(port),
    ]);
    expect(direct).toContain('served.pftrace');
    const answer = await ask(`http://127.0.0.1:${port}/served.pftrace`, { headers: origin });
    expect(answer.body.equals(trace)).toBe(true);
    expect((await result).code).toBe(0);
  });

  test('--open starts the browser with the link', async () => {
    folder.write('xdg-open', `#!/bin/sh\necho "$1" > "${folder.at('opened')}"\n`);
    chmodSync(folder.at('xdg-open'), 0o755);
    const { direct } = await serve(['serve', '--open', folder.at('my run.pftrace'), '--port', String(port)], {
      PATH: `${folder.path}:${process.env.PATH}`,
    });
    await expect
      .poll(() => existsSync(folder.at('opened')) && readFileSync(folder.at('opened'), 'utf8').trim())
      .toBe(direct);
  });

  test('bad calls', async () => {
    expect((await tool(['serve'])).code).toBe(2);
    expect((await tool(['serve', 'a', 'b'])).code).toBe(2);
    expect((await tool(['serve', folder.at('none')])).code).toBe(3);
    expect((await tool(['serve', folder.path])).code).toBe(3);
    expect((await tool(['serve', folder.write('empty', '')])).code).toBe(3);
    expect((await tool(['serve', folder.at('run.bin'), '--viewer', 'perfetto'])).code).toBe(2);
    expect((await tool(['conv', folder.at('run.bin'), '--port', '9001'])).code).toBe(2);
  });
});

describe('the page', () => {
  test('answers under its secret name only', async () => {
    const { page, child } = await serve(['serve', '--hand-over', folder.at('my run.pftrace')]);
    const host = new URL(page).origin;
    for (const path of ['/', '/trace', '/page.js', `/${'0'.repeat(32)}/trace`])
      expect((await ask(host + path)).status, path).toBe(404);
    expect((await ask(page)).headers['content-security-policy']).toContain("default-src 'none'");
    expect((await ask(`${page}trace`, { headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await ask(`${page}trace`, { method: 'POST' })).status).toBe(405);
    expect(JSON.parse((await ask(`${page}config.json`)).body.toString())).toMatchObject({
      viewer: VIEWER,
      title: 'my run.pftrace',
      fileName: 'my_run.pftrace',
    });
    expect(child.exitCode).toBe(null);
  });
});

describe.skipIf(!existsSync(CHROMIUM))('in Chromium', () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      timeout: 0,
      executablePath: CHROMIUM,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  afterAll(() => browser?.close());

  /** A context in which the given host shows `html`. @param {string} url @param {string} html */
  async function context_with(url, html) {
    const context = await browser.newContext();
    context.setDefaultTimeout(0);
    await context.grantPermissions(['local-network-access'], { origin: new URL(url).origin }).catch(() => {}); // asked for by newer versions only
    await context.route(`${url}/**`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    return context;
  }

  const fetcher = (/** @type {string} */ address) =>
    fetch(address).then(
      async (answer) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()))],
      (error) => String(error),
    );

  test('the viewer may read the trace, another page may not', async () => {
    const port = await free_port();
    const address = `http://127.0.0.1:${port}/my_run.pftrace`;
    const { child, result } = await serve(['serve', folder.at('my run.pftrace'), '--port', String(port)]);
    const evil = await context_with('https://evil.example', 'evil');
    const evil_page = await evil.newPage();
    await evil_page.goto('https://evil.example/');
    expect(await evil_page.evaluate(fetcher, address)).toContain('Failed to fetch');
    expect(child.exitCode).toBe(null);
    const good = await context_with(VIEWER, 'viewer');
    const good_page = await good.newPage();
    await good_page.goto(`${VIEWER}/`);
    const expected = [...new Uint8Array(await crypto.subtle.digest('SHA-256', trace))];
    expect(await good_page.evaluate(fetcher, address)).toEqual(expected);
    expect((await result).code).toBe(0);
    await evil.close();
    await good.close();
  });

  test('the page hands the trace to the viewer', async () => {
    const { page: link, result } = await serve(['serve', '--hand-over', folder.at('my run.pftrace')]);
    const viewer_html = `<script>addEventListener('message', (event) => {
      if (event.data === 'PING') event.source.postMessage('PONG', event.origin);
      else if (event.data.perfetto) window.received = { origin: event.origin, title: event.data.perfetto.title, localOnly: event.data.perfetto.localOnly, bytes: event.data.perfetto.buffer };
    })</script>`;
    const context = await context_with(VIEWER, viewer_html);
    const page = await context.newPage();
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(link);
    const [viewer] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Open in Perfetto' }).click(),
    ]);
    await page.getByText('Handed over').waitFor();
    expect(decodeURIComponent(viewer.url())).toContain('dev.perfetto.ExpandTracksByRegex');
    const received = await viewer.evaluate(async () => {
      while (!(/** @type {any} */ (window).received)) await new Promise((resolve) => setTimeout(resolve, 50));
      const { origin, title, localOnly, bytes } = /** @type {any} */ (window).received;
      return { origin, title, localOnly, digest: [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))] };
    });
    expect(received).toEqual({
      origin: new URL(link).origin,
      title: 'my run.pftrace',
      localOnly: false,
      digest: [...new Uint8Array(await crypto.subtle.digest('SHA-256', trace))],
    });
    expect(errors.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
    expect((await result).code).toBe(0);
    await context.close();
  });
});
