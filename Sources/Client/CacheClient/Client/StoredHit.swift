public import CacheSemantics
public import CacheStorage
import HTTPTypes

/// A stored response that answers a request unchanged, with its content in memory or in an open file.
public final class StoredHit: Sendable {
    /// The stored response, with its age.
    public let reuse: Reuse
    /// Primary cache key.
    public let key: CacheKey
    /// Content, as the origin sent it.
    public let body: [UInt8]
    /// The file with the content, in place of `body`; `nil` if the content is in memory.
    public let file: StoredFile?
    /// Size of the content in bytes.
    public var count: Int { file?.count ?? body.count }
    /// The version of HTTP in which it was received.
    public let version: HTTPVersion
    /// When it was found.
    public let moment: HTTPDate
    /// All entries stored under the key that the request may select.
    let entries: [LocatedEntry]
    let selector: VariantSelector

    init(
        _ reuse: Reuse,
        of lookup: PlannedLookup,
        by selector: VariantSelector,
        _ entry: CacheEntry
    ) {
        self.reuse = reuse
        key = lookup.planned.key
        self.selector = selector
        version = entry.version
        switch entry.body {
        case .bytes(let bytes): (self.body, file) = (bytes, nil)
        case .file(let file): (self.body, self.file) = ([], file)
        }
        moment = lookup.moment
        entries = lookup.entries
    }

    /// Whether the engine would make the same decision, which depends on these entries only.
    func holds(for entries: [LocatedEntry]) -> Bool {
        entries.count == self.entries.count
            && zip(entries, self.entries).allSatisfy { $0.entry.stored.isIdentical(to: $1.entry.stored) }
    }
}

extension CachingClient {
    /// Whether the request for which this was found would find it again now.
    ///
    /// A request that is repeated within a second costs a lookup in the store, and no decision.
    public func confirms(_ hit: StoredHit) -> Bool {
        guard let store, hit.moment == now else { return false }
        return undamaged(hit.key, by: hit.selector, in: store).map(hit.holds) ?? false
    }

    /// Returns the stored response for a GET request that may be answered with it unchanged; without suspending.
    ///
    /// `nil` only means that `stream` or `fetch` must be used.
    public func hit(for request: ClientRequest) -> StoredHit? {
        let prepared = configuration.prepared(request)
        let policy = request.policy ?? configuration.defaultPolicy
        guard let store, prepared.problem == nil, policy == .useProtocolCachePolicy, request.body == nil,
            // A hook may change the request, and with it the key.
            configuration.willSend == nil, configuration.expirationInterval == nil,
            !prepared.request.asksForPart
        else { return nil }
        let key = prepared.key(by: configuration.engine)
        let selector = configuration.engine.selector(for: prepared.request)
        guard let entries = undamaged(key, by: selector, in: store), !entries.isEmpty else { return nil }
        let now = now
        let planned = plan(
            prepared.request,
            key: key,
            policy: policy,
            stored: entries.map(\.entry.stored),
            now: now
        )
        let lookup = PlannedLookup(planned: planned, entries: entries, damage: [], at: now)
        guard let (reuse, located) = servedFromStore(prepared, lookup) else { return nil }
        return StoredHit(reuse, of: lookup, by: selector, located.entry)
    }

    /// Returns the entries stored under a key that may be selected; `nil` if there is damage, which the lookup made
    /// instead reports.
    private func undamaged(
        _ key: CacheKey,
        by selector: VariantSelector,
        in store: any ResponseStore
    ) -> [LocatedEntry]? {
        let found = store.entries(for: key, selectableBy: selector)
        if found.damage.isEmpty { return found.entries }
        store.reportLater(found.damage)
        return nil
    }
}

extension HTTPRequest {
    /// Whether the answer may be something else than the whole stored response (RFC 9110 §13, §14).
    fileprivate var asksForPart: Bool {
        let names: [HTTPField.Name] = [
            .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        ]
        return names.contains { headerFields.contains($0) }
    }
}
