// SPDX-License-Identifier: MIT
// Loads traces into the engine of the real viewer in Chromium, in a worker as the viewer does. Measures the processor time of the process.
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { filesBelow } from '../../tests/output/fetch.mjs';
import { viewerFolder } from '../../tests/output/fetch-viewer.mjs';
import { launchChromium } from '../../tests/output/viewer.mjs';
import { chromium } from '../lib.mjs';
import { tabUse } from './tab.mjs';

const START_MS = 2000; // time for the engine to start: it sends no event when it is ready, and messages before are lost

/** Runs in the page. Defines `loadTrace(number)`, which resolves when the engine has read the trace. Talks to the engine with the protocol TraceProcessorRpcStream. */
function engineInPage() {
  const METHOD = { append: 1, finalize: 2, reset: 11 },
    PIECE = 1 << 25;
  const varint = (number) => (number < 128 ? [number] : [(number & 127) | 128, ...varint(Math.floor(number / 128))]);
  const bytesField = (id, bytes) => [...varint(id * 8 + 2), ...varint(bytes.length)];
  const traces = new Map();
  const worker = new Worker('engine_bundle.js'),
    { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  let sequence = 0,
    answered = null;
  port1.onmessage = ({ data }) => answered(data);
  const ask = (method, id, body) =>
    new Promise((resolve, reject) => {
      const argument = [...bytesField(id, body)];
      const front = [8, ...varint(sequence++), 16, method, ...argument];
      const head = [10, ...varint(front.length + body.length), ...front];
      const message = new Uint8Array(head.length + body.length);
      message.set(head);
      message.set(body, head.length);
      answered = (reply) =>
        /error|fail/i.test(new TextDecoder().decode(reply))
          ? reject(new Error(new TextDecoder().decode(reply)))
          : resolve();
      port1.postMessage(message);
    });
  const bytesOf = async (number) => {
    if (!traces.has(number)) traces.set(number, new Uint8Array(await (await fetch(`trace/${number}`)).arrayBuffer()));
    return traces.get(number);
  };
  window.fetchTrace = async (number) => void (await bytesOf(number));
  window.loadTrace = async (number) => {
    const bytes = await bytesOf(number);
    await ask(METHOD.reset, 107, new Uint8Array());
    for (let at = 0; at < bytes.length; at += PIECE) await ask(METHOD.append, 101, bytes.subarray(at, at + PIECE));
    await ask(METHOD.finalize, 112, new Uint8Array());
  };
}

async function serve(paths) {
  const viewer = viewerFolder();
  const engine = filesBelow(viewer).find((name) => name.endsWith('engine_bundle.js'));
  const server = createServer(({ url }, response) => {
    const number = /^\/trace\/(\d+)$/.exec(url)?.[1],
      file = /^\/(engine_bundle\.js|trace_processor\w*\.wasm)$/.exec(url)?.[1];
    if (number) return void createReadStream(paths[Number(number)]).pipe(response);
    response.setHeader(
      'content-type',
      file ? (file.endsWith('.js') ? 'text/javascript' : 'application/wasm') : 'text/html',
    );
    response.end(file ? readFileSync(join(viewer, engine, '..', file)) : '<!doctype html><title>engine</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => (server.close(), server.closeAllConnections()),
  };
}

/** Returns the seconds of processor time to load each trace: the best round, minus the time for an empty trace. */
export async function loadInChromium(rounds, paths) {
  const all = ['/dev/null', ...paths],
    seconds = all.map(() => Infinity);
  const server = await serve(all),
    browser = await launchChromium(chromium());
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.evaluate(`(${engineInPage})()`);
    for (const number of all.keys()) await page.evaluate((trace) => window.fetchTrace(trace), number);
    await page.waitForTimeout(START_MS);
    for (let round = 0; round < rounds; round++) {
      for (const number of all.keys()) {
        const before = await tabUse(browser);
        await page.evaluate((trace) => window.loadTrace(trace), number);
        seconds[number] = Math.min(seconds[number], (await tabUse(browser)).cpuSeconds - before.cpuSeconds);
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  const [empty, ...loads] = seconds;
  return loads.map((one) => one - empty);
}
