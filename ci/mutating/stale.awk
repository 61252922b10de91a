# Prints lines of lists of mutants whose file no longer has the source that the mutant changes.
#
# ci/mutate, whose build takes minutes, also compares the replacement and counts the same changes of a file.

# The text of a file, or of a key, with each run of white space as one space.
function flat(text) { gsub(/[ \t\n]+/, " ", text); return text }

function source(path,   line, text) {
    if (path in sources) return sources[path]
    text = ""
    while ((getline line < path) > 0) text = text line "\n"
    close(path)
    return sources[path] = flat(text)
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
    sub(/ \([0-9]+ of [0-9]+\)$/, "", change)
    if (!index(source(path), flat(change))) printf "%s:%d: %s has no %s\n", FILENAME, FNR, path, change
}
