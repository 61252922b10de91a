/// Recent invalidations in a store, which a response that was requested before them must not undo (RFC 9111 §4.4).
///
/// Contains at least the last 1,024 invalidations. A response that was requested before the oldest of these counts as
/// invalidated. `CacheEngine.begin` and `finish` read and change it. A store below `plan` and `settle` takes the `mark`
/// when it plans, notes each edit that it applies, and asks before it stores what `settle` returns.
public struct StoreChanges: Sendable {
    private enum Change {
        case invalidated(String)
        case groups(origin: String, Set<String>)
        case cleared(origin: String)
    }
    private static let maximumChanges = 1_024
    private var changes: [Change] = []
    /// The number of changes that were dropped from the beginning of `changes`.
    private var dropped = 0
    private var serial: UInt64 = 0

    /// Creates the changes of a new store; `lastSerialNumber` is the largest one that it has read back, 0 by default.
    public init(lastSerialNumber: UInt64 = 0) {
        serial = lastSerialNumber
    }

    /// The number of changes so far: the time of a request, for `invalidates` and `clears`.
    public var mark: Int { dropped + changes.count }

    /// Returns a number that identifies new content.
    mutating func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    /// Whether anything that a response belongs to was invalidated since a mark: it is then stored as invalidated
    /// (`StoredResponse.invalidated()`), and a 304 must not freshen it (RFC 9111 §4.4).
    public func invalidates(_ response: StoredResponse, since mark: Int) -> Bool {
        if mark < dropped { return true }
        let target = response.key.normalizedTargetURI
        return changes[(mark - dropped)...].contains { change in
            switch change {
            case .invalidated(let uri): uri == target
            case .groups(let origin, let groups):
                origin == response.origin && !groups.isDisjoint(with: response.groups)
            case .cleared: false
            }
        }
    }

    /// Whether everything of a response's origin was removed since a mark: it is then not stored.
    public func clears(_ response: StoredResponse, since mark: Int) -> Bool {
        if mark < dropped { return true }
        return changes[(mark - dropped)...].contains {
            if case .cleared(let origin) = $0 { origin == response.origin } else { false }
        }
    }

    /// Notes what an edit invalidates or clears; other edits change nothing.
    public mutating func note(_ edit: StoreEdit) {
        switch edit {
        case .invalidate(let key): noteInvalidation(of: key)
        case .invalidateGroups(let origin, let groups): noteInvalidation(of: groups, of: origin)
        case .clear(let origin): noteClearance(of: origin)
        case .put, .putSeparated, .freshen, .putAlias, .remove: break
        }
    }

    mutating func noteInvalidation(of key: CacheKey) { note(.invalidated(key.normalizedTargetURI)) }

    mutating func noteInvalidation(of groups: [String], of origin: String) {
        note(.groups(origin: origin, Set(groups)))
    }

    mutating func noteClearance(of origin: String) { note(.cleared(origin: origin)) }

    private mutating func note(_ change: Change) {
        changes.append(change)
        // In batches, because each removal moves the rest.
        guard changes.count > 2 * Self.maximumChanges else { return }
        dropped += Self.maximumChanges
        changes.removeFirst(Self.maximumChanges)
    }
}
