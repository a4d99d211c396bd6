# SPDX-License-Identifier: MIT
"""Cases as JSON lines -> what the Python library answers, and the requests that it performed, as JSON lines."""

import io
import json
import os
import sys
import zlib
from ctypes import string_at
from hashlib import sha256

import tonkopf
from tonkopf import _library as c
from tonkopf import _sources

KINDS = ["read", "keep", "plan", "open", "write", "rewrite", "close", "discard", "progress", "message", "done"]
MOST_READ = 512 * 1024  # the limit of the WebAssembly module
lines = []
lib = c.lib


def summary(data):
    return f"{len(data)} {zlib.crc32(data):08x}"


def describe(handle, request):
    kind = KINDS[request.kind]
    if kind == "read":
        return f"read {request.source} {request.offset} {request.len}"
    if kind == "keep":
        return f"keep {request.source} of {summary(string_at(request.bytes, request.len))}"
    if kind in ("write", "rewrite"):
        return f"{kind} {summary(string_at(request.bytes, request.len))}"
    if kind == "message":
        return f"message {request.severity} {request.source} {request.text.decode('utf-8', 'replace')}"
    if kind in ("close", "done"):
        return f"{kind} {lib.tk_conversion_exit_code(handle)}"
    return kind


class Recorded:
    """The C library, seen from its host."""

    def __getattr__(self, name):
        return getattr(lib, name)

    def tk_conversion_next(self, handle):
        request = lib.tk_conversion_next(handle)
        line = describe(handle, request.contents)
        if line != "progress":
            lines.append(line)
        return request

    def tk_conversion_answer(self, handle, data, length, ns):
        lines[-1] += f": answer {summary(data[:length])}"
        lib.tk_conversion_answer(handle, data, length, ns)

    def tk_report_json(self, handle, write, context):
        parts = []
        collect = c.WriteBytes(c.guarded(lambda _ctx, at, length: parts.append(string_at(at, length)), []))
        assert lib.tk_report_json(handle, collect, None) == c.OK
        lines.append(f"report {summary(b''.join(parts))}")
        return lib.tk_report_json(handle, write, context)


c.lib = Recorded()
read = _sources.Input.read
_sources.Input.read = lambda self, offset, length: read(self, offset, min(length, MOST_READ))


class Once:
    """A file that cannot seek."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        with open(path, "rb") as file:
            self.data = io.BytesIO(file.read())

    def read(self, size):
        return self.data.read(size)


for case in map(json.loads, sys.stdin):
    lines.clear()
    inputs = [Once(path) if case["once"] else path for path in case["paths"]]
    try:
        traces = [
            f"{len(trace)} {sha256(trace).hexdigest()}"
            for trace in (result.trace for result in tonkopf.convert_all(inputs, **case["python"]))
        ]
    except tonkopf.Error:
        traces = []
    print(json.dumps({"lines": lines, "traces": traces}), flush=True)
