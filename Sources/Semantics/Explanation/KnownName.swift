import LocatedYAML

/// The names that caches obey, and names that are written almost like one.
package enum KnownName {
    /// Directives of responses.
    static let directives = [
        "max-age", "s-maxage", "no-cache", "no-store", "no-transform", "must-revalidate", "proxy-revalidate",
        "must-understand", "private", "public", "immutable", "stale-while-revalidate", "stale-if-error",
    ]
    /// Directives that mean something only in requests (RFC 9111 §5.2.1).
    package static let requestDirectives = ["max-stale", "min-fresh", "only-if-cached"]
    /// Directives that no specification defines today.
    package static let obsoleteDirectives = ["pre-check", "post-check"]
    /// Fields of responses.
    private static let fields = [
        "cache-control", "cdn-cache-control", "cloudflare-cdn-cache-control", "surrogate-control", "expires",
        "etag", "last-modified", "vary",
    ]

    /// Returns the directive that a name in lower case is meant to be; `nil` if it is one, or like none.
    package static func directive(like name: String) -> String? {
        guard !(directives + requestDirectives + obsoleteDirectives).contains(name) else { return nil }
        return unlike[name] ?? nearest(to: name, among: directives)
    }

    /// Returns the field that a name in lower case is meant to be; `nil` if it is one, or like none.
    package static func field(like name: String) -> String? {
        // Names of three letters are like many.
        guard !fields.contains(name), name.count > 3, let meant = nearest(to: name, among: fields) else {
            return nil
        }
        // Applications have fields such as `Expired` and `Vars`.
        return meant.count >= 8 || isSlip(letters(name), for: letters(meant)) ? meant : nil
    }

    /// Whether a letter of a word, within one edit of another, is missing, doubled, or exchanged with its neighbour.
    private static func isSlip(_ word: String, for other: String) -> Bool {
        switch word.count - other.count {
        case 0: word.sorted() == other.sorted()
        case 1: withoutRepetitions(word) == withoutRepetitions(other)
        default: true
        }
    }

    private static func withoutRepetitions(_ word: String) -> String {
        word.reduce(into: "") { if $0.last != $1 { $0.append($1) } }
    }

    /// Usual misspellings that differ in more than a letter.
    private static let unlike = [
        "s-maxage-age": "s-maxage", "must-revalidation": "must-revalidate", "revalidate": "must-revalidate",
        "stale-while-revalidation": "stale-while-revalidate",
    ]

    /// Returns the name that differs only in hyphens, and in one letter, or a few of a long name.
    private static func nearest(to name: String, among names: [String]) -> String? {
        // `X-Expires` is meant to be another field, and `x-private` another directive.
        guard isUsual(name), !name.hasPrefix("x-") else { return nil }
        let (word, words) = (letters(name), names.map(letters))
        let found = NearestKey.suggestions(for: word, among: words, within: max(1, word.count / 8))
        return found.first.flatMap { words.firstIndex(of: $0) }.map { names[$0] }
    }

    private static func letters(_ name: String) -> String { name.filter { $0 != "-" && $0 != "_" } }

    /// Whether a name in lower case consists of letters, digits, `-` and `_`, as those of all directives do.
    package static func isUsual(_ name: String) -> Bool {
        name.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 0x2D || $0 == 0x5F
        }
    }
}
