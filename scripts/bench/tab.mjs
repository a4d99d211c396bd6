// SPDX-License-Identifier: MIT
// Reads memory and processor time of the Chromium process that renders the page.
import { existsSync, readFileSync } from 'node:fs';

const procFile = (pid, name) =>
  existsSync(`/proc/${pid}/${name}`) ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : '';

/**
 * Returns { peak, cpuSeconds } of the renderer processes: the largest resident memory in bytes, including the trace, which the page keeps in memory,
 * and the processor time so far, in steps of 10 ms. Both are 0 on systems without /proc.
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
