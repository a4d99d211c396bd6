// SPDX-License-Identifier: MIT
// Puts the figures of a bench into the documentation: docs/performance.json as they are, the picture, the tables between
// their marks in docs/PERFORMANCE.md and docs/notes/speed.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';
import { goalTable } from './goals.mjs';
import { loadMarkdown } from './load.mjs';
import { picture } from './picture.mjs';
import { asMarkdown, tables, workTables } from './rows.mjs';

const inDocs = (name) => join(root, 'docs', name);

function machineText({ date, machine, versions, rows }) {
  const what = `${machine.cpu}, ${machine.cpus} processors, ${machine.memoryGiB} GiB, ${machine.system}; ${versions.compiler}; ${versions.emscripten.replace(/ \(.*\)(?= |$)/, '')}; Node ${versions.node}; Chromium ${versions.chromium}`;
  const busy = machine.loadBefore > 0.5 ? ` Other programs kept the machine busy (load ${machine.loadBefore} at the start): rates are lower than on a free machine, ratios are less affected.` : '';
  return `${date.slice(0, 10)}, Tonkopf ${versions.tonkopf} (${versions.commit}), ${rows.length} rows. ${what}.${busy}`;
}

const PAGES = ['PERFORMANCE.md', join('notes', 'speed.md')];

/** A page with everything between `<!-- NAME -->` and `<!-- /NAME -->` replaced. */
export function filled(page, data) {
  const parts = { machine: machineText(data), load: data.load ? loadMarkdown(data.load) : '*not measured*' };
  for (const table of tables(data.rows)) parts[table.title] = asMarkdown(table);
  parts.Goals = asMarkdown(goalTable(data));
  if (data.work) for (const table of workTables(data.work)) parts[table.title] = asMarkdown(table);
  return Object.entries(parts).reduce((text, [name, content]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(open), text.indexOf(close)];
    if (from < 0 || to < from) return text; // it stands on the other page
    return `${text.slice(0, from + open.length)}\n${content}\n${text.slice(to)}`;
  }, page);
}

export function writeDocs(data) {
  if (!data.rows) throw new Error('nothing was measured yet: npm run bench');
  writeFileSync(inDocs('performance.json'), `${JSON.stringify(data, null, 1)}\n`);
  writeFileSync(inDocs('performance.svg'), picture(data.rows));
  for (const page of PAGES) writeFileSync(inDocs(page), filled(readFileSync(inDocs(page), 'utf8'), data));
  console.log(`${PAGES.join(', ')}, the picture and the figures are written`);
}
