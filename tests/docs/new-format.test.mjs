// SPDX-License-Identifier: MIT
// `npm run new-format` and `npm run check-format`. What a new format needs a build for is in tests/packages/format.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formats, namesIn, root } from '../common/formats.mjs';
import { copyTree } from '../common/tree.mjs';

const NAME = 'demo2';
const BUDGET = `tests/budgets/instructions.json: no budget for "${NAME}, a level and tasks"; npm run instructions -- --update`;

/** @param {string} tree @param {string[]} args */
function run(tree, ...args) {
  // The copy is not built; its tests use the programs of this tree.
  const env = { TONKOPF_NATIVE: join(root, 'build', 'native'), ...process.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8', env });
  return { status, lines: stdout.trim().split('\n'), errors: stderr };
}
/** @param {string} tree @param {string} name */
const check = (tree, name) => run(tree, 'scripts/new-format.mjs', '--check', name);

test('comments of formats.def are no formats; names may have digits', () => {
  expect(
    namesIn('// TK_FORMAT(folder): comment\n/*\nTK_FORMAT(old)\n*/\nTK_FORMAT(itm2)\nTK_FORMAT(a) // TK_FORMAT(b)\n'),
  ).toEqual(['itm2', 'a']);
});

test.each(formats().map(({ name }) => name))('nothing is missing for %s', (name) => {
  expect(check(root, name)).toMatchObject({ status: 0, lines: [`nothing is missing for ${name}`] });
});

describe('a new format', () => {
  /** @type {string} */
  let tree;
  beforeAll(() => {
    tree = copyTree();
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));
  const read = (/** @type {string} */ path) => readFileSync(join(tree, path), 'utf8');

  test('of a bad or known name is refused, and nothing is written', () => {
    for (const name of ['2demo', 'Demo', 'de-mo', '../demo', 'vcd', 'kit'])
      expect(run(tree, 'scripts/new-format.mjs', name).status, name).toBe(2);
    expect(read('core/formats/formats.def')).toBe(readFileSync(join(root, 'core/formats/formats.def'), 'utf8'));
  });

  test('lacks nothing but its measured budget', () => {
    expect(check(tree, NAME).status).toBe(1);
    expect(run(tree, 'scripts/new-format.mjs', NAME)).toMatchObject({ status: 0, errors: '' });
    expect(check(tree, NAME)).toEqual({ status: 1, lines: [BUDGET], errors: '' });
    const budgets = JSON.parse(read('tests/budgets/instructions.json'));
    budgets.perEvent[`${NAME}, a level and tasks`] = 1;
    writeFileSync(join(tree, 'tests/budgets/instructions.json'), JSON.stringify(budgets));
    expect(check(tree, NAME).status).toBe(0);
    expect(formats(tree).map(({ name }) => name)).toEqual([...formats().map(({ name }) => name), NAME]);
  });

  test('keeps the rules of the project: layers, format, manifests, documents', () => {
    expect(run(tree, 'scripts/check_layers.mjs').status).toBe(0);
    const written = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: tree, encoding: 'utf8' })
      .split('\n')
      .filter((path) => path.includes(NAME));
    expect(written.length).toBeGreaterThan(10);
    expect(run(tree, 'scripts/format.mjs', '--check', ...written)).toMatchObject({ status: 0 });
    for (const path of written.filter((name) => !name.endsWith('.pack')))
      expect(read(path), path).not.toMatch(/skeleton/i);
    expect(run(tree, 'tests/generator/golden-cases.mjs', '--check').status).toBe(0);
    const docs = run(tree, 'node_modules/vitest/vitest.mjs', 'run', 'tests/docs/docs.test.mjs');
    expect(docs.status, docs.lines.join('\n')).toBe(0);
  }, 120_000);

  test('tells what is missing where a part of it is gone', () => {
    const lost = {
      [`tests/golden/${NAME}/counter-wraps.txt`]: 'what the golden case gives; npm run golden:update',
      [`tests/generator/big-${NAME}.mjs`]: '"bench" names it',
      [`tests/fuzz/corpus/decode_${NAME}.pack`]: `the seeds of its target; npm run fuzz -- decode_${NAME} --merge`,
    };
    for (const path of Object.keys(lost)) rmSync(join(tree, path));
    const orphan = `tests/golden/${NAME}/renamed.txt`;
    writeFileSync(join(tree, orphan), '');
    const reports = Object.entries({ ...lost, [orphan]: 'no golden case has this name; delete it' }).map(
      ([path, why]) => `${path}: ${why}`,
    );
    expect(check(tree, NAME).lines.sort()).toEqual(reports.sort());
    writeFileSync(join(tree, 'README.md'), '# Nothing\n');
    expect(check(tree, NAME).lines).toContain(`README.md: no link to docs/formats/${NAME}.md`);
    rmSync(join(tree, `core/formats/${NAME}/${NAME}.c`));
    expect(check(tree, NAME).lines).toContain(`core/formats/${NAME}: no file defines tk_decoder_${NAME}`);
    rmSync(join(tree, `core/formats/${NAME}/format.json`));
    expect(check(tree, NAME).lines).toContain(
      `core/formats/${NAME}/format.json: describes the format for the build and the tests`,
    );
  });
});
