// SPDX-License-Identifier: MIT
// Loads traces into the real trace_processor, one after the other, for load.mjs. Arguments: ROUNDS, QUERIES as JSON, FILE ...
// Prints [{ seconds, answers, memory }] as JSON. `seconds`: processor time of the best load, minus that of an empty trace. `answers`: results of the queries.
// `memory`: size of the memory of the engine, in bytes.
import { readFileSync } from 'node:fs';

// Collects the memories of the engine. The engine creates them itself, so this script wraps WebAssembly.Instance.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const instance = new Instance(module, imports);
  memories.push(
    ...[
      ...Object.values(instance.exports),
      ...Object.values(imports ?? {}).flatMap((part) => Object.values(part)),
    ].filter((one) => one instanceof WebAssembly.Memory),
  );
  return instance;
};
const { openTraceProcessor } = await import('../../tests/output/trace-processor.mjs');

/** Changes the engine's code so that its memory grows only by the requested size. By default it grows by at least a fifth, so its size would not show the need of a trace. */
function growAsAsked(code) {
  const grown = 'oldSize * (1 + .2 / cutDown)';
  if (!code.includes(grown)) throw new Error('the engine does not say how its memory grows');
  return code.replaceAll(grown, 'oldSize');
}

const [rounds, queries, ...paths] = process.argv.slice(2);
const engine = await openTraceProcessor(growAsAsked);
const empty = { trace: new Uint8Array(), seconds: Infinity };
const seen = paths.map((path) => ({ trace: readFileSync(path), seconds: Infinity, answers: [] }));
for (let i = 0; i < Number(rounds); i++) {
  for (const one of [empty, ...seen]) {
    const begin = process.cpuUsage();
    engine.load(one.trace);
    const { user, system } = process.cpuUsage(begin);
    one.seconds = Math.min(one.seconds, (user + system) / 1e6);
    if (one !== empty) one.answers = JSON.parse(queries).map((sql) => Object.values(engine.query(sql)[0])[0]);
  }
}
const memory = Math.max(...memories.map(({ buffer }) => buffer.byteLength));
console.log(
  JSON.stringify(seen.map(({ seconds, answers }) => ({ seconds: seconds - empty.seconds, answers, memory }))),
);
process.exit(0);
