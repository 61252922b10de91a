public import HTTPTypes

/// An error in a structured field of a response, for advice to its author.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StructuredFieldFault: Sendable, Hashable {
    /// The field does not parse and is ignored (RFC 9651 §4.2).
    case unparsable
    /// A member has a value of the wrong type; `expected` is such as `an integer`.
    case mistyped(member: String, expected: String)
    /// A required member is missing.
    case missing(member: String)
}

extension HTTPFields {
    /// Returns the errors in a targeted cache control field (RFC 9213 §2.1); empty if it is absent.
    public func faults(ofTargeted name: HTTPField.Name) -> [StructuredFieldFault] {
        faults(ofDictionary: name) { member in
            switch (member.name, member.value) {
            case ("max-age", .integer), ("s-maxage", .integer), ("stale-while-revalidate", .integer),
                ("stale-if-error", .integer):
                nil
            case ("max-age", _), ("s-maxage", _), ("stale-while-revalidate", _), ("stale-if-error", _):
                "an integer"
            case ("no-cache", .boolean(true)), ("no-cache", .string), ("private", .boolean(true)),
                ("private", .string):
                nil
            case ("no-cache", _), ("private", _): "no value, or a string of field names"
            case ("no-store", .boolean(true)), ("must-revalidate", .boolean(true)),
                ("proxy-revalidate", .boolean(true)), ("must-understand", .boolean(true)),
                ("no-transform", .boolean(true)), ("public", .boolean(true)), ("immutable", .boolean(true)):
                nil
            case ("no-store", _), ("must-revalidate", _), ("proxy-revalidate", _), ("must-understand", _),
                ("no-transform", _), ("public", _), ("immutable", _):
                "no value"
            default: nil
            }
        }
    }

    /// Returns the errors in a list of cache groups (RFC 9875 §2, §3); empty if it is absent.
    public func faults(ofGroups name: HTTPField.Name) -> [StructuredFieldFault] {
        let lines = self[values: name]
        guard !lines.isEmpty else { return [] }
        guard let members = StructuredField.list(lines) else { return [.unparsable] }
        let isMistyped = members.contains { if case .string = $0 { false } else { true } }
        return isMistyped ? [.mistyped(member: name.rawName, expected: "strings in quotes")] : []
    }

    /// Returns the errors in `No-Vary-Search` (draft-ietf-httpbis-no-vary-search §2); empty if it is absent.
    public var faultsOfNoVarySearch: [StructuredFieldFault] {
        faults(ofDictionary: .noVarySearch) { member in
            switch (member.name, member.value) {
            case ("key-order", .boolean), ("params", .boolean(true)), ("params", .list), ("except", .list):
                nil
            case ("key-order", _): "a Boolean"
            case ("params", _): "a list of strings"
            case ("except", _): "a list of strings"
            default: nil
            }
        }
    }

    /// Returns the errors in `Use-As-Dictionary` (RFC 9842 §2.1), in which `match` is required; empty if it is absent.
    public var faultsOfUseAsDictionary: [StructuredFieldFault] {
        let faults = faults(ofDictionary: .useAsDictionary) { member in
            switch (member.name, member.value) {
            case ("match", .string), ("match-dest", .list), ("id", .string), ("type", .token): nil
            case ("match", _), ("id", _): "a string"
            case ("match-dest", _): "a list of strings"
            case ("type", _): "a token"
            default: nil
            }
        }
        guard faults.isEmpty, let members = StructuredField.dictionary(self[values: .useAsDictionary]),
            contains(.useAsDictionary), !members.contains(where: { $0.name == "match" })
        else { return faults }
        return [.missing(member: "match")]
    }

    /// Returns the errors in `Accept-Query` (RFC 10008 §3), a list of media ranges; empty if it is absent.
    public var faultsOfAcceptQuery: [StructuredFieldFault] {
        let lines = self[values: .acceptQuery]
        guard !lines.isEmpty else { return [] }
        guard let members = StructuredField.list(lines) else { return [.unparsable] }
        let isMistyped = members.contains { member in
            switch member {
            case .string, .token: false
            default: true
            }
        }
        return isMistyped ? [.mistyped(member: "Accept-Query", expected: "media ranges")] : []
    }

    /// Returns the errors in a field of digests (RFC 9530 §2, §3); empty if it is absent.
    public func faults(ofDigests name: HTTPField.Name) -> [StructuredFieldFault] {
        faults(ofDictionary: name) { $0.value == .other ? nil : "a digest between colons" }
    }

    /// Returns the faults of the members; `expected` returns the type that a member should have, `nil` if it has that
    /// type.
    private func faults(
        ofDictionary name: HTTPField.Name,
        _ expected: (StructuredField.Member) -> String?
    ) -> [StructuredFieldFault] {
        let lines = self[values: name]
        guard !lines.isEmpty else { return [] }
        guard let members = StructuredField.dictionary(lines) else { return [.unparsable] }
        return members.compactMap { member in
            expected(member).map { .mistyped(member: member.name, expected: $0) }
        }
    }
}

extension HTTPField.Name {
    /// Whether the name has the form of a targeted field (RFC 9213 §2.4).
    public var isLikeTargeted: Bool { TargetedField.isNamedLikeOne(self) }
}
