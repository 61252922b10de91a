# Prints each citation of a section that RFC 9111 does not have without the name of its document: `§14.2` instead of `RFC 9110 §14.2`.
#
# The name may be at the end of the comment's line above, and counts for all sections of a list: `RFC 9110 §14.2, §15.3.7`.
function isOfRFC9111(section) {
    return section ~ /^([1-9]|1\.[1-3]|1\.2\.[12]|3\.[1-5]|4\.[1-4]|4\.2\.[1-4]|4\.3\.[1-5]|5\.[1-5]|5\.2\.[1-4]|5\.2\.1\.[1-7]|5\.2\.2\.([1-9]|10)|7\.[1-3]|8\.[1-4]|9\.[12])$/
}
FNR == 1 { above = "" }
{
    gsub(/–/, ", ")
    isComment = match($0, /^ *\/\/\/? /)
    line = isComment ? substr($0, RLENGTH + 1) : $0
    text = isComment ? above " " line : line
    above = isComment ? line : ""
    # How much of the text is of the line above.
    skipped = length(text) - length(line)
    isNamed = 0
    while (match(text, /§[0-9]+(\.[0-9]+)*/)) {
        before = substr(text, 1, RSTART - 1)
        section = substr(text, RSTART, RLENGTH)
        sub(/§/, "", section)
        if (before ~ /(RFC [0-9]+|[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]*( [0-9.]+)?|\.md) ?$/) isNamed = 1
        else if (before !~ /^(, |,? and | or | to )$/) isNamed = 0
        skipped -= RSTART + RLENGTH - 1
        if (skipped < 0 && !isNamed && !isOfRFC9111(section)) print FILENAME ":" FNR ":" $0
        text = substr(text, RSTART + RLENGTH)
    }
}
