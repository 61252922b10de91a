#!/bin/sh
# Puts the shards of a conformance run together: one page, one JUnit file, one SARIF file. Ends as the whole run would.
set -eu
reports=build/conformance
exec "${CACHECHECK:-cachecheck}" merge "$reports"/shard-*.json --report text --report "html=$reports/conformance.html" \
    --report "junit=$reports/conformance.xml" --report "sarif=$reports/conformance.sarif"
