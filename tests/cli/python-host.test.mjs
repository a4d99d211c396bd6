// SPDX-License-Identifier: MIT
// Python and the command line are hosts of one conversion: traces, reports, messages and exit codes are equal.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tar, zip } from '../common/archives.mjs';
import { pythonIn } from '../common/python.mjs';
import { gateway_recordings } from '../generator/demo-gateway.mjs';
import { heatpump, heatpump_elf } from '../generator/demo-heatpump.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { sampled } from '../golden/cases.mjs';
import { Folder, ROOT, SAMPLES, tool } from './tool.mjs';

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  const motor = Buffer.from(motor_recording({ bytes: 60_000 })),
    lift = Buffer.from(lift_recording({ bytes: 20_000 })),
    [core0, core1] = gateway_recordings({ bytes: 40_000 }).map((bytes) => Buffer.from(bytes)),
    { trace, times } = heatpump({ rounds: 100 }),
    hex = motor.toString('hex').replace(/(.{64})/g, '$1\n'),
    packed = gzipSync(motor),
    archive = [
      { path: 'a/run.bin', bytes: motor, deflated: true },
      { path: 'readme.txt', bytes: Buffer.from('words') },
    ];
  const files = {
    'run.bin': motor,
    'lift.bin': lift,
    'empty.bin': Buffer.alloc(0),
    'words.txt': Buffer.from('only words, no recording at all'),
    'damaged.bin': Buffer.concat([motor.subarray(0, 20_000), Buffer.alloc(500, 0x5a), motor.subarray(20_100)]),
    'run.gz': packed,
    'members.gz': Buffer.concat([gzipSync(motor.subarray(0, 5000)), gzipSync(motor.subarray(5000))]),
    'cut.gz': packed.subarray(0, packed.length - 2000),
    'run.hex': Buffer.from(hex),
    'odd.hex': Buffer.from(`${hex.slice(0, 2000)}zz${hex.slice(2000)}f`),
    'run.b64': Buffer.from(motor.toString('base64')),
    'one.zip': zip(archive),
    'cut.zip': zip(archive).subarray(0, -30),
    'one.tar': tar(archive),
    'one.tar.gz': gzipSync(tar(archive)),
    'cut.tar.gz': gzipSync(tar(archive)).subarray(0, -500),
    'cores.zip': zip([
      { path: 'run.core0.bin', bytes: core0 },
      { path: 'run.core1.bin', bytes: core1 },
    ]),
    'two.zip': zip([
      { path: 'a.bin', bytes: motor },
      { path: 'b.bin', bytes: lift },
    ]),
    'run.core0.bin': core0,
    'run.core1.bin': core1,
    'x.bin': core0,
    'y.bin': core1,
    'ram.bin': Buffer.concat([Buffer.alloc(700_000, 0xff), motor, Buffer.alloc(100)]),
    'calls.bin': Buffer.from(trace),
    'calls.times': Buffer.from(times),
    'calls.elf': Buffer.from(heatpump_elf()),
  };
  for (const [name, bytes] of Object.entries(files)) folder.write(name, bytes);
  writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x66, 0xfc, 0x72])]), motor); // f\xfcr
});
afterAll(() => folder.remove());

const python = pythonIn(() => folder.path);

/** @typedef {{ inputs: string[], names?: string[], args?: string[], more?: Record<string, unknown> }} Case */
/** @typedef {{ code: number | null, messages: string[], trace: string | null, report: any }} Outcome */

const DRIVER = `
import hashlib, json, sys, tonkopf
PREFIX = {"error": "tonkopf: ", "warning": "tonkopf: warning: "}
def run(make, case):
    try: result = make(case["inputs"], names=case.get("names", []), **case.get("more", {}))
    except tonkopf.Error as error: result = error
    return result, {"code": result.exit_code, "messages": [PREFIX[m.severity] + m.text for m in result.messages]}
for case in json.load(sys.stdin):
    made, outcome = run(tonkopf.convert, case)
    outcome["trace"] = hashlib.sha256(made.trace).hexdigest() if isinstance(made, tonkopf.Result) else None
    info, outcome["info"] = run(tonkopf.report, case)
    outcome["report"] = info.report if isinstance(info, tonkopf.Result) else None
    outcome["status"] = getattr(made, "status", None)
    print(json.dumps(outcome))
`;

/** @param {Case[]} cases @returns {(Outcome & { info: Pick<Outcome, 'code' | 'messages'>, status: string | null })[]} */
const inPython = (cases) =>
  python(DRIVER, JSON.stringify(cases))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Warnings and errors; other messages of the command line have no prefix. @param {string} errors */
const messagesOf = (errors) => errors.split('\n').filter((line) => line.startsWith('tonkopf: '));

