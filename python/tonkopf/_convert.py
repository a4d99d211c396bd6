# SPDX-License-Identifier: MIT
"""Recordings -> trace and report."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_size_t, c_uint32, c_void_p, string_at
from typing import Any, BinaryIO, Mapping, Sequence, Union

from . import _library as c
from ._output import complete
from ._plan import Input, planned
from ._sources import Source

Sources = Union[Source, Sequence[Source]]


class Result:
    """What became of a recording. `report`: docs/REPORT.md as a dict. `trace`: its bytes, None when it went into a file or nobody wanted it."""

    def __init__(self, report: dict[str, Any], trace: bytes | None) -> None:
        self.report = report
        self.trace = trace

    def tables(self) -> list[str]:
        """Ids of the tables."""
        return [table["id"] for table in self.report["tables"]]

    def table(self, id: str) -> list[dict[str, Any]]:
        """Rows of a table; durations and times as int (ns), what was not measured as None."""
        table = next((table for table in self.report["tables"] if table["id"] == id), None)
        if table is None:
            raise KeyError(f"no table {id!r}; there are: {', '.join(self.tables())}")
        rows = self.report[id] if isinstance(self.report[id], list) else [self.report[id]]
        whole = {column["key"] for column in _described(table) if column["kind"] in ("duration", "time", "count")}
        return [{key: int(value) if key in whole and value is not None else value for key, value in row.items()} for row in rows]

    def pandas(self, id: str) -> Any:
        import pandas

        return pandas.DataFrame(self.table(id))

    def polars(self, id: str) -> Any:
        import polars

        return polars.DataFrame(self.table(id), infer_schema_length=None)


def convert(recordings: Sources, output: str | os.PathLike[str] | BinaryIO | None = None, *, names: Sources = (),
            options: Mapping[str, object] | None = None) -> Result:
    """Converts one recording, or several that are cores of one target.

    output: a path, which gets the trace when it is complete, or a writable binary file; None: the trace is in the result.
    names: files that help to read it: an earlier capture, a dictionary, an ELF file or linker map, times of reception.
    options: "format", "tick-ns", "from-ns" and so on, and those of `tonkopf conv --set`, with their keys.
    """
    if output is None:
        parts: list[bytes] = []
        report = _run(recordings, names, options, _Blocks(parts))
        return Result(report, b"".join(parts))
    if isinstance(output, (str, os.PathLike)):
        with complete(output, _list(recordings) + _list(names)) as file:
            return Result(_run(recordings, names, options, _File(file)), None)
    return Result(_run(recordings, names, options, _File(output)), None)


def report(recordings: Sources, *, names: Sources = (), options: Mapping[str, object] | None = None) -> Result:
    """The figures only."""
    return Result(_run(recordings, names, options, None), None)


def _described(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Descriptions of the columns of a table of a report."""
    known = next((one["columns"] for one in c.schema()["tables"] if one["id"] == table["id"]), [])
    by_key = {column["key"]: column for column in known}
    return [by_key[column] if isinstance(column, str) else column for column in table["columns"]]


class _Blocks:
    def __init__(self, parts: list[bytes]) -> None:
        self.parts = parts

    def write(self, _ctx: int, at: int, length: int) -> None:
        self.parts.append(string_at(at, length))

    def rewrite_head(self, _ctx: int, at: int, length: int) -> None:
        trace = b"".join(self.parts)
        self.parts[:] = [string_at(at, length), trace[length:]]


class _File:
    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.begin = file.tell() if file.seekable() else None

    def write(self, _ctx: int, at: int, length: int) -> None:
        self.file.write(string_at(at, length))

    def rewrite_head(self, _ctx: int, at: int, length: int) -> None:
        end = self.file.tell()
        self.file.seek(self.begin or 0)
        self.file.write(string_at(at, length))
        self.file.seek(end)


class _Conversion:
    def __init__(self) -> None:
        self.failures: list[BaseException] = []
        self.handle = c_void_p()
        self.inputs: list[Input] = []
        c.check(c.lib.tk_new(c.lib.tk_libc_allocator(), byref(self.handle)))

    def check(self, status: int) -> None:
        if self.failures:
            raise self.failures[0]
        c.check(status, c.lib.tk_error_text(self.handle) if status else None)

    def set_sink(self, to: _Blocks | _File) -> None:
        can_seek = not isinstance(to, _File) or to.begin is not None
        rewrite = c.WriteBytes(c.guarded(to.rewrite_head, self.failures)) if can_seek else c.WriteBytes()
        self.sink = c.Sink(None, c.WriteBytes(c.guarded(to.write, self.failures)), rewrite)
        self.check(c.lib.tk_set_sink(self.handle, byref(self.sink)))

    def set_options(self, options: Mapping[str, object]) -> None:
        for key, value in options.items():
            text = str(int(value) if isinstance(value, bool) else value)
            self.check(c.lib.tk_set_option(self.handle, key.encode(), text.encode()))

    def add(self, one: Input) -> None:
        info = c.InputInfo(one.name.encode("utf-8", "replace"), one.plan.out_role, one.plan.out_core if one.plan.out_role == c.RECORDING else -1)
        self.check(c.lib.tk_add_input(self.handle, byref(info), byref(c_uint32())))
        if one.probe.is_dump:
            self.check(c.lib.tk_begin_input_at(self.handle, len(self.inputs), one.probe.begin))
        self.inputs.append(one)

    def step(self, number: int) -> None:
        """Feeds what waits of an input, or its end."""
        one = self.inputs[number]
        if not one.refill():
            one.ended = True
            self.check(c.lib.tk_end_input(self.handle, number))
            return
        used = c_size_t()
        self.check(c.lib.tk_feed(self.handle, number, one.waiting, len(one.waiting), byref(used)))
        one.waiting = one.waiting[used.value:]

    def next_open(self) -> int:
        return next(number for number, one in enumerate(self.inputs) if not one.ended)

    def run(self) -> None:
        while (wanted := c.lib.tk_wanted_input(self.handle)) != c.NO_INPUT:
            self.step(self.next_open() if wanted == c.ANY_INPUT else wanted)
        self.check(c.lib.tk_finish(self.handle))

    def report(self) -> dict[str, Any]:
        parts: list[bytes] = []
        write = c.WriteBytes(c.guarded(lambda _ctx, at, length: parts.append(string_at(at, length)), self.failures))
        self.check(c.lib.tk_report_json(self.handle, write, None))
        return json.loads(b"".join(parts))

    def close(self) -> None:
        c.lib.tk_free(self.handle)


def _list(sources: Sources) -> list[Source]:
    return list(sources) if isinstance(sources, (list, tuple)) else [sources]


def _run(recordings: Sources, names: Sources, options: Mapping[str, object] | None, to: _Blocks | _File | None) -> dict[str, Any]:
    settings = dict(options or {})
    conversion = _Conversion()
    try:
        conversion.set_options(settings)
        if to is not None:
            conversion.set_sink(to)
        given = [Input(source, c.NAMES) for source in _list(names)] + [Input(source, c.AS_FOUND) for source in _list(recordings)]
        inputs = planned(given, str(settings["format"]) if "format" in settings else None)
        conversion.set_options({"format": inputs[-1].plan.out_format.decode()})
        for one in inputs:
            conversion.add(one)
        conversion.run()
        return conversion.report()
    finally:
        conversion.close()
