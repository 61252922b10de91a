/// A pattern over paths or URLs: `*` matches any text without `/`, `**` any text, `[hash]` a name that changes with its
/// content.
package struct PolicyPattern: Sendable, Hashable {
    private enum Token: Hashable {
        case character(Character)
        case star
        case doubleStar
        case hash
    }
    /// The pattern as it was written.
    package let text: String
    private let tokens: [Token]

    /// Creates a pattern; every text is one.
    package init(_ text: String) {
        self.text = text
        var tokens: [Token] = []
        var rest = text[...]
        while let (token, length) = Self.token(rest) {
            tokens.append(token)
            rest = rest.dropFirst(length)
        }
        self.tokens = tokens
    }

    /// Returns the first token of a text and its length; `nil` if the text is empty.
    private static func token(_ text: Substring) -> (Token, Int)? {
        guard let first = text.first else { return nil }
        if text.hasPrefix("[hash]") { return (.hash, 6) }
        if text.hasPrefix("**") { return (.doubleStar, 2) }
        return (first == "*" ? .star : .character(first), 1)
    }

    /// Whether the whole of a text matches.
    package func matches(_ text: some StringProtocol) -> Bool {
        let characters = Array(text)
        // ends[n]: whether the tokens so far match the first n characters. Linear in each, regardless of the pattern.
        var ends = Set([0])
        for token in tokens {
            ends = Self.advanced(ends, by: token, in: characters)
            if ends.isEmpty { return false }
        }
        return ends.contains(characters.count)
    }

    private static func advanced(_ ends: Set<Int>, by token: Token, in text: [Character]) -> Set<Int> {
        switch token {
        case .character(let wanted):
            return Set(ends.filter { $0 < text.count && text[$0] == wanted }.map { $0 + 1 })
        case .doubleStar:
            guard let first = ends.min() else { return [] }
            return Set(first...text.count)
        case .star:
            return ends.reduce(into: []) { reached, end in
                var place = end
                reached.insert(place)
                while place < text.count, text[place] != "/" {
                    place += 1
                    if !reached.insert(place).inserted { break }
                }
            }
        case .hash:
            return ends.reduce(into: []) { reached, end in
                let word = text[end...].prefix { $0 != "/" && $0 != "." && $0 != "-" }
                guard word.count >= 8 else { return }
                for length in 8...word.count where Fingerprint.isHash(String(word.prefix(length))) {
                    reached.insert(end + length)
                }
            }
        }
    }
}