/** @param {Case} one */
async function onCommandLine({ inputs, names = [], args = [] }) {
  const sides = names.flatMap((name) => ['--with', name]),
    output = folder.at('native.pftrace');
  const conv = await tool(['conv', ...inputs, ...sides, ...args, '-o', output], { cwd: folder.path });
  const info = await tool(['info', '--json', ...inputs, ...sides, ...args], { cwd: folder.path });
  const isWritten = existsSync(output);
  const trace = isWritten ? createHash('sha256').update(readFileSync(output)).digest('hex') : null;
  if (isWritten) rmSync(output);
  return {
    code: conv.code,
    messages: messagesOf(conv.errors),
    trace,
    info: { code: info.code, messages: messagesOf(info.errors) },
    report: info.text,
  };
}

/** @param {Case[]} cases */
async function compare(cases) {
  const told = inPython(cases);
  expect(told).toHaveLength(cases.length);
  for (const [index, one] of cases.entries()) {
    const { status, ...found } = told[index],
      expected = await onCommandLine(one),
      title = JSON.stringify(one);
    if (expected.messages.some((line) => line.startsWith('tonkopf: these are '))) {
      expect({ status, trace: found.trace }, title).toEqual({ status: 'MISUSE', trace: null });
    } else if (status && expected.trace) {
      // one of several inputs is no recording: the command line converts the others, Python converts none
      expect(one.inputs.length, title).toBeGreaterThan(1);
      expect({ status, messages: found.messages, code: found.code }, title).toEqual({
        status: 'UNKNOWN_FORMAT',
        messages: expected.messages,
        code: expected.code,
      });
    } else {
      expect(found, title).toEqual({ ...expected, report: expected.report ? JSON.parse(expected.report) : null });
    }
  }
}

describe('equal to the command line', () => {
  const single = (/** @type {string[]} */ ...names) => names.map((name) => ({ inputs: [name] }));
  test('files, packed files, texts, archives', () =>
    compare(
      single(
        ...['run.bin', 'lift.bin', 'empty.bin', 'words.txt', 'damaged.bin', 'ram.bin', 'calls.bin', 'two.zip'],
        ...['run.gz', 'members.gz', 'cut.gz', 'run.hex', 'odd.hex', 'run.b64'],
        ...['one.zip', 'cut.zip', 'one.tar', 'one.tar.gz', 'cut.tar.gz', 'cores.zip'],
      ),
    ));

  test('several inputs', () =>
    compare([
      { inputs: ['run.core0.bin', 'run.core1.bin'] },
      { inputs: ['run.bin', 'lift.bin'] },
      { inputs: ['run.bin', 'words.txt'] },
      { inputs: ['calls.bin', 'calls.elf', 'calls.times'] },
      { inputs: ['calls.bin'], names: ['calls.elf', 'calls.times'] },
      { inputs: ['run.bin'], names: ['calls.elf'] },
    ]));

  test('options, time ranges, rules', () =>
    compare(
      [
        { args: ['--set', 'rate-hz=1000000'], more: { options: { 'rate-hz': 1_000_000 } } },
        { args: ['--from', '1ms', '--to', '20ms'], more: { options: { 'from-ns': 1_000_000, 'to-ns': 20_000_000 } } },
        { args: ['--expect', 'cpu.load<=100%'], more: { expect: ['cpu.load<=100%'] } },
        { args: ['--expect', 'cpu.load<0%'], more: { expect: ['cpu.load<0%'] } },
        {
          args: ['--expect', 'cpu.load<0%', '--from', '1ms', '--to', '20ms', '--fail-on', 'any'],
          more: { expect: ['cpu.load<0%'], fail_on: ['any'], options: { 'from-ns': 1_000_000, 'to-ns': 20_000_000 } },
        },
        { args: ['--fail-on', 'damage', '--fail-on', 'drops'], more: { fail_on: ['damage', 'drops'] } },
      ].flatMap((one) => ['run.bin', 'damaged.bin', 'run.gz'].map((name) => ({ inputs: [name], ...one }))),
    ));

  test.skipIf(!SAMPLES)('samples', async () => {
    const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
      .map((name) => join(SAMPLES, name))
      .filter((path) => statSync(path).isFile());
    const cases = sampled(files.sort()).map((path) => ({ inputs: [path] }));
    expect(cases.length).toBeGreaterThan(10);
    await compare(cases);
  });
});

