// SPDX-License-Identifier: MIT
// Loads traces into the real trace_processor in turn, for load.mjs. Arguments: ROUNDS, QUERIES as JSON, FILE ...
// Prints [{ seconds, answers, memory }] as JSON: processor time of the best load, without that of an empty trace; size of the engine's memory in bytes.
import { readFileSync } from 'node:fs';

// The engine's module makes its memory itself: it is seen where the module is instantiated.
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

/** The engine's memory grows by a fifth at least, whatever was asked for: then it is no measure of what a trace needs. */
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
