// SPDX-License-Identifier: MIT
// The real Perfetto viewer in a real browser, without a network: the unpacked UI answers requests to the viewer's real address. A page
// under test can open it with window.open and hand a trace over as for a user.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { headlessChromium } from '../../scripts/lib.mjs';
import { viewerFolder } from './fetch-viewer.mjs';
import { root } from './fetch.mjs';

export const VIEWER_URL = 'https://ui.perfetto.dev';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PATIENCE_MS = 300_000; // a busy machine needs more time

export const launchChromium = (executablePath = headlessChromium()) =>
  chromium.launch({ executablePath, headless: true, timeout: PATIENCE_MS, args: FLAGS });

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The viewer asks this address whether it is embedded in another tool; with any answer it opens traces itself. */
const UNANSWERED = '/vizviewer_info';

/** The file of the unpacked UI for a URL of the viewer, null if there is none. */
function fileFor(folder, url) {
  const wanted = decodeURIComponent(new URL(url).pathname);
  const file = path.join(folder, wanted.endsWith('/') ? `${wanted}index.html` : wanted);
  return file.startsWith(folder + path.sep) && fs.existsSync(file) && fs.statSync(file).isFile() ? file : null;
}

/** Answers every request to the viewer's address in this browser context from the unpacked UI. */
export async function serveViewer(context, url = VIEWER_URL) {
  const folder = viewerFolder();
  await context.route(`${url}/**`, async (route) => {
    const wanted = route.request().url();
    if (new URL(wanted).pathname === UNANSWERED) return;
    const file = fileFor(folder, wanted);
    if (file === null) await route.fulfill({ status: 404, body: '' });
    else await route.fulfill({ path: file, contentType: TYPES[path.extname(file)] ?? 'application/octet-stream' });
  });
  await context.addInitScript(`if (location.origin === ${JSON.stringify(url)}) (${prepare})();`);
}

/** Runs in the viewer before its own code: disables features and questions that would delay a trace. */
const prepare = () => {
  delete Navigator.prototype.serviceWorker; // it would intercept requests
  localStorage.setItem('cookieAck', 'true');
};

/** The viewer at an address of this machine, for browsers in which requests cannot be intercepted. */
export async function hostViewer() {
  const folder = viewerFolder();
  const server = http.createServer((request, response) => {
    if (request.url.startsWith(UNANSWERED)) return;
    const file = fileFor(folder, `http://localhost${request.url}`);
    if (file === null) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    if (path.basename(file) !== 'index.html') return void fs.createReadStream(file).pipe(response);
    response.end(fs.readFileSync(file, 'utf8').replace('<head>', `<head><script>(${prepare})()</script>`));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://localhost:${server.address().port}`, close };
}

/** Runs inside the viewer: whether it shows a trace. Throws the viewer's error message if it shows one. */
export const isLoaded = () => {
  const error = document.querySelector('.pf-error-dialog, .modal-dialog .pf-error');
  if (error) throw new Error(`the viewer shows an error: ${error.textContent}`);
  return globalThis.app?.trace !== undefined && !globalThis.app.isLoadingTrace;
};

/** Waits until the viewer shows a trace. */
export async function traceLoaded(viewer, timeout = PATIENCE_MS) {
  await viewer.waitForFunction(isLoaded, undefined, { timeout });
  await viewerIdle(viewer);
}

/** Waits until the engine has answered, pins and expansions are done and the last redraw is over. */
export async function viewerIdle(viewer) {
  await viewer.evaluate(async () => {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    for (let quiet = 0; quiet < 5;) {
      const { engine } = globalThis.app.trace;
      quiet = (engine.numRequestsPending ?? 0) > 0 ? 0 : quiet + 1;
      await pause(100);
    }
  });
}

/** Runs inside the viewer: the rows of a query in its own engine. Integers beyond 2^53 become BigInt. */
export const askEngine = async (sql) => {
  const result = await globalThis.app.trace.engine.query(sql);
  const columns = result.columns();
  const rows = [];
  for (const row = result.iter({}); row.valid(); row.next()) {
    rows.push(
      Object.fromEntries(
        columns.map((name) => {
          const value = row.get(name);
          return [name, typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value];
        }),
      ),
    );
  }
  return rows;
};

export const viewerQuery = (viewer, sql) => viewer.evaluate(askEngine, sql);

/** Saves a picture, under tests/shots/ (not kept) when `file` is a bare name. */
export async function shoot(page, file) {
  const target = path.isAbsolute(file) || file.includes(path.sep) ? file : path.join(root, 'tests/shots', file);
  fs.mkdirSync(path.dirname(path.resolve(target)), { recursive: true });
  await page.screenshot({ path: target });
  return target;
}

/** The whole hand-over in a page: opens the viewer, asks until it answers, posts the trace once. */
const HANDOVER = `<!doctype html><meta charset="utf-8"><title>hand-over</title><button id="open">open</button><script>
document.getElementById('open').onclick = () => {
  const viewer = window.open(window.viewerAddress, '_blank');
  const origin = new URL(window.viewerAddress).origin;
  const ping = setInterval(() => viewer.postMessage('PING', origin), 50);
  let posted = false;
  window.addEventListener('message', async (event) => {
    if (event.source !== viewer || event.origin !== origin || event.data !== 'PONG' || posted) return;
    posted = true;
    clearInterval(ping);
    const buffer = await (await fetch('trace')).arrayBuffer();
    viewer.postMessage({ perfetto: { buffer, title: 'trace', fileName: 'trace.pftrace', localOnly: false } }, origin);
  });
};
</script>`;

async function servePage(trace) {
  const server = http.createServer((request, response) => {
    if (request.url === '/trace') response.end(trace);
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(HANDOVER);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

/**
 * Opens a trace in the viewer and returns its page once it is shown. `parameters`: of the viewer's URL
 * (startupCommands, visStart, visEnd ...).
 */
export async function openTrace(context, trace, parameters = {}) {
  const { server, url } = await servePage(trace);
  try {
    const page = await context.newPage();
    await page.goto(url);
    const query = new URLSearchParams(parameters).toString().replaceAll('+', '%20');
    await page.evaluate(
      (address) => {
        window.viewerAddress = address;
      },
      `${VIEWER_URL}/#!/${query ? `?${query}` : ''}`,
    );
    const [viewer] = await Promise.all([context.waitForEvent('page'), page.click('#open')]);
    await traceLoaded(viewer);
    return viewer;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

export async function newViewerContext(browser, size = { width: 1500, height: 1100 }) {
  const context = await browser.newContext({ viewport: size, colorScheme: 'light' });
  context.setDefaultTimeout(PATIENCE_MS);
  await serveViewer(context);
  return context;
}
