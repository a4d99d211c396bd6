# SPDX-License-Identifier: MIT
"""Writes a trace to a path. A file appears there only when the trace is complete, so that a failure keeps the previous file."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from typing import BinaryIO, Iterable, Iterator

from ._library import Error
from ._sources import Source, is_file, name_of


@contextmanager
def complete(path: str | os.PathLike[str], inputs: Iterable[Source]) -> Iterator[BinaryIO]:
    """Opens a temporary file beside `path`, and renames it to `path` at the end. Opens a device or pipe directly. Raises Error if `path` is an input."""
    target = os.path.realpath(os.fspath(path))
    for source in inputs:
        if is_file(source, target):
            raise Error("MISUSE", f"{name_of(source)} is an input: the output has to be another file")
    if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
        with open(target, "wb") as file:
            yield file
        return
    if os.path.exists(target):
        open(target, "ab").close()  # fails if the file is read-only, even if its folder is writable
    part = f"{target}.{secrets.token_hex(4)}.part"
    try:
        with open(part, "xb") as file:
            yield file
        if os.path.exists(target):
            shutil.copymode(target, part)
        os.replace(part, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)
