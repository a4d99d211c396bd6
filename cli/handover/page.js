// SPDX-License-Identifier: MIT
// Passes the trace to the viewer: opens the viewer when the user clicks the button, sends PING until the viewer answers PONG, then posts
// the trace.
'use strict';

const PING_MS = 200;
const ANSWER_MS = 60000;
const button = document.getElementById('open');
const state = document.getElementById('state');
let config;
let bytes; // promise of the trace; kept for further clicks, because the program exits after it has sent the trace

function say(text) {
  state.textContent = text;
}

function fetchTrace() {
  bytes ??= fetch('trace').then((answer) => {
    if (!answer.ok) throw new Error('the program answered ' + answer.status);
    return answer.arrayBuffer();
  });
  return bytes;
}

function viewerAddress() {
  const viewer = config.viewer.replace(/\/+$/, '');
  return viewer + '/#!/?startupCommands=' + encodeURIComponent(JSON.stringify(config.commands));
}

function waitForAnswer(viewer, origin) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const finish = (outcome, value) => {
      clearInterval(timer);
      removeEventListener('message', onMessage);
      outcome(value);
    };
    const onMessage = (event) => {
      if (event.source === viewer && event.origin === origin && event.data === 'PONG') finish(resolve);
    };
    const timer = setInterval(() => {
      if (viewer.closed) finish(reject, new Error('the viewer was closed'));
      else if (Date.now() - started > ANSWER_MS) finish(reject, new Error('the viewer does not answer'));
      else viewer.postMessage('PING', origin);
    }, PING_MS);
    addEventListener('message', onMessage);
  });
}

async function handOver() {
  const origin = new URL(config.viewer).origin;
  const viewer = window.open(viewerAddress());
  if (!viewer) {
    say('The browser blocked the new window. Allow windows for this page and press the button again.');
    return;
  }
  button.disabled = true;
  try {
    say('Waiting for the viewer ...');
    const [buffer] = await Promise.all([fetchTrace(), waitForAnswer(viewer, origin)]);
    viewer.postMessage(
      { perfetto: { buffer, title: config.title, fileName: config.fileName, localOnly: false } },
      origin,
    );
    say('Handed over. This window may be closed.');
  } catch (error) {
    say('It did not work: ' + error.message + '. Try again, or open the file in the viewer yourself.');
  }
  button.disabled = false;
}

fetch('config.json')
  .then((answer) => answer.json())
  .then((values) => {
    config = values;
    document.getElementById('title').textContent = config.title;
    button.disabled = false;
    button.addEventListener('click', handOver);
    button.focus();
    say('Ready.');
  })
  .catch(() => say('The program that serves this page has ended.'));
