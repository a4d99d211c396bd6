// SPDX-License-Identifier: MIT
// Writes the licences of third-party code into the library, the page and the programs. For `cmake --install`, core/install/notices.cmake does it.
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nanopbDir, root, which, zlibDir } from './lib.mjs';

/** What every build of the core contains. */
const CORE = [
  ['nanopb', join(nanopbDir, 'LICENSE.txt')],
  ['zlib', join(zlibDir, 'README')],
];

/** The C library that the WebAssembly module contains a little of: beside the compiler, in Debian's package elsewhere. */
function muslOfEmscripten() {
  const places = [dirname(realpathSync(which('emcc') ?? '.')), '/usr/share/emscripten'];
  const found = places.map((place) => join(place, 'system', 'lib', 'libc', 'musl', 'COPYRIGHT')).find(existsSync);
  if (!found) throw new Error(`the licence of Emscripten's C library is in none of ${places.join(', ')}`);
  return found;
}

const nodePackage = (name) => [name, join(root, 'node_modules', name, 'LICENSE')];

/** Besides the core. */
export const inModule = () => [['musl', muslOfEmscripten()]];
export const inPage = () => [...inModule(), nodePackage('preact')];

/** zlib's stands at the end of what else it says. */
function licence(file) {
  const text = readFileSync(file, 'utf8');
  return text.slice(Math.max(0, text.indexOf('Copyright notice:\n'))).trim();
}

/** THIRD-PARTY-NOTICES.txt of the core and of `parts` besides: [name, file with its licence, what to say before it] each. */
export function notices(parts) {
  const each = [...CORE, ...parts].map(
    ([name, file, before]) =>
      `${name}\n${'='.repeat(name.length)}\n\n${before ? `${before}\n\n` : ''}${licence(file)}\n`,
  );
  return `Tonkopf contains:\n\n${each.join('\n\n')}`;
}

export const writeNotices = (folder, parts) => writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(parts));
