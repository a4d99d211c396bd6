# SPDX-License-Identifier: MIT
"""What a caller may give as a recording, as chunks of bytes: paths, bytes, files; gzip and text are undone on the way."""

from __future__ import annotations

import io
import os
import zlib
from ctypes import byref, c_void_p, string_at
from typing import BinaryIO, Iterator, Union

from . import _library as c

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]
_CHUNK = 1 << 20


def name_of(source: Source) -> str:
    if isinstance(source, (str, os.PathLike)):
        return os.path.basename(os.fspath(source))
    return os.path.basename(str(getattr(source, "name", "")))


def is_file(source: Source, path: str) -> bool:
    """Whether a path or an open file is the file of that path."""
    try:
        if isinstance(source, (str, os.PathLike)):
            return os.path.samefile(source, path)
        return not isinstance(source, (bytes, bytearray, memoryview)) and os.path.samefile(source.fileno(), path)
    except (AttributeError, OSError):  # what only looks like a file, or none of that name yet
        return False


def chunks(source: Source) -> Iterator[bytes]:
    return (part for part in _decoded(_inflated(_raw(source))) if part)


def _raw(source: Source) -> Iterator[bytes]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        yield from _read(io.BytesIO(source))
    elif isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield from _read(file)
    elif hasattr(source, "read"):
        yield from _read(source)
    else:
        raise TypeError(f"a recording is a path, bytes or a binary file, not {type(source).__name__}")


def _read(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        if not isinstance(chunk, (bytes, bytearray, memoryview)):
            raise TypeError(f"a recording is read as bytes, not as {type(chunk).__name__}: open it with mode \"rb\"")
        yield bytes(chunk)  # a copy: the file may use its buffer again


def _with_head(parts: Iterator[bytes], length: int) -> Iterator[bytes]:
    """The same bytes; the first chunk has at least `length` of them, if there are so many."""
    head = b""
    for part in parts:
        head += part
        if len(head) >= length:
            break
    yield head
    yield from parts


def _inflated(parts: Iterator[bytes]) -> Iterator[bytes]:
    parts = _with_head(parts, 2)
    head = next(parts)
    if head[:2] != b"\x1f\x8b":
        yield head
        yield from parts
        return
    inflater = zlib.decompressobj(31)
    for part in _chain(head, parts):
        while part:
            try:
                yield inflater.decompress(part, _CHUNK)
            except zlib.error:
                return  # what precedes the damage is a recording that ends there
            part = inflater.unconsumed_tail
            if inflater.eof:  # several members
                part, inflater = inflater.unused_data, zlib.decompressobj(31)
    yield inflater.flush()


def _chain(head: bytes, parts: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from parts


def _decoded(parts: Iterator[bytes]) -> Iterator[bytes]:
    parts = _with_head(parts, c.PROBE_LEN)
    head = next(parts)
    probe = c.EncodingProbe()
    c.lib.tk_encoding_probe(head, min(len(head), c.PROBE_LEN), byref(probe))
    if probe.kind == c.BINARY or c.lib.tk_format_reads_text(head, min(len(head), c.PROBE_LEN)):
        yield head
        yield from parts
    else:
        yield from _text(probe.kind, _chain(head, parts))


def _text(kind: int, parts: Iterator[bytes]) -> Iterator[bytes]:
    out: list[bytes] = []
    failures: list[BaseException] = []

    def begin(_ctx: int, block: int, _core: int, _title: int, _len: int) -> None:
        if block > 0:
            raise c.Error("MISUSE", "the text holds several recordings: convert it with the program tonkopf, or one by one")

    sink = c.EncodingSink(None, c.BeginBlock(c.guarded(begin, failures)),
                          c.BlockBytes(c.guarded(lambda _ctx, _block, at, length: out.append(string_at(at, length)), failures)))
    handle = c_void_p()
    c.check(c.lib.tk_encoding_new(c.lib.tk_libc_allocator(), kind, byref(sink), byref(handle)))
    try:
        for part in parts:
            _raise_first(failures, c.lib.tk_encoding_feed(handle, part, len(part)))
            yield b"".join(out)
            out.clear()
        _raise_first(failures, c.lib.tk_encoding_finish(handle, byref(c.EncodingResult())))
        yield b"".join(out)
    finally:
        c.lib.tk_encoding_free(handle)


def _raise_first(failures: list[BaseException], status: int) -> None:
    if failures:
        raise failures[0]
    c.check(status)
