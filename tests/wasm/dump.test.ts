// SPDX-License-Identifier: MIT
// Dumps of a time range that start from saved states, as the list of events of the page needs them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Points } from '../../wasm/checkpoints.js';
import { convert, convertPart, inspect } from '../../wasm/convert.js';
import type { InputChoice, Source } from '../../wasm/types.js';
import { addNames } from '../../web/src/timeline/blocks.js';
import { textsIn } from '../../web/src/timeline/texts.js';
import { type DumpedEvent, type Names, eventsOf } from '../../web/src/timeline/dump.js';
import { Engine } from '../../web/src/timeline/engine.js';
import { CASES, inputs } from '../../scripts/bench/cases.mjs';
import { root } from '../golden/cases.mjs';

const MEASURED = [CASES[0]!, CASES.find(({ name }) => name.startsWith('TraceRecorder'))!];
let core: WebAssembly.Module, viewer: WebAssembly.Module;

beforeAll(async () => {
  core = await WebAssembly.compile(readFileSync(join(root, 'lib', 'tonkopf.wasm')));
  viewer = await WebAssembly.compile(readFileSync(join(root, 'lib', 'timeline.wasm')));
});

interface Counted extends Source {
  read: number;
}

function sourceOf(path: string): Counted {
  const bytes = readFileSync(path);
  async function* from(offset: number): AsyncGenerator<Uint8Array> {
    for (let at = offset; at < bytes.length; at += 50_000) {
      source.read += Math.min(50_000, bytes.length - at);
      yield bytes.subarray(at, at + 50_000);
    }
  }
  const source = { name: path, size: bytes.length, read: 0, open: () => from(0), openAt: from };
  return source;
}

async function chosen(source: Source): Promise<InputChoice[]> {
  const found = await inspect(core, [source]);
  return found.flatMap((detected) =>
    detected.plan.role === 'none' ? [] : [{ detected, role: detected.plan.role, core: null }],
  );
}

/** Converts a recording as the page does it. points: set: as a large one, without its trace. */
async function opened(source: Source, points?: Points): Promise<{ engine: Engine; names: Names }> {
  const engine = await Engine.open(viewer, 64 << 20),
    definitions: Uint8Array[] = [];
  const onRows = (blocks: Uint8Array): void => {
    engine.add(blocks);
    addNames(definitions, blocks);
  };
  await convert(core, [source], await chosen(source), {}, { onBlock: () => {}, onRows, ...(points && { points }) });
  return { engine, names: { texts: textsIn(definitions), rows: engine.rows() } };
}

async function dumped(
  source: Source,
  names: Names,
  points: Points | null,
  from: bigint,
  to: bigint,
  tickNs: bigint,
): Promise<DumpedEvent[]> {
  let text = '';
  const range = { fromNs: (from - 1n) * tickNs, toNs: to * tickNs, tickNs: String(tickNs), points, isDump: true };
  await convertPart(core, [source], await chosen(source), {}, range, {
    onBlock: (block) => void (text += Buffer.from(block).toString()),
  });
  return eventsOf(names, text.split('\n'), from, to);
}

describe('a dump from a saved state has the events of a dump from the start, with all names', () => {
  test.each(MEASURED.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const [path] = inputs(one, '2M').paths;
    const source = sourceOf(path!),
      points = new Points(100_000),
      { engine, names } = await opened(source, points),
      { first, last, tickNs } = engine.facts();
    expect(points.count).toBeGreaterThan(3);
    const own = new Points(100_000);
    for (const share of [8n, 5n, 9n]) {
      const from = first + ((last - first) * share) / 10n,
        to = from + (last - first) / 200n;
      const whole = await dumped(source, names, null, from, to, tickNs);
      source.read = 0;
      const part = await dumped(source, names, points, from, to, tickNs);
      expect(source.read).toBeLessThan(1_000_000); // with the first bytes, for recognition
      expect(part).toEqual(whole);
      expect(await dumped(source, names, own, from, to, tickNs)).toEqual(whole); // from states of other dumps
      expect(whole.length).toBeGreaterThan(50);
      expect(whole.filter(({ context, text }) => !context || !text).length).toBe(0);
    }
    expect(own.count).toBeGreaterThan(3);
  });
});
