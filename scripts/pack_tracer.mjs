// SPDX-License-Identifier: MIT
// Packs the recorder in two other forms, in build/tracer: one header, one source and the transports (folder `single`), and a CMSIS-Pack with
// these files (Tonkopf.Tracer.VERSION.pack).
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, root, run } from './lib.mjs';

const out = join(root, 'build', 'tracer');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const read = (path) => readFileSync(join(root, path), 'utf8');

/** Files that replace their includes: a map from name to path. Includes of other files, which belong to the application, the kernel or the compiler, stay. */
const ours = new Map(
  ['tracer/include', 'tracer/src', 'tracer/ports/cortex-m', 'tracer/ports/riscv', 'tracer/ports/xtensa', 'spec']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.(h|def)$/.test(path))
    .map((path) => [basename(path), path]),
);

/** Replaces the first include of each file of `ours` by its content, and removes further includes. known: names of files whose includes are only removed. */
function flatten(text, known = []) {
  const seen = new Set(known);
  const one = (part) =>
    part
      .replace(/^#error \\\n */gm, '#error ')
      .replace(/^(\/\*|\/\/) SPDX-License-Identifier: MIT.*\n/, '')
      .replace(/^#include "(.*)"\n/gm, (line, path) => {
        const name = basename(path);
        if (!ours.has(name)) return line;
        const first = !seen.has(name);
        seen.add(name);
        return first ? one(read(ours.get(name))) : '';
      });
  return one(text);
}

const title = (what) =>
  `/* SPDX-License-Identifier: MIT */\n/* ${what}, version ${version}. Made of the sources of Tonkopf: change those. */\n`;
const source = (text) => `#include "tband.h"\n${flatten(text, ['tband.h', 'tband_clock.h'])}`;
const header = (text) =>
  text.includes('#include "tband.h"') ? `#include "tband.h"\n${flatten(text, ['tband.h'])}` : flatten(text);

/** Includes that the single tband.h contains in addition: the headers that a tband_port.h for these processors includes. */
const PORTS = `#include "tband_clock.h"
#ifdef __riscv
#include "tband_riscv.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "tband_cortex_m.h"
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#include "tband_systick.h"
#endif
#elif defined(__XTENSA__)
#include "tband_xtensa.h"
#endif
`;

/**
 * Wraps the part of the source for FreeRTOS, so that it is compiled only if the application enables it. This part comes first in the source,
 * because it includes headers of the kernel, and these include tband.h.
 */
const withKernel = (text) => `#include "tband_config.h"
#if defined(tband_configFREERTOS_TRACE_ENABLE) && tband_configFREERTOS_TRACE_ENABLE == 1
${flatten(text, ['tband.h'])}#endif
`;

/** Writes the recorder as a single header and source below `place`. Returns the folder. */
export function single(place = out) {
  const folder = join(place, 'single'),
    write = (name, text) => writeFileSync(join(folder, name), text);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'config'), { recursive: true });
  write(
    'tband.h',
    title('Recorder for targets: calls') +
      flatten(read('tracer/include/tband.h').replace('#include "tband_config.h"\n', `${PORTS}\n$&`)),
  );
  write(
    'tband.c',
    title('Recorder for targets') +
      withKernel(read('tracer/src/tband_freertos.c')) +
      source(read('tracer/src/tband.c')),
  );
  for (const [what, path] of [
    ['several cores over one link', 'tracer/include/tband_link.h'],
    ['crash record of a Cortex-M', 'tracer/ports/cortex-m/tband_fault.h'],
  ])
    write(basename(path), title(`Recorder for targets: ${what}`) + header(read(path)));
  for (const path of filesBelow('tracer/transports'))
    write(
      basename(path),
      title('Recorder for targets: transport') + (path.endsWith('.c') ? source : header)(read(path)),
    );
  write('config/tband_config.h', read('tracer/config/tband_config.h'));
  write('config/tband_port.h', flatten(read('tracer/config/port/tband_port.h'), ours.keys()));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  return folder;
}

/** Writes the CMSIS-Pack below `place`. Returns its path. */
export function cmsisPack(place = out) {
  const folder = join(place, 'pack'),
    path = join(place, `Tonkopf.Tracer.${version}.pack`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(single(place), folder, { recursive: true });
  writeFileSync(
    join(folder, 'Tonkopf.Tracer.pdsc'),
    read('tracer/pack/Tonkopf.Tracer.pdsc').replaceAll('@VERSION@', version),
  );
  rmSync(path, { force: true });
  run('cmake', ['-E', 'tar', 'cf', path, '--format=zip', '.'], { cwd: folder });
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(cmsisPack());
