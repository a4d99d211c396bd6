#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# For systems without source packages: downloads the third-party sources of the core from their releases, verifies their checksums and
# unpacks them where CMake looks for them.
set -euo pipefail
cd "$(dirname "$0")/../build" 2> /dev/null || { mkdir -p "$(dirname "$0")/../build" && cd "$(dirname "$0")/../build"; }

fetch() { # NAME URL SHA256
  mkdir -p "cache/$1"
  curl --fail --silent --show-error --location --output "$1.tar.gz" "$2"
  echo "$3  $1.tar.gz" | shasum -a 256 -c - > /dev/null
  tar -xzf "$1.tar.gz" -C "cache/$1" --strip-components=1
  rm "$1.tar.gz"
}

fetch nanopb https://github.com/nanopb/nanopb/archive/refs/tags/0.4.8.tar.gz 3f78bf63722a810edb6da5ab5f0e76c7db13a961c2aad4ab49296e3095d0d830
fetch zlib https://github.com/madler/zlib/releases/download/v1.2.13/zlib-1.2.13.tar.gz b3a24de97a8fdbc835b9833169501030b8977031bcb54b3b3ac13740f846ab30
