// SPDX-License-Identifier: MIT
// Loads one trace into the real trace_processor, three times, in a process of its own. Arguments: FILE of the trace, QUERIES as JSON.
// Prints { seconds, memory, answers } as JSON: processor time of the best load, size of the engine's memory in bytes.
import { readFileSync } from 'node:fs';

// The engine's module makes its memory itself: it is seen where the module is instantiated.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const instance = new Instance(module, imports);
  memories.push(...[...Object.values(instance.exports), ...Object.values(imports ?? {}).flatMap((part) => Object.values(part))].filter((one) => one instanceof WebAssembly.Memory));
  return instance;
};
const { openTraceProcessor } = await import('../../tests/output/trace-processor.mjs');

const [path, queries] = process.argv.slice(2);
const trace = readFileSync(path);
const engine = await openTraceProcessor();
let seconds = Infinity;
for (let i = 0; i < 3; i++) {
  const begin = process.cpuUsage();
  engine.load(trace);
  const { user, system } = process.cpuUsage(begin);
  seconds = Math.min(seconds, (user + system) / 1e6);
}
const answers = JSON.parse(queries).map((sql) => Object.values(engine.query(sql)[0])[0]);
console.log(JSON.stringify({ seconds, memory: Math.max(...memories.map(({ buffer }) => buffer.byteLength)), answers }));
process.exit(0);
