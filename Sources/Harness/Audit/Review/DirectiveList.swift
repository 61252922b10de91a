import CacheSemantics
import HTTPTypes

/// The members of Cache-Control as they are written, for corrections that leave the others unchanged.
struct DirectiveList {
    private(set) var members: [String]

    init(_ fields: HTTPFields) {
        members = ListField.members(of: fields[values: .cacheControl])
    }

    /// The field's value; `nil` if no member is left.
    var value: String? { members.isEmpty ? nil : members.joined(separator: ", ") }

    /// Whether a directive is present.
    func contains(_ name: String) -> Bool { members.contains { Self.name(of: $0) == name } }

    /// Whether every member is a directive of responses, with an argument where it needs one (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
    var isWellFormed: Bool {
        members.allSatisfy { member in
            let name = Self.name(of: member)
            guard Self.withSeconds.contains(name) else { return Self.withoutSeconds.contains(name) }
            guard let argument = Self.argument(of: member) else { return false }
            return !argument.isEmpty && argument.utf8.allSatisfy { (48...57).contains($0) }
        }
    }

    private static let withSeconds: Set = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]
    private static let withoutSeconds: Set = [
        "public", "private", "no-cache", "no-store", "no-transform", "must-revalidate", "proxy-revalidate",
        "must-understand", "immutable",
    ]

    /// Returns the list without some directives.
    func without(_ names: [String]) -> DirectiveList {
        var copy = self
        copy.members.removeAll { names.contains(Self.name(of: $0)) }
        return copy
    }

    /// Returns the list with one directive more, unless it is present.
    func with(_ member: String) -> DirectiveList {
        guard !contains(Self.name(of: member)) else { return self }
        var copy = self
        copy.members.append(member)
        return copy
    }

    /// Returns the list with changed members; `nil` removes one.
    func changing(_ change: (_ name: String, _ argument: String?) -> String?) -> DirectiveList {
        var copy = self
        copy.members = members.compactMap { change(Self.name(of: $0), Self.argument(of: $0)) }
        return copy
    }

    static func name(of member: String) -> String {
        member.prefix { $0 != "=" }.lowercased()
    }

    static func argument(of member: String) -> String? {
        member.firstIndex(of: "=").map { String(member[member.index(after: $0)...]) }
    }
}
