#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Converts RECORDINGS (one per line) into the folder OUT, writes OUT/report.md and adds it to the job's summary. The report of each
# recording lists the result of every rule of FAIL_ON and EXPECT. With a file RULES, judges the recordings by it, with the report BASELINE
# if there is one: annotates its lines, and writes OUT/rules.md (first in the summary), OUT/rules.xml and OUT/rules.sarif. Exit codes of
# `tonkopf conv` and `tonkopf check`, the larger one: 1 when a rule of FAIL_ON (comma-separated), EXPECT (one per line) or RULES does not
# hold, 2 when a rule is wrong, 3 when an input could not be read.
set -euo pipefail

lines() { while IFS= read -r line || [ -n "$line" ]; do [ -z "$line" ] || printf '%s\0' "$line"; done <<< "$1"; }

judged=() recordings=()
[ -z "${FAIL_ON:-}" ] || judged+=(--fail-on "$FAIL_ON")
while IFS= read -r -d '' one; do judged+=(--expect "$one"); done < <(lines "${EXPECT:-}")
while IFS= read -r -d '' one; do recordings+=("$one"); done < <(lines "${RECORDINGS:?which recordings?}")
read -r -d '' -a options <<< "${OPTIONS:-}" || true # all lines of the variable
out="${OUT:-tonkopf}"

shared=() # options of all commands: without those that only affect traces
asked=()  # rules among the options, which `tonkopf check` has in its file
for ((i = 0; i < ${#options[@]}; i++)); do
  case "${options[i]}" in
    -z | --gzip | --raw-events | --wall-clock-ns=*) ;;
    --wall-clock-ns) i=$((i + 1)) ;;
    --expect=* | --fail-on=*) asked+=("${options[i]}") ;;
    --expect | --fail-on)
      asked+=("${options[@]:i:2}")
      i=$((i + 1))
      ;;
    *) shared+=("${options[i]}") ;;
  esac
done

status=0
tonkopf conv ${options[@]+"${options[@]}"} ${judged[@]+"${judged[@]}"} -o "$out/" "${recordings[@]}" || status=$?
mkdir -p "$out"
tonkopf info ${shared[@]+"${shared[@]}"} ${asked[@]+"${asked[@]}"} ${judged[@]+"${judged[@]}"} --markdown "${recordings[@]}" > "$out/report.md" 2> /dev/null || true
reports=("$out/report.md")
if [ -n "${RULES:-}" ]; then
  checked=0 baseline=()
  rm -f "$out/rules.md"
  [ -z "${BASELINE:-}" ] || baseline=(--baseline "$BASELINE")
  tonkopf check ${shared[@]+"${shared[@]}"} --github --markdown -o "$out/rules.md" --junit "$out/rules.xml" --sarif "$out/rules.sarif" \
    ${baseline[@]+"${baseline[@]}"} "$RULES" "${recordings[@]}" || checked=$?
  [ "$checked" -le "$status" ] || status=$checked
  if [ -e "$out/rules.md" ]; then reports=("$out/rules.md" "$out/report.md"); fi
fi
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "${reports[@]}" >> "$GITHUB_STEP_SUMMARY"
exit "$status"
