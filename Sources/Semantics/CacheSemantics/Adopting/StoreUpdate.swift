internal import HTTPTypes

/// The changes that one exchange makes to a store.
struct StoreUpdate {
    let engine: CacheEngine
    let exchange: CacheExchange
    let reply: UpstreamReply

    /// Applies the edits of a settlement, in order.
    mutating func apply(_ edits: [StoreEdit], to store: inout some EngineStore) {
        // An unsafe request does not invalidate its own response (RFC 9110 §9.3.3).
        let before = store.changes
        for edit in edits {
            switch edit {
            case .put(let stored): put(stored, in: &store, before)
            case .putSeparated(let stored, let ranges): put(stored, ranges, in: &store, before)
            case .freshen(let stored): freshen(stored, in: &store, before)
            case .putAlias(let alias): put(alias: alias, in: &store, before)
            case .invalidate(let key): store.invalidate(key)
            case .invalidateGroups(let origin, let groups): store.invalidate(groups, of: origin)
            case .clear(let origin): store.clear(origin)
            case .remove(let key, let variant): remove(key, variant, in: &store)
            }
        }
    }

    // MARK: Storing

    private func put(_ stored: StoredResponse, in store: inout some EngineStore, _ changes: StoreChanges) {
        let (content, isComplete) = reply.content
        if isComplete { return put(stored, content: content, in: &store, changes) }
        guard !changes.invalidates(stored, since: exchange.mark),
            let part = engine.incomplete(stored, received: content.count)
        else { return }
        put(part, content: content, isPrefix: stored.parts == nil, in: &store, changes)
    }

    private func put(
        _ stored: StoredResponse,
        _ ranges: SeparatedRanges,
        in store: inout some EngineStore,
        _ changes: StoreChanges
    ) {
        let (content, isComplete) = reply.content
        guard isComplete, content.count <= SeparatedRanges.largest,
            let (stored, parts) = engine.separated(stored, ranges, content: content)
        else { return }
        let bytes = parts.flatMap { content[$0.offset..<($0.offset + Int($0.range.count))] }
        put(stored, content: bytes, in: &store, changes)
    }

    private func put(
        _ stored: StoredResponse,
        content: [UInt8],
        isPrefix: Bool = false,
        in store: inout some EngineStore,
        _ changes: StoreChanges
    ) {
        let current = store.responses(for: stored.key).variant(stored.variant)
        let place = place(of: stored, current, changes)
        guard place.accepts(stored, isPart: stored.parts != nil),
            stored.parts.map({ $0.count == Int64(content.count) }) ?? true
        else { return }
        let new = StoredContent(stored, content: content, serialNumber: store.changes.nextSerial())
        let joining = place.joining(stored, isPrefix: isPrefix, by: engine)
        if let joined = engine.joined(new, to: current, joining) { store.put(joined) }
    }

    /// Stores an alias of another variant's content.
    private func put(alias: StoredResponse, in store: inout some EngineStore, _ changes: StoreChanges) {
        let current = store.responses(for: alias.key).variant(alias.variant)
        guard place(of: alias, current, changes).acceptsAlias else { return }
        store.put(StoredContent(alias, content: [], serialNumber: store.changes.nextSerial()))
    }

    /// Returns the place of a response, in which `current` is stored now.
    private func place(of stored: StoredResponse, _ current: StoredContent?, _ changes: StoreChanges)
        -> StoredPlace
    {
        StoredPlace(
            seen: exchange.found.variant(stored.variant)?.response,
            current: current?.response,
            isInvalidated: changes.invalidates(stored, since: exchange.mark),
            isCleared: changes.clears(stored, since: exchange.mark)
        )
    }

    // MARK: Updating

    /// Updates a stored response, unless it was replaced or invalidated while it was being validated (§4.3.4, §4.4).
    private func freshen(_ stored: StoredResponse, in store: inout some EngineStore, _ changes: StoreChanges)
    {
        guard var current = store.responses(for: stored.key).variant(stored.variant) else { return }
        let hasSameContent = exchange.found.variant(stored.variant)?.serial == current.serial
        guard place(of: stored, current, changes).isFreshenable(hasSameContent: hasSameContent) else {
            return
        }
        current.response = stored.isAlias ? stored : stored.holding(contentLength: current.content.count)
        store.put(current)
    }

    /// Removes a stored response, unless it was replaced meanwhile.
    private func remove(_ key: CacheKey, _ variant: VariantKey, in store: inout some EngineStore) {
        let current = store.responses(for: key).variant(variant)?.response
        let seen = exchange.found.variant(variant)?.response
        guard StoredPlace(seen: seen, current: current).isUnchanged else { return }
        store.remove(key, variant)
    }
}

extension EngineStore {
    fileprivate mutating func invalidate(_ key: CacheKey) {
        let target = key.normalizedTargetURI
        mark(of: StoredResponse.origin(of: key.targetURI)) { $0.key.normalizedTargetURI == target }
        changes.noteInvalidation(of: key)
    }

    fileprivate mutating func invalidate(_ groups: [String], of origin: String) {
        let groups = Set(groups)
        mark(of: origin) { !groups.isDisjoint(with: $0.groups) }
        changes.noteInvalidation(of: Array(groups), of: origin)
    }

    fileprivate mutating func clear(_ origin: String) {
        for stored in responses(of: origin) { remove(stored.key, stored.variant) }
        changes.noteClearance(of: origin)
    }

    /// Marks the stored responses of an origin that are meant as invalidated.
    private mutating func mark(of origin: String, where isMeant: (StoredResponse) -> Bool) {
        for stored in responses(of: origin)
        where !stored.response.isInvalidated && isMeant(stored.response) {
            put(stored.invalidated(true))
        }
    }
}
