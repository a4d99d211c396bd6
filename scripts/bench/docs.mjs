// SPDX-License-Identifier: MIT
// Writes the figures of a benchmark to the documentation: all figures to docs/performance.json, a chart to docs/performance.svg, tables to
// the marked places of docs/PERFORMANCE.md and docs/notes/speed.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';
import { goalTable } from './goals.mjs';
import { againstMarkdown } from './load.mjs';
import { partsMarkdown } from './parts.mjs';
import { picture } from './picture.mjs';
import { asMarkdown, summaryTable, workTables } from './rows.mjs';

const inDocs = (name) => join(root, 'docs', name);

function machineText({ date, machine, versions, rows }) {
  const what = `${machine.cpu}, ${machine.cpus} processors, ${machine.memoryGiB} GiB, ${machine.system}; ${versions.compiler}; ${versions.emscripten.replace(/ \(.*\)(?= |$)/, '')}; Node ${versions.node}; Chromium ${versions.chromium}`;
  const busy =
    machine.loadBefore > 0.5
      ? ` Other programs kept the machine busy (load ${machine.loadBefore} at the start): rates are lower than on a free machine, ratios are less affected.`
      : '';
  return `${date.slice(0, 10)}, Tonkopf ${versions.tonkopf} (${versions.commit}), ${rows.length} rows. ${what}.${busy}`;
}

export const PAGES = ['PERFORMANCE.md', join('notes', 'speed.md')];

const PROFILE_ROWS = 12;

/** Returns the texts to insert between the marks, by the names of the marks. */
function contents(data) {
  const parts = {
    machine: machineText(data),
    against: data.load ? againstMarkdown(data.load) : '*not measured*',
    parts: data.parts ? partsMarkdown(data.parts) : '*not measured*',
    Goals: asMarkdown(goalTable(data)),
    Summary: asMarkdown(summaryTable(data.rows)),
  };
  const profile = data.work && workTables(data.work).find(({ title }) => title === 'Profile');
  if (profile) parts.Profile = asMarkdown({ ...profile, body: profile.body.slice(0, PROFILE_ROWS) });
  return parts;
}

/** Returns the pages with the texts between `<!-- NAME -->` and `<!-- /NAME -->` replaced. Throws if no page contains the marks of a text. */
export function filled(pages, data) {
  const texts = [...pages];
  for (const [name, content] of Object.entries(contents(data))) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const page = texts.findIndex((text) => text.indexOf(open) >= 0 && text.indexOf(close) > text.indexOf(open));
    if (page < 0) throw new Error(`no page has the marks ${open} and ${close}`);
    const [from, to] = [texts[page].indexOf(open), texts[page].indexOf(close)];
    texts[page] = `${texts[page].slice(0, from + open.length)}\n${content}\n${texts[page].slice(to)}`;
  }
  return texts;
}

export function writeDocs(data) {
  if (!data.rows) throw new Error('nothing was measured yet: npm run bench');
  writeFileSync(inDocs('performance.json'), `${JSON.stringify(data, null, 1)}\n`);
  writeFileSync(inDocs('performance.svg'), picture(data.rows));
  const texts = filled(
    PAGES.map((page) => readFileSync(inDocs(page), 'utf8')),
    data,
  );
  PAGES.forEach((page, i) => writeFileSync(inDocs(page), texts[i]));
  console.log(`${PAGES.join(', ')}, the picture and the figures are written`);
}
