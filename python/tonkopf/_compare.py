# SPDX-License-Identifier: MIT
"""Compares two reports."""

from __future__ import annotations

import json
from ctypes import byref, c_void_p
from typing import Any, Mapping

from . import _library as c

_FORMS = ("json", "text", "markdown")


def compare(before: str | bytes | Mapping[str, Any], after: str | bytes | Mapping[str, Any], form: str | None = None) -> Any:
    """Judges what became worse and better from one report to another one, as `tonkopf compare` does. docs/COMPARE.md describes the result.

    before, after: a report as a dict (`Result.report`) or its JSON.
    form: "json", "text" or "markdown" returns a str. None: returns the JSON as a dict.
    """
    reports: list[c_void_p] = []
    try:
        for given in (before, after):
            data = c.json_bytes(given)
            reports.append(c_void_p())
            c.check(c.lib.tk_report_read(data, len(data), c.lib.tk_libc_allocator(), byref(reports[-1])))
        reports.append(c_void_p())
        c.check(c.lib.tk_report_compare(reports[0], reports[1], c.lib.tk_libc_allocator(), byref(reports[2])))
        text = c.written(c.lib.tk_report_write, reports[2], _FORMS.index(form or "json"), None).decode("utf-8", "replace")
        return text if form else json.loads(text)
    finally:
        for report in reports:
            c.lib.tk_report_free(report)
