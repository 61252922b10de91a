#!/bin/sh
# One part of a conformance run in CI: part.sh I N. CACHECHECK is the program, SUBJECT the cache under test, SCENARIOS the
# folder; reports go to build/conformance. What CI services run, so that it runs the same on a desk.
set -eu
number=$1 count=$2
reports=build/conformance
mkdir -p "$reports"
set -- run "${SCENARIOS:-scenarios}" --subject "${SUBJECT:-builtin}" --shard "$number/$count" --attach-wire \
    --report text --report "json=$reports/part-$number.json" --report "junit=$reports/part-$number.xml"
if [ -n "${BASELINE:-}" ]; then set -- "$@" --baseline "$BASELINE"; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    set -- "$@" --report "markdown=$GITHUB_STEP_SUMMARY" --report "github=$reports/part-$number.annotations"
fi
status=0
"${CACHECHECK:-cachecheck}" "$@" || status=$?
# Annotations are read from the log.
if [ -f "$reports/part-$number.annotations" ]; then cat "$reports/part-$number.annotations"; fi
exit "$status"
