// SPDX-License-Identifier: MIT
// Chromium with a pseudo terminal in place of /dev/ttyS0: runs in a mount namespace of its own (`unshare -m`), so that nothing outside
// changes. A policy grants the port without the chooser. Obeys its parent, which sends { id, name, args } and gets { id, value }.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { chromium as installedChromium } from '../../scripts/lib.mjs';

const PORT = '/dev/ttyS0';
/** Builds of Chromium and Chrome read their policies from different folders. */
const POLICIES = ['/etc/chromium', '/etc/opt'];

/** @param {...string} args */
function mount(...args) {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
}

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('playwright-core').Page} */
let page;
let isPlugged = false;

const commands = {
  /** Begins with the page at this address. @param {string} url */
  async open(url) {
    const policy = JSON.stringify({ SerialAllowAllPortsForUrls: [new URL(url).origin] });
    for (const folder of POLICIES) {
      mkdirSync(folder, { recursive: true });
      mount('-t', 'tmpfs', 'none', folder);
    }
    for (const folder of ['/etc/chromium', '/etc/opt/chrome', '/etc/opt/chrome_for_testing']) {
      mkdirSync(`${folder}/policies/managed`, { recursive: true });
      writeFileSync(`${folder}/policies/managed/serial.json`, policy);
    }
    browser = await chromium.launch({
      executablePath: installedChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
    });
    page = await browser.newPage({ serviceWorkers: 'block' });
    page.setDefaultTimeout(120_000);
    await page.goto(url);
  },
  /** Puts a terminal in place of the port; the one before is gone. @param {string} terminal */
  plug(terminal) {
    if (isPlugged) spawnSync('umount', ['-l', PORT]);
    else mount('--bind', '/dev/null', PORT); // between two terminals the page must not open the port of this machine
    isPlugged = true;
    mount('--bind', terminal, PORT);
  },
  /** @param {string} baudRate */
  async connect(baudRate) {
    await page.getByRole('button', { name: 'Connect a board' }).click();
    await page.getByLabel('Baud rate of the target').fill(baudRate);
    await page.getByRole('button', { name: /^Connect to / }).click();
    await page.locator('.live-running').waitFor();
  },
  /** Waits for a state of the live recording. @param {string} state */
  waitFor: (state) => page.locator(`.live-${state}`).waitFor(),
  state: () => page.locator('.live-state').innerText(),
  line: () => page.locator('.live .line-main').innerText(),
  /** The bytes so far: written to a file. @param {string} path */
  async save(path) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    await download.saveAs(path);
    const bytes = readFileSync(path);
    return { length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  },
  /** The worker that reads the port does nothing else for a time. @param {number} milliseconds */
  stall: (milliseconds) =>
    Promise.all(
      page.workers().map((worker) =>
        worker.evaluate((time) => {
          for (const end = Date.now() + time; Date.now() < end;);
        }, milliseconds),
      ),
    ).then(() => null),
  async reload() {
    await page.reload();
  },
  async close() {
    await browser?.close();
    setTimeout(() => process.disconnect()); // after the answer
  },
};

process.on(
  'message',
  async (/** @type {{ id: number, name: keyof typeof commands, args: any[] }} */ { id, name, args }) => {
    try {
      const value = await /** @type {any} */ (commands[name])(...args);
      process.send?.({ id, value: value ?? null });
    } catch (error) {
      process.send?.({ id, error: String(error) });
    }
  },
);
process.send?.({ id: 0, value: null });
