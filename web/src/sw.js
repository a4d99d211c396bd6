// SPDX-License-Identifier: MIT
// Caches all files of one build, so that the page works without a network. The build fills in version and files. Another build has another
// version: it is fetched and verified as a whole and waits until no open page uses the old one, so that a page never gets files of two
// builds.
const version = '@VERSION@';
const files = '@FILES@';
const prefix = `tonkopf ${self.registration.scope} `;
const cacheName = prefix + version;

const addressOf = (file) => new URL(file, self.registration.scope).href;

const hashOf = async (response) =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer())), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** While a server is being updated, it may serve the file of the other build under the same name. */
async function fetchChecked(cache, [file, hash]) {
  const response = await fetch(addressOf(file), { cache: 'reload' });
  if (!response.ok || (await hashOf(response.clone())) !== hash) throw new Error(`${file} is not of this build`);
  await cache.put(addressOf(file), response);
}

self.addEventListener('install', (event) => {
  const fill = async () => {
    const cache = await caches.open(cacheName);
    await Promise.all(Object.entries(files).map((entry) => fetchChecked(cache, entry)));
  };
  event.waitUntil(
    fill().catch(async (error) => {
      await caches.delete(cacheName);
      throw error; // the browser retries at a later visit
    }),
  );
});

self.addEventListener('activate', (event) => {
  const takeOver = async () => {
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(takeOver());
});

self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

/**
 *
 * An almost empty page that is replaced by the new version. It asks the waiting worker to activate and reloads only after that worker
 * answers, because a request during the activation might never be answered.
 *
 */
const between = `<!doctype html><title>Tonkopf</title><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<script type="module">
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  const { waiting, active } = await navigator.serviceWorker.getRegistration();
  waiting?.addEventListener('statechange', () => waiting.state === 'redundant' && location.reload());
  if (waiting) waiting.postMessage('take over');
  else if (active === navigator.serviceWorker.controller) location.reload();
</script>`;

/** The only open page is being reloaded: the waiting version can be activated now. */
async function handOverToWaiting({ cache }) {
  if (!self.registration.waiting) return null;
  const open = await self.clients.matchAll({ type: 'window' }); // with the reloaded page
  if (open.length > (cache === 'no-cache' ? 1 : 0)) return null;
  const policy = "default-src 'none'; img-src data:; script-src 'unsafe-inline'"; // the cache contains all files
  return new Response(between, { headers: { 'content-type': 'text/html', 'content-security-policy': policy } });
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(self.registration.scope)) return;
  const isPage = request.mode === 'navigate' && url.pathname === new URL(self.registration.scope).pathname;
  const key = isPage ? addressOf('index.html') : url.origin + url.pathname;
  const kept = async () => (await (await caches.open(cacheName)).match(key)) ?? fetch(request);
  event.respondWith(isPage ? handOverToWaiting(request).then((answer) => answer ?? kept()) : kept());
});
