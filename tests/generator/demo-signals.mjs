// SPDX-License-Identifier: MIT
//
// Demo of typed signals: a motor drive on a test bench. Currents, modes, messages on a bus and the spectrum of a vibration.

import { FluxStream, MEMBER, double, field, integer } from './flux.mjs';
import { Random } from './random.mjs';

/** @param {{ seed?: number }} [options] */
export function bench_recording({ seed = 5 } = {}) {
  const random = new Random(seed);
  const head = new FluxStream()
    .head('bench', { description: 'a drive on the test bench', most: 60 })
    .scope(1, 'drive')
    .signal(2, 'speed [rpm]', 'float', { parent: 1 })
    .signal(3, 'current [A]', 'float', { parent: 1, description: 'of phase U' })
    .signal(4, 'mode', 'event', { parent: 1, descriptor: 'gantt<>' })
    .signal(5, 'status', 'logic', { parent: 1, descriptor: 'default<bits=8>' })
    .scope(10, 'bus')
    .signal(11, 'frame', 'struct', { parent: 10 })
    .signal(12, 'receiver', 'event', { parent: 10, descriptor: 'gantt<>' })
    .signal(13, 'log', 'text', { parent: 10 })
    .scope(20, 'vibration')
    .signal(21, 'magnitude', 'float', { parent: 20 })
    .labels(4, 0, { 0: 'stop', 1: 'ramp', 2: 'hold', 3: 'brake' })
    .labels(12, 0, { 1: 'decode', 2: 'act' })
    .member(11, 0, 'kind', MEMBER.local)
    .member(11, 1, 'id', MEMBER.integer, { descriptor: 'default<df=Hex>' })
    .member(11, 2, 'value', MEMBER.float)
    .labels(11, 8, { 1: 'set', 2: 'get' })
    .labels(11, 1, { 1: 'bus/receiver' })
    .labels(11, 2, { 1: 'handled by/red' })
    .open(1, 'us')
    .open(10, 'us')
    .open(20, 'Hz', 0, 0);
  let body = new FluxStream();
  let speed = 0;
  for (let i = 0; i < 1200; i++) {
    const mode = i < 40 ? 0 : i < 400 ? 1 : i < 900 ? 2 : i < 1100 ? 3 : 0;
    speed += mode === 1 ? 4 : mode === 3 ? -7 : 0;
    if (speed < 0) speed = 0;
    body.real(2, 100, speed + random.between(0, 100) / 50).real(3, null, Math.sin(i / 9) * (mode ? 6 : 0.1));
    if (i === 0 || [40, 400, 900, 1100].includes(i)) body.event(4, null, mode);
    if (i % 25 === 0) body.states(5, null, `${mode ? '1' : '0'}00${i % 50 ? '1' : '0'}${i === 600 ? 'XXXX' : '0110'}`);
    if (i % 60 === 7) {
      body
        .binary(11, 4000, [
          ...field(0, MEMBER.local, [1 + (i % 2)]),
          ...field(1, MEMBER.integer, integer(0x100 + i)),
          ...field(2, MEMBER.float, double(speed)),
        ])
        .relation(11, { target: 1, style: 1, delta: 900 });
      body.event(12, 900, 1).event(12, 700, 2).event(12, 400, 0);
      if (i % 180 === 7) body.words(13, null, `set point reached at ${Math.round(speed)} rpm`);
    }
    if (i % 300 === 299) {
      head.block('lz4', body);
      body = new FluxStream();
    }
  }
  for (let i = 0; i < 80; i++)
    body.real(21, i ? 10 : null, 1 / (1 + ((i - 30) / 4) ** 2) + random.between(0, 100) / 2000);
  return head.raw(body.bytes()).close(1, 120_100).close(10, 120_100).close(20, 800).bytes();
}
