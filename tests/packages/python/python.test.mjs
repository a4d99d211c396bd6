// SPDX-License-Identifier: MIT
// The wheel in a separate environment: the examples of its README work, and it gives the output of the command line tool.
import { execFileSync, spawnSync } from 'node:child_process';
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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSdist, buildWheel } from '../../../scripts/build_wheels.mjs';
import { cross, schemaOf } from '../../../scripts/cross.mjs';
import { cacheDir, root } from '../../../scripts/lib.mjs';
import { gateway_recordings } from '../../generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../../generator/demo-heatpump.mjs';
import { motor_recording } from '../../generator/demo-motor.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonkopf-python-'));
const MUSL = `/lib/ld-musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`;
const bin = join(folder, 'env', 'bin'),
  platform = `linux-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
/** @param {string} command @param {string[]} args */
const run = (command, args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
/** @param {string} code */
const python = (code) => run(join(bin, 'python'), ['-c', code]);
const file = (/** @type {string} */ name) => readFileSync(join(folder, name));
const motor = motor_recording({ bytes: 60_000 });

beforeAll(() => {
  cross(platform);
  const wheel = buildWheel(platform);
  run('python3', ['-m', 'venv', 'env']);
  run(join(bin, 'pip'), ['install', '--quiet', '--no-index', wheel]);
  run(join(bin, 'pip'), ['install', '--quiet', 'pandas==2.3.3', 'polars==1.34.0']);
  writeFileSync(join(folder, 'run.bin'), motor);
  gateway_recordings({ bytes: 40_000 }).forEach((bytes, core) =>
    writeFileSync(join(folder, `run.core${core}.bin`), bytes),
  );
  const { trace, times } = heatpump({ rounds: 100 });
  for (const [name, content] of Object.entries({
    'calls.bin': trace,
    'calls.times': times,
    'calls.elf': heatpump_elf(),
  }))
    writeFileSync(join(folder, name), content);
  run(join(bin, 'tonkopf'), ['conv', 'run.bin', '-o', 'native.pftrace']);
}, 3_600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the source package builds the same library and program', () => {
  run('python3', ['-m', 'venv', 'from-source']);
  const source = buildSdist(schemaOf(`${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-musl`));
  run(join(folder, 'from-source', 'bin', 'pip'), ['install', '--quiet', source]);
  run(join(folder, 'from-source', 'bin', 'python'), [
    '-c',
    'import tonkopf; tonkopf.convert("run.bin", "built.pftrace")',
  ]);
  run(join(folder, 'from-source', 'bin', 'tonkopf'), ['conv', 'run.bin', '-o', 'program.pftrace']);
  for (const name of ['built.pftrace', 'program.pftrace']) expect(file(name).equals(file('native.pftrace'))).toBe(true);
});

test('pip install ./python builds with the sources of the repository, and says what it lacks', () => {
  const interpreter = run('python3', ['-c', 'import sys; print(sys.executable)']).trim(); // python3 may be a script that needs a shell
  const build = (/** @type {string} */ path) =>
    spawnSync(interpreter, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', join(folder, 'wheels')], {
      cwd: join(root, 'python'),
      encoding: 'utf8',
      env: { ...process.env, PATH: path, PYTHONPATH: join(cacheDir, 'wheel-tools') },
    });
  const bare = join(folder, 'without-cmake');
  mkdirSync(bare);
  expect(build(bare).stderr).toContain('cmake was not found. Tonkopf is built with CMake 3.21 or newer, a C compiler');
  const { status, stderr } = build(/** @type {string} */ (process.env.PATH));
  expect(status, stderr).toBe(0);
  const [wheel] = readdirSync(join(folder, 'wheels'));
  expect(wheel).toMatch(/^tonkopf-[\d.]+-py3-none-linux_\w+\.whl$/);
  const listed = run('python3', ['-m', 'zipfile', '-l', join('wheels', wheel)]);
  for (const name of ['tonkopf/_native/libtonkopf.so', 'tonkopf/_native/tonkopf']) expect(listed).toContain(name);
});

test.skipIf(!existsSync(MUSL))('a C program of musl uses the library of the wheel for musl', () => {
  const musl = platform.replace('linux', 'musllinux'),
    wheel = buildWheel(musl, cross(musl));
  expect(wheel).toMatch(/-musllinux_1_2_\w+\.whl$/);
  run('python3', ['-m', 'zipfile', '-e', wheel, 'musl']);
  const library = join(folder, 'musl', 'tonkopf', '_native', 'libtonkopf.so');
  const zig = join(cacheDir, 'cross', 'zig', 'ziglang', 'zig'),
    target = `${platform.split('-')[1]}-linux-musl`;
  execFileSync(
    zig,
    [
      ...['cc', '-target', target, '-dynamic', '-I', join(root, 'core'), join(root, 'docs', 'example', 'convert.c')],
      ...[library, '-o', join(folder, 'convert-musl')],
    ],
    { env: { ...process.env, ZIG_GLOBAL_CACHE_DIR: join(cacheDir, 'cross', 'zig-cache') } },
  );
  const dynamic = run('readelf', ['-d', library]);
  expect(dynamic).toMatch(/NEEDED.*\[libc\.so\]/);
  // Python loads the library by its path; a linked program looks for the name of its interface.
  const [, soname] = /** @type {RegExpExecArray} */ (/SONAME.*\[(.+)\]/.exec(dynamic));
  symlinkSync(library, join(folder, 'musl', 'tonkopf', '_native', soname));
  execFileSync(join(folder, 'convert-musl'), [join(folder, 'run.bin'), join(folder, 'musl.pftrace')], {
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'musl', 'tonkopf', '_native') },
  });
  expect(file('musl.pftrace').equals(file('native.pftrace'))).toBe(true);
});

test("the lines of the project's README", () => {
  const [, code] = /** @type {RegExpExecArray} */ (
    /```py\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))
  );
  writeFileSync(join(folder, 'capture.bin'), motor);
  expect(python(`${code}\nprint(report["cpu"]["load"])`)).toMatch(/^0\.\d+\n$/);
  expect(file('capture.pftrace').equals(file('native.pftrace'))).toBe(true);
});

