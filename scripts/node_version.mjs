// SPDX-License-Identifier: MIT
// Ends the process with a message if Node is older than `engines` of package.json allows. Imported before all other modules.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(
    `Tonkopf needs Node ${major}.${minor} or newer; this is ${process.versions.node}. Install a newer one: https://nodejs.org/en/download`,
  );
  process.exit(1);
}
