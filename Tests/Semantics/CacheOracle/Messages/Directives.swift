/// The cache directives of a Cache-Control field (RFC 9111 §5.2).
struct Directives: Equatable {
    private let text: String?
    private var members: [(name: String, argument: String?)] = []

    static func == (one: Directives, other: Directives) -> Bool { one.text == other.text }

    /// Parses a field value.
    ///
    /// Names are case-insensitive, both forms of an argument are accepted (RFC 9111 §5.2), and an
    /// unterminated quoted string hides no directive (decided policy).
    init(_ value: String?) {
        text = value
        var rest = Substring(value ?? "")
        while !rest.isEmpty {
            let name = trimmed(rest.prefix { $0 != "," && $0 != "=" }).lowercased()
            rest = rest.drop { $0 != "," && $0 != "=" }
            var argument: String?
            if rest.first == "=" { argument = Self.argument(&rest) }
            if !name.isEmpty { members.append((name, argument)) }
            rest = rest.drop { $0 != "," }.dropFirst()
        }
    }

    private static func argument(_ rest: inout Substring) -> String {
        rest.removeFirst()
        if rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") {
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[rest.index(after: rest.startIndex)..<end])
        }
        defer { rest = rest.drop { $0 != "," } }
        return trimmed(rest.prefix { $0 != "," })
    }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// Whether a directive is present without an argument (RFC 9111 §5.2.2.4, §5.2.2.7).
    func hasUnqualified(_ name: String) -> Bool {
        members.contains { $0.name == name && fieldNames(of: $0).isEmpty }
    }

    /// Returns the fields that the qualified form of a directive lists (RFC 9111 §5.2.2.4, §5.2.2.7).
    func fieldNames(_ name: String) -> [String] {
        members.filter { $0.name == name }.flatMap(fieldNames(of:))
    }

    private func fieldNames(of member: (name: String, argument: String?)) -> [String] {
        (member.argument ?? "").split(separator: ",").map { trimmed($0).lowercased() }
            .filter { !$0.isEmpty && !$0.hasPrefix("\"") }
    }

    /// Returns the delta-seconds of the first such directive (RFC 9111 §1.2.2, §4.2.1); `nil` if it is absent,
    /// 0 if its argument is invalid, which makes a response stale (RFC 9111 §4.2.1).
    func seconds(_ name: String) -> Int? {
        guard let member = members.first(where: { $0.name == name }) else { return nil }
        guard let text = member.argument, !text.isEmpty,
            text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
        else { return 0 }
        return min(Int(text) ?? 2_147_483_648, 2_147_483_648)
    }

    /// Whether a directive occurs more than once (RFC 9111 §4.2.1).
    func repeats(_ name: String) -> Bool { members.count { $0.name == name } > 1 }

    /// Whether a directive is present without a value, as max-stale may be (RFC 9111 §5.2.1.2).
    func hasNoArgument(_ name: String) -> Bool {
        members.contains { $0.name == name && $0.argument == nil }
    }

    /// The directives as they are compared when a request is forwarded (RFC 9111 §5.2).
    var texts: [String] { members.map { $0.name + ($0.argument.map { "=" + $0 } ?? "") } }
}
