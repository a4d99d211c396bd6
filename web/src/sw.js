// SPDX-License-Identifier: MIT
// Keeps every file of one build, so that the page works without a network. The build fills in version and files;
// a new build is another version, fetched as a whole before it replaces the old one.
const version = '@VERSION@';
const files = '@FILES@';
const prefix = `tonkopf ${self.registration.scope} `;
const cacheName = prefix + version;

const addressOf = (file) => new URL(file, self.registration.scope).href;

self.addEventListener('install', (event) => {
  const fill = async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll(files.map((file) => new Request(addressOf(file), { cache: 'reload' })));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
  const takeOver = async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(self.registration.scope)) return;
  const isPage = request.mode === 'navigate' && url.pathname === new URL(self.registration.scope).pathname;
  const key = isPage ? addressOf('index.html') : url.origin + url.pathname;
  const answer = async () => (await (await caches.open(cacheName)).match(key)) ?? fetch(request);
  event.respondWith(answer());
});
