# SPDX-License-Identifier: MIT
"""Reads the inputs that a caller may pass: paths, bytes and binary files."""

from __future__ import annotations

import io
import os
import stat
import tempfile
from contextlib import suppress
from typing import BinaryIO, Union

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]


def path_of(source: Source) -> str | bytes | None:
    """Returns the path of a source; None: it has no path."""
    path = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
    return os.fspath(path) if isinstance(path, (str, bytes, os.PathLike)) else None


def name_of(source: Source) -> str:
    return os.path.basename(os.fsdecode(path_of(source) or ""))


def is_file(source: Source, path: str) -> bool:
    """Returns True if a source is the file at `path`."""
    try:
        if isinstance(source, (str, os.PathLike)):
            return os.path.samefile(source, path)
        return not isinstance(source, (bytes, bytearray, memoryview)) and os.path.samefile(source.fileno(), path)
    except (AttributeError, OSError):  # the source is no file of the system, or `path` does not exist
        return False


class Input:
    """Reads the bytes of one source: at any offset if it can seek, else only once and in order, until its copy is complete."""

    def __init__(self, source: Source) -> None:
        self.name = name_of(source)
        self.path: str | bytes | None = None  # path of a regular file, which `read` opens for each call; None: another source
        self.copy: BinaryIO | None = None
        self.opened: BinaryIO | None = None
        self.begin, self.size, self.is_seekable = 0, 2**64 - 1, False
        if isinstance(source, (str, os.PathLike)):
            status = os.stat(source)
            if stat.S_ISREG(status.st_mode):
                self.path, self.size, self.is_seekable = os.fspath(source), status.st_size, True
            else:
                self.file = self.opened = open(source, "rb", buffering=0)
        elif isinstance(source, (bytes, bytearray, memoryview)) or hasattr(source, "read"):
            self.file = source if hasattr(source, "read") else io.BytesIO(source)
            with suppress(AttributeError, OSError, ValueError):
                if self.file.seekable():
                    self.begin = self.file.tell()
                    self.file.seek(0, os.SEEK_END)
                    self.size, self.is_seekable = max(self.file.tell() - self.begin, 0), True
        else:
            raise TypeError(f"a recording is a path, bytes or a binary file, not {type(source).__name__}")

    def read(self, offset: int, length: int) -> bytes:
        if self.path is not None:
            with open(self.path, "rb", buffering=0) as file:
                file.seek(offset)
                return file.read(length)
        if self.is_seekable:
            self.file.seek(self.begin + offset)
        data = self.file.read(length)
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"a recording is read as bytes, not as {type(data).__name__}: open it with mode \"rb\"")
        if len(data) > length:
            raise ValueError(f"read({length}) of a recording returned {len(data)} bytes")
        return bytes(data)

    def keep(self, data: bytes) -> None:
        """Appends data to a copy of the source. Empty data: the copy is complete, and later reads use it."""
        self.copy = self.copy or tempfile.TemporaryFile()
        self.copy.write(data)
        if not data:
            self.file, self.begin, self.size, self.is_seekable = self.copy, 0, self.copy.tell(), True

    def close(self) -> None:
        for file in (self.copy, self.opened):
            if file is not None:
                file.close()
