# SPDX-License-Identifier: MIT
"""Builds the library and the program with CMake for a wheel, unless scripts/build_wheels.mjs has put them into tonkopf/_native.

The sources are those of the repository around this folder, or those in the folder `source` of a source package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NEEDS = "CMake 3.21 or newer, a C compiler and the headers of zlib (Debian: apt-get install cmake gcc libc6-dev zlib1g-dev)"


class NativeBuild(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if (root / "tonkopf" / "_native").exists():
            return
        source = next((folder for folder in (root / "source", root.parent) if (folder / "core" / "tonkopf.h").exists()), None)
        if source is None:
            raise RuntimeError("the sources of the C library are missing: build from the repository or from the source package of a release")
        self.work = tempfile.mkdtemp(prefix="tonkopf-")
        for path in self.build(source, Path(self.work)):
            build_data["force_include"][str(path)] = f"tonkopf/_native/{path.name}"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")

    def build(self, source: Path, work: Path) -> list[Path]:
        """Returns the paths of the library and the program."""
        schema = source / "generated"  # a source package contains what nanopb's generator makes
        settings = [f"-DTK_SCHEMA_DIR={schema}"] if schema.exists() else []
        self.run("cmake", "-S", source, "-B", work, "-DTK_TESTS=OFF", "-DTK_SERVE=OFF", *settings)
        self.run("cmake", "--build", work, "--config", "Release", "--parallel", os.cpu_count() or 1, "--target", "tonkopf-cli", "tonkopf_shared")
        library = {"win32": "tonkopf.dll", "darwin": "libtonkopf.dylib"}.get(sys.platform, "libtonkopf.so")
        program = "tonkopf.exe" if sys.platform == "win32" else "tonkopf"
        return [next(path for path in work.rglob(name) if path.is_file()) for name in (library, program)]

    def run(self, *words: object) -> None:
        try:
            result = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        except FileNotFoundError:
            raise RuntimeError(f"{words[0]} was not found. Tonkopf is built with {NEEDS}") from None
        if result.returncode != 0:
            raise RuntimeError(f"{result.stdout[-4000:]}\nThe build of Tonkopf failed. It needs {NEEDS}")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "work"):
            shutil.rmtree(self.work, ignore_errors=True)
