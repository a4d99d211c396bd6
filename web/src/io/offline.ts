// SPDX-License-Identifier: MIT
// Keeps the page usable without a network. `sw.js` is written by the build and holds the list of its files.

/** onUpdate: a newer version was fetched and will be used from the next load on. */
export function keepOffline(onUpdate: () => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const hadOne = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) onUpdate();
  });
  navigator.serviceWorker.register(new URL('sw.js', document.baseURI)).catch(() => {
    // no secure context, or refused: the page works, only not without a network
  });
}
