# SPDX-License-Identifier: MIT
"""Judges recordings by a file of rules."""

from __future__ import annotations

import json
import os
from contextlib import closing
from ctypes import byref, c_void_p
from typing import Any, Mapping, NamedTuple, Sequence

from . import _library as c
from ._convert import Sources, _Conversion, _list
from ._sources import Source, name_of

_FORMS = ("text", "markdown", "junit", "sarif", "github", "json")


class Verdict(NamedTuple):
    """Verdict on a rule for one recording. verdict: "holds", "fails", "not measured", "wrong", or "not read" for an input.

    line, label, rule: of the file of rules. row, value, bound: the worst row and what it was compared with. count: number of measured occurrences.
    at: time of the value in the unit of the report; at_ns: in nanoseconds. None: unknown.
    """

    line: int | None
    label: str | None
    rule: str
    input: str | None
    verdict: str
    text: str | None
    row: str | None
    value: str | None
    bound: str | None
    count: int | None
    at: int | None
    at_ns: int | None


class CheckResult:
    """Verdicts on a file of rules. exit_code: as `tonkopf check`: 0 only if a recording was checked and all rules hold. messages: as in Result."""

    def __init__(self, forms: dict[str, str], messages: list[c.Message]) -> None:
        self._forms = forms
        self.messages = messages
        data = json.loads(forms["json"])
        self.exit_code: int = data["exit_code"]
        self.verdicts = [Verdict(**{key: int(value) if key in ("count", "at", "at_ns") and value is not None else value for key, value in one.items()})
                         for one in data["results"]]

    def __bool__(self) -> bool:
        """True only if exit_code is 0: `assert tonkopf.check(...)` fails if a rule does not hold or is not measured."""
        return self.exit_code == 0

    def write(self, form: str = "text") -> str:
        """Returns the verdicts as "text", "markdown", "junit", "sarif", "github" or "json", as `tonkopf check` writes them."""
        return self._forms[form]


class _Judged(_Conversion):
    """A conversion that notes each input that cannot be read."""

    def __init__(self, check: c_void_p, *inputs: Any) -> None:
        super().__init__(*inputs)
        self.check = check

    def _note(self, request: c.Request) -> None:
        super()._note(request)
        if request.severity == c.ERROR:
            name = name_of(self.sources[request.source]) if request.source < len(self.sources) else ""
            _note_unread(self.check, name, request.text)


def _note_unread(check: c_void_p, name: str, text: bytes) -> None:
    c.check(c.lib.tk_check_note_unread(check, os.fsencode(name), text))


def _readable(check: c_void_p, sources: list[Source], cores: Sequence[int]) -> tuple[list[Source], list[int]]:
    """Returns the sources that can be opened, and their cores; notes the others."""
    kept: list[Source] = []
    kept_cores: list[int] = []
    for number, source in enumerate(sources):
        if isinstance(source, (str, os.PathLike)):
            try:
                open(source, "rb").close()
            except OSError as failure:
                path = os.fsdecode(source)
                _note_unread(check, path, os.fsencode(f"{path}: {failure.strerror or failure}"))
                continue
        kept.append(source)
        kept_cores += [cores[number]] if number < len(cores) else []
    return kept, kept_cores


def _judge(check: c_void_p, rules: bytes, recordings: Sources, names: Sources, options: Mapping[str, object] | None, cores: Sequence[int]) -> list[c.Message]:
    kept, kept_cores = _readable(check, _list(recordings), cores)
    if not kept:
        return []
    with closing(_Judged(check, kept, names, kept_cores)) as conversion:
        conversion.begin(options, [("output", "report"), ("rules", os.fsdecode(rules))])
        for request in conversion.requests():
            if request.kind == c.OPEN:
                name = request.text
                c.lib.tk_conversion_open(conversion.handle, False)
            elif request.kind == c.CLOSE:
                report = c_void_p()
                c.check(c.lib.tk_conversion_report(conversion.handle, byref(report)))
                try:
                    c.check(c.lib.tk_check_judge(check, report, name))
                finally:
                    c.lib.tk_report_free(report)
        return conversion.messages


def check(rules: str | os.PathLike[str], recordings: Sources, *, baseline: str | bytes | Mapping[str, Any] | None = None, name: str | None = None,
          names: Sources = (), options: Mapping[str, object] | None = None, cores: Sequence[int] = ()) -> CheckResult:
    """Judges recordings by rules, as `tonkopf check` does. docs/CHECK.md describes the rules.

    rules: a path of a file, or with `name` the text of the rules; `name` is then the name of the file in the results.
    baseline: a report as a dict (`Result.report`) or its JSON. Other arguments: see convert.
    An input that cannot be read is a verdict "not read", not an exception.
    """
    if name is None:
        name = os.fspath(rules)
        with open(rules, "rb") as file:
            text = file.read()
    else:
        text = os.fspath(rules).encode()
    handle = c_void_p()
    messages: list[c.Message] = []
    c.check(c.lib.tk_check_new(c.lib.tk_libc_allocator(), os.fsencode(name), text, len(text), byref(handle)))
    try:
        if baseline is not None:
            data = c.json_bytes(baseline)
            c.check(c.lib.tk_check_set_baseline(handle, b"the baseline", data, len(data)))
        if not c.lib.tk_check_is_wrong(handle):
            messages = _judge(handle, text, recordings, names, options, cores)
        forms = {form: c.written(c.lib.tk_check_write, handle, number).decode("utf-8", "replace") for number, form in enumerate(_FORMS)}
        return CheckResult(forms, messages)
    finally:
        c.lib.tk_check_free(handle)
