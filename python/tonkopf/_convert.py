# SPDX-License-Identifier: MIT
"""Converts recordings to traces and reports."""

from __future__ import annotations

import io
import json
import os
from contextlib import closing
from ctypes import byref, c_uint32, c_void_p, string_at
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Mapping, Sequence, Union

from . import _library as c
from ._output import complete
from ._sources import Input, Source, name_of, path_of

Sources = Union[Source, Sequence[Source]]


class Result:
    """Result of the conversion of one recording.

    report: the report as a dict, which docs/REPORT.md describes. trace: bytes of the trace; None: it was written to a file, or not made.
    exit_code: exit code of `tonkopf conv` (0: success, 1: `expect` or `fail_on` failed, 2: no such figure, 3: an input was read only in part).
    messages: infos, warnings and errors.
    """

    def __init__(self, report: dict[str, Any], trace: bytes | None) -> None:
        self.report = report
        self.trace = trace
        self.exit_code = 0
        self.messages: list[c.Message] = []

    def tables(self) -> list[str]:
        """Returns the ids of the tables of the report."""
        return [table["id"] for table in self.report["tables"]]

    def table(self, id: str) -> list[dict[str, Any]]:
        """Returns the rows of a table. Durations, times and counts are int; times are in `report["time_unit"]`. None: not measured."""
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
            options: Mapping[str, object] | None = None, cores: Sequence[int] = (), expect: Sequence[str] = (),
            fail_on: Sequence[str] = ()) -> Result:
    """Converts one recording, from one file or from several files of one target. Raises Error if the files are several recordings.

    output: a path, where a file appears when the trace is complete, or a writable binary file; None: the trace is in the result.
    names: files that help to decode the recording: an earlier capture, a dictionary, an ELF file or linker map, receive times.
    options: "format", "tick-ns", "from-ns" and other options of the conversion, and the keys of `tonkopf conv --set`. "from-ns" and "to-ns"
        are the first and last moment of the time range of trace and report, inclusive: nanoseconds as a number or text (0.7 is 700 ps).
        If the recording counts ticks or records of unknown length, pass a text with this unit ("700 ticks", "90 records").
    cores: number of the core of each file, if neither its name nor its content contains it.
    expect, fail_on: expectations and problems as in `tonkopf conv --expect` and `--fail-on`; `exit_code` and `messages` contain the verdict.
    """
    more = {"options": options, "cores": cores, "expect": expect, "fail_on": fail_on}
    if output is None:
        return _run(recordings, names, _Output, **more)[0]
    if isinstance(output, (str, os.PathLike)):
        with complete(output, _list(recordings) + _list(names)) as file:
            return _run(recordings, names, lambda: _Output(file), **more)[0]
    return _run(recordings, names, lambda: _Output(output), **more)[0]


def convert_all(recordings: Sources, *, names: Sources = (), options: Mapping[str, object] | None = None, cores: Sequence[int] = (),
                expect: Sequence[str] = (), fail_on: Sequence[str] = ()) -> list[Result]:
    """Converts every recording in the inputs. Files that belong together are one recording. Arguments: see convert.

    exit_code and messages are the same in each result, and cover all recordings.
    """
    return _run(recordings, names, _Output, is_one=False, options=options, cores=cores, expect=expect, fail_on=fail_on)


def report(recordings: Sources, *, names: Sources = (), options: Mapping[str, object] | None = None, cores: Sequence[int] = (),
           expect: Sequence[str] = (), fail_on: Sequence[str] = ()) -> Result:
    """Makes only the report of a recording. "from-ns" and "to-ns" choose its time range. Arguments: see convert."""
    return _run(recordings, names, None, options=options, cores=cores, expect=expect, fail_on=fail_on)[0]


