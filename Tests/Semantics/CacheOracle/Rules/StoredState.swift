/// The settings of the oracle.
public struct OracleConfiguration: Sendable {
    /// Whether the cache is shared (RFC 9111 §1).
    public var isShared: Bool
    /// The longest heuristic lifetime in seconds (RFC 9111 §4.2.2, decided policy).
    public var ceiling = 86_400
    /// The same for errors.
    public var errorCeiling = 300

    /// Creates it.
    public init(isShared: Bool) { self.isShared = isShared }
}

/// The values from which the age of a response is calculated (RFC 9111 §4.2.3).
struct AgeBasis: Equatable {
    var requestTime: Int
    var responseTime: Int
    var ageValue: Int
    var date: Int
}

/// A response that the cache may hold, in one of the states it may be in.
struct StoredState: Equatable {
    /// A contiguous part of the representation.
    struct Part: Equatable {
        var offset: Int
        var bytes: [UInt8]
        var end: Int { offset + bytes.count }
    }

    var request: OracleRequest
    var status: Int
    var fields: FieldSection { didSet { directives = Directives(fields["cache-control"]) } }
    /// The directives of `fields`; stored, because every request asks for those of every state.
    private(set) var directives: Directives
    /// The fields that no-cache and private keep out of the store (RFC 9111 §3.1).
    var excluded: [String] = []
    var parts: [Part]
    var completeLength: Int?
    /// More than one where the RFC leaves open which applies.
    var bases: [AgeBasis]
    /// The position of the event by which an unsafe request invalidated it (RFC 9111 §4.4); 0 if it is valid.
    var invalidation = 0
    /// Whether a HEAD response made it stale (RFC 9111 §4.3.5).
    var isMadeStale = false
    /// Whether a cache that keeps what it may store has it, in this state and in no other.
    var isCertain = false
    /// The position of the event that brought the response.
    var arrival: Int
    /// The position of the event that brought or last updated it.
    var updatePosition = 0
    /// The number of the exchange that last provided header fields.
    var exchange: Int

    var isInvalid: Bool { invalidation > 0 }
    var tag: EntityTag? { EntityTag(fields["etag"]) }
    var lastModified: Int? { fields["last-modified"].flatMap(OracleDate.parse) }
    var responseTime: Int { bases[0].responseTime }
    /// The names of the selecting fields, and `*` (RFC 9111 §4.1).
    var vary: [String] { (fields["vary"] ?? "").split(separator: ",").map { trimmed($0).lowercased() } }

    /// The Date, or the time of receipt if it is absent or invalid (RFC 9110 §6.6.1).
    var date: Int { bases[0].date }

    /// Whether the whole representation is there (RFC 9111 §3.3).
    var isComplete: Bool {
        guard request.method != "HEAD" else { return true }
        return parts.count == 1 && parts[0].offset == 0 && parts[0].bytes.count == completeLength
    }

    /// Returns the bytes of a range; `nil` if no part contains it.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        parts.first { $0.offset <= range.lowerBound && range.upperBound <= $0.end }
            .map { Array($0.bytes[range.lowerBound - $0.offset..<range.upperBound - $0.offset]) }
    }

    /// Whether two states may be of one response, as those with and without an invalidation that a cache may make.
    func hasSameHead(as other: StoredState) -> Bool { request == other.request && fields == other.fields }

    /// Whether two states differ at most in certainty and in what the age is calculated from.
    func isSame(as other: StoredState) -> Bool {
        var adapted = other
        (adapted.bases, adapted.isCertain) = (bases, isCertain)
        return bases[0] == other.bases[0] && adapted == self
    }

    /// Whether two states have the same strong validator (RFC 9110 §8.8.1, §8.8.2.2).
    ///
    /// A date is considered only where neither has an entity tag.
    func sharesStrongValidator(with other: StoredState) -> Bool {
        if let tag, let otherTag = other.tag { return tag.strongly(otherTag) }
        guard tag == nil, other.tag == nil, let lastModified else { return false }
        return lastModified == other.lastModified && lastModified < date && lastModified < other.date
    }
}

extension [StoredState] {
    /// Returns these and other states, each once; those that differ only in what the age is calculated from, and in
    /// certainty, are one.
    ///
    /// Otherwise they would double with every response that may or may not change what is stored.
    func merged(with others: [StoredState]) -> [StoredState] {
        others.reduce(into: self) { merged, state in
            let index = merged.firstIndex { $0.isSame(as: state) } ?? merged.endIndex
            if index == merged.endIndex { merged.append(state) }
            merged[index].isCertain = merged[index].isCertain && state.isCertain
            let known = merged[index].bases
            merged[index].bases += state.bases.filter { !known.contains($0) }
        }
    }
}

/// One exchange with the origin.
struct Exchange {
    var number: Int
    /// The request of the client that caused it, and as the cache forwarded it.
    var cause: OracleRequest
    var forwarded: OracleRequest
    var requestTime: Int
    /// The position of the event that began it.
    var position: Int
    /// The states that the cache may have held then.
    var known: [StoredState]
    var response: OracleResponse?
    /// Whether the cache has waited for it before it delivers.
    var isAwaited = false

    /// Whether the response is rejected: a 206 without Range, a 304 without a condition (decided policy).
    var isRejected: Bool {
        response?.status == 206 && forwarded.fields["range"] == nil
            || response?.status == 304 && !forwarded.hasPrecondition
    }

    /// Whether what is stored for the target becomes invalid: a successful unsafe request (RFC 9111 §4.4).
    var invalidates: Bool { !cause.isSafe && response.map { (200..<400).contains($0.status) } ?? false }

    /// The target, and what Location and Content-Location name (RFC 9111 §4.4).
    var affected: [String] {
        let named = ["location", "content-location"].compactMap { response?.fields[$0] }
        return [cause.target] + named.map { resolve($0, against: cause.target) }
    }

    /// Whether the cache forwarded fields of the client as they were.
    func passesOn(_ names: String...) -> Bool {
        names.allSatisfy { forwarded.fields[$0] == cause.fields[$0] }
    }
}
