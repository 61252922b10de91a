#!/bin/sh
# Audits a site in CI: audit.sh URL POLICY [OPTION...]. URL is the start of a crawl; the options go to `cachecheck audit`, for example
# --max-urls 50. SERVE is a command that starts the site first, and is ended at the end. CACHECHECK is the program, BASELINE a file of
# accepted findings; reports go to build/audit: a page for each URL, and XML and SARIF for the CI service.
set -eu
url=$1 policy=$2
shift 2
reports=build/audit
mkdir -p "$reports"
if [ -n "${SERVE:-}" ]; then
    sh -c "exec $SERVE" >"$reports/server.log" 2>&1 &
    server=$!
    trap 'kill $server 2>/dev/null || true' EXIT
    # At most 30 s; what is wrong then is in the audit's report.
    for _ in $(seq 60); do
        if curl -s -o "$reports/first" "$url"; then break; fi
        sleep 0.5
    done
fi
set -- audit --crawl "$url" --policy "$policy" --per-second 0 --report text --report "html=$reports/pages/" \
    --report "junit=$reports/audit.xml" --report "sarif=$reports/audit.sarif" "$@"
if [ -n "${BASELINE:-}" ]; then set -- "$@" --baseline "$BASELINE"; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    set -- "$@" --report "markdown=$GITHUB_STEP_SUMMARY" --report github
fi
status=0
"${CACHECHECK:-cachecheck}" "$@" || status=$?
exit "$status"
