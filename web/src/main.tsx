// SPDX-License-Identifier: MIT
import { render } from 'preact';
import { App } from './app.js';
import { playLinkedDemo, startEffects } from './effects.js';
import { keepOffline } from './io/offline.js';
import { dispatch } from './store.js';
import './styles.css';

startEffects();
addEventListener('hashchange', playLinkedDemo);
playLinkedDemo();
keepOffline(() =>
  dispatch({
    type: 'notice',
    notice: {
      tone: 'info',
      text: 'A newer version of this page is here. It is used when you load this page again and no other tab shows it.',
    },
  }),
);
const root = document.getElementById('app');
if (root) render(<App />, root);
