// SPDX-License-Identifier: MIT
// Reads memory and processor time of Chromium's process with the page.
import { existsSync, readFileSync } from 'node:fs';

const procFile = (pid, name) =>
  existsSync(`/proc/${pid}/${name}`) ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : '';

/**
 * The renderer process with the page: its highest resident memory (the trace itself, kept as blocks, is part of it) and its
 * processor time so far, which is known in steps of 10 ms. Zeros where the system does not tell.
 */
export async function tabUse(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const uses = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const [, user = 0, system = 0] = /\) \w (?:\S+ ){10}(\d+) (\d+)/.exec(procFile(id, 'stat')) ?? [];
      return {
        peak: Number(/VmHWM:\s*(\d+)/.exec(procFile(id, 'status'))?.[1] ?? 0) * 1024,
        cpuSeconds: (Number(user) + Number(system)) / 100,
      };
    });
  const total = (key) => uses.reduce((sum, use) => sum + use[key], 0);
  return { peak: Math.max(0, ...uses.map(({ peak }) => peak)), cpuSeconds: total('cpuSeconds') };
}
