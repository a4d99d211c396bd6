# SPDX-License-Identifier: MIT
"""Loads the C library, and declares its functions and structs as in tonkopf.h."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p, string_at
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple, Sequence

OK, NO_MEMORY, SINK_REFUSED, MISUSE, UNKNOWN_FORMAT, OTHER_SCHEMA = range(6)
READ, KEEP, PLAN, OPEN, WRITE, REWRITE, CLOSE, DISCARD, PROGRESS, MESSAGE, DONE = range(11)  # requests of a conversion
DETAIL, INFO, WARNING, ERROR = range(4)  # severities of messages
EXIT_USAGE = 2
AUTO = -1  # no override by the user


class Message(NamedTuple):
    """A message for the user, as the command line prints it. severity: "info", "warning" or "error"."""

    severity: str
    text: str


class Error(Exception):
    """A conversion failed without a result. status: name of the tk_status in tonkopf.h, without TK_.

    exit_code, messages: as in Result; exit_code 0: the conversion did not begin.
    """

    def __init__(self, status: str, text: str, exit_code: int = 0, messages: Sequence[Message] = ()) -> None:
        super().__init__(text)
        self.status = status
        self.exit_code = exit_code
        self.messages = list(messages)


WriteBytes = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)


class FormatInfo(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("pieces", c_char_p), ("options", c_void_p), ("option_count", c_size_t), ("takes_symbols", c_bool),
                ("is_outlined", c_bool), ("has_vendor_dump", c_bool), ("takes_times", c_bool), ("joins_cores", c_bool), ("is_text", c_bool)]


class SourceInfo(Structure):
    _fields_ = [("name", c_char_p), ("size", c_uint64), ("is_seekable", c_bool), ("is_live", c_bool), ("is_side", c_bool), ("encoding", c_int32),
                ("role", c_int32), ("core", c_int32)]


class Request(Structure):
    _fields_ = [("kind", c_int), ("source", c_uint32), ("output", c_uint32), ("is_look", c_bool), ("severity", c_int), ("offset", c_uint64),
                ("len", c_size_t), ("bytes", c_void_p), ("text", c_char_p)]


def _load() -> ctypes.CDLL:
    name = {"win32": "tonkopf.dll", "darwin": "libtonkopf.dylib"}.get(sys.platform, "libtonkopf.so")
    return ctypes.CDLL(os.environ.get("TONKOPF_LIBRARY") or str(Path(__file__).parent / "_native" / name))


_handle, _text, _bytes = c_void_p, c_char_p, c_char_p
_SIGNATURES = {
    "tk_libc_allocator": (c_void_p, []),
    "tk_status_text": (c_char_p, [c_int]),
    "tk_version": (c_char_p, []),
    "tk_format_count": (c_size_t, []),
    "tk_format_at": (POINTER(FormatInfo), [c_size_t]),
    "tk_conversion_new": (c_int, [c_void_p, POINTER(_handle)]),
    "tk_conversion_add_source": (c_int, [_handle, POINTER(SourceInfo), POINTER(c_uint32)]),
    "tk_conversion_set": (c_int, [_handle, _text, _text]),
    "tk_conversion_set_option": (c_int, [_handle, _text, _text]),
    "tk_conversion_error": (c_char_p, [_handle]),
    "tk_conversion_next": (POINTER(Request), [_handle]),
    "tk_conversion_answer": (None, [_handle, _bytes, c_size_t, c_uint64]),
    "tk_conversion_keep": (None, [_handle]),
    "tk_conversion_open": (None, [_handle, c_bool]),
    "tk_conversion_fail": (None, [_handle, _text]),
    "tk_conversion_recording_count": (c_uint32, [_handle]),
    "tk_conversion_handle": (_handle, [_handle]),
    "tk_conversion_exit_code": (c_int, [_handle]),
    "tk_conversion_free": (None, [_handle]),
    "tk_report_json": (c_int, [_handle, WriteBytes, c_void_p]),
    "tk_conversion_report": (c_int, [_handle, POINTER(_handle)]),
    "tk_report_free": (None, [_handle]),
    "tk_report_read": (c_int, [_bytes, c_size_t, c_void_p, POINTER(_handle)]),
    "tk_report_compare": (c_int, [_handle, _handle, c_void_p, POINTER(_handle)]),
    "tk_report_write": (c_int, [_handle, c_int, _text, WriteBytes, c_void_p]),
    "tk_check_new": (c_int, [c_void_p, _text, _bytes, c_size_t, POINTER(_handle)]),
    "tk_check_set_baseline": (c_int, [_handle, _text, _bytes, c_size_t]),
    "tk_check_is_wrong": (c_bool, [_handle]),
    "tk_check_judge": (c_int, [_handle, _handle, _text]),
    "tk_check_note_unread": (c_int, [_handle, _text, _text]),
    "tk_check_write": (c_int, [_handle, c_int, WriteBytes, c_void_p]),
    "tk_check_free": (None, [_handle]),
    "tk_schema_json": (c_int, [WriteBytes, c_void_p]),
}

lib = _load()
for _name, (_result, _arguments) in _SIGNATURES.items():
    _function = getattr(lib, _name)
    _function.restype, _function.argtypes = _result, _arguments

_STATUS = {NO_MEMORY: "NO_MEMORY", SINK_REFUSED: "SINK_REFUSED", MISUSE: "MISUSE", UNKNOWN_FORMAT: "UNKNOWN_FORMAT",
           OTHER_SCHEMA: "OTHER_SCHEMA"}


def check(status: int, text: bytes | None = None) -> None:
    if status != OK:
        words = text or lib.tk_status_text(status)
        raise Error(_STATUS.get(status, str(status)), words.decode("utf-8", "replace"))


def guarded(function: Callable[..., object], failures: list[BaseException]) -> Callable[..., bool]:
    """Returns a wrapper of a callback of C. Exceptions cannot pass through C, so the wrapper appends them to `failures` and returns False."""

    def call(*arguments: object) -> bool:
        try:
            function(*arguments)
            return True
        except BaseException as failure:
            failures.append(failure)
            return False

    return call


def json_bytes(report: str | bytes | Mapping[str, Any]) -> bytes:
    """Returns the JSON of a report."""
    text = report if isinstance(report, (str, bytes)) else json.dumps(report)
    return text.encode() if isinstance(text, str) else text


def version() -> str:
    return lib.tk_version().decode()


def formats() -> list[str]:
    """Returns the names of the formats, for the option `format`."""
    return [lib.tk_format_at(i).contents.name.decode() for i in range(lib.tk_format_count())]


def written(function: Callable[..., int], *arguments: object) -> bytes:
    """Calls a function whose last two arguments are a callback and its ctx. Returns the bytes that it writes."""
    parts: list[bytes] = []
    failures: list[BaseException] = []
    write = WriteBytes(guarded(lambda _ctx, at, length: parts.append(string_at(at, length)), failures))
    status = function(*arguments, write, None)
    if failures:
        raise failures[0]
    check(status)
    return b"".join(parts)


@lru_cache(maxsize=1)
def _schema_json() -> bytes:
    return written(lib.tk_schema_json)


def schema() -> dict[str, Any]:
    """Returns titles, kinds, units and roles of all tables and columns that reports can contain, as a dict."""
    return json.loads(_schema_json())
