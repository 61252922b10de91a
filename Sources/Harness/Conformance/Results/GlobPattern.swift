/// A pattern for full ids: `*` matches any text, including `/`, and `?` one character.
public struct GlobPattern: Sendable, Hashable, CustomStringConvertible {
    private let pattern: [Character]

    /// Creates a pattern; every text is valid.
    public init(_ text: String) {
        pattern = Array(text)
    }

    /// The pattern as it was given.
    public var description: String { String(pattern) }

    /// Whether the pattern matches the whole of `text`.
    public func matches(_ text: String) -> Bool {
        let text = Array(text)
        var inText = 0
        var inPattern = 0
        // The position of the last star and the length of the text that it matches: only the last star is ever retried.
        var star: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == "*" {
                star = (inPattern, inText)
                inPattern += 1
            } else if inPattern < pattern.count,
                pattern[inPattern] == "?" || pattern[inPattern] == text[inText]
            {
                inText += 1
                inPattern += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                inText = last.text + 1
                inPattern = last.pattern + 1
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == "*" }
    }
}
