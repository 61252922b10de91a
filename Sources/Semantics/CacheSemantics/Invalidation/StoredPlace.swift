package import HTTPTypes

/// The place of one stored response, when a request was planned and now that its response arrives.
///
/// Other requests use the store meanwhile. What they have stored there is more recent, and what they have invalidated needs
/// validation (RFC 9111 §4, §4.3.4, §4.4): this decides what the response may still change there.
package struct StoredPlace: Sendable {
    private let seen: StoredResponse?
    private let current: StoredResponse?
    private let isInvalidated: Bool
    private let isCleared: Bool

    /// Creates the place from what was stored there when the request was planned, and what is stored there now.
    ///
    /// `isInvalidated` is whether an unsafe request has since invalidated the target or a group (RFC 9875), `isCleared` whether
    /// everything of the origin has been removed.
    package init(
        seen: StoredResponse?,
        current: StoredResponse?,
        isInvalidated: Bool = false,
        isCleared: Bool = false
    ) {
        (self.seen, self.current) = (seen, current)
        (self.isInvalidated, self.isCleared) = (isInvalidated, isCleared)
    }

    /// Whether it is still the response that was stored there when the request was planned; false if there was none.
    package var isUnchanged: Bool { current?.isOfSameExchange(as: seen) == true }

    /// Returns whether a response may be stored there, rather than come too late; a part is not yet combined.
    package func accepts(_ new: StoredResponse, isPart: Bool) -> Bool {
        if isCleared { return false }
        // A part is combined with what is stored, unless that was requested after an invalidation.
        if isPart, !isInvalidated { return true }
        return !new.isOvertaken(by: current, insteadOf: seen, isInvalidated: isInvalidated)
    }

    /// Whether an alias may be stored there: what was stored meanwhile is more recent than what the 304 names.
    package var acceptsAlias: Bool {
        (isUnchanged || current == nil && seen == nil) && !isInvalidated && !isCleared
    }

    /// Returns whether what is stored there may be freshened, if its content is still that which was validated.
    package func isFreshenable(hasSameContent: Bool) -> Bool {
        guard let seen, let current else { return false }
        return hasSameContent && (!current.isInvalidated || seen.isInvalidated && !isInvalidated)
    }

    /// Returns whether a 304 updates what is stored there now, and not what the request asked about (§4.3.4).
    package func isNamed(by notModified: HTTPResponse, hasSameContent: Bool) -> Bool {
        guard let seen, let current else { return false }
        return hasSameContent || current.isNamed(by: notModified, asReplacementOf: seen)
    }

    /// Returns the way to combine a response with the one that is stored now.
    ///
    /// A response that was requested before an invalidation is stored as invalidated, and confirms nothing (§4.4).
    package func joining(
        _ new: StoredResponse,
        isPrefix: Bool = false,
        by decisions: any CacheDecisions
    ) -> Joining {
        let isOutdated = isInvalidated || new.parts != nil && current?.isInvalidated(since: seen) == true
        let joining = decisions.joining(new, to: current, isPrefix: isPrefix)
        guard isOutdated else { return joining }
        return switch joining {
        case .replace(let stored): .replace(stored.invalidated())
        case .combine(let stored): .combine(stored.invalidated())
        case .freshen, .keep: .keep
        }
    }
}
