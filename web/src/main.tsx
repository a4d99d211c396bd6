// SPDX-License-Identifier: MIT
import { render } from 'preact';
import { App } from './app.js';
import { prepare, startEffects } from './effects.js';
import { keepOffline } from './io/offline.js';
import { isLinkedStream } from './lives.js';
import { startKeeping } from './reload.js';
import { dispatch } from './store.js';
import { loadResults } from './views/recording.js';
import './styles.css';

startEffects();
const root = document.getElementById('app');
void startKeeping().finally(() => root && render(<App />, root));

const tellUpdate = (): void =>
  dispatch({
    type: 'notice',
    notice: {
      tone: 'info',
      text: 'A newer version of this page is available. Close its other tabs and reload this one to use it.',
    },
  });

// Shows the page first, then loads converter and timeline, then caches all files for offline use. `tonkopf record --live` serves them at a new
// address each time, at which they are not cached.
requestAnimationFrame(() =>
  setTimeout(
    () => void Promise.all([prepare(), loadResults()]).then(() => isLinkedStream() || keepOffline(tellUpdate)),
  ),
);
