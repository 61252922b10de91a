import CacheSemantics
import HTTPTypes
import WireSyntax

/// The fields in which a cache outside the process describes its responses.
enum CacheFields {
    /// Returns the value of `Age` (RFC 9111 §5.1); `nil` if it is not a number of seconds, which no cache generates.
    static func age(in fields: [(name: String, value: String)]) -> Double? {
        let value = values(of: HTTPField.Name.age.canonicalName, in: fields).first
        return value.flatMap { DeltaSeconds(parsing: $0.utf8) }.map { Double($0.seconds) }
    }

    /// Returns the freshness lifetime that a response declares: by `s-maxage`, `max-age`, or `Expires` less `Date`.
    static func lifetime(in fields: [(name: String, value: String)]) -> Double? {
        let directives = values(of: HTTPField.Name.cacheControl.canonicalName, in: fields).flatMap {
            split($0, at: ",")
        }
        for name in ["s-maxage", "max-age"] {
            for directive in directives {
                let pair = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingWhitespace }
                if pair.count == 2, pair[0].lowercased() == name, let seconds = Double(pair[1]) {
                    return seconds
                }
            }
        }
        guard let expires = moment(.expires, in: fields), let date = date(in: fields) else { return nil }
        return expires - date
    }

    /// Returns the value of `Date` in seconds since 1970; `nil` if it is not a date.
    static func date(in fields: [(name: String, value: String)]) -> Double? { moment(.date, in: fields) }

    private static func moment(_ name: HTTPField.Name, in fields: [(name: String, value: String)]) -> Double?
    {
        let value = values(of: name.canonicalName, in: fields).first
        return value.flatMap { HTTPDate(parsing: $0, now: HTTPDate(secondsSinceEpoch: 0)) }
            .map { Double($0.secondsSinceEpoch) }
    }

    /// Returns the parameters of the last member of `Cache-Status`, which is that of the cache nearest to the caller
    /// (RFC 9211 §2); a parameter without a value is `?1`.
    static func lastStatus(in fields: [(name: String, value: String)]) -> [String: String]? {
        let lines = values(of: "cache-status", in: fields)
        guard !lines.isEmpty else { return nil }
        let members = split(lines.joined(separator: ","), at: ",")
        guard let member = members.last else { return nil }
        var parameters: [String: String] = [:]
        for part in split(member, at: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingWhitespace }
            if let name = pair.first { parameters[name] = pair.count > 1 ? pair[1] : "?1" }
        }
        return parameters
    }

    /// Returns the names that `Vary` lists, in lower case (RFC 9110 §12.5.5).
    static func varying(of fields: [(name: String, value: String)]) -> [String] {
        values(of: "vary", in: fields).flatMap { split($0, at: ",") }
            .map { $0.trimmingWhitespace.lowercased() }
    }

    /// Returns the values of the lines of a field, whose name is in lower case.
    static func values(of name: String, in fields: [(name: String, value: String)]) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Splits a text outside quotation marks.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if character == separator, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { $0.trimmingWhitespace }
    }

}
