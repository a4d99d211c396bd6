// SPDX-License-Identifier: MIT
// Converts one recording several times with the WebAssembly core, and prints the figures of the best run as JSON. node.mjs starts this script
// with a job as JSON. `seconds`: processor time inside the core and the calls around it, as in the native measurement.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { resourceUsage } from 'node:process';

const SLICE = 256 * 1024;
const job = JSON.parse(process.argv[2]);
const { Handle } = await import(job.coreScript);
const compile = (path) => WebAssembly.compile(readFileSync(path));
const coreModule = await compile(job.coreModule);
const imports = { env: { emscripten_notify_memory_growth() {} } };
const floor = (await WebAssembly.instantiate(await compile(job.floorModule), imports)).exports;
floor._initialize?.();
const room = floor.floor_room();

function timed(times, what, act) {
  const begin = process.cpuUsage();
  const result = act();
  const { user, system } = process.cpuUsage(begin);
  times[what] += (user + system) / 1e6;
  return result;
}

function runFloor(times, bytes) {
  new Uint8Array(floor.memory.buffer, room, bytes.length).set(bytes);
  timed(times, 'floor', () =>
    floor.floor_run(bytes.length, { hdlc: 1, calls: 2, words: 3, flux: 4, vcd: 5 }[job.floor] ?? 0),
  );
}

function openInputs(core) {
  return job.paths.map((path, index) => {
    core.addInput(path, 'recording', job.cores[index]);
    return { fd: openSync(path, 'r'), slice: Buffer.alloc(SLICE), at: 0, len: 0, ended: false };
  });
}

function refill(file, times) {
  file.len = readSync(file.fd, file.slice);
  file.at = 0;
  file.ended = file.len === 0;
  if (!file.ended) runFloor(times, file.slice.subarray(0, file.len));
}

async function once() {
  const core = await Handle.open(coreModule);
  core.begin();
  const files = openInputs(core);
  const times = { core: 0, floor: 0 };
  let bytesOut = 0;
  const act = (call) => {
    const result = timed(times, 'core', call);
    bytesOut += core.module.take('trace').length;
    return result;
  };
  for (;;) {
    const wanted = core.wanted;
    const input = wanted === -1 ? files.findIndex(({ ended }) => !ended) : wanted;
    if (input < 0) break;
    const file = files[input];
    if (file.at === file.len) refill(file, times);
    if (file.ended) act(() => core.endInput(input));
    else file.at += act(() => core.feed(input, file.slice.subarray(file.at, file.len)));
  }
  act(() => core.finish());
  for (const { fd } of files) closeSync(fd);
  return { bytesOut, seconds: times.core, floorSeconds: times.floor, memory: core.module.memoryBytes };
}

let best = null;
for (let i = 0; i < job.runs; i++) {
  const one = await once();
  const floorSeconds = Math.min(one.floorSeconds, best?.floorSeconds ?? Infinity);
  best = { ...(best && best.seconds <= one.seconds ? best : one), floorSeconds };
}
console.log(JSON.stringify({ ...best, rssPeak: resourceUsage().maxRSS * 1024 }));
