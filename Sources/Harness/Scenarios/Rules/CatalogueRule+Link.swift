extension CatalogueRule {
    /// The URL of the section or page that the rule follows from; `nil` if there is none.
    ///
    /// `RFC 9111 §4.2.1` is `https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1`.
    package var link: String? { page ?? Self.link(to: citation?.section ?? source) }

    /// Returns the URL of a section of an RFC, of which a text begins with the number; `nil` for other texts.
    private static func link(to source: String) -> String? {
        let words = source.split(separator: " ")
        guard words.count > 1, words[0] == "RFC" else { return nil }
        let number = words[1].filter(\.isNumber)
        if number.isEmpty { return nil }
        let page = "https://www.rfc-editor.org/rfc/rfc\(number)"
        guard words.count > 2, words[2].hasPrefix("§") else { return page }
        let section = words[2].dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "." }
        return "\(page)#\(section.first?.isLetter == true ? "appendix" : "section")-\(section)"
    }
}
