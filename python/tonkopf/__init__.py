# SPDX-License-Identifier: MIT
"""Converts trace recordings of microcontrollers to Perfetto traces and reports."""

from ._convert import Result, convert, convert_all, report
from ._library import Error, Message, formats, schema, version

__all__ = ["Error", "Message", "Result", "convert", "convert_all", "formats", "report", "schema", "version"]
__version__ = version()
