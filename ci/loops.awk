# Prints tests that assert nothing but in loops over what may be empty: such a test passes where there is nothing to loop over.
#
# A function is a test if its attributes have @Test. The layout is that of swift format: a body is indented by four more than
# its function, and a line is a statement.

function depth(line) { match(line, /^ */); return RLENGTH }

# Whether a loop over this text is entered for certain: a literal that is not empty, a range that begins with a number, all
# cases of a type.
function isSure(text) {
    return text ~ /^\[[^]:]/ || text ~ /^(U?Int(64|32)?)?\(?[0-9]+\)?(\.\.<|\.\.\.)/ || text ~ /allCases/ || text ~ /^stride\(/ \
        || text ~ /^zip\(\[/
}

# Whether the text begins with the name of a literal that this file declares and that is not empty.
function isDeclared(text,   name) {
    name = text
    sub(/[.(].*$/, "", name)
    return (FILENAME, name) in literals
}

function finish() {
    if (isTest && inLoops > 0 && outside == 0) printf "%s:%d: every expectation is in a loop over %s\n", file, start, what
    isTest = 0
    inLoops = 0
    outside = 0
    loops = 0
}

FNR == 1 { finish(); pending = 0; function_depth = -1; file = FILENAME }

/(let|var) [A-Za-z]+(: [^=]*)? = \[([^\]]|$)/ {
    name = $0
    sub(/^.*(let|var) /, "", name)
    sub(/[:= ].*$/, "", name)
    literals[FILENAME, name] = 1
}

waiting != "" && /^ *\[/ { literals[FILENAME, waiting] = 1 }
{ waiting = "" }
/(let|var) [A-Za-z]+ =$/ {
    waiting = $0
    sub(/^.*(let|var) /, "", waiting)
    sub(/ =$/, "", waiting)
}

/^ *@Test/ { finish(); pending = 1 }

pending && /^ *(@[A-Za-z]+ )?(private |fileprivate )?(static )?func / {
    isTest = 1
    pending = 0
    start = FNR
    function_depth = depth($0)
    next
}

isTest && depth($0) <= function_depth && /^ *}/ { finish() }

isTest {
    while (loops > 0 && depth($0) <= loop_depth[loops] && $0 !~ /^ *$/) loops--
    if ($0 ~ /^ *for .* in .*{$/) {
        text = $0
        sub(/^.* in (try |await )*/, "", text)
        sub(/( where .*)? \{$/, "", text)
        if (!isSure(text) && !isDeclared(text)) { loops++; loop_depth[loops] = depth($0); if (loops == 1) latest = text }
    }
    if ($0 ~ /#expect|#require|Issue\.record|withKnownIssue|confirmation\(|try check|await check|expect[A-Z][A-Za-z]*\(/) {
        if (loops > 0) { inLoops++; what = latest } else outside++
    }
}

END { finish() }