test('the lines of its README', () => {
  const [, code] = /** @type {RegExpExecArray} */ (
    /```python\n([\s\S]*?)```/.exec(readFileSync(join(root, 'python', 'README.md'), 'utf8'))
  );
  const said = python(
    `${code}\nprint(len(tasks), list(tasks.columns)[:2], report == result.report, trace == open("run.pftrace", "rb").read())`,
  );
  expect(said).toMatch(/^0\.\d+\n/);
  expect(said.trim().split('\n').at(-1)).toMatch(/^\d+ \['name', 'idle'\] \w+ True$/);
  expect(file('run.pftrace').equals(file('native.pftrace'))).toBe(true);
});

test('the schema describes every column of a report', () => {
  const said = python(`
import tonkopf
tables = {table["id"]: {column["key"] for column in table["columns"]} for table in tonkopf.schema()["tables"]}
report = tonkopf.report("run.bin").report
print(report["schema"] == tonkopf.schema()["schema"], all(set(table["columns"]) <= tables[table["id"]] for table in report["tables"]))`);
  expect(said.trim()).toBe('True True');
});

test('bytes, gzip, text and file objects are the same recording', () => {
  writeFileSync(join(folder, 'run.gz'), Buffer.concat([gzipSync(motor.slice(0, 5000)), gzipSync(motor.slice(5000))]));
  writeFileSync(join(folder, 'run.hex'), Buffer.from(motor).toString('hex'));
  python(`
import io, tonkopf
expected = open("native.pftrace", "rb").read()
for source in ("run.gz", "run.hex", open("run.bin", "rb"), memoryview(open("run.bin", "rb").read())):
    assert tonkopf.convert(source).trace == expected, source
out = io.BytesIO()
tonkopf.convert("run.bin", out)
assert out.getvalue() == expected
`);
});

test('several cores, a table as polars', () => {
  run(join(bin, 'tonkopf'), ['conv', 'run.core0.bin', 'run.core1.bin', '-o', 'cores.pftrace']);
  const rows = python(`
import tonkopf
result = tonkopf.convert(["run.core0.bin", "run.core1.bin"], "both.pftrace")
print(result.polars("cores").height)`);
  expect(rows.trim()).toBe('2');
  expect(file('both.pftrace').equals(file('cores.pftrace'))).toBe(true);
});

