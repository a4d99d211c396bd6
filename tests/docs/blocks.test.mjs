// SPDX-License-Identifier: MIT
// Every block of code in the pages for users runs: here, in another test that is named, or it is listed with the reason
// why it cannot.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonVariables } from '../common/python.mjs';
import { elf_file } from '../generator/elf.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { golden_input, root } from '../golden/cases.mjs';

const native = process.env.TONKOPF_NATIVE ?? join(root, 'build', 'native');
const NOT_COMMANDS = ['text', 'json', 'mermaid'];
const LANGUAGES = ['sh', 'console', 'js', 'py', 'python', 'c', 'cmake', 'powershell', 'yaml', 'toml'];
const PAGES = [
  'README.md',
  'python/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
];

/** @typedef {{ page: string, language: string, text: string }} Block */

/** @returns {Block[]} */
const blocks = () =>
  PAGES.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```(\w+)\n([^]*?)^\1```$/gm)]
      .filter(([, , language]) => LANGUAGES.includes(language))
      .map(([, indent, language, text]) => ({
        page,
        language,
        text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      })),
  );

/** @type {string} */
let folder;
/** @param {string} name @param {string | Uint8Array} content */
const write = (name, content) => writeFileSync(join(folder, name), content);
/** @param {string} name */
const bytesOf = (name) => readFileSync(join(folder, name));

