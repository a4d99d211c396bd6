// SPDX-License-Identifier: MIT
// The Python package with the library of the native build: its declarations equal those of tonkopf.h, and its inputs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonIn } from '../common/python.mjs';
import { lift_recording } from '../generator/demo-lift.mjs';
import { motor_recording } from '../generator/demo-motor.mjs';
import { Folder, ROOT } from './tool.mjs';

const MOTOR = motor_recording({ bytes: 40_000 });

/** @type {Folder} */
let folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('run.bin', MOTOR);
  folder.write('run.gz', gzipSync(MOTOR));
  folder.write('run.hex', Buffer.from(MOTOR).toString('hex'));
  folder.write('lift.bin', lift_recording({ bytes: 20_000 }));
});
afterAll(() => folder.remove());

const python = pythonIn(() => folder.path);

// ---- The header ----------------------------------------------------------------------------------------------------------

/** Classes of _library.py and the C types that they declare. */
/** @type {Record<string, { type: string }>} */
const STRUCTS = {
  FormatInfo: { type: 'struct tk_format_info' },
  SourceInfo: { type: 'struct tk_source_info' },
  Request: { type: 'struct tk_request' },
};

/** @type {Record<string, string>} */
const NUMBERS = {
  OK: 'TK_OK',
  NO_MEMORY: 'TK_NO_MEMORY',
  SINK_REFUSED: 'TK_SINK_REFUSED',
  MISUSE: 'TK_MISUSE',
  UNKNOWN_FORMAT: 'TK_UNKNOWN_FORMAT',
  OTHER_SCHEMA: 'TK_OTHER_SCHEMA',
  READ: 'TK_REQUEST_READ',
  KEEP: 'TK_REQUEST_KEEP',
  PLAN: 'TK_REQUEST_PLAN',
  OPEN: 'TK_REQUEST_OPEN',
  WRITE: 'TK_REQUEST_WRITE',
  REWRITE: 'TK_REQUEST_REWRITE',
  CLOSE: 'TK_REQUEST_CLOSE',
  DISCARD: 'TK_REQUEST_DISCARD',
  PROGRESS: 'TK_REQUEST_PROGRESS',
  MESSAGE: 'TK_REQUEST_MESSAGE',
  DONE: 'TK_REQUEST_DONE',
  DETAIL: 'TK_MESSAGE_DETAIL',
  INFO: 'TK_MESSAGE_INFO',
  WARNING: 'TK_MESSAGE_WARNING',
  ERROR: 'TK_MESSAGE_ERROR',
  EXIT_USAGE: 'TK_EXIT_USAGE',
  AUTO: 'TK_PLAN_AUTO',
};

/** The declarations as Python sees them. @returns {{ structs: Record<string, { size: number, fields: { name: string, offset: number, size: number, sort: string }[] }>, numbers: Record<string, number> }} */
const described = () =>
  JSON.parse(
    python(`
import ctypes, json
from tonkopf import _library as c
def sort(t):
    if t is ctypes.c_bool: return "bool"
    if issubclass(t, (ctypes.Array, ctypes.Structure)): return ""
    if t in (ctypes.c_char_p, ctypes.c_void_p) or hasattr(t, "contents") or issubclass(t, ctypes._CFuncPtr): return "pointer"
    return "negative" if t(-1).value < 0 else "positive"
structs = {name: {"size": ctypes.sizeof(s), "fields": [{"name": n, "offset": getattr(s, n).offset, "size": getattr(s, n).size, "sort": sort(t)} for n, t in s._fields_]}
           for name, s in vars(c).items() if isinstance(s, type) and issubclass(s, ctypes.Structure) and s is not ctypes.Structure}
print(json.dumps({"structs": structs, "numbers": {name: value for name, value in vars(c).items() if name.isupper() and isinstance(value, int)}}))`),
  );