test('names that are not UTF-8', () => {
  python(`
import os, tonkopf
def named(name): return os.fsdecode(name)
name, missing, rules = named(b"f\\xfcr"), named(b"m\\xfcssing"), named(b"r\\xfcles")
result = tonkopf.convert(name, named(b"out\\xfc.pftrace"))
assert os.path.getsize(b"out\\xfc.pftrace") > 1000 and result.exit_code == 0
plain = tonkopf.convert("run.bin")
assert tonkopf.convert(name).trace == plain.trace == tonkopf.convert_all([name])[0].trace
os.link("calls.elf", b"c\\xe4lls.elf")
sided = tonkopf.report("calls.bin", names=named(b"c\\xe4lls.elf"))
assert sided.table("functions") == tonkopf.report("calls.bin", names="calls.elf").table("functions")

report = tonkopf.report(name)
assert report.table("tasks") == plain.table("tasks")
[shown] = [row["name"] for row in report.table("inputs")]
assert shown.startswith("f") and shown.endswith("r") and shown.encode(), shown
compared = tonkopf.compare(report.report, plain.report, "text")
assert shown in compared and tonkopf.compare(report.report, plain.report)["schema"], compared

with open(rules, "w") as file: file.write("cpu.load<100%\\ncpu.load<0%\\n")
class Path:
    def __fspath__(self): return os.fsencode(missing)
for absent in (missing, Path()):
    checked = tonkopf.check(rules, [name, absent])
    assert [one.verdict for one in checked.verdicts] == ["not read", "holds", "fails"], checked.verdicts
    assert checked.verdicts[0].text == "No such file or directory" and "b'" not in checked.verdicts[0].input, checked.verdicts
    assert checked.exit_code == 3
for form in ("text", "markdown", "junit", "sarif", "github", "json"): assert checked.write(form).encode()
for call in (tonkopf.convert, tonkopf.report):
    try: call(missing)
    except FileNotFoundError as error: assert error.filename == missing
    else: raise AssertionError("no error")
`);
});

test('a trace of a time range comes with the report of that range, also from a file that cannot seek', () => {
  python(`
import io, tonkopf
class Line:
    def __init__(self, name): self.data = io.BytesIO(open(name, "rb").read())
    def read(self, size): return self.data.read(min(size, 1000))
options = {"from-ns": 1_000_000, "to-ns": 20_000_000}
whole, part = tonkopf.convert("run.bin"), tonkopf.convert("run.bin", options=options)
figures = tonkopf.report("run.bin", options=options)
assert part.table("cpu") == figures.table("cpu") != whole.table("cpu")
line = tonkopf.convert(Line("run.bin"), options=options, expect=["cpu.load<0%"])
assert line.trace == part.trace and line.table("tasks") == part.table("tasks") and line.exit_code == 1
for name in ("run.bin", "run.gz", "run.hex", "one.zip", "one.tar.gz", "cores.zip"):
    assert tonkopf.convert(Line(name)).trace == tonkopf.convert(name).trace, name
`);
});

test('a file that cannot be read to its end', () => {
  python(`
import io, tonkopf
class Torn(io.BytesIO):
    end = 30000
    def read(self, size):
        if self.tell() >= self.end: raise OSError(5, "Input/output error")
        return super().read(min(size, self.end - self.tell()))
torn = Torn(open("run.bin", "rb").read())
result = tonkopf.convert(torn)
assert result.exit_code == 3 and result.trace, result.exit_code
assert result.messages == [("error", "cannot be read at byte 30000: Input/output error; what came before is used")], result.messages
assert [row["id"] for row in result.table("problems") if row["id"] == "READ_FAILED"]
class Line:
    def __init__(self, end): self.torn = Torn(open("run.bin", "rb").read())
    def read(self, size): return self.torn.read(size)
part = tonkopf.convert(Line(30000), options={"to-ns": 10**12})
assert part.exit_code == 3 and part.table("inputs")[0]["bytes"] == 30000, part.exit_code
assert [row["id"] for row in part.table("problems") if row["id"] == "READ_FAILED"]
Torn.end = 0
torn.seek(0)
try: tonkopf.convert(Line(0), options={"to-ns": 10**12})
except OSError as error: assert error.errno == 5
else: raise AssertionError("no error")
try: tonkopf.convert(torn)
except OSError as error: assert error.errno == 5
else: raise AssertionError("no error")
`);
});

test('several recordings', () => {
  python(`
import tonkopf
one, two = tonkopf.convert_all(["run.bin", "lift.bin"])
assert one.trace == tonkopf.convert("run.bin").trace and two.trace == tonkopf.convert("lift.bin").trace
assert [len(tonkopf.convert_all(name)) for name in ("two.zip", "cores.zip", "run.bin")] == [2, 1, 1]
assert tonkopf.convert_all("cores.zip")[0].trace == tonkopf.convert(["run.core0.bin", "run.core1.bin"]).trace
assert max(result.exit_code for result in tonkopf.convert_all("two.zip", expect=["cpu.load<0%"])) > 0
for sources in (["run.bin", "lift.bin"], "two.zip"):
    for make in (tonkopf.convert, tonkopf.report):
        try: make(sources)
        except tonkopf.Error as error: assert error.status == "MISUSE" and "these are 2 recordings" in str(error)
        else: raise AssertionError("no error")
assert len(tonkopf.convert(["x.bin", "y.bin"], cores=[0, 1]).table("cores")) == 2
`);
});

test('invalid rules and problems', () => {
  python(`
import tonkopf
def fails(status, **more):
    try: tonkopf.convert("run.bin", **more)
    except tonkopf.Error as error: assert error.status == status and str(error), error
    else: raise AssertionError("no error")
fails("MISUSE", fail_on=["nonsense"])
for key in ("output", "stage", "expect"): fails("MISUSE", options={key: "dump"})
try: tonkopf.convert(["run.bin"], cores=[0, 1])
except ValueError: pass
else: raise AssertionError("no error")
`);
});
