// SPDX-License-Identifier: MIT
// build/native: what `cmake --install build/native` installs, and the targets that are named besides.
import { buildNative } from './builds.mjs';
import { setup } from './setup.mjs';

setup('native');
buildNative(['tonkopf-cli', 'tonkopf-share', 'tonkopf_static', 'tonkopf_shared', ...process.argv.slice(2)]);
