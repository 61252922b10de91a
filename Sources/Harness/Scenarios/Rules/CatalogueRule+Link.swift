extension CatalogueRule {
    /// The URL of the section or page that the rule follows from; `nil` if there is none.
    ///
    /// `RFC 9111 §4.2.1` is `https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1`, and a draft of the IETF is a page of
    /// its datatracker.
    package var link: String? { page ?? Self.link(to: citation?.section ?? source) }

    /// Returns the URL of a section of an RFC or a draft, with whose name a text begins; `nil` for other texts.
    fileprivate static func link(to source: String) -> String? {
        let words = source.split(separator: " ")
        guard let first = words.first else { return nil }
        if first.hasPrefix("draft-ietf-") {
            return "https://datatracker.ietf.org/doc/html/\(first)" + fragment(words.dropFirst())
        }
        guard words.count > 1, first == "RFC" else { return nil }
        let number = words[1].filter(\.isNumber)
        if number.isEmpty { return nil }
        return "https://www.rfc-editor.org/rfc/rfc\(number)" + fragment(words.dropFirst(2))
    }

    /// Returns the fragment of a section that words begin with; empty if they begin with none.
    private static func fragment(_ words: ArraySlice<Substring>) -> String {
        guard let word = words.first, word.hasPrefix("§") else { return "" }
        let section = word.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "." }
        return "#\(section.first?.isLetter == true ? "appendix" : "section")-\(section)"
    }
}

extension Citation {
    /// The URL of its section; `nil` if that names no RFC or draft.
    package var link: String? { CatalogueRule.link(to: section) }
}
