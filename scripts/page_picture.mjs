// SPDX-License-Identifier: MIT
// Makes docs/page.png, the picture in the README: a screenshot of the built page with the demo `freertos`. Run `npm run build` first, then `npm run picture`.
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ARGS, servePage } from './bench/chromium.mjs';
import { chromium as finder, root } from './lib.mjs';

const { url, close } = await servePage();
const browser = await chromium.launch({ executablePath: finder() ?? undefined, args: ARGS });
const page = await browser.newPage({ viewport: { width: 1180, height: 720 } });
await page.goto(`${url}#demo=freertos`);
await page.locator('.timeline').waitFor();
await page.waitForLoadState('networkidle');
await page.screenshot({ path: join(root, 'docs', 'page.png') });
await browser.close();
await close();
