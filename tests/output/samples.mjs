// SPDX-License-Identifier: MIT
// Real recordings that are not in this repository: TONKOPF_SAMPLES names their folder.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const folder = process.env.TONKOPF_SAMPLES && path.join(process.env.TONKOPF_SAMPLES, 'tonbandgeraet');

export const haveSamples = Boolean(folder && fs.existsSync(folder));
if (!haveSamples) console.warn('TONKOPF_SAMPLES names no folder with recordings: the tests that need them are skipped');

export const sample = (name) => fs.readFileSync(path.join(folder, name));

/** All recordings: [name, inputs]; several files of one target belong together. */
export function recordings() {
  const groups = new Map();
  for (const file of fs.readdirSync(folder).sort()) {
    const match = /^(.*?)(?:\.core(\d+))?\.bin$/.exec(file);
    if (!match) continue;
    const [, name, core] = match;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push({ file, bytes: sample(file), core: core === undefined ? null : Number(core) });
  }
  return [...groups];
}

/** The output of another decoder for the file: one object per frame, null if there is none. */
export function dumpOf(file) {
  const stem = path.join(folder, file.replace(/\.bin$/, '.ref.txt'));
  const text = fs.existsSync(stem)
    ? fs.readFileSync(stem)
    : fs.existsSync(`${stem}.gz`)
      ? zlib.gunzipSync(fs.readFileSync(`${stem}.gz`))
      : null;
  return text && text.toString('utf8').trim().split('\n');
}