/** Compiles assertions of these declarations in C. @param {ReturnType<typeof described>} told */
function assertionsOf({ structs, numbers }) {
  const lines = [
    '#include <stddef.h>',
    '#include "tonkopf.h"',
    '#define SORT(x) _Generic((x), bool: 1, int32_t: 2, uint8_t: 3, uint32_t: 3, uint64_t: 3, default: 4)',
  ];
  const is = (/** @type {string} */ what, /** @type {string | number} */ value) =>
    lines.push(`_Static_assert(${what} == ${value}, "${what.replaceAll('"', '')}");`);
  for (const [name, { size, fields }] of Object.entries(structs)) {
    const { type } = STRUCTS[name] ?? { type: `struct unknown_${name}` };
    is(`sizeof(${type})`, size);
    for (const field of fields) {
      const member = `((${type} *)0)->${field.name}`;
      is(`offsetof(${type}, ${field.name})`, field.offset);
      is(`sizeof(${member})`, field.size);
      if (field.sort === 'bool') is(`SORT(${member})`, 1);
      if (field.sort === 'pointer') is(`SORT(${member})`, 4);
    }
  }
  for (const [name, value] of Object.entries(numbers)) is(NUMBERS[name] ?? `unknown_${name}`, value);
  return lines.join('\n');
}

/** @param {ReturnType<typeof described>} told */
const compiles = (told) =>
  spawnSync('cc', ['-std=gnu11', '-fsyntax-only', '-I', join(ROOT, 'core'), '-xc', '-'], {
    input: assertionsOf(told),
    encoding: 'utf8',
  });

describe('the declarations of tonkopf.h in Python', () => {
  test('equal those of C', () => {
    const told = described();
    expect(Object.keys(told.structs).sort()).toEqual(Object.keys(STRUCTS).sort());
    expect(Object.keys(told.numbers).sort()).toEqual(Object.keys(NUMBERS).sort());
    for (const [name, { fields }] of Object.entries(told.structs)) expect(fields.length, name).toBeGreaterThan(1);
    expect(compiles(told).stderr).toBe('');
  });

  test('a difference is detected', () => {
    const told = described();
    const changes = [
      ...Object.keys(told.structs).flatMap((name) => ['offset', 'size', 'sort', 'whole'].map((what) => [name, what])),
      ...Object.keys(told.numbers).map((name) => [name, 'number']),
    ];
    for (const [name, what] of changes) {
      const wrong = structuredClone(told),
        struct = wrong.structs[name],
        last = struct?.fields.at(-1);
      if (what === 'number') wrong.numbers[name]++;
      else if (what === 'whole') struct.size += 8;
      else if (what === 'sort') Object.assign(struct.fields[0], { sort: 'bool' });
      else Object.assign(last ?? {}, { [what]: Number(last?.[/** @type {'size'} */ (what)]) + 4 });
      expect(compiles(wrong).status, `${name}, ${what}`).not.toBe(0);
    }
  });
});

// ---- Inputs --------------------------------------------------------------------------------------------------------------

test('file objects that return bytes, bytearray or memoryview, each time in the same buffer', () => {
  python(`
import io, tonkopf
expected = tonkopf.convert("run.bin").trace
class File:
    def __init__(self, name, kind, size):
        self.data, self.kind, self.size, self.buffer = io.BytesIO(open(name, "rb").read()), kind, size, bytearray(1 << 20)
    def read(self, size):
        count = self.data.readinto(memoryview(self.buffer)[:min(size, self.size)])
        if self.kind is bytearray and count == len(self.buffer): return self.buffer
        return self.kind(memoryview(self.buffer)[:count])
for name in ("run.bin", "run.gz", "run.hex"):
    for kind in (bytes, bytearray, memoryview):
        for size in (1000, 1 << 20): assert tonkopf.convert(File(name, kind, size)).trace == expected, (name, kind, size)
for words in (str, list):
    try: tonkopf.convert(File("run.bin", lambda view: words("some"), 1000))
    except TypeError as error: assert "read as bytes" in str(error) and words.__name__ in str(error)
    else: raise AssertionError("no error")
`);
});

test('a time range that ends before it begins, an option of another format', () => {
  python(`
import tonkopf
for options in ({"from-ns": 2, "to-ns": 1}, {"to-ns": 1, "from-ns": 2}, {"from-ns": 9007199254740993, "to-ns": "9007199254740992"}):
    try: tonkopf.convert("run.bin", options=options)
    except tonkopf.Error as error: assert error.status == "MISUSE" and str(error) == "from-ns is after to-ns", error
    else: raise AssertionError("no error")
tonkopf.convert("run.bin", options={"from-ns": 9007199254740992, "to-ns": 9007199254740993})
def unused(name, **options): return [message.text.split(" is not used")[0] for message in tonkopf.report(name, options=options).messages]
assert unused("run.bin", **{"rate-hz": 1000000, "log": "on", "mode": "free-rtos"}) == ["the option rate-hz=1000000", "the option log=on"]
assert unused("lift.bin", **{"rate-hz": 1000000}) == []
`);
});
