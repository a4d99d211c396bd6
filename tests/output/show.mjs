// SPDX-License-Identifier: MIT
// A picture of a trace in the real viewer:
//   node tests/output/show.mjs FILE.pftrace OUT.png [startupCommands as JSON, or ""] [visStart visEnd, in ns]
import fs from 'node:fs';
import path from 'node:path';
import { launchChromium, newViewerContext, openTrace, shoot } from './viewer.mjs';

const [file, out, commands, visStart, visEnd] = process.argv.slice(2);
if (out === undefined) {
  console.error('usage: show.mjs FILE.pftrace OUT.png [startupCommands JSON] [visStart visEnd]');
  process.exit(2);
}

const parameters = {};
if (commands) parameters.startupCommands = JSON.stringify(JSON.parse(commands));
if (visEnd !== undefined) Object.assign(parameters, { visStart, visEnd });

const browser = await launchChromium();
try {
  const context = await newViewerContext(browser);
  const viewer = await openTrace(context, fs.readFileSync(file), parameters);
  await viewer.waitForTimeout(1500); // startup commands and drawing continue after the load
  console.log(await shoot(viewer, path.resolve(out)));
} finally {
  await browser.close();
}
