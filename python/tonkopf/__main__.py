# SPDX-License-Identifier: MIT
"""Starts the command line program that the wheel contains."""

import os
import subprocess
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).parent / "_native" / ("tonkopf.exe" if os.name == "nt" else "tonkopf")
    if os.name == "nt":  # Windows cannot replace the program of a running process
        sys.exit(subprocess.run([program, *sys.argv[1:]]).returncode)
    os.execv(program, ["tonkopf", *sys.argv[1:]])


if __name__ == "__main__":
    main()
