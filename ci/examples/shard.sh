#!/bin/sh
# Runs one shard of the scenarios in CI: shard.sh I N [OPTION...]. The options go to `cachecheck run`, for example --origin-port 8001.
# CACHECHECK is the program, SUBJECT the cache under test, SCENARIOS the folder, BASELINE a file of expected failures; reports go to
# build/conformance.
set -eu
number=$1 count=$2
shift 2
reports=build/conformance
mkdir -p "$reports"
set -- run "${SCENARIOS:-scenarios}" --subject "${SUBJECT:-builtin}" --shard "$number/$count" --attach-wire \
    --report text --report "json=$reports/shard-$number.json" --report "junit=$reports/shard-$number.xml" "$@"
if [ -n "${BASELINE:-}" ]; then set -- "$@" --baseline "$BASELINE"; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    set -- "$@" --report "markdown=$GITHUB_STEP_SUMMARY" --report "github=$reports/shard-$number.annotations"
fi
status=0
"${CACHECHECK:-cachecheck}" "$@" || status=$?
# Annotations are read from the log.
if [ -f "$reports/shard-$number.annotations" ]; then cat "$reports/shard-$number.annotations"; fi
exit "$status"
