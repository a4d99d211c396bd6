// SPDX-License-Identifier: MIT
// Checks that each layer includes only the layers that it may include: `npm test -- layers`. Prints file:line of each other include or import, and fails.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesBelow, root } from './lib.mjs';

// Layers: `of` is a prefix of their files; the first match counts. `may` lists prefixes of the files that they may include, besides their own.
const layers = [
  { of: 'core/conversion/', may: ['core/'] },
  { of: 'core/handle/', may: ['core/'] },
  { of: 'core/tonkopf.h', may: [] },
  { of: 'core/base/', may: ['core/tonkopf.h'] },
  { of: 'core/text/', may: ['core/tonkopf.h', 'core/base/'] },
  { of: 'core/archive/', may: ['core/tonkopf.h', 'core/base/'] },
  { of: 'core/frame/', may: ['core/base/'] },
  { of: 'core/lookup/', may: ['core/base/', 'core/unpack/unpack.h', 'core/model/tables/table.h'] },
  { of: 'core/unpack/', may: ['core/base/'] },
  { of: 'core/model/', may: ['core/tonkopf.h', 'core/base/'] },
  { of: 'core/analysis/', may: ['core/model/', 'core/base/'] },
  {
    of: 'core/formats/',
    may: [
      'core/tonkopf.h',
      'core/model/event/event.h',
      'core/model/event/events.def',
      'core/model/trackers/tracker.h',
      'core/model/tables/table.h',
      'core/model/time/batch.h',
      'core/model/signals/',
      'core/frame/',
      'core/unpack/',
      'core/lookup/',
      'core/base/',
      'spec/',
    ],
  },
  {
    of: 'core/perfetto/',
    may: ['core/model/timeline/track_sink.h', 'core/base/', 'perfetto.pb.h', 'pb.h', 'pb_encode.h', 'pb_common.h'],
  },
  { of: 'core/viewer/', may: ['core/model/timeline/track_sink.h', 'core/model/tables/histogram.h', 'core/base/'] },
  { of: 'core/report/', may: ['core/tonkopf.h', 'core/model/', 'core/base/'] },
  { of: 'core/rules/', may: ['core/tonkopf.h', 'core/report/', 'core/model/tables/', 'core/base/'] },
  { of: 'cli/', may: ['core/tonkopf.h'] },
  // module.c checks handles before it saves them, and reads details of inputs
  { of: 'wasm/module.c', may: ['core/handle/handle.h', 'core/conversion/conversion.h', 'build_id.h', 'wasm/'] },
  { of: 'wasm/timeline.c', may: ['core/viewer/paint.h', 'core/base/out.h', 'wasm/'] },
  { of: 'wasm/', may: ['core/tonkopf.h'] },
  { of: 'web/', may: ['wasm/', 'lib/tonkopf.wasm?url', 'lib/timeline.wasm?url'] }, // the built modules, compiled by the page
  {
    of: 'tracer/',
    may: [
      'spec/',
      'tband_config.h',
      'tband_port.h',
      'FreeRTOS.h',
      'queue.h',
      'task.h',
      'timers.h',
      'event_groups.h',
      'stream_buffer.h',
      'semphr.h',
      'board.h',
    ],
  }, // most of these headers belong to the application or the kernel
];

// Headers that the core must not include: it does no I/O, reads no clock and uses no locale.
const forbiddenInCore = /^(stdio|time|locale|unistd|signal|fcntl|errno|wchar|wctype|sys\/.*)\.h$/;

const problems = [];

/** Returns the path of an included file relative to the root, or the name itself if the file is not part of the project. */
function resolveInclude(file, name) {
  for (const base of [
    dirname(file),
    'core',
    'tracer/include',
    'tracer/transports',
    'tracer/ports/cortex-m',
    'tracer/cortexm',
    'tracer/examples/measure',
    '.',
  ]) {
    const path = normalize(join(base, name)).replaceAll('\\', '/');
    if (existsSync(join(root, path))) return path;
  }
  return name;
}

function resolveImport(file, name) {
  return name.startsWith('.') ? normalize(join(dirname(file), name)).replaceAll('\\', '/') : null;
}

function check(file, line, target) {
  const layer = layers.find((candidate) => file.startsWith(candidate.of));
  if (!layer) return;
  const own = layer.of.endsWith('/') ? layer.of : dirname(layer.of) + '/';
  if (layer.of.endsWith('/') && target.startsWith(own)) return;
  if (layer.may.some((prefix) => (prefix.endsWith('/') ? target.startsWith(prefix) : target === prefix))) return;
  problems.push(`${file}:${line}: ${layer.of} must not see ${target}`);
}

function checkC(file, text) {
  text.split('\n').forEach((line, index) => {
    const include = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(line);
    if (!include) return;
    const [, kind, name] = include;
    if (file.startsWith('core/') && forbiddenInCore.test(name))
      problems.push(`${file}:${index + 1}: the core must not use <${name}>`);
    if (kind === '"') check(file, index + 1, resolveInclude(file, name));
  });
}

function checkScript(file, text) {
  text.split('\n').forEach((line, index) => {
    const names = [...line.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]);
    for (const name of names) {
      const target = resolveImport(file, name);
      if (target) check(file, index + 1, target);
    }
  });
}

const files = ['core', 'cli', 'wasm', 'web', 'tracer'].flatMap((folder) => filesBelow(folder));
for (const file of files) {
  if (!/\.([ch]|ts|tsx|mts)$/.test(file)) continue;
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes('SPDX-License-Identifier: MIT')) problems.push(`${file}:1: no SPDX line`);
  if (/\.[ch]$/.test(file)) checkC(file, text);
  else checkScript(file, text);
}

for (const problem of problems) console.log(problem);
console.log(problems.length ? `${problems.length} broken rules` : `${files.length} files keep the include rules`);
process.exit(problems.length ? 1 : 0);
