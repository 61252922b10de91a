internal import HTTPTypes

/// A strong validator, which identifies a representation byte for byte (RFC 9110 §8.8.1).
enum StrongValidator: Sendable, Hashable {
    /// A strong entity tag.
    case tag(EntityTag)
    /// A modification date sufficiently earlier than the response's Date.
    case date(HTTPDate)
}

extension StoredResponse {
    /// The minimum number of seconds from `Last-Modified` to `Date` for the former to be strong (RFC 9110 §8.8.2.2).
    private static let surelyLater: Int64 = 60

    /// Its strong validator; `nil` for a weak one or none.
    var strongValidator: StrongValidator? {
        if let tag = facts.entityTag { return tag.isStrong ? .tag(tag) : nil }
        guard let lastModified = facts.lastModified, isDateStrong else { return nil }
        return .date(lastModified)
    }

    /// Whether its `Last-Modified` is a strong validator.
    var isDateStrong: Bool {
        facts.lastModified.map { facts.date.seconds(since: $0) >= Self.surelyLater } ?? false
    }

    /// The value of `If-Range` for it; `nil` without a strong validator (RFC 9110 §13.1.5).
    var rangeCondition: HTTPField? {
        switch strongValidator {
        case .tag(let tag): EntityTag.field(.ifRange, listing: [tag])
        case .date: facts.lastModifiedText.map { HTTPField(name: .ifRange, value: $0) }
        case nil: nil
        }
    }

    /// Whether a response with these fields has its strong entity tag, so that both are of the same bytes.
    func isSameRepresentation(as fields: HTTPFields) -> Bool {
        guard let mine = entityTag, let theirs = EntityTag(of: fields) else { return false }
        return mine.matchesStrongly(theirs)
    }

    /// Whether the validators prove that the two are different representations.
    func isKnownToDiffer(from other: StoredResponse) -> Bool {
        if let mine = entityTag, let theirs = other.entityTag { return !mine.matchesWeakly(theirs) }
        if let mine = lastModified, let theirs = other.lastModified { return mine != theirs }
        return false
    }
}

extension EntityTag {
    /// Whether its form is strong; a tag without quotes never is.
    var isStrong: Bool { !isWeak && opaque.first == ASCII.quote }
}
