# SPDX-License-Identifier: MIT
"""Turns what a microcontroller recorded into a Perfetto trace, and its figures into tables."""

from ._convert import Result, convert, convert_all, report
from ._library import Error, Message, formats, schema, version

__all__ = ["Error", "Message", "Result", "convert", "convert_all", "formats", "report", "schema", "version"]
__version__ = version()
