// SPDX-License-Identifier: MIT
// Every TraceRecorder recording, decoded event by event, equals what an independent decoder wrote down about it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { root } from './fetch.mjs';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'tracealyzer');
const present = Boolean(folder && fs.existsSync(folder));
if (!present) console.warn('TONKOPF_SAMPLES names no folder with TraceRecorder recordings: the tests that need them are skipped');
const tool = process.env.TONKOPF_CLI ?? path.join(root, 'build/native/cli/tonkopf');
const names = present ? fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, `${name}.events.tsv.gz`))) : [];

const run = (args) => execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const TEXTS = new Set(['name', 'text']);
const EVENTS_WITH_TEXT = new Set(['OBJ_NAME', 'DEFINE_ISR', 'RUNNABLE_REGISTER', 'USER_EVENT', 'USER_EVENT_FIXED']);
const hex = (value) => BigInt(value).toString(16);
/** A signed word as the target sent it. */
const word = (value, wide) => hex(BigInt.asUintN(wide ? 64 : 32, BigInt(value)));
/** The references begin the time of a memory image a turn of the timer too late. */
const isImage = (name) => name.startsWith('ring_');

/** The file of a further core is read with the one that has the header. */
const filesOf = (name) => (name.includes('core1') ? [name.replace('core1', 'core0'), name] : [name]);

function ownRows(name, wide) {
  return run(['dump', '--stage', 'records', '--json', ...filesOf(name).map((file) => path.join(folder, file))])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ input }) => input === name)
    .map(({ offset, ticks, record, fields }) => {
      const { code, count, timer, ...rest } = fields;
      const params = Object.entries(rest).filter(([key]) => !TEXTS.has(key));
      return {
        offset, ns: BigInt(ticks), count, timer, code: hex(code).padStart(2, '0'), record,
        params: params.map(([, value]) => word(value, wide)).join(','),
        text: Object.entries(rest).filter(([key]) => TEXTS.has(key)).map(([, value]) => value.replace(/^fmt@(0x[0-9a-f]+).*/, '<fmt $1>')).join(),
      };
    });
}

/** The oldest recorder leaves the address of what it creates to the name before; the reference fills it in. */
function withAddresses(rows) {
  let named = '';
  return rows.map((row) => {
    const [first, ...others] = row.params.split(',');
    const params = row.record.endsWith('_CREATE') && first === '0' ? [named, ...others].join(',') : row.params;
    if (row.record === 'OBJ_NAME') named = first;
    return { ...row, params };
  });
}

function referenceRows(name, hz) {
  const ns = (ticks) => (hz ? (BigInt(ticks) / hz) * 1000000000n + ((BigInt(ticks) % hz) * 1000000000n + hz / 2n) / hz : BigInt(ticks));
  return zlib
    .gunzipSync(fs.readFileSync(path.join(folder, `${name}.events.tsv.gz`)))
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([, offset, core, count, timer, ticks, code, record, params, text = '']) => ({
      offset, ns: ns(ticks), core, count, timer, code: code.toLowerCase(), record: record.startsWith('EXT:') ? 'EXTENSION' : record, params,
      text: EVENTS_WITH_TEXT.has(record) ? text.replace(/^\[[^\]]*\] ?/, '') : '',
    }));
}

describe.skipIf(!present)('TraceRecorder recordings', () => {
  test.each(names)('%s: events', (name) => {
    const reference = JSON.parse(fs.readFileSync(path.join(folder, `${name}.ref.json`), 'utf8'));
    const { header } = reference.sessions[0];
    const image = isImage(name);
    const cores = header?.cores ?? 1;
    const own = withAddresses(ownRows(name, header?.W === 8));
    const wanted = referenceRows(name, BigInt(header?.ts.freq ?? 0));
    const shift = image || name.includes('headerless') ? wanted[0].ns - own[0].ns : 0n;
    const line = ({ offset, count, timer, code, record, params, text }) => [image ? '' : offset, count, timer, code, record, params, text].join(' ');
    own.forEach((row, index) => {
      const { core, ...other } = wanted[index];
      const count = cores > 1 && Number(other.count) < 4096 ? String(Number(core) * 4096 + Number(other.count)) : other.count;
      expect(`${index}: ${line(row)} ${row.ns + shift}`).toBe(`${index}: ${line({ ...other, count })} ${other.ns}`);
    });
    expect(own.length).toBe(wanted.length);
  });
});
