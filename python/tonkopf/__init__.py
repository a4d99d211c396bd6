# SPDX-License-Identifier: MIT
"""Turns what a microcontroller recorded into a Perfetto trace, and its figures into tables."""

from ._convert import Result, convert, report
from ._library import Error, formats, schema, version

__all__ = ["Error", "Result", "convert", "formats", "report", "schema", "version"]
__version__ = version()
