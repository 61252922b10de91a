# Prints lines of lists of mutants whose file no longer has the source that the mutant changes.
#
# ci/mutate, whose build takes minutes, also compares the replacement, and counts the same changes of a file exactly: not all
# occurrences of a source are mutants.

# The text of a file, or of a key, with each run of white space as one space.
function flat(text) { gsub(/[ \t\n]+/, " ", text); return text }

function source(path,   line, text) {
    if (path in sources) return sources[path]
    text = ""
    while ((getline line < path) > 0) if (line !~ /^ *\/\//) text = text line "\n"
    close(path)
    return sources[path] = flat(text)
}

# How often a source is in a text, not as a part of a longer number, name or version.
function occurrences(text, change,   start, at, before, after, count) {
    for (start = 1; at = index(substr(text, start), change); start += at + length(change) - 1) {
        before = substr(text, start + at - 3, 2)
        after = substr(text, start + at - 1 + length(change), 2)
        if (!isContinued(before, change, after)) count++
    }
    return count
}

function isContinued(before, change, after) {
    if (change ~ /^[[:alnum:]_]/ && before ~ /([[:alnum:]_]|[0-9][.])$/) return 1
    return change ~ /[[:alnum:]_]$/ && after ~ /^([[:alnum:]_]|[.][0-9])/
}

BEGIN { FS = "\t" }

/^#/ { next }

{
    # After the rule, in lists by rule; a name is that of a mutant of cachecheck mutants.
    key = FILENAME ~ /equivalent/ ? $1 : $2
    if (key !~ /^[^ ]+[.]swift:/) next
    path = key
    sub(/:.*/, "", path)
    change = substr(key, length(path) + 1)
    sub(/^:([0-9]+:)? /, "", change)
    if (!sub(/^remove /, "", change)) sub(/ → .*/, "", change)
    expected = 1
    if (match(key, / of [0-9]+\)$/)) expected = substr(key, RSTART + 4) + 0
    sub(/ \([0-9]+ of [0-9]+\)$/, "", change)
    found = occurrences(source(path), flat(change))
    if (!found) printf "%s:%d: %s has no %s\n", FILENAME, FNR, path, change
    else if (found < expected) printf "%s:%d: %s has %s %d times, not %d\n", FILENAME, FNR, path, change, found, expected
}
