// SPDX-License-Identifier: MIT
// The command serve: its answers, the requests that it rejects, and the two ways into the viewer in a real Chromium.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromium as installedChromium } from '../../scripts/lib.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Folder, TOOL, ended, free_port, start, tool } from './tool.mjs';

const VIEWER = 'https://ui.perfetto.dev';
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

/** A request with an unnormalised path, which `ask` would shorten. @param {number} port @param {string} path @returns {Promise<string>} the whole answer */
function ask_raw(port, path) {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${VIEWER}\r\nConnection: close\r\n\r\n`),
    );
    socket.setEncoding('latin1').on('data', (piece) => (text += piece));
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

/** Paths to files that exist beside the trace, and other spellings of its name. @param {string} name @param {string} [before] */
const other_paths = (name, before = '/') =>
  [
    ...['', '.', './', '..', '../', 'run.bin', 'my%20run.pftrace', 'secret', 'sub/secret', 'sub/', 'sub'],
    ...[`./${name}`, `../${name}`, `sub/../${name}`, `sub/..%2f${name}`, `/${name}`, `${name}/`, `${name}/../run.bin`],
    ...[
      `${name}%00`,
      `${name}%00.html`,
      `${name}%2f`,
      `%2f${name}`,
      `${name.replace('e', '%65')}`,
      `${name}.`,
      `${name}~`,
    ],
    ...[
      '../../../../../../etc/passwd',
      '%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '..%2f..%2f..%2f..%2fetc/passwd',
      '%2fetc%2fpasswd',
    ],
    ...[
      '..\\..\\run.bin',
      '..%5crun.bin',
      'C:/run.bin',
      'file:///etc/passwd',
      'favicon.ico',
      'config.js',
      'trace/',
      'TRACE',
    ],
  ].map((path) => before + path);

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

  test('idle connections do not block the viewer for long', async () => {
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

  test("a port other than the viewer's gives a warning", async () => {
    const { child, result } = await serve_here();
    child.kill('SIGTERM');
    const { errors, code } = await result;
    expect(errors).toContain('reads from port 9001 only');
    expect(code).toBe(143);
  });

  test('every other request is rejected and does not end the program', async () => {
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

  test('no other file is served, and no folder is listed', async () => {
    mkdirSync(folder.at('sub'), { recursive: true });
    for (const name of ['secret', 'sub/secret']) folder.write(name, 'a secret');
    const { child, page } = await serve_here();
    const { port: page_port, pathname } = new URL(page);
    /** @type {[number, string][]} */
    const asked = [
      ...other_paths('my_run.pftrace').map((path) => /** @type {[number, string]} */ ([port, path])),
      ...[folder.at('run.bin'), folder.at('secret'), '*', pathname, `${pathname}trace`].map(
        (path) => /** @type {[number, string]} */ ([port, path]),
      ),
      ...[
        ...other_paths('page.js', pathname),
        ...other_paths('trace'),
        ...other_paths('trace', pathname),
        '/trace',
        '/page.js',
        '/config.json',
      ].map((path) => /** @type {[number, string]} */ ([Number(page_port), path])),
    ].filter(([, path]) => path !== pathname); // the page itself
    for (const [at, path] of asked) {
      const answer = await ask_raw(at, path);
      expect([path, answer]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 40[04] [^]*\r\n\r\n/)]);
      expect([path, answer]).not.toEqual([path, expect.stringMatching(/secret|root:|Index of/)]);
    }
    expect(child.exitCode).toBe(null); // the viewer did not fetch the trace
  });

  test('only this computer can connect', async () => {
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

  test('a cancelled download does not end the program', async () => {
    folder.write('big.pftrace', Buffer.alloc(64e6)); // more than the socket buffers hold
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

  test('Ctrl-C ends the program with its own exit code', async () => {
    const { child, result } = await serve_here();
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
  });

  test('a given port that is in use: an error, and no file is served', async () => {
    const blocker = net.createServer();
    await new Promise((resolve) => blocker.listen(port, '127.0.0.1', () => resolve(null)));
    const { code, text, errors } = await tool(['serve', folder.at('my run.pftrace'), '--port', String(port)]);
    blocker.close();
    expect([code, text, errors]).toEqual([
      4,
      '',
      `tonkopf: port ${port} is in use by another program; choose another one with --port, or leave --port out\n`,
    ]);
  });

  test('a port that this user may not open gives the reason', async ({ skip }) => {
    const problem = await new Promise((resolve) => {
      const server = net.createServer().on('error', (error) => resolve(/** @type {any} */ (error).code));
      server.listen(1, '127.0.0.1', () => server.close(() => resolve('')));
    });
    if (problem !== 'EACCES') skip('this user may open port 1');
    const { code, errors } = await tool(['serve', folder.at('my run.pftrace'), '--port', '1']);
    expect([code, errors]).toEqual([4, expect.stringContaining('port 1 cannot be opened: Permission denied')]);
  });

  test('no port was given and 9001 is in use: the page uses a free one', async () => {
    const blocker = net.createServer().on('error', () => {}); // another program may use it already
    await new Promise((resolve) =>
      blocker
        .once('close', resolve)
        .once('error', resolve)
        .listen(9001, '127.0.0.1', () => resolve(null)),
    );
    const { page, direct, child, result } = await serve(['serve', folder.at('my run.pftrace')]);
    expect(direct).toBe('');
    expect((await ask(`${page}trace`)).body.equals(trace)).toBe(true);
    expect((await result).errors).toContain('port 9001 is in use by another program');
    expect(child.exitCode).toBe(0);
    blocker.close();
  });

  test('of several programs that start on one port at once, one gets it and serves only its own file', async () => {
    const names = Array.from({ length: 6 }, (_, i) => `many${i}.pftrace`);
    for (const name of names) folder.write(name, name.repeat(1000));
    const children = names.map((name) => start(['serve', folder.at(name), '--port', String(port)]));
    running.push(...children);
    const texts = names.map(() => '');
    const ends = children.map((child, i) => {
      child.stdout?.on('data', (piece) => (texts[i] += piece));
      return ended(child);
    });
    await expect.poll(() => children.filter(({ exitCode }) => exitCode === 4).length).toBe(5);
    const winner = children.findIndex(({ exitCode }) => exitCode === null);
    await expect.poll(() => texts[winner]).toContain(`127.0.0.1:${port}/${names[winner]}`);
    for (const [i, name] of names.entries()) {
      if (i === winner) continue;
      expect((await ask(`http://127.0.0.1:${port}/${name}`, { headers: origin })).status).toBe(404);
      expect(await ends[i]).toMatchObject({ text: '', errors: expect.stringContaining(`port ${port} is in use`) });
    }
    const answer = await ask(`http://127.0.0.1:${port}/${names[winner]}`, { headers: origin });
    expect(answer.body.toString()).toBe(names[winner].repeat(1000));
    expect((await ends[winner]).code).toBe(0);
  });

  test('another program cannot listen on the same port, with any socket option', async () => {
    await serve_here();
    const line = `import socket, sys
for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
    for host in ('127.0.0.1', '0.0.0.0'):
        other = socket.socket()
        other.setsockopt(socket.SOL_SOCKET, option, 1)
        try:
            other.bind((host, int(sys.argv[1])))
            other.listen()
            print('shared', option, host)
        except OSError:
            print('refused')
        other.close()`;
    const { stdout, stderr } = spawnSync('python3', ['-c', line, String(port)], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['refused\n'.repeat(4), '']);
  });

  test('a port can be used again directly after its program has ended', async () => {
    const { result } = await serve_here();
    await ask(address, { headers: origin });
    await result;
    const again = await serve_here();
    expect(again.direct).toContain(`127.0.0.1:${port}`);
    expect((await ask(address, { headers: origin })).body.equals(trace)).toBe(true);
  });

  test('an open browser does not keep the port of a killed program', async () => {
    folder.write('xdg-open', `#!/bin/sh\necho $$ > "${folder.at('browser.pid')}"\nexec sleep 600\n`);
    chmodSync(folder.at('xdg-open'), 0o755);
    const { child, result } = await serve(['serve', '--open', folder.at('my run.pftrace'), '--port', String(port)], {
      PATH: `${folder.path}:${process.env.PATH}`,
    });
    await expect
      .poll(() => existsSync(folder.at('browser.pid')) && readFileSync(folder.at('browser.pid'), 'utf8'))
      .toMatch(/^\d+\n$/);
    child.kill('SIGKILL'); // it had no chance to close its connections
    await result;
    try {
      const again = await serve_here();
      expect(again.direct).toContain(`127.0.0.1:${port}`);
      expect((await ask(address, { headers: origin })).body.equals(trace)).toBe(true);
      expect((await again.result).code).toBe(0);
    } finally {
      process.kill(Number(readFileSync(folder.at('browser.pid'), 'utf8')));
    }
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
  test('answers only under its secret name', async () => {
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

describe.skipIf(!installedChromium())('in Chromium', () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      timeout: 0,
      executablePath: installedChromium(),
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
    await context.grantPermissions(['local-network-access'], { origin: new URL(url).origin }).catch(() => {}); // only newer versions ask for it
    await context.route(`${url}/**`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    return context;
  }

  const fetcher = (/** @type {string} */ address) =>
    fetch(address).then(
      async (answer) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()))],
      (error) => String(error),
    );

  test('the viewer may read the trace, other pages may not', async () => {
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
