// SPDX-License-Identifier: MIT
// Registers the service worker, which keeps the page usable without a network. The build writes `sw.js` and the list of files in it.

/** onUpdate: called when a newer version was fetched. This page keeps its version until it is reloaded. */
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
      // no secure context, or registration refused: the page works, but not offline
    });
}
