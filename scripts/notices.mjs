// SPDX-License-Identifier: MIT
// The licences of others' code in what we give away.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { abseilDir, nanopbDir, zlibDir } from './lib.mjs';

/** What every build of the core contains. */
const CORE = [
  ['nanopb', join(nanopbDir, 'LICENSE.txt')],
  ['Abseil (demangle.cc)', join(abseilDir, 'LICENSE')],
  ['zlib', join(zlibDir, 'README')],
];

/** zlib's stands at the end of what else it says. */
function licence(file) {
  const text = readFileSync(file, 'utf8');
  return text.slice(Math.max(0, text.indexOf('Copyright notice:\n'))).trim();
}

/** Writes THIRD-PARTY-NOTICES.txt into a folder: of the core and of `parts` besides, [name, file with its licence] each. */
export function writeNotices(folder, parts) {
  const notices = [...CORE, ...parts].map(([name, file]) => `${name}\n${'='.repeat(name.length)}\n\n${licence(file)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), `Tonkopf contains:\n\n${notices.join('\n\n')}`);
}
