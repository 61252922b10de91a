import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Returns advice on unknown and malformed directives.
    var ofSpelling: [Advice] {
        var found = members(of: .cacheControl).compactMap { ofQuotes($0) ?? ofName($0) ?? ofArgument($0) }
        for line in fields[values: .cacheControl] where Self.hasOpenQuote(line) {
            let sentence =
                "\"\(line)\" has an unclosed quote; caches differ in which directives they find after it"
            found.append(problem("unclosed-quote", sentence, "RFC 9110 §5.6.4"))
        }
        return found
    }

    private func ofQuotes(_ member: Member) -> Advice? {
        guard member.text.hasPrefix("\"") else { return nil }
        let sentence = "\(member.text) is a quoted string, not a directive, so it is ignored"
        return problem("quoted-directive", sentence, "RFC 9111 §5.2")
    }

    private func ofName(_ member: Member) -> Advice? {
        let name = member.name
        if let meant = KnownName.directive(like: name) {
            let sentence = "\(name) is not a directive and is ignored; did you mean \(meant)?"
            return problem("misspelt-directive", sentence, "RFC 9111 §5.2.3")
        }
        if name.contains(where: { ": ;".contains($0) }) {
            let sentence =
                "\"\(member.text)\" is not a directive: commas separate members, and = joins name and value"
            return problem("broken-directive", sentence, "RFC 9111 §5.2")
        }
        if KnownName.requestDirectives.contains(name) {
            return hint("request-directive", "\(name) has a meaning only in requests", "RFC 9111 §5.2.1")
        }
        guard KnownName.obsoleteDirectives.contains(name) else { return nil }
        return hint("obsolete-directive", "no cache obeys \(name)", "RFC 9111 §5.2.3")
    }

    private func ofArgument(_ member: Member) -> Advice? {
        if let section = Self.sectionsOfFieldLists[member.name], let argument = member.argument,
            !argument.hasPrefix("\"")
        {
            let sentence =
                "\(member.text) applies only to the field \"\(argument)\", whose name has to be quoted"
            return hint("unquoted-field-list", sentence, section)
        }
        return Self.sectionsOfSeconds[member.name].flatMap { ofSeconds(member, $0) }
    }

    private func ofSeconds(_ member: Member, _ section: String) -> Advice? {
        guard member.isSeconds else {
            let sentence =
                "\"\(member.text)\" has no valid number of seconds, so the response is stale or the directive has no effect"
            return problem("invalid-seconds", sentence, "RFC 9111 §1.2.2")
        }
        guard member.argument?.hasPrefix("\"") == true else { return nil }
        let sentence =
            "\(member.text) has its seconds in quotes, which not every cache accepts; omit the quotes"
        return problem("quoted-seconds", sentence, section)
    }

    private static let sectionsOfSeconds = [
        "max-age": "RFC 9111 §5.2.2.1", "s-maxage": "RFC 9111 §5.2.2.10",
        "stale-while-revalidate": "RFC 5861 §3", "stale-if-error": "RFC 5861 §4",
    ]
    private static let sectionsOfFieldLists = [
        "no-cache": "RFC 9111 §5.2.2.4", "private": "RFC 9111 §5.2.2.7",
    ]

    /// Whether a quoted string is not closed.
    private static func hasOpenQuote(_ line: String) -> Bool {
        var (isQuoted, isEscaped) = (false, false)
        for byte in line.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isQuoted {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        return isQuoted
    }

    /// A member of a field with directives, as it is written.
    struct Member {
        let text: String
        let name: String
        let argument: String?

        /// Whether its argument consists of digits, with or without quotes.
        var isSeconds: Bool {
            let digits = (argument ?? "").filter { $0 != "\"" }
            return DeltaSeconds(parsing: digits.utf8) != nil
        }
    }

    func members(of name: HTTPField.Name) -> [Member] {
        ListField.members(of: fields[values: name]).map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Member(
                text: text,
                name: parts.first.map { $0.lowercased() } ?? "",
                argument: parts.count == 2 ? String(parts[1]) : nil
            )
        }
    }
}
