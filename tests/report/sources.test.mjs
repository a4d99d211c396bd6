// SPDX-License-Identifier: MIT
//
// Everything that the sources declare is used: some code reports every problem, so that every name of --fail-on can occur, and --expect
// knows every declared table.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..', '..');
const tools = process.env.TONKOPF_TESTS ?? path.join(root, 'build', 'native', 'tests');

/** @type {{ name: string, text: string }[]} */
const sources = readdirSync(path.join(root, 'core'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.[ch]$/.test(name))
  .map((name) => name.replaceAll('\\', '/'))
  .map((name) => ({ name, text: readFileSync(path.join(root, 'core', name), 'utf8') }));

/**
 * Ids of the problems that a source reports. Comments, comparisons, reads of counts, and the reason why bytes were skipped (which is not a
 * problem) do not report.
 * @param {string} text
 * @returns {Set<string>}
 */
function reported(text) {
  const code = text
    .replaceAll(/\/\/.*$/gm, '')
    .replaceAll(/[!=]= *TK_DIAG_\w+/g, '')
    .replaceAll(/entries\[TK_DIAG_\w+\]/g, '')
    .replaceAll(/hits\([^)]*\)/g, '')
    .replaceAll(/(tk_account_skip|tk_account_reject|tk_diag_set_time|account_skipped_bytes|skip_bytes)\([^;]*;/g, '');
  return new Set([...code.matchAll(/\bTK_DIAG_([A-Z0-9_]+)\b/g)].map(([, id]) => id));
}

const problems = [...readFileSync(path.join(root, 'core/base/diag.def'), 'utf8').matchAll(/^TK_DIAG\((\w+),/gm)].map(
  ([, id]) => id,
);

test('some code reports every problem', () => {
  const ids = new Set(
    sources.filter(({ name }) => !name.startsWith('base/diag')).flatMap(({ text }) => [...reported(text)]),
  );
  expect(problems.length).toBeGreaterThan(90);
  expect(problems.filter((id) => !ids.has(id))).toEqual([]);
});

test('code that only reads a problem does not count as reporting it', () => {
  const idle = `// tk_diag_count(diag, TK_DIAG_A, NULL);
    if (why == TK_DIAG_B || hits(report, TK_DIAG_C) || handle->diag.entries[TK_DIAG_D].count) return;
    tk_account_skip(account, TK_DIAG_E, bytes);`;
  expect([...reported(idle)]).toEqual([]);
  expect([...reported('tk_diag_note(diag, broken ? TK_DIAG_A : TK_DIAG_B, &place, 1);')]).toEqual(['A', 'B']);
});

test('every table that the sources declare is known', () => {
  // tables of a comparison are made from others
  const others = sources.filter(({ name }) => !name.startsWith('report/') || name === 'report/verdicts.c');
  const declared = others.flatMap(({ text }) =>
    [...text.matchAll(/\bconst struct tk_table \w+ =\s*(?:TABLE\(|\{)\s*"(\w+)"/g)].map(([, id]) => id),
  );
  const definitions = others.flatMap(({ text }) => [...text.matchAll(/\bstruct tk_table \w+ =[^=]/g)]);
  const lines = new Set(execFileSync(path.join(tools, 'tool_tables'), { encoding: 'utf8' }).trim().split('\n'));
  const known = [...lines].map((line) => line.split(':')[0]);
  expect(declared).toHaveLength(definitions.length); // no declaration has a form that this test overlooks
  expect(declared.length).toBeGreaterThan(40);
  expect([...new Set(known)].sort()).toEqual([...new Set(declared)].sort()); // one id may have several declarations
});

/**
 * Names of command-line options in the text constants of a source. A whole command in backquotes is no option.
 * @param {string} text
 * @returns {string[]}
 */
function optionsNamed(text) {
  const code = text.replaceAll(/(^|[^:])\/\/.*$/gm, '$1').replaceAll(/^\s*#.*$/gm, '');
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].flatMap(([, constant]) =>
    [...constant.replaceAll(/`tonkopf [^`]*`/g, '').matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option),
  );
}

test('no text of the core names an option of the command line: users of the libraries and of the page read it too', () => {
  const definitions = ['base/diag.def', 'handle/options.def'].map((name) => ({
    name,
    text: readFileSync(path.join(root, 'core', name), 'utf8'),
  }));
  const found = [...sources, ...definitions].flatMap(({ name, text }) =>
    optionsNamed(text).map((option) => `${name}: ${option}`),
  );
  expect(found).toEqual([]);
  expect(optionsNamed('say("choose --type, or `tonkopf dump --keep`"); // "--with"')).toEqual(['--type']);
});
