// SPDX-License-Identifier: MIT
// docs/page.png: the built page with the damaged demo. `npm run build` first.
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { chromium as installed, root } from './lib.mjs';

const server = await preview({
  configFile: join(root, 'web', 'vite.config.ts'),
  preview: { host: '127.0.0.1', port: 0 },
  logLevel: 'error',
});
const browser = await chromium.launch({
  executablePath: installed() ?? undefined,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const page = await browser.newPage({ viewport: { width: 1180, height: 880 } });
await page.goto(`${server.resolvedUrls?.local[0]}#demo=damaged`);
await page.locator('.figures').waitFor();
await page.screenshot({ path: join(root, 'docs', 'page.png') });
await browser.close();
await server.close();
