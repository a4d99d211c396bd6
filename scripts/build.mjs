// SPDX-License-Identifier: MIT
// dist/: the page as a static site, which works from any folder of any web server.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, run } from './lib.mjs';
import { setup } from './setup.mjs';

export async function build_page() {
  const { build_lib } = await import('./build_lib.mjs'); // needs node packages, which setup may have to install first
  await build_lib();
  run(process.execPath, [join(root, 'scripts', 'generate-demos.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { build } = await import('vite');
  await build({ configFile: join(root, 'web', 'vite.config.ts'), logLevel: 'warn' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setup('start');
  await build_page();
  console.log('dist/ is ready: copy it to any folder of any web server');
}
