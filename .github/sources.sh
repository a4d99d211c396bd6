#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where no distribution brings source packages: the sources that become part of the core, from their releases, checked by their sums, to
# where CMake looks for them.
set -euo pipefail
cd "$(dirname "$0")/../build" 2> /dev/null || { mkdir -p "$(dirname "$0")/../build" && cd "$(dirname "$0")/../build"; }

fetch() { # NAME URL SHA256
  mkdir -p "cache/$1"
  curl --fail --silent --show-error --location --output "$1.tar.gz" "$2"
  echo "$3  $1.tar.gz" | shasum -a 256 -c - > /dev/null
  tar -xzf "$1.tar.gz" -C "cache/$1" --strip-components=1
  rm "$1.tar.gz"
}

fetch nanopb https://github.com/nanopb/nanopb/archive/refs/tags/0.4.7.tar.gz e1d89b166367a3c42d42311bdc2ed57ff78f86aede9a66828516e45490d48c81
fetch abseil https://github.com/abseil/abseil-cpp/archive/refs/tags/20220623.1.tar.gz abfe2897f3a30edaa74bc34365afe3c2a3cd012091a97dc7e008f7016adcd5fe
