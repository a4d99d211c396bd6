// SPDX-License-Identifier: MIT
// Reads memory and processor time of the Chromium process that renders the page.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const procFile = (pid, name) =>
  existsSync(`/proc/${pid}/${name}`) ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : '';

/** The processor seconds in a file `stat`. */
function cpuSecondsOf(stat) {
  const [, user = 0, system = 0] = /\) \w (?:\S+ ){10}(\d+) (\d+)/.exec(stat) ?? [];
  return (Number(user) + Number(system)) / 100;
}

/** The processor seconds of each worker of a process, by number of its thread. */
function workersOf(pid) {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  return threads
    .filter((id) => procFile(pid, `task/${id}/comm`).startsWith('DedicatedWorker'))
    .map((id) => [id, cpuSecondsOf(procFile(pid, `task/${id}/stat`))]);
}

/**
 * Returns { peak, resident, cpuSeconds, workers } of the renderer processes: the largest resident memory in bytes so far, and that of now, including the trace, which the page keeps in memory,
 * the processor time so far, in steps of 10 ms, and that of each worker, by number. All are 0 on systems without /proc.
 */
export async function tabUse(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const memory = (id, what) => Number(new RegExp(`${what}:\\s*(\\d+)`).exec(procFile(id, 'status'))?.[1] ?? 0) * 1024;
  const uses = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => ({
      peak: memory(id, 'VmHWM'),
      resident: memory(id, 'VmRSS'),
      cpuSeconds: cpuSecondsOf(procFile(id, 'stat')),
      workers: workersOf(id),
    }));
  const total = (key) => uses.reduce((sum, use) => sum + use[key], 0);
  return {
    peak: Math.max(0, ...uses.map(({ peak }) => peak)),
    resident: Math.max(0, ...uses.map(({ resident }) => resident)),
    cpuSeconds: total('cpuSeconds'),
    workers: new Map(uses.flatMap(({ workers }) => workers)),
  };
}