def _described(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the descriptions of the columns of a table of a report."""
    known = next((one["columns"] for one in c.schema()["tables"] if one["id"] == table["id"]), [])
    by_key = {column["key"]: column for column in known}
    return [by_key[column] if isinstance(column, str) else column for column in table["columns"]]


class _Output:
    """The trace of one recording, in a file; file None: in memory."""

    def __init__(self, file: BinaryIO | None = None) -> None:
        self.is_memory = file is None
        self.file = io.BytesIO() if file is None else file
        self.can_rewrite = self.file.seekable()
        self.begin = self.file.tell() if self.can_rewrite else 0

    def rewrite_head(self, data: bytes) -> None:
        end = self.file.tell()
        self.file.seek(self.begin)
        self.file.write(data)
        self.file.seek(end)

    def trace(self) -> bytes | None:
        return self.file.getvalue() if self.is_memory else None


class _Conversion:
    """Host of a conversion of the C library: answers its requests for bytes of the sources, and collects its messages."""

    def __init__(self, recordings: Sources, names: Sources, cores: Sequence[int]) -> None:
        self.messages: list[c.Message] = []
        self.refusals: list[str] = []  # error messages, except those about sources that could not be read to their end
        self.failed: set[int] = set()  # sources that could not be read to their end
        sides, mains = _list(names), _list(recordings)
        if cores and len(cores) != len(mains):
            raise ValueError(f"{len(cores)} cores for {len(mains)} recordings")
        self.sources = sides + mains
        self.cores = [c.AUTO] * len(sides) + list(cores or [c.AUTO] * len(mains))
        self.side_count = len(sides)
        self.inputs: list[Input] = []
        self.handle = c_void_p()
        c.check(c.lib.tk_conversion_new(c.lib.tk_libc_allocator(), byref(self.handle)))

    def begin(self, options: Mapping[str, object] | None, settings: Iterable[tuple[str, str]]) -> None:
        """Sets options of the recordings and settings of the conversion, and opens the sources."""
        for key, value in (options or {}).items():
            self._check(c.lib.tk_conversion_set_option, key.encode(), os.fsencode(str(int(value) if isinstance(value, bool) else value)))
        for key, text in settings:
            self._check(c.lib.tk_conversion_set, key.encode(), os.fsencode(text))
        names = [name_of(source) for source in self.sources]
        for number, source in enumerate(self.sources):
            one = Input(source)
            self.inputs.append(one)
            name = path_of(source) if names.count(one.name) > 1 else None
            info = c.SourceInfo(os.fsencode(name or one.name), one.size, one.is_seekable, False, number < self.side_count, c.AUTO, c.AUTO,
                                self.cores[number])
            self._check(c.lib.tk_conversion_add_source, byref(info), byref(c_uint32()))

    def _check(self, function: Callable[..., int], *arguments: object) -> None:
        c.check(function(self.handle, *arguments), c.lib.tk_conversion_error(self.handle))

    def requests(self) -> Iterator[c.Request]:
        """Yields the requests that the caller answers: the plan and the outputs."""
        kind = c.READ
        while kind != c.DONE:
            request = c.lib.tk_conversion_next(self.handle).contents
            kind = request.kind
            if kind == c.READ:
                self._read(request)
            elif kind == c.KEEP:
                self.inputs[request.source].keep(string_at(request.bytes, request.len))
                c.lib.tk_conversion_keep(self.handle)
            elif kind == c.MESSAGE:
                self._note(request)
            else:
                yield request

    def _read(self, request: c.Request) -> None:
        try:
            data = self.inputs[request.source].read(request.offset, request.len)
        except OSError as failure:
            if request.is_look and not request.offset:  # the first read failed: the source cannot be read at all
                raise
            self.failed.add(request.source)
            c.lib.tk_conversion_fail(self.handle, os.fsencode(failure.strerror or str(failure)))
        else:
            c.lib.tk_conversion_answer(self.handle, data, len(data), 0)

    def _note(self, request: c.Request) -> None:
        if request.severity == c.DETAIL:
            return
        text = request.text.decode("utf-8", "replace")
        text = text[2:] if text.startswith(": ") else text  # the message begins with the name of its source, which may be empty
        self.messages.append(c.Message({c.INFO: "info", c.WARNING: "warning"}.get(request.severity, "error"), text))
        if request.severity == c.ERROR and request.source not in self.failed:
            self.refusals.append(text)

    def refuse(self, status: str) -> None:
        text = self.refusals[0] if self.refusals else self.messages[-1].text if self.messages else "no input is a recording"
        code = c.lib.tk_conversion_exit_code(self.handle)
        status = "NO_MEMORY" if text.endswith("out of memory") else "MISUSE" if code == c.EXIT_USAGE else status
        raise c.Error(status, text, code, self.messages)

    def report(self) -> dict[str, Any]:
        return json.loads(c.written(c.lib.tk_report_json, c.lib.tk_conversion_handle(self.handle)))

    def close(self) -> None:
        for one in self.inputs:
            one.close()
        c.lib.tk_conversion_free(self.handle)


def _list(sources: Sources) -> list[Source]:
    return list(sources) if isinstance(sources, (list, tuple)) else [sources]


def _run(recordings: Sources, names: Sources, open_sink: Callable[[], _Output] | None, *, is_one: bool = True,
         options: Mapping[str, object] | None, cores: Sequence[int], expect: Sequence[str], fail_on: Sequence[str]) -> list[Result]:
    """Converts the recordings. Returns a result for each. is_one: several recordings are an error. open_sink: makes the output of a trace; None: no trace."""
    settings = [("output", "trace" if open_sink else "report"), ("figures", "range")]
    settings += [("expect", text) for text in ([expect] if isinstance(expect, str) else expect)]
    settings += [("fail-on", word) for word in ([fail_on] if isinstance(fail_on, str) else fail_on)]
    with closing(_Conversion(recordings, names, cores)) as conversion:
        conversion.begin(options, settings)
        return _outputs(conversion, open_sink, is_one)


def _outputs(conversion: _Conversion, open_sink: Callable[[], _Output] | None, is_one: bool) -> list[Result]:
    results: list[Result] = []
    count, sink = 0, None
    for request in conversion.requests():
        if request.kind == c.PLAN:
            count = c.lib.tk_conversion_recording_count(conversion.handle)
            if is_one and count > 1:
                raise c.Error("MISUSE", f"these are {count} recordings: convert them one by one, use convert_all, or name the core of each with cores")
        elif request.kind == c.OPEN:
            if conversion.refusals and not results:
                conversion.refuse("UNKNOWN_FORMAT")
            sink = open_sink() if open_sink else None
            c.lib.tk_conversion_open(conversion.handle, sink is not None and sink.can_rewrite)
        elif request.kind in (c.WRITE, c.REWRITE) and sink is not None:
            (sink.file.write if request.kind == c.WRITE else sink.rewrite_head)(string_at(request.bytes, request.len))
        elif request.kind == c.CLOSE:
            results.append(Result(conversion.report(), sink.trace() if sink else None))
    if len(results) < max(count, 1) or any(text.endswith("out of memory") for text in conversion.refusals):
        conversion.refuse("MISUSE" if sink or count else "UNKNOWN_FORMAT")
    for result in results:
        result.exit_code = c.lib.tk_conversion_exit_code(conversion.handle)
        result.messages = conversion.messages
    return results
