import CacheSemantics
import Explanation
import HTTPTypes

/// The members of Cache-Control as they are written, for corrections that leave the others unchanged.
struct DirectiveList {
    private(set) var members: [String]

    init(_ fields: HTTPFields) {
        members = ListField.members(of: fields[values: .cacheControl])
    }

    /// The field's value, with equal members once; `nil` if no member is left.
    var value: String? {
        var seen: Set<String> = []
        let members = members.filter { seen.insert($0.lowercased()).inserted }
        return members.isEmpty ? nil : members.joined(separator: ", ")
    }

    /// Whether a directive is present.
    func contains(_ name: String) -> Bool { members.contains { Self.name(of: $0) == name } }

    /// Whether no member has to be corrected: none is malformed, misspelt, obsolete or one of requests (RFC 9111 §5.2).
    var isWellFormed: Bool {
        members.allSatisfy { member in
            let name = Self.name(of: member)
            guard KnownName.isUsual(name), KnownName.directive(like: name) == nil,
                !(KnownName.requestDirectives + KnownName.obsoleteDirectives).contains(name)
            else { return false }
            guard Self.withSeconds.contains(name) else { return true }
            return Self.argument(of: member).map(Self.isNumber) ?? false
        }
    }

    /// Whether `private` is present without a list of fields.
    var isPrivate: Bool {
        members.contains { Self.name(of: $0) == "private" && Self.argument(of: $0) == nil }
    }

    private static let withSeconds: Set = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }

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
