// SPDX-License-Identifier: MIT
// An independent reader of value change dumps for comparison.
import fs from 'node:fs';
import path from 'node:path';
import { provide, run, sha256 } from './fetch.mjs';

const WHEEL = 'vcdvcd-2.6.0-py3-none-any.whl';
const SUM = 'd78a81bb7015f7c2564553624fd059c876fa4aca26ff1646e752a1fa06b18000';

function check(folder) {
  if (sha256(fs.readFileSync(path.join(folder, WHEEL))) !== SUM)
    throw new Error(`${folder} does not hold the expected wheel; remove the folder and try again`);
}

const fetchInto = (folder) =>
  run('python3', [
    '-m',
    'pip',
    'download',
    'vcdvcd==2.6.0',
    '--no-deps',
    '--disable-pip-version-check',
    '--quiet',
    '-d',
    folder,
  ]);

/** The wheel, from which Python can import directly. */
export const vcdvcd = () => path.join(provide('vcdvcd', check, fetchInto), WHEEL);
