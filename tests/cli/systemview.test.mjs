// SPDX-License-Identifier: MIT
// SystemView: files of several cores, and description files.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESCRIPTION, WITH_DESCRIPTION, post_mortem } from '../generator/golden-systemview.mjs';
import { ID, SystemView, memory_dump, ring_of, svdat_of_cores } from '../generator/systemview.mjs';
import { Folder, tool } from './tool.mjs';

const ROUTER = { name: 'router', address: 0x2000_2000, priority: 3 };
const RADIO = { name: 'radio', address: 0x2000_2400, priority: 1 };
const ESP = 'N=FreeRTOS Application,D=ESP32,C=Xtensa,O=FreeRTOS';

/** One core of two: each recorder lists all tasks. @param {typeof ROUTER} runs */
const core = (runs) =>
  new SystemView({ hz: 40_000_000 })
    .start(ESP, [ROUTER, RADIO])
    .at(40_000)
    .run(runs)
    .at(80_000)
    .packet(ID.IDLE)
    .at(120_000)
    .run(runs)
    .at(200_000)
    .packet(ID.IDLE)
    .bytes();

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('a.core0.bin', core(ROUTER));
  folder.write('a.core1.bin', core(RADIO));
  folder.write('cores.SVDat', svdat_of_cores(core(ROUTER), core(RADIO)));
  folder.write('cores.SVDat.gz', gzipSync(svdat_of_cores(core(ROUTER), core(RADIO))));
  folder.write('cut.SVDat', svdat_of_cores(core(ROUTER), core(RADIO)).subarray(0, 200 + core(ROUTER).length - 60));
  folder.write('all.bin', post_mortem());
  folder.write('zephyr.bin', WITH_DESCRIPTION);
  folder.write('SYSVIEW_Zephyr.txt', Buffer.from(DESCRIPTION));
});
afterAll(() => folder.remove());

/** Runs a command on files of the folder. @param {string[]} args */
const run = (...args) => tool(args.map((arg) => (arg.includes('.') ? folder.at(arg) : arg)));
/** @param {string[]} inputs */
const report = async (...inputs) => JSON.parse((await run('info', '--json', ...inputs)).text);

test('a file of two cores gives the figures of two files', async () => {
  const two = await report('a.core0.bin', 'a.core1.bin');
  for (const name of ['cores.SVDat', 'cores.SVDat.gz']) {
    const one = await report(name);
    for (const table of ['cores', 'tasks', 'time', 'problems'])
      expect(one[table], `${name} ${table}`).toEqual(two[table]);
  }
  expect(two.cores).toHaveLength(2);
});

test('a file that ends before its second core names it and shows the first', async () => {
  const { errors, text, code } = await run('info', 'cut.SVDat');
  expect(errors + text).toMatch(/the file ends before one of its cores/);
  expect(text).toContain('router');
  expect(code).not.toBe(2);
});

test('a description file names calls, values, results and waits', async () => {
  const text = (await run('dump', '--with', 'SYSVIEW_Zephyr.txt', 'zephyr.bin')).text;
  expect(text).toContain('event="waits" id=0 text="sem_take uart_sem"');
  expect(text).toContain('event="waits" id=0 text="Pending"');
  expect(text).toMatch(/event="slice begins" id=\d+ text="sem_take"/);
});

test('of several description files the one of the OS is used', async () => {
  const other = (/** @type {string} */ os) => Buffer.from(DESCRIPTION.replaceAll('sem_', `${os}_`));
  folder.write('SYSVIEW_NuttX.txt', other('nuttx'));
  folder.write('SYSVIEW_embOS.txt', other('embos'));
  folder.write('other.txt', other('other'));
  const files = ['SYSVIEW_NuttX.txt', 'SYSVIEW_Zephyr.txt', 'SYSVIEW_embOS.txt', 'other.txt'];
  for (const order of [files, [...files].reverse()]) {
    const withs = order.flatMap((file) => ['--with', file]);
    const text = (await run('dump', ...withs, 'zephyr.bin')).text;
    expect(text).toContain('event="waits" id=0 text="sem_take uart_sem"');
    expect(text).not.toMatch(/nuttx_|embos_|other_/);
    const { problems } = JSON.parse((await run('info', '--json', ...withs, 'zephyr.bin')).text);
    expect(problems.find((/** @type {any} */ { id }) => id === 'INPUT_UNUSED').count).toBe(3);
  }
  const only = (await run('dump', '--with', 'other.txt', 'zephyr.bin')).text;
  expect(only).toContain('text="other_take uart_sem"');
});

test('a description file names the calls of a recorder without lengths', async () => {
  const recorder = new SystemView({ no_lengths: true });
  recorder.start('N=Sensor,D=nrf52,O=Zephyr', [ROUTER, RADIO]).at(100).run(ROUTER);
  for (let i = 1; i < 20; i++)
    recorder
      .at(1000 * i)
      .call(42, 0x300, i)
      .end_call(42, 0)
      .call(41, 6)
      .end_call(41);
  folder.write('no-lengths.bin', recorder.bytes());
  const text = (await run('dump', '--with', 'SYSVIEW_Zephyr.txt', 'no-lengths.bin')).text;
  expect(text.match(/event="slice begins"/g)).toHaveLength(38);
  expect(text.match(/text="sem_give"/g)).toHaveLength(19);
  expect(text).not.toContain('problem');
});

test('without it the wait is the number of the call', async () => {
  const text = (await run('dump', 'zephyr.bin')).text;
  expect(text).toContain('event="waits" id=0 text="call 42"');
  expect(text).toContain('event="waits" id=0 text="waiting (reason not recorded)"');
});

/** Kinds and times of the events of tasks and interrupts, from the first one on. @param {string} text */
function events_of(text) {
  const all = [
    ...text.matchAll(
      /ticks=(\d+) seconds=\S+ event="((?:task|interrupt) (?:switched|made|entered|left)[^"]*|core idle)" id=(\d+)/g,
    ),
  ];
  return all.map(([, ticks, event, id]) => ({ at: Number(ticks), what: `${event} ${id}` }));
}

test.each([3000, 4099, 5003, 8192, 20_011])(
  'a ring of %i bytes contains the newest events, alone and in a dump of memory',
  async (size) => {
    const all = events_of((await run('dump', 'all.bin')).text);
    const of = ring_of(post_mortem(), size);
    for (const [name, bytes] of /** @type {[string, Uint8Array][]} */ ([
      ['ring.bin', of.ring],
      ['ram.bin', memory_dump(of)],
    ])) {
      folder.write(name, bytes);
      const events = events_of((await run('dump', name)).text);
      // Times are distances, because those of a ring begin at its first sync.
      const step = (/** @type {typeof all} */ list, /** @type {number} */ i) => list[i].at - list[i - 1].at;
      const same = (/** @type {number} */ from) => {
        let count = 1;
        const isSame = () =>
          events[count].what === all[from + count].what && Math.abs(step(events, count) - step(all, from + count)) <= 1;
        while (count < events.length && from + count < all.length && isSame()) count++;
        return count;
      };
      const from = all.map((_, i) => i).find((i) => same(i) > 20) ?? all.length;
      // Alone, the ring does not tell where the newest packet ends; up to a stretch of older ones may follow it.
      if (name === 'ram.bin') expect(from + events.length, name).toBe(all.length);
      if (name === 'ram.bin') expect(same(from), name).toBe(events.length);
      expect(from + same(from), name).toBe(all.length);
      expect(events.length - same(from), name).toBeLessThan(257);
      expect(events.length, name).toBeGreaterThan(size / 16);
    }
  },
);
