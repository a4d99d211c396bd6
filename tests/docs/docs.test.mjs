// SPDX-License-Identifier: MIT
//
// The documents agree with the sources that they describe.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DESCRIBED, SOMETIMES, reportTypes } from '../../scripts/report_types.mjs';
import { EVENTS } from '../generator/tband.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');

/** Letters of tonbandgeraet.def. @type {Record<string, string>} */
const TYPES = { I: 'u32', A: 'u32', B: 'u8', Q: 'u32', P: 'u32', R: 'u64', N: 'u64', V: 's64', D: 'u32', S: 'str' };

/** @returns {string[]} "54 task_switched_in ts: u64, task_id: u32" for each line of tonbandgeraet.def */
function events_of_source() {
  const entry = /^TB_EVENT\(0x([0-9A-F]{2}),\s*(\w+),\s*[A-Z]+,\s*([A-Z]+),\s*\w+,\s*"([^"]*)"\)/gm;
  return [...read('spec/tonbandgeraet.def').matchAll(entry)].map(([, id, name, letters, field_names]) => {
    const fields = field_names
      .split('\\0')
      .filter(Boolean)
      .map((field, i) => `${field}: ${TYPES[letters.replace('T', '')[i]]}`);
    return `${id} ${name} ${(letters.startsWith('T') ? ['ts: u64', ...fields] : fields).join(', ')}`;
  });
}

describe('docs/formats/tonbandgeraet.md', () => {
  const page = read('docs/formats/tonbandgeraet.md');

  test('lists exactly the events of tonbandgeraet.def', () => {
    const listed = [...page.matchAll(/^\| ([0-9A-F]{2}) \| (\w+) \| ([^|]+) \|$/gm)].map(
      ([, id, name, fields]) => `${id} ${name} ${fields}`,
    );
    expect(listed.length).toBe(93);
    expect(listed).toEqual(events_of_source());
  });

  test('and the encoder of the tests writes the same events', () => {
    const encoded = Object.entries(EVENTS).map(([name, { id, timed, fields }]) => {
      const all = fields.map(([field, type]) => `${field}: ${type}`);
      return `${id.toString(16).toUpperCase().padStart(2, '0')} ${name} ${(timed ? ['ts: u64', ...all] : all).join(', ')}`;
    });
    expect(encoded).toEqual(events_of_source());
  });

  test('has each row from 1 to 33 once, in order', () => {
    const rows = [...page.slice(page.indexOf('## What is done about it')).matchAll(/^\| (\d+) \|/gm)].map(([, row]) =>
      Number(row),
    );
    expect(rows).toEqual(Array.from({ length: 33 }, (_, i) => i + 1));
  });
});

test('docs/EVENTS.md is what the tool writes from the table of events', () => {
  const native = process.env.TONKOPF_NATIVE ?? join(ROOT, 'build', 'native');
  expect(read('docs/EVENTS.md')).toBe(execFileSync(join(native, 'tests', 'tool_events'), { encoding: 'utf8' }));
});

describe('types of the tables', () => {
  const native = process.env.TONKOPF_NATIVE ?? join(ROOT, 'build', 'native');
  const schema = JSON.parse(execFileSync(join(native, 'cli', 'tonkopf'), ['info', '--schema'], { encoding: 'utf8' }));

  test('wasm/tables.ts is what scripts/report_types.mjs writes', async () =>
    expect(read('wasm/tables.ts')).toBe(await reportTypes(schema)));

  test('every table of docs/REPORT.md has a type', () => {
    const part =
      read('docs/REPORT.md')
        .split(/^## /m)
        .find((text) => text.startsWith('Tables')) ?? '';
    const tables = [...part.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, id]) => id),
    );
    const [, members] = /** @type {RegExpExecArray} */ (
      /interface Report [^{]*\{\n([^]*?)\n\}/.exec(read('wasm/types.ts'))
    );
    const [, further] = /** @type {RegExpExecArray} */ (
      /interface ReportTables \{\n([^]*?)\n\}/.exec(read('wasm/tables.ts'))
    );
    const typed = [...`${members}\n${further}`.matchAll(/^  (\w+)\??:/gm)].map(([, id]) => id);
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((id) => !typed.includes(id))).toEqual([]);
    for (const id of DESCRIBED) expect(members).toMatch(new RegExp(`^  ${id}\\??:`, 'm'));
  });

  test('every row has the typed columns', async () => {
    const { stdout } = spawnSync('bash', ['-c', 'ls -d golden/*/*'], { cwd: native, encoding: 'utf8' });
    const columns = new Map(schema.tables.map((/** @type {any} */ table) => [table.id, table.columns]));
    let rows = 0;
    for (const file of stdout
      .trim()
      .split('\n')
      .filter((_, i) => i % 4 === 0)) {
      const { stdout: json } = spawnSync(join(native, 'cli', 'tonkopf'), ['info', '--quiet', '--json', file], {
        cwd: native,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
      const reports = json
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const tables = reports.flatMap((report) => report.tables.map((/** @type {any} */ { id }) => [id, report[id]]));
      for (const [id, list] of tables.filter(([, one]) => Array.isArray(one))) {
        const optional = SOMETIMES[id] ?? [];
        const needed = columns.get(id).map((/** @type {any} */ one) => one.key);
        for (const row of list) {
          rows++;
          const lacking = needed.filter((/** @type {string} */ key) => !(key in row) && !optional.includes(key));
          expect([file, id, lacking]).toEqual([file, id, []]);
        }
      }
    }
    expect(rows).toBeGreaterThan(1000);
  });
});

describe('docs/formats/qs.md', () => {
  test('lists exactly the records of records.def', () => {
    const entry = /^QS_(?:RECORD|OLD)\((\d+), (?:(\d)(\d)(\d), )?(\w+), ((?:"[^"]*" ?)+), .*\)$/gm;
    const source = [...read('core/formats/qs/records.def').matchAll(entry)].map(([, id, a, b, c, name, text]) => {
      const fields = text.replaceAll('" "', '').replaceAll('"', '').split('\\0').filter(Boolean);
      const words =
        fields.map((field) => (field.length > 1 ? `${field[0]} ${field.slice(1)}` : field)).join(', ') || '(none)';
      return `| ${id} | ${name}${a ? ` (before ${a}.${b}.${c})` : ''} | ${words} |`;
    });
    const page = read('docs/formats/qs.md');
    const listed = page.split('\n').filter((line) => /^\| \d+ \| [A-Z]/.test(line));
    expect(source.length).toBeGreaterThan(80);
    expect(listed).toEqual(source);
  });
});

const pages = [
  'README.md',
  'CHANGELOG.md',
  'python/README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((path) => join('docs', String(path))),
].filter((path) => path.endsWith('.md'));

describe.each(pages)('%s', (path) => {
  const text = read(path);

  test('links lead to existing pages', () => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target)
      .filter((target) => !/^https?:/.test(target));
    for (const target of targets) {
      const [file, anchor] = target.split('#');
      const page = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(ROOT, page)), target).toBe(true);
      if (!anchor) continue;
      const anchors = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(anchors, target).toContain(anchor);
    }
  });

  test('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, name] of text.matchAll(/npm run ([a-z:_-]+)/g)) expect(Object.keys(scripts), name).toContain(name);
  });

  test('names only files of the tree that exist', () => {
    const named = [...text.matchAll(/`((?:core|web|wasm|cli|tracer|spec|scripts|tests|docs)\/[\w./-]+?)`/g)].map(
      ([, file]) => file,
    );
    for (const file of named) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });
});