beforeAll(() => {
  mkdirSync(join(root, 'build'), { recursive: true });
  folder = mkdtempSync(join(root, 'build', 'docs-blocks-')); // within the package, so that it can import itself
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(native, 'cli', 'tonkopf'), join(folder, 'bin', 'tonkopf'));
  for (const name of ['capture.bin', 'run.bin']) write(name, motor_recording({ bytes: 40_000 }));
  write('firmware.elf', elf_file({ functions: [{ name: 'main', address: 0x08000100, size: 64 }] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, ...env },
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

// ---- C ----

const TRACER = ['tracer/include', 'tracer/ports/host', 'tracer/transports', 'tracer/src'];

/** Compiles without linking. @param {string} source @param {string} config of the recorder */
function compiles(source, config = '') {
  write('tband_config.h', `#define tband_configENABLE 1\n${config}`);
  write('block.c', source);
  const include = [...TRACER, 'core'].map((name) => `-I${join(root, name)}`);
  run('cc', ['-std=gnu11', '-fsyntax-only', '-Werror=implicit-function-declaration', '-I.', ...include, 'block.c']);
}

const STREAMING = '#define tband_configUSE_BACKEND_STREAMING 1\n';
const SENDER = '#include "tband.h"\nvoid uart_write(const uint8_t *bytes, size_t len);\n';
const CONVERSION = `#include <tonkopf.h>
#include <stdio.h>
#include <unistd.h>
static bool print(void *ctx, const char *text, size_t len) { return fwrite(text, 1, len, stdout) == len; }
int convert(tk_conversion *conversion, int *files, uint8_t *room, FILE *out) {
    ssize_t len;
`;
const SNAPSHOT = `#include <tonkopf.h>
void copy(const char *from, const char *to);
void take(tk *handle, const uint8_t *bytes, size_t len, struct tk_sink append_to_now) {
    size_t used;
`;

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** The functions that a block calls are declared in this header. @param {string} header @param {string} text */
function declares(header, text) {
  const source = readFileSync(join(root, header), 'utf8');
  const called = [...text.matchAll(/\b(tband_\w+)\(/g)].map(([, name]) => name);
  expect(called.length).toBeGreaterThan(0);
  expect(called.filter((name) => !new RegExp(`\\b${name}\\(`).test(source))).toEqual([]);
}

// ---- JavaScript and Python ----

/** @param {string} source */
function node(source) {
  write('block.mjs', source);
  return run(process.execPath, ['block.mjs']);
}

/** @param {string} source */
function python(source) {
  return run('python3', ['-c', source], pythonVariables);
}

const SENT = Buffer.from(Array.from({ length: 2048 }, (_, i) => i & 255));

/** A pseudo-terminal instead of the serial port: the bytes come when the port is raw, then the line is closed. */
const PORT = `import os, pty, sys, termios, time
master, slave = pty.openpty()
print(os.ttyname(slave), flush=True)
while termios.tcgetattr(slave)[3] & termios.ICANON: time.sleep(0.01)
time.sleep(0.3)
data = open(sys.argv[1], 'rb').read()
while data: data = data[os.write(master, data[:512]):]; time.sleep(0.005)
time.sleep(0.3)
os.close(slave)
os.close(master)
`;

/** Runs a block that records to `name` with the pseudo-terminal in place of the port, and presses Ctrl-C when all bytes are there.
 * @param {string} text @param {Buffer} bytes @param {string} name */
async function onPort(text, bytes, name) {
  write('port.py', PORT);
  write('sent.bin', bytes);
  for (const file of [name, `${name}.times`]) rmSync(join(folder, file), { force: true }); // record replaces no file
  const port = spawn('python3', ['port.py', 'sent.bin'], { cwd: folder });
  const [path] = await once(port.stdout, 'data');
  const shell = spawn('bash', ['-c', `${text.replaceAll('/dev/ttyACM0', String(path).trim())}; true`], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += data));
  const hasEnded = once(shell, 'close');
  await expect.poll(() => existsSync(join(folder, name)) && bytesOf(name).length).toBe(bytes.length);
  spawnSync('pkill', ['-INT', '-P', String(shell.pid)]);
  await hasEnded;
  expect(bytesOf(name).equals(bytes), output).toBe(true);
  return output;
}

/** A module instead of pyserial, whose port is a file. */
const SERIAL = `class Serial:
    in_waiting = 512
    def __init__(self, name, rate): self.file = open("sent.bin", "rb")
    def read(self, count):
        data = self.file.read(count)
        if not data: raise SystemExit
        return data
`;

// ---- gdb ----

/** @param {string} program */
const canRun = (program) => spawnSync(program, ['--version']).status === 0;

const TARGET = `__attribute__((section(".trace"))) unsigned char trace[0x8000] = { 1, 2, 3 };
void _start(void) { for (;;) {} }
`;

/** Runs a block with a program at the addresses of the page, in an emulator with a gdb server. @param {string} text @param {import('vitest').TestContext} context */
async function onTarget(text, context) {
  const gdb = ['gdb-multiarch', 'arm-none-eabi-gdb'].find(canRun);
  if (!gdb || !canRun('qemu-arm') || !canRun('arm-none-eabi-gcc'))
    return context.skip('gdb, qemu-arm or the compiler is missing');
  write('target.c', TARGET);
  const places = ['-Wl,--section-start=.trace=0x20004000', '-Wl,-Ttext=0x10000'];
  run('arm-none-eabi-gcc', ['-nostdlib', ...places, 'target.c', '-o', 'firmware.axf']);
  const port = await freePort();
  const emulator = spawn('qemu-arm', ['-g', String(port), 'firmware.axf'], { cwd: folder });
  try {
    const here = text.replace('arm-none-eabi-gdb', gdb).replace('firmware.elf', 'firmware.axf');
    run('bash', ['-c', `sleep 1; ${here.replace('localhost:3333', `localhost:${port}`)}`]);
    expect(bytesOf('trace.bin')).toEqual(Buffer.concat([Buffer.from([1, 2, 3]), Buffer.alloc(0x8000 - 3)]));
  } finally {
    emulator.kill();
  }
}

// ---- The list ----

/** @typedef {{ page: string, begins: string, run?: (text: string, context: import('vitest').TestContext) => unknown, by?: string, not?: string }} Entry */

const CLI = 'tests/cli/docs.test.mjs';
const PROBE = 'needs a probe and a board';

/** The blocks in the order of each page: `begins` is the beginning of the first line. @type {Entry[]} */
const LIST = [
  {
    page: 'README.md',
    begins: 'npm start',
    not: 'it serves until it is stopped; the tests of the page build and serve the same',
  },
  { page: 'README.md', begins: 'tonkopf conv', by: CLI },
  {
    page: 'README.md',
    begins: 'import { convert }',
    run: (text) => node(`${text}console.log(trace.length, report.cpu);`),
  },
  { page: 'README.md', begins: 'import tonkopf', run: (text) => python(text) },
  { page: 'README.md', begins: 'find_package', by: 'tests/packages/embed/embed.test.mjs' },
  { page: 'README.md', begins: 'npm test', not: 'it runs this test' },
  { page: 'python/README.md', begins: 'pip install', by: 'tests/packages/python/python.test.mjs' },
  { page: 'python/README.md', begins: 'import tonkopf', by: 'tests/packages/python/python.test.mjs' },
  {
    page: 'python/README.md',
    begins: 'for result',
    run: (text) => {
      const zip = 'import tonkopf, zipfile\nwith zipfile.ZipFile("captures.zip", "w") as file:\n';
      const output = python(
        `${zip}    file.write("run.bin", "one.bin")\n    file.write("run.bin", "two.bin")\n${text}`,
      );
      expect(output).toMatch(/one\.bin \d+\n.*two\.bin \d+/);
    },
  },
  { page: 'python/README.md', begins: 'result = ', run: (text) => python(`import tonkopf\n${text}`) },
  { page: 'docs/API.md', begins: 'import { writeFile }', run: (text) => node(text) },
  {
    page: 'docs/API.md',
    begins: 'const { exitCode',
    run: (text) => node(`import { convert } from 'tonkopf';\n${text}`),
  },
  {
    page: 'docs/API.md',
    begins: 'const conversion',
    run: (text) => {
      const source = `import { readFileSync } from 'node:fs';
import { resumeConversion, startConversion } from 'tonkopf';
const bytes = readFileSync('capture.bin'), parts = [], file = { write: (part) => parts.push(part) };
const port = (async function* () { yield bytes.subarray(0, 9000); yield bytes.subarray(9000); })();
${text}
console.log(rest.length > 0, head instanceof Uint8Array, state.length > 0, report.events.total > 0, typeof (await resumeConversion(state)).feed);`;
      expect(node(source).trim()).toBe('true true true true function');
    },
  },
  {
    page: 'docs/API.md',
    begins: 'import { convert, setModuleAddress }',
    not: 'esbuild is needed; npm.test.mjs of the packages has it',
  },
  {
    page: 'docs/API.md',
    begins: 'import tonkopf',
    run: (text) => {
      expect(text).toContain(', result.pandas("tasks")'); // which needs pandas; tests/packages/python has it
      python(text.replace(', result.pandas("tasks")', ''));
    },
  },
  {
    page: 'docs/API.md',
    begins: 'find_package', // embed.test.mjs of the packages builds the example
    run: (text) => {
      const example = readFileSync(join(root, 'docs', 'example', 'CMakeLists.txt'), 'utf8');
      for (const line of text.trim().split('\n')) expect(example).toContain(line.replace(/ #.*/, ''));
    },
  },
  { page: 'docs/API.md', begins: 'const struct tk_request', run: (text) => compiles(`${CONVERSION}${text}}\n`) },
  { page: 'docs/API.md', begins: 'tk_feed', run: (text) => compiles(`${SNAPSHOT}${text}}\n`) },
  {
    page: 'docs/CAPTURE.md',
    begins: 'struct {',
    run: (text) => {
      const [, declared, assigned] = /** @type {RegExpExecArray} */ (/^(.*\n)\n([^]*)$/.exec(text));
      const snapshot = '#define tband_configUSE_BACKEND_SNAPSHOT 1\n';
      compiles(`#include "tband.h"\n${declared}void keep(void) {\n${assigned}}\n`, snapshot);
    },
  },
  { page: 'docs/CAPTURE.md', begins: 'tonkopf record', by: 'tests/target/record.test.mjs' },
  { page: 'docs/CAPTURE.md', begins: 'arm-none-eabi-gdb', run: onTarget },
  { page: 'docs/CAPTURE.md', begins: 'openocd', not: PROBE },
  { page: 'docs/CAPTURE.md', begins: 'probe-rs', not: PROBE },
  {
    page: 'docs/CAPTURE.md',
    begins: '#define',
    run: (text) =>
      compiles(
        `#include <stddef.h>\nsize_t SEGGER_RTT_WriteNoLock(unsigned channel, const void *data, unsigned len);\n${text}_Bool send(const void *buf, size_t len) { return tband_portBACKEND_STREAM_DATA(buf, len); }\n`,
      ),
  },
  { page: 'docs/CAPTURE.md', begins: 'JLinkRTTLogger', not: PROBE },
  { page: 'docs/CAPTURE.md', begins: 'openocd', not: PROBE },
  { page: 'docs/CAPTURE.md', begins: '[default.general]', not: PROBE },
  { page: 'docs/CAPTURE.md', begins: 'openocd', not: PROBE },
  {
    page: 'docs/CAPTURE.md',
    begins: 'tonkopf record',
    run: async (text) => void (await onPort(text.split('#')[0].trim(), SENT, 'trace.bin')),
  },
  {
    page: 'docs/CAPTURE.md',
    begins: 'python -m pip',
    run: (text) => {
      const [install, ...rest] = text.split('\n');
      expect(install).toBe('python -m pip install pyserial');
      write('serial.py', SERIAL);
      write('sent.bin', SENT);
      run('bash', ['-c', rest.join('\n').replace(/^python /, 'python3 ')]);
      expect(bytesOf('trace.bin').equals(SENT)).toBe(true);
    },
  },
  {
    page: 'docs/CAPTURE.md',
    begins: 'tonkopf record',
    run: async (text) => {
      const recording = readFileSync(golden_input('cortexm/nested-calls-and-returns'));
      const output = await onPort(text.trim(), recording, 'run.bin');
      expect(output).toContain('run.pftrace');
    },
  },
  { page: 'docs/CHECK.md', begins: 'cat > limits.rules', run: (text) => run('bash', ['-c', text]) },
  {
    page: 'docs/CHECK.md',
    begins: 'tonkopf info',
    run: (text) => run('bash', ['-c', `cp capture.bin run.bin; ${text}`]),
  },
  { page: 'docs/CHECK.md', begins: 'tonkopf check', run: (text) => run('bash', ['-c', text]) },
  { page: 'docs/CHECK.md', begins: '- uses', by: 'tests/docs/workflows.test.mjs' },
  {
    page: 'docs/COMPARE.md',
    begins: 'tonkopf compare',
    run: (text) =>
      run('bash', [
        '-c',
        `cp capture.bin before.bin; cp capture.bin after.bin; tonkopf info --json before.bin > baseline.json; ${text}`,
      ]),
  },
  { page: 'docs/CLI.md', begins: 'tonkopf conv', by: CLI },
  { page: 'docs/CLI.md', begins: 'tonkopf info', by: CLI },
  { page: 'docs/CLI.md', begins: 'tonkopf dump', by: CLI },
  { page: 'docs/CLI.md', begins: 'tonkopf info', by: CLI },
  { page: 'docs/CLI.md', begins: 'tonkopf conv', by: CLI },
  { page: 'docs/CLI.md', begins: 'tonkopf conv', by: CLI },
  { page: 'docs/CLI.md', begins: '- uses', by: 'tests/docs/workflows.test.mjs' },
  ...['parallel', 'parallel', 'parallel', 'duckdb', 'import os'].map((begins) => ({
    page: 'docs/FLEET.md',
    begins,
    by: 'tests/packages/fleet/fleet.test.mjs',
  })),
  {
    page: 'docs/LIVE.md',
    begins: 'tonkopf record',
    run: async (text) => void (await onPort(text.trim(), SENT, 'run.bin')),
  },
  { page: 'docs/LIVE.md', begins: 'tonkopf record', by: 'tests/cli/record.test.mjs' },
  {
    page: 'docs/NEW_FORMAT.md',
    begins: 'npm run new-format',
    not: 'it changes the tree; new-format.test.mjs runs it in a copy',
  },
  { page: 'docs/NEW_FORMAT.md', begins: 'npm run build:native', not: 'the recording is one of the new format' },
  { page: 'docs/NEW_FORMAT.md', begins: 'npm run build:native', not: 'it changes the tree and runs all tests' },
  { page: 'docs/NEW_FORMAT.md', begins: 'cmake', not: 'format.test.mjs of tests/packages runs these tools in a copy' },
  { page: 'docs/NEW_FORMAT.md', begins: 'npm start', not: 'it serves until it is stopped' },
  { page: 'docs/REPORT.md', begins: 'tonkopf info', by: CLI },
  ...['include(FetchContent)', '#define', '#include', '#define', 'tband_cortex_m'].map((begins) => ({
    page: 'docs/TRACER.md',
    begins,
    by: 'tests/packages/tracer/tutorial.test.mjs',
  })),
  {
    page: 'docs/TRACER.md',
    begins: 'void vApplicationIdleHook',
    run: (text) => compiles(`${SENDER}${text}`, STREAMING),
  },
  {
    page: 'docs/TRACER.md',
    begins: '#include "tband_link.h"',
    run: (text) => {
      const [include, link, ...rest] = text.split('\n');
      const body = `void idle(void) {\nconst uint8_t *bytes;\n${rest.join('\n')}}\n`;
      compiles(
        `${SENDER}${include}\n${link}\n${body}`,
        `${STREAMING}#define tband_portNUMBER_OF_CORES 2\n#define tband_portGET_CORE_ID() 0\n`,
      );
    },
  },
  {
    page: 'docs/TRACER.md',
    begins: 'void vApplicationIdleHook',
    run: (text) =>
      compiles(`${SENDER}${text.replace('    ...\n', '')}`, `${STREAMING}#define tband_configREPEAT_MS 1500\n`),
  },
  { page: 'docs/TRACER.md', begins: '#define tband_configBUILD_ID', by: 'tests/target/identity.test.mjs' },
  {
    page: 'docs/TRACER.md',
    begins: 'tband_clock_own',
    run: (text) => {
      const body = text.replace('\n...\n', '\n');
      expect(body).not.toBe(text);
      const config = `${STREAMING}#define tband_configCLOCK_SYNC_ENABLE 1\n`;
      compiles(`${SENDER}void start(uint64_t mailbox) {\n${body}}\n`, config);
    },
  },
  {
    page: 'docs/TRACER.md',
    begins: '#define tband_configCONTROL_ATTRIBUTE',
    run: (text) => compiles('#include "tband.c"\n', `#define tband_configUSE_BACKEND_POST_MORTEM 1\n${text}`),
  },
  {
    page: 'docs/TRACER.md',
    begins: 'if (tband_post_mortem_found())',
    run: (text) =>
      compiles(
        `#include "tband.h"\nvoid save(const uint8_t *bytes, size_t len);\nvoid start(void) {\n${text}}\n`,
        '#define tband_configUSE_BACKEND_POST_MORTEM 1\n',
      ),
  },
  { page: 'docs/TRACER.md', begins: '#include "tband_fault.h"', by: 'tests/target/fault.test.mjs' },
  {
    page: 'docs/TRACER.md',
    begins: 'tband_freertos_event_group_name',
    run: (text) => {
      const lines = text.split('\n');
      declares('tracer/include/tband_freertos.h', lines.filter((line) => line.includes('freertos')).join('\n'));
      declares('tracer/include/tband.h', lines.filter((line) => !line.includes('freertos')).join('\n'));
    },
  },
  { page: 'docs/formats/flux.md', begins: 'tonkopf', by: CLI },
  { page: 'docs/formats/vcd.md', begins: 'tonkopf', by: CLI },
];

const found = blocks();

test('each block names its language', () => {
  for (const page of PAGES)
    for (const [, language] of readFileSync(join(root, page), 'utf8').matchAll(/^ *```(\w*)\n[^]*?^ *```$/gm))
      expect([...LANGUAGES, ...NOT_COMMANDS, ''], page).toContain(language);
});

test('the list has every block of the pages, and no other', () => {
  const first = (/** @type {Block} */ { page, text }) => ({ page, first: text.split('\n')[0] });
  for (const page of PAGES) {
    const listed = LIST.filter((entry) => entry.page === page);
    const shown = found.filter((block) => block.page === page).map(first);
    expect(shown.length, `${page}: ${JSON.stringify(shown)}`).toBe(listed.length);
    for (const [i, { begins }] of listed.entries()) expect(shown[i].first.slice(0, begins.length), page).toBe(begins);
  }
});

describe('blocks run', () => {
  const here = LIST.map((entry) => {
    const number = LIST.filter((one) => one.page === entry.page).indexOf(entry);
    return { ...entry, block: found.filter(({ page }) => page === entry.page)[number] };
  }).filter((entry) => entry.run);

  test.for(here)('$page: $begins', async ({ run, block }, context) => {
    await run?.(block.text, context);
  });
});

test('what runs elsewhere is in a test that reads the page', () => {
  for (const { page, by } of LIST.filter((entry) => entry.by)) {
    const path = join(root, String(by));
    expect(existsSync(path), by).toBe(true);
    expect(readFileSync(path, 'utf8'), `${by}: ${page}`).toContain(basename(page));
  }
});
