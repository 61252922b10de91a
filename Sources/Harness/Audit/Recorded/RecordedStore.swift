import CacheSemantics
import HTTPTypes

/// The content of one cache at some time of an archive.
struct RecordedStore {
    /// A stored response and where it is from.
    struct Item {
        var stored: StoredResponse
        /// The number of the entry that transferred it.
        let entry: Int
        /// When it had been received, in seconds since 1970.
        let available: Double
    }
    /// A property of stored responses by which one response can invalidate or remove them together.
    private enum Label: Hashable {
        case target(String)
        case group(origin: String, String)
        case origin(String)
    }
    let engine: CacheEngine
    private var items: [CacheKey: [Item]] = [:]
    /// The keys of what was stored since the last use of a label; without them each unsafe request would look at all items.
    private var keys: [Label: Set<CacheKey>] = [:]

    init(_ engine: CacheEngine) { self.engine = engine }

    /// Returns the responses stored for a request at a given time.
    func items(for request: HTTPRequest, at moment: Double) -> [Item] {
        (items[engine.key(for: request)] ?? []).filter { $0.available <= moment }
    }

    /// Updates what is stored by a response from the network.
    mutating func receive(_ exchange: ArchivedExchange) {
        // A part would have to be joined with content, which archives rarely have.
        guard exchange.response.status != .partialContent else { return }
        let stored = items(for: exchange.plainRequest, at: exchange.started).map(\.stored)
        let isValidation = exchange.response.status == .notModified
        if isValidation, stored.isEmpty { return }
        let planned = engine.plan(
            exchange.plainRequest,
            policy: isValidation ? .reloadRevalidatingCacheData : .reloadIgnoringLocalCacheData,
            stored: stored,
            now: exchange.requestTime
        )
        for edit in engine.settle(planned, reply: exchange.reply).edits { apply(edit, exchange) }
    }

    private mutating func apply(_ edit: StoreEdit, _ exchange: ArchivedExchange) {
        switch edit {
        case .put(let stored): put(stored, exchange.number, exchange.finished)
        case .freshen(let stored):
            let old = items[stored.key]?.first { $0.stored.variant == stored.variant }
            put(stored, old?.entry ?? exchange.number, exchange.finished)
        case .invalidate(let key):
            change(.target(key.normalizedTargetURI)) { $0.invalidated() }
        case .invalidateGroups(let origin, let groups):
            for group in groups {
                change(.group(origin: origin, group)) {
                    $0.groups.contains(group) ? $0.invalidated() : $0
                }
            }
        case .clear(let origin): change(.origin(origin)) { _ in nil }
        case .remove(let key, let variant): change(key) { $0.variant == variant ? nil : $0 }
        case .putSeparated, .putAlias: break
        }
    }

    private mutating func put(_ stored: StoredResponse, _ entry: Int, _ available: Double) {
        items[stored.key, default: []].removeAll { $0.stored.variant == stored.variant }
        items[stored.key, default: []].append(Item(stored: stored, entry: entry, available: available))
        let groups = stored.groups.map { Label.group(origin: stored.origin, $0) }
        for label in [.target(stored.key.normalizedTargetURI), .origin(stored.origin)] + groups {
            keys[label, default: []].insert(stored.key)
        }
    }

    /// Changes everything with a label; what is changed needs no further change until it is stored again.
    private mutating func change(_ label: Label, _ body: (StoredResponse) -> StoredResponse?) {
        for key in keys.removeValue(forKey: label) ?? [] { change(key, body) }
    }

    private mutating func change(_ key: CacheKey, _ body: (StoredResponse) -> StoredResponse?) {
        items[key] = items[key]?.compactMap { item in
            body(item.stored).map { Item(stored: $0, entry: item.entry, available: item.available) }
        }
    }
}

extension ArchivedExchange {
    fileprivate var reply: OriginReply {
        .response(response, requestTime: requestTime, responseTime: responseTime)
    }
}
