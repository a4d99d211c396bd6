#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Converts RECORDINGS (one per line) into the folder OUT, writes OUT/report.md and adds it to the job's summary. The report of each
# recording lists the result of every rule of FAIL_ON and EXPECT. Exit codes of `tonkopf conv`: 1 when a rule of FAIL_ON (comma-separated)
# or EXPECT (one per line) is not met, 3 when an input could not be read.
set -euo pipefail

lines() { while IFS= read -r line || [ -n "$line" ]; do [ -z "$line" ] || printf '%s\0' "$line"; done <<< "$1"; }

judged=() recordings=()
[ -z "${FAIL_ON:-}" ] || judged+=(--fail-on "$FAIL_ON")
while IFS= read -r -d '' one; do judged+=(--expect "$one"); done < <(lines "${EXPECT:-}")
while IFS= read -r -d '' one; do recordings+=("$one"); done < <(lines "${RECORDINGS:?which recordings?}")
read -r -d '' -a options <<< "${OPTIONS:-}" || true # all lines of the variable
out="${OUT:-tonkopf}"

shared=() # without options that only affect traces
for ((i = 0; i < ${#options[@]}; i++)); do
  case "${options[i]}" in
    -z | --gzip | --raw-events | --wall-clock-ns=*) ;;
    --wall-clock-ns) i=$((i + 1)) ;;
    *) shared+=("${options[i]}") ;;
  esac
done

status=0
tonkopf conv ${options[@]+"${options[@]}"} ${judged[@]+"${judged[@]}"} -o "$out/" "${recordings[@]}" || status=$?
mkdir -p "$out"
tonkopf info ${shared[@]+"${shared[@]}"} ${judged[@]+"${judged[@]}"} --markdown "${recordings[@]}" > "$out/report.md" 2> /dev/null || true
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/report.md" >> "$GITHUB_STEP_SUMMARY"
exit "$status"