test('symbols and times of reception, a recording within a dump of memory', () => {
  writeFileSync(join(folder, 'ram.bin'), Buffer.concat([Buffer.alloc(700_000, 0xff), motor, Buffer.alloc(100)]));
  run(join(bin, 'tonkopf'), [
    'conv',
    'calls.bin',
    '--with',
    'calls.elf',
    '--with',
    'calls.times',
    '-o',
    'calls.pftrace',
  ]);
  run(join(bin, 'tonkopf'), ['conv', 'ram.bin']);
  python(`
import tonkopf
expected = open("calls.pftrace", "rb").read()
assert tonkopf.convert("calls.bin", names=["calls.elf", "calls.times"]).trace == expected
assert tonkopf.convert(["calls.bin", "calls.elf", "calls.times"]).trace == expected
assert tonkopf.convert("ram.bin").trace == open("ram.pftrace", "rb").read()
assert len(tonkopf.convert("run.bin", options={"raw-events": True}).trace) > len(tonkopf.convert("run.bin", options={"raw-events": False}).trace)
`);
});

test('existing files are kept unless the trace is complete, and no input is overwritten', () => {
  python(`
import os, tonkopf
open("old.pftrace", "wb").write(b"old")
os.chmod("old.pftrace", 0o640)
os.symlink("run.bin", "link.bin")
def fails(error, *args):
    before = sorted(os.listdir("."))
    try: tonkopf.convert(*args)
    except error: assert sorted(os.listdir(".")) == before
    else: raise AssertionError("no error")
fails(FileNotFoundError, "missing.bin", "old.pftrace")
fails(tonkopf.Error, b"only words, no recording at all", "new.pftrace")
fails(TypeError, 5, "new.pftrace")
fails(OSError, "run.bin", "/dev/full")
for output in ("run.bin", "./run.bin", "link.bin"):
    fails(tonkopf.Error, "run.bin", output)
    with open("run.bin", "rb") as file: fails(tonkopf.Error, file, output)
assert open("old.pftrace", "rb").read() == b"old" and os.path.getsize("run.bin") > 50_000
tonkopf.convert("run.bin", "old.pftrace")
assert open("old.pftrace", "rb").read() == open("native.pftrace", "rb").read() and os.stat("old.pftrace").st_mode & 0o777 == 0o640
`);
});

test('memory does not grow with the unpacked size of a gzip file', () => {
  writeFileSync(join(folder, 'zeros.gz'), gzipSync(Buffer.alloc(300_000_000)));
  const peak = Number(
    python(`
import resource, tonkopf
try: tonkopf.convert("zeros.gz")
except tonkopf.Error: pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)`),
  );
  expect(peak).toBeLessThan(200); // MiB, of which Python takes 20
});

test('errors have a name and a message; an exception of the output is passed on', () => {
  python(`
import tonkopf
def fails(status, *args, **more):
    try: tonkopf.convert(*args, **more)
    except tonkopf.Error as error: assert error.status == status and str(error), (error.status, error)
    else: raise AssertionError("no error")
fails("UNKNOWN_FORMAT", b"only words, no recording at all")
fails("UNKNOWN_FORMAT", [])
fails("MISUSE", "run.bin", options={"bogus": 1})
for own in ("output", "stage", "signal", "figures", "range", "unused"): fails("MISUSE", "run.bin", options={own: "later"})
fails("MISUSE", "run.bin", options={"from-ns": 2, "to-ns": 1})
fails("MISUSE", "run.bin", options={"from-ns": "soon", "to-ns": 1})
fails("MISUSE", ["run.bin", "calls.bin"])
class Full:
    def seekable(self): return False
    def write(self, data): raise OSError(28, "No space left on device")
try: tonkopf.convert("run.bin", Full())
except OSError as error: assert error.errno == 28
else: raise AssertionError("no error")
try: tonkopf.report("run.bin").table("nothing")
except KeyError as error: assert "tasks" in str(error)
`);
});
