// SPDX-License-Identifier: MIT
// Another origin, and the ways in which a page could try to reach it.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Target {
  http: string;
  socket: string;
}

export interface Foreign {
  target: Target;
  hits: string[];
  close(): void;
}

const bodies: Record<string, [type: string, body: string]> = {
  '/image': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  '/script': ['text/javascript', '0'],
  '/style': ['text/css', ''],
  '/events': ['text/event-stream', 'data: x\n\n'],
};

/** Another origin that answers every request and keeps a list of them. */
export async function makeForeign(): Promise<Foreign> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    const [type, body] = bodies[request.url ?? ''] ?? ['text/html', 'reached'];
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': type }).end(body);
  });
  server.on('upgrade', (request, socket) => {
    hits.push(request.url ?? '');
    const key = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${key}\r\n\r\n`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: { http: `http://${host}/`, socket: `ws://${host}/socket` },
    hits,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The result of `attempts` without a policy. */
export const everyAttempt = ['eval', 'function', 'fetch', 'data', 'xhr', 'events', 'socket'];

/** Tries everything that the policy forbids and returns the names of the attempts that worked; runs in the page and, as the same text,
 * in a worker. */
export const attempts = async ({ http, socket }: Target): Promise<string[]> => {
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const refused = (): void => {};
  // In a separate task, because code that the debugger runs may evaluate strings.
  await new Promise<void>((next) =>
    setTimeout(() => {
      for (const [what, run] of [
        ['eval', () => globalThis.eval('1')],
        ['function', () => Function.prototype.constructor('return 1')()],
      ] as const) {
        try {
          run();
          done.push(what);
        } catch {
          // the browser blocked it
        }
      }
      next();
    }),
  );
  await fetch(http).then(note('fetch'), refused);
  await fetch('data:text/plain,x').then(note('data'), refused);
  const heard = (open: (say: (what: boolean) => void) => void): Promise<boolean> =>
    new Promise((say) => {
      try {
        open(say);
      } catch {
        say(false);
      }
    });
  const request = await heard((say) => {
    const xhr = new XMLHttpRequest();
    xhr.onload = () => say(true);
    xhr.onerror = () => say(false);
    xhr.open('GET', http);
    xhr.send();
  });
  const stream = await heard((say) => {
    const events = new EventSource(`${http}events`);
    events.onopen = () => {
      events.close();
      say(true);
    };
    events.onerror = () => say(false);
  });
  const connection = await heard((say) => {
    const open = new WebSocket(socket);
    open.onopen = () => say(true);
    open.onerror = () => say(false);
  });
  for (const [what, worked] of [
    ['xhr', request],
    ['events', stream],
    ['socket', connection],
  ] as const)
    if (worked) done.push(what);
  return done;
};
