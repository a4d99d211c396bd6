// SPDX-License-Identifier: MIT
// Writes the licences of third-party code to the library, the page and the packages of programs. For `cmake --install`, core/install/notices.cmake writes them.
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nanopbDir, root, which, zlibDir } from './lib.mjs';

/** Third-party code in every build of the core: [name, file with its licence]. */
const CORE = [
  ['nanopb', join(nanopbDir, 'LICENSE.txt')],
  ['zlib', join(zlibDir, 'README')],
];

/** Returns the path of the licence of musl, parts of which the WebAssembly module contains. It is beside emcc, or in /usr/share/emscripten on Debian. */
function muslOfEmscripten() {
  const places = [dirname(realpathSync(which('emcc') ?? '.')), '/usr/share/emscripten'];
  const found = places.map((place) => join(place, 'system', 'lib', 'libc', 'musl', 'COPYRIGHT')).find(existsSync);
  if (!found) throw new Error(`the licence of Emscripten's C library is in none of ${places.join(', ')}`);
  return found;
}

const nodePackage = (name) => [name, join(root, 'node_modules', name, 'LICENSE')];

/** Returns the third-party code in the WebAssembly module, besides that of the core: [name, file with its licence]. */
export const inModule = () => [['musl', muslOfEmscripten()]];
export const inPage = () => [...inModule(), nodePackage('preact')];

/** Returns the licence in a file. zlib's README contains it at the end, after other text. */
function licence(file) {
  const text = readFileSync(file, 'utf8');
  return text.slice(Math.max(0, text.indexOf('Copyright notice:\n'))).trim();
}

/** Returns the text of THIRD-PARTY-NOTICES.txt for the core and other parts. parts: [name, file with its licence, text before the licence]. */
export function notices(parts) {
  const each = [...CORE, ...parts].map(
    ([name, file, before]) =>
      `${name}\n${'='.repeat(name.length)}\n\n${before ? `${before}\n\n` : ''}${licence(file)}\n`,
  );
  return `Tonkopf contains:\n\n${each.join('\n\n')}`;
}

export const writeNotices = (folder, parts) => writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(parts));
