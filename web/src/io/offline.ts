// SPDX-License-Identifier: MIT
// Keeps the page usable without a network. `sw.js` is written by the build and holds the list of its files.

/** onUpdate: a newer version was fetched; this page stays what it is until it is loaded again. */
export function keepOffline(onUpdate: () => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const watch = (registration: ServiceWorkerRegistration): void => {
    const tell = (): void => {
      if (registration.waiting && serviceWorker.controller) onUpdate();
    };
    tell();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', tell);
    });
  };
  serviceWorker
    .register(new URL('sw.js', document.baseURI))
    .then(watch)
    .catch(() => {
      // no secure context, or refused: the page works, only not without a network
    });
}
