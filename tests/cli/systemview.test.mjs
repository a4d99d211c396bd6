// SPDX-License-Identifier: MIT
// SystemView: files of several cores, and description files.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ID, SystemView, str, svdat_of_cores, varint } from '../generator/systemview.mjs';
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

const DESCRIPTION = `# calls of an invented OS
Option    ReversePriority
NamedType Timeout   *="%u ticks" 0=none 4294967295=forever
NamedType Err       *=%i 0=ok -11=again
TaskState 0xBF 1=dummy, 2=Pending, 128=Ready
41 sem_give   sem=%I
42 sem_take   sem=%I, timeout=%Timeout | Returns %Err
`;
const ZEPHYR = new SystemView()
  .start('N=Sensor,D=nrf52,O=Zephyr', [ROUTER, RADIO])
  .packet(ID.NAME_RESOURCE, [...varint(0x300), ...str('uart_sem')])
  .at(168_000)
  .run(ROUTER)
  .call(42, 0x300, 0xffff_ffff)
  .wait(ROUTER, 2)
  .run(RADIO)
  .at(2 * 168_000)
  .call(41, 0x300)
  .ready(ROUTER)
  .end_call(41)
  .run(ROUTER)
  .end_call(42, -11)
  .at(3 * 168_000)
  .wait(ROUTER, 0x42)
  .run(RADIO)
  .at(4 * 168_000)
  .ready(ROUTER)
  .run(ROUTER)
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
  folder.write('zephyr.bin', ZEPHYR);
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
  expect(errors + text).toMatch(/the file ends before one of its cores|cut/);
  expect(text).toContain('router');
  expect(code).not.toBe(2);
});

test('a description file names calls, values, results and waits', async () => {
  const text = (await run('dump', '--with', 'SYSVIEW_Zephyr.txt', 'zephyr.bin')).text;
  expect(text).toContain('event="waits" id=0 text="sem_take uart_sem"');
  expect(text).toContain('event="waits" id=0 text="Pending"');
  expect(text).toMatch(/event="slice begins".* text="sem_take".* sem="uart_sem" timeout="forever"/);
  expect(text).toMatch(/event="slice ends".* result="-?again"/);
});

test('without it the wait is the number of the call', async () => {
  const text = (await run('dump', 'zephyr.bin')).text;
  expect(text).toContain('event="waits" id=0 text="call 42"');
  expect(text).toContain('event="waits" id=0 text="waiting (reason not recorded)"');
});
