# SPDX-License-Identifier: MIT
"""The C library: the functions of tonkopf.h as they are, and nothing more."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p, string_at
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable

OK, NO_MEMORY, SINK_REFUSED, MISUSE, UNKNOWN_FORMAT, OTHER_SCHEMA = range(6)
PROBE_LEN = 256 * 1024
ANY_INPUT, NO_INPUT = -1, -2
RECORDING, NAMES, SYMBOLS, TIMES, NOBODY = range(5)
AS_FOUND = -1
NO_GROUP = 0xFFFFFFFF
BINARY = 0  # of the encodings of a text


class Error(Exception):
    """Nothing could be read or written. `status` is the name of the status in tonkopf.h."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status


WriteBytes = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
BeginBlock = CFUNCTYPE(c_bool, c_void_p, c_uint32, c_int32, c_void_p, c_size_t)
BlockBytes = CFUNCTYPE(c_bool, c_void_p, c_uint32, c_void_p, c_size_t)


class Sink(Structure):
    _fields_ = [("ctx", c_void_p), ("write", WriteBytes), ("rewrite_head", WriteBytes)]


class InputInfo(Structure):
    _fields_ = [("name", c_char_p), ("role", c_int), ("core", c_int32)]


class FormatInfo(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("pieces", c_char_p), ("options", c_void_p), ("option_count", c_size_t), ("takes_symbols", c_bool),
                ("is_outlined", c_bool), ("has_vendor_dump", c_bool), ("takes_times", c_bool), ("joins_cores", c_bool), ("is_text", c_bool)]


class ProbeTask(Structure):
    _fields_ = [("id", c_uint32), ("name_hash", c_uint32), ("named", c_uint8), ("created", c_uint8), ("runs", c_uint8)]


class Probe(Structure):
    _fields_ = [("format", c_char_p), ("confidence", c_uint32), ("content", c_int), ("mode", c_char * 24), ("reason", c_char * 160), ("looked", c_uint64),
                ("is_dump", c_bool), ("begin", c_uint64), ("padding", c_bool), ("frames", c_uint64), ("valid", c_uint64), ("text_bytes", c_uint64),
                ("names_tick", c_bool), ("tick_ns", c_uint64), ("has_events", c_bool), ("first_ticks", c_uint64), ("last_ticks", c_uint64),
                ("file_per_core", c_bool), ("header", c_int), ("cores_mask", c_uint32), ("tasks", ProbeTask * 64), ("task_count", c_uint32),
                ("idle_core_mask", c_uint32)]


class PlanInput(Structure):
    _fields_ = [("name", c_char_p), ("probe", POINTER(Probe)), ("container", c_uint32), ("found_core", c_int32), ("role", c_int32), ("core", c_int32),
                ("belongs_to", c_int32), ("format", c_char_p), ("out_role", c_int), ("out_format", c_char_p), ("out_group", c_uint32),
                ("out_core", c_int32), ("out_order", c_uint32), ("out_reason", c_char * 256)]


class EncodingProbe(Structure):
    _fields_ = [("kind", c_int), ("reason", c_char * 160)]


class EncodingSink(Structure):
    _fields_ = [("ctx", c_void_p), ("begin", BeginBlock), ("data", BlockBytes)]


class EncodingResult(Structure):
    _fields_ = [("blocks", c_uint32), ("bytes", c_uint64), ("ignored", c_uint64), ("bad", c_uint64), ("bad_line", c_uint64),
                ("bad_column", c_uint64), ("bad_text", c_char * 160), ("mode", c_char * 24)]


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
    "tk_format_reads_text": (c_bool, [_bytes, c_size_t]),
    "tk_probe": (None, [_bytes, c_size_t, _bytes, c_size_t, POINTER(Probe)]),
    "tk_probe_continue": (c_bool, [_bytes, c_size_t, POINTER(Probe)]),
    "tk_probe_can_continue": (c_bool, [POINTER(Probe)]),
    "tk_plan": (None, [POINTER(PlanInput), c_size_t]),
    "tk_encoding_probe": (None, [_bytes, c_size_t, POINTER(EncodingProbe)]),
    "tk_encoding_new": (c_int, [c_void_p, c_int, POINTER(EncodingSink), POINTER(_handle)]),
    "tk_encoding_feed": (c_int, [_handle, _bytes, c_size_t]),
    "tk_encoding_finish": (c_int, [_handle, POINTER(EncodingResult)]),
    "tk_encoding_free": (None, [_handle]),
    "tk_new": (c_int, [c_void_p, POINTER(_handle)]),
    "tk_set_option": (c_int, [_handle, _text, _text]),
    "tk_set_sink": (c_int, [_handle, POINTER(Sink)]),
    "tk_add_input": (c_int, [_handle, POINTER(InputInfo), POINTER(c_uint32)]),
    "tk_begin_input_at": (c_int, [_handle, c_uint32, c_uint64]),
    "tk_wanted_input": (c_int32, [_handle]),
    "tk_feed": (c_int, [_handle, c_uint32, _bytes, c_size_t, POINTER(c_size_t)]),
    "tk_end_input": (c_int, [_handle, c_uint32]),
    "tk_finish": (c_int, [_handle]),
    "tk_error_text": (c_char_p, [_handle]),
    "tk_report_json": (c_int, [_handle, WriteBytes, c_void_p]),
    "tk_schema_json": (c_int, [WriteBytes, c_void_p]),
    "tk_free": (None, [_handle]),
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
    """C cannot carry an exception: it is kept for the caller, and the library hears a refusal."""

    def call(*arguments: object) -> bool:
        try:
            function(*arguments)
            return True
        except BaseException as failure:
            failures.append(failure)
            return False

    return call


def version() -> str:
    return lib.tk_version().decode()


def formats() -> list[str]:
    """Names of the formats, for the option `format`."""
    return [lib.tk_format_at(i).contents.name.decode() for i in range(lib.tk_format_count())]


@lru_cache(maxsize=1)
def _schema_json() -> bytes:
    parts: list[bytes] = []
    failures: list[BaseException] = []
    write = WriteBytes(guarded(lambda _ctx, at, length: parts.append(string_at(at, length)), failures))
    status = lib.tk_schema_json(write, None)
    if failures:
        raise failures[0]
    check(status)
    return b"".join(parts)


def schema() -> dict[str, Any]:
    """Titles, kinds, units and roles of all tables and columns that reports can have: docs/REPORT.md as a dict."""
    return json.loads(_schema_json())
