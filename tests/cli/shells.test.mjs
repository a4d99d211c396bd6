// SPDX-License-Identifier: MIT
// Help, man page and completions: they agree with each other, and real shells complete with them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder, TOOL, tool } from './tool.mjs';

/** @typedef {{ name: string, letter: string | null, choices: string | null, value: string | null }} Option */
/** @type {{ name: string, options: Option[] }[]} */
const TABLE = JSON.parse(spawnSync(TOOL, ['options-json']).stdout.toString());
/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('capture.bin', 'x');
  for (const shell of ['bash', 'zsh', 'fish'])
    folder.write(`tonkopf.${shell}`, spawnSync(TOOL, ['completion', shell]).stdout);
});
afterAll(() => folder.remove());

const has = (/** @type {string} */ shell) => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;
const words = (/** @type {string} */ text) => text.split(/\s+/).filter(Boolean);

/** The completions of bash for a line. @param {string[]} line */
function bash(line) {
  const script = `source tonkopf.bash; COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _tonkopf; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd: folder.path });
  expect(stderr.toString().replace(/.*compopt.*\n/g, '')).toBe('');
  return words(stdout.toString());
}

/** @param {string} line */
function fish(line) {
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', `source tonkopf.fish; complete -C '${line}'`], {
    cwd: folder.path,
    env: { ...process.env, HOME: folder.path },
  });
  expect(stderr.toString()).toBe('');
  return stdout
    .toString()
    .trimEnd()
    .split('\n')
    .map((entry) => entry.split('\t')[0]);
}

/** The output of a real interactive zsh for a line and a tab; waits until it contains all `awaited` texts. @param {string} line @param {string[]} awaited */
function zsh(line, awaited) {
  const script = `
zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z 'PROMPT=; autoload -Uz compinit; compinit -u -d ./dump; source ./tonkopf.zsh; LISTMAX=1000; setopt autolist nobeep; bindkey "^I" complete-word; print REA""DY'
out=
wait_for() { repeat 3000; do while zpty -r -t z more; do out+=$more; done; for word; do [[ $out == *$word* ]] || { sleep 0.1; continue 2 }; done; return; done }
wait_for READY
out=
zpty -n -w z '${line}'$'\\t'
wait_for ${awaited.map((word) => `'${word}'`).join(' ')}
print -r -- "$out"
zpty -d z`;
  const { stdout } = spawnSync('zsh', ['-f', '-c', script], {
    cwd: folder.path,
    env: { ...process.env, TERM: 'xterm', COLUMNS: '200' },
  });
  for (const word of awaited) expect(stdout.toString()).toContain(word);
}

/** The completions of the elvish script, run with stubs of the editor. @param {string[]} line */
function elvish(line) {
  const source = spawnSync(TOOL, ['completion', 'elvish']).stdout.toString();
  const here = source
    .replace(/^set edit:completion:arg-completer\[tonkopf\] = \$tonkopf-complete~$/m, '')
    .replace('edit:complete-filename', 'filename');
  const script = `fn filename {|@line| put FILE }\n${here}\nfor word [(tonkopf-complete ${line.map((word) => `'${word}'`).join(' ')})] { echo $word }`;
  const { stdout, stderr } = spawnSync('elvish', ['-norc', '-c', script]);
  expect(stderr.toString()).toBe('');
  return words(stdout.toString());
}

describe('help', () => {
  test('every command explains itself with examples', async () => {
    const overview = (await tool(['--help'])).text;
    for (const { name, options } of TABLE) {
      expect(overview).toContain(name);
      const { text, code } = await tool([name, '--help']);
      expect(code).toBe(0);
      expect(text).toBe((await tool(['help', name])).text);
      for (const option of options) expect(text).toContain(`--${option.name}`);
      if (name !== 'help') expect(text).toContain('Examples:');
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThan(101);
    }
  });

  test('--version, no command, wrong command', async () => {
    expect((await tool(['--version'])).text).toMatch(/^tonkopf \d+\.\d+\.\d+\n$/);
    expect((await tool([])).code).toBe(2);
    const wrong = await tool(['convert']);
    expect(wrong.code).toBe(2);
    expect(wrong.errors).toContain('there is no command "convert"; the nearest is "conv", `tonkopf help` lists all\n');
    expect((await tool(['xyzzy'])).errors).toContain('there is no command "xyzzy"; `tonkopf help` lists them\n');
    const help = await tool(['help', 'convert']);
    expect([help.code, help.errors]).toEqual([2, wrong.errors]);
    expect((await tool(['completion', 'tcsh'])).code).toBe(2);
  });
});

describe('man page', () => {
  test('renders without a warning and names every option', () => {
    const source = spawnSync(TOOL, ['man']).stdout;
    const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou'], { input: source });
    expect(stderr.toString()).toBe('');
    const page = stdout.toString();
    for (const { name, options } of TABLE) {
      expect(page).toContain(`tonkopf ${name}`);
      for (const option of options) expect(page).toContain(`--${option.name}`);
    }
    for (const part of ['SYNOPSIS', 'EXIT STATUS', 'FORMATS']) expect(page).toContain(part);
  });
});

describe('bash', () => {
  test('commands, options of each command, choices, files', () => {
    expect(bash(['tonkopf', ''])).toEqual(expect.arrayContaining(TABLE.map(({ name }) => name)));
    expect(bash(['tonkopf', 'du'])).toEqual(['dump']);
    for (const { name, options } of TABLE) {
      expect(bash(['tonkopf', name, '--'])).toEqual(options.map((option) => `--${option.name}`));
      for (const option of options.filter(({ choices }) => choices)) {
        expect(bash(['tonkopf', name, `--${option.name}`, ''])).toEqual(option.choices?.split('|'));
      }
    }
    expect(bash(['tonkopf', 'conv', 'cap'])).toEqual(['capture.bin']);
    expect(bash(['tonkopf', 'completion', 'z'])).toEqual(['zsh']);
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  test('commands, options, choices, files', () => {
    expect(fish('tonkopf ')).toEqual(expect.arrayContaining(TABLE.map(({ name }) => name)));
    for (const { name, options } of TABLE) {
      expect(fish(`tonkopf ${name} --`)).toEqual(expect.arrayContaining(options.map((option) => `--${option.name}`)));
    }
    expect(fish('tonkopf conv --mode b')).toEqual(['bare-metal']);
    expect(fish('tonkopf conv cap')).toContain('capture.bin');
    expect(fish('tonkopf completion po')).toEqual(['powershell']);
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  test('commands and options', () => {
    zsh('tonkopf du', ['dump']);
    zsh('tonkopf conv --', ['--output', '--format', '--gzip', '--fail-on']);
    zsh('tonkopf conv --mode ', ['auto', 'bare-metal', 'free-rtos']);
    zsh('tonkopf info cap', ['capture.bin']);
  });
});

describe.skipIf(!has('elvish'))('elvish', () => {
  test('commands, options, choices, files', () => {
    expect(elvish(['tonkopf', ''])).toEqual(expect.arrayContaining(TABLE.map(({ name }) => name)));
    for (const { name, options } of TABLE)
      expect(elvish(['tonkopf', name, '--'])).toEqual(
        expect.arrayContaining(options.map((option) => `--${option.name}`)),
      );
    expect(elvish(['tonkopf', 'conv', '--mode', ''])).toEqual(['auto', 'bare-metal', 'free-rtos', 'freertos']);
    expect(elvish(['tonkopf', 'conv', ''])).toContain('FILE');
    expect(elvish(['tonkopf', 'completion', ''])).toContain('elvish');
  });
});

describe('installation', () => {
  const build = process.env.TONKOPF_CLI_BUILD ?? join(TOOL, '../..');

  test('program, man page and completions; removing the installed files leaves nothing behind', () => {
    mkdirSync(folder.at('prefix'));
    const install = spawnSync('cmake', ['--install', build, '--prefix', folder.at('prefix')]);
    expect(install.status, install.stderr.toString()).toBe(0);
    const installed = install.stdout
      .toString()
      .split('\n')
      .flatMap((line) => /-- Installing: (.*)/.exec(line)?.[1] ?? [])
      .filter((path) => statSync(path).isFile()); // and the folders of the page
    const files = readdirSync(folder.at('prefix'), { recursive: true })
      .map((name) => folder.at(`prefix/${name}`))
      .filter((path) => statSync(path).isFile());
    expect(files.sort()).toEqual(installed.sort());
    for (const end of ['bin/tonkopf', 'man1/tonkopf.1', 'completions/tonkopf', '_tonkopf', 'tonkopf.fish'])
      expect(
        files.some((path) => path.endsWith(end)),
        end,
      ).toBe(true);
    expect(
      existsSync(folder.at('prefix/bin/tonkopf')) && spawnSync(folder.at('prefix/bin/tonkopf'), ['--version']).status,
    ).toBe(0);
  });
});
