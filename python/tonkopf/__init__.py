# SPDX-License-Identifier: MIT
"""Converts trace recordings of microcontrollers to Perfetto traces and reports."""

from ._check import CheckResult, Verdict, check
from ._compare import compare
from ._convert import Result, convert, convert_all, report
from ._library import Error, Message, formats, schema, version

__all__ = ["CheckResult", "Error", "Message", "Result", "Verdict", "check", "compare", "convert", "convert_all", "formats", "report", "schema", "version"]
__version__ = version()
