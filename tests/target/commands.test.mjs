// SPDX-License-Identifier: MIT
//
// The down channel: the stream starts, stops and changes when a debugger writes commands into the buffer of RTT, when a UART receives them,
// and when the program calls the function.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/lib.mjs';
import { debug } from './debugger.mjs';
import { CAN_RUN, addressOf, build, emulateWithInput } from './emulator.mjs';
import { events } from './recordings.mjs';

const FOLDER = join(root, 'tests', 'target', 'commands');
// words of the block of RTT: number of channels, then six words per channel
const DOWNS = 20,
  UP = 24,
  DOWN = UP + 24,
  BUFFER = 4,
  SIZE = 8,
  WRITTEN = 12,
  READ = 16;

/** A halted target, and the bytes that it has sent. */
class Host {
  /** @param {any} target @param {number} block @param {number} rounds address of the number of rounds of the program */
  constructor(target, block, rounds) {
    this.target = target;
    this.block = block;
    this.rounds = rounds;
    /** @type {Buffer[]} */ this.parts = [];
  }

  /** Lets the target run for at least a round, and reads what it has sent. Returns the number of bytes. */
  async run() {
    const { target } = this,
      up = this.block + UP,
      before = await target.word(this.rounds);
    do {
      target.resume();
      await pause(1); // on a busy machine the board may not run at all in this time
      expect(await target.halt()).toBe(true);
    } while ((await target.word(this.rounds)) === before);
    const [read, written] = [await target.word(up + READ), await target.word(up + WRITTEN)];
    const [buffer, size] = [await target.word(up + BUFFER), await target.word(up + SIZE)];
    const len = (written >= read ? written : size) - read;
    this.parts.push(await target.read(buffer + read, len));
    await target.writeWord(up + READ, (read + len) % size);
    return len;
  }

  /** Reads until the stream is empty, or until a number of bytes. @param {number} bytes */
  async take(bytes) {
    for (let sum = 0, empty = 0; sum < bytes && empty < 3;) {
      const len = await this.run();
      sum += len;
      empty = len ? 0 : empty + 1;
    }
  }

  /** Writes a line, and waits until the target has taken it. @param {string} line */
  async command(line) {
    const { target } = this,
      down = this.block + DOWN;
    const [buffer, size] = [await target.word(down + BUFFER), await target.word(down + SIZE)];
    for (const byte of Buffer.from(`${line}\n`)) {
      const written = await target.word(down + WRITTEN);
      await target.write(buffer + written, Buffer.from([byte]));
      await target.writeWord(down + WRITTEN, (written + 1) % size);
    }
    const written = await target.word(down + WRITTEN);
    while ((await target.word(down + READ)) !== written) await this.run();
  }

  /** The events since the last call. @param {string} name */
  events(name) {
    const all = events(name, Buffer.concat(this.parts));
    this.parts = [];
    return all;
  }
}

const count = (/** @type {any[]} */ all, /** @type {string} */ kind) =>
  all.filter(({ event }) => event === kind).length;

describe.skipIf(!CAN_RUN)('commands through the down channel', () => {
  test('start, groups, names, stop, and lines that are none', async () => {
    const image = build(
      'commands',
      'cortex-m3',
      ['-O2', `-I${FOLDER}`, `-I${join(root, 'tracer', 'transports')}`],
      ['../commands/main.c', '../../../tracer/transports/tband_rtt.c'],
    );
    await debug(image, 'mps2-an385', async (target) => {
      await target.runTo(addressOf(image, 'tband_rtt_pump'));
      const block = addressOf(image, '_SEGGER_RTT'),
        host = new Host(target, block, addressOf(image, 'rounds'));
      expect(await target.word(block + DOWNS)).toBe(1);
      await host.take(1);
      expect(Buffer.concat(host.parts).length).toBe(0); // nothing has started

      await host.command('start');
      await host.take(3000);
      const begin = host.events('commands-begin');
      expect(count(begin, 'marker name')).toBe(1);
      expect(count(begin, 'marker')).toBeGreaterThan(20);
      expect(count(begin, 'value')).toBeGreaterThan(20);

      await host.command('groups 400'); // markers
      await host.take(1200); // what was recorded before
      host.events('commands-before');
      await host.take(3000);
      const masked = host.events('commands-masked');
      expect(count(masked, 'marker')).toBeGreaterThan(20);
      expect(count(masked, 'value')).toBe(0);

      for (const line of ['x'.repeat(40), 'groups', 'groups xyz', 'groups 123456789', 'stopped'])
        await host.command(line);
      await host.command('names');
      await host.take(3000);
      const named = host.events('commands-named');
      expect(count(named, 'marker name')).toBe(1);
      expect(count(named, 'value name')).toBe(1);
      expect(count(named, 'value')).toBe(0);

      await host.command('stop');
      await host.take(Infinity);
      const end = host.events('commands-end');
      expect(end.at(-1).event).toBe('lost events');
      expect(await host.run()).toBe(0);
      await host.command('start');
      await host.take(1000);
      expect(count(host.events('commands-again'), 'marker name')).toBe(1);
    });
  });
});

const END = '\x04';
const OTHER = 'x'.repeat(29); // no command
const SENT = ['stop', 'start', 'start', OTHER, 'groups 400', OTHER, 'names', OTHER, 'stop', 'names', OTHER];
const RESULTS = '-1 0 -1 -3 0 -3 0 -3 0 -1 -3 ';

describe.skipIf(!CAN_RUN).each([
  ['lines of text that a UART receives', 'uart-lines', [], '\n', ''],
  ['packets of the application, which calls the function', 'uart-calls', ['-DIMAGE_CALL'], '\0', RESULTS],
])('commands as %s', (_, name, options, end, results) => {
  test('start, groups, names, stop, and others that are none', () => {
    const image = build(name, 'cortex-m3', ['-Os', `-I${FOLDER}`], ['../commands/uart.c'], options);
    const [recording, notes] = emulateWithInput(image, 5, SENT.map((word) => word + end).join('') + END);
    expect(notes.toString()).toBe(results);

    // A marker and a value follow each byte, so these are numbers of rounds until the end of each command.
    const ends = SENT.map((_word, i) => SENT.slice(0, i + 1).join(end).length),
      begin = ends[1];
    const [groups, names, stop] = [4, 6, 8].map((command) => ends[command] - begin);
    const all = events(name, recording);
    expect(count(all, 'marker')).toBe(stop);
    expect(count(all, 'value')).toBe(groups);
    expect(all.at(-1).event).toBe('lost events');
    expect(all.filter(({ event, number }) => event === 'lost events' && number)).toEqual([]);

    const again = all.findLastIndex(({ event }) => event === 'marker name');
    expect(count(all, 'marker name')).toBe(2);
    expect(count(all, 'value name')).toBe(2);
    expect(count(all.slice(0, again), 'marker')).toBe(names);
  });
});
