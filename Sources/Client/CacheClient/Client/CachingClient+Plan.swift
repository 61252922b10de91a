import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension CachingClient {
    var now: HTTPDate { clock.now }

    /// Looks up the transaction and asks the engine what to do.
    func look(_ transaction: Transaction) -> PlannedLookup {
        look(transaction.request, transaction.key(configuration.engine), transaction.policy)
    }

    /// Looks up the variants that the request may select, or all if they may have to be validated, replaced or removed;
    /// if they do not answer the request, those of an equivalent query.
    func look(_ request: HTTPRequest, _ key: CacheKey, _ policy: RequestCachePolicy) -> PlannedLookup {
        let found = entries(under: key, by: configuration.engine.selector(for: request))
        let lookup = look(request, key, policy, among: found, isOther: false)
        guard !lookup.planned.isServedAsItIs else { return lookup }
        let own = found.leavesOut ? all(under: key, found.damage) : found
        if let others = equivalents(of: key, for: request, beside: own) {
            return look(request, key, policy, among: others, isOther: true)
        }
        return found.leavesOut ? look(request, key, policy, among: own, isOther: false) : lookup
    }

    /// Returns all variants, with the damage that an earlier lookup found.
    private func all(under key: CacheKey, _ damage: [StorageDamage]) -> StoredEntries {
        let all = entries(under: key, by: nil)
        return StoredEntries(entries: all.entries, damage: damage + all.damage)
    }

    /// Asks the engine what to do if the stored responses cannot be read at the moment.
    func lookPast(_ transaction: Transaction, _ damage: StorageDamage) -> PlannedLookup {
        let nothing = StoredEntries(damage: [damage])
        return look(
            transaction.request,
            transaction.key(configuration.engine),
            transaction.policy,
            among: nothing,
            isOther: false
        )
    }

    private func look(
        _ request: HTTPRequest,
        _ key: CacheKey,
        _ policy: RequestCachePolicy,
        among found: StoredEntries,
        isOther: Bool
    ) -> PlannedLookup {
        let entries = configuration.expirationInterval.map { living(found.entries, $0) } ?? found.entries
        let moment = now
        let planned = plan(
            request,
            key: key,
            policy: policy,
            stored: entries.map(\.entry.stored),
            now: moment
        )
        if !found.leavesOut { removeLostAliases(entries, planned) }
        return PlannedLookup(
            planned: isOther ? noting(planned, key) : planned,
            entries: entries,
            damage: found.damage,
            at: moment
        )
    }

    /// Removes aliases whose content is no longer stored; no plan uses them.
    private func removeLostAliases(_ entries: [LocatedEntry], _ planned: PlannedRequest) {
        guard entries.count > planned.stored.count else { return }
        for located in entries where located.entry.stored.isAlias {
            let stored = located.entry.stored
            guard !planned.stored.contains(where: { $0.variant == stored.variant }) else { continue }
            store?.remove(stored.key, stored.variant)
        }
    }

    /// Removes the entries for which the cache's own expiry has passed; returns the others.
    private func living(_ entries: [LocatedEntry], _ interval: Duration) -> [LocatedEntry] {
        entries.filter { located in
            guard isExpired(located.entry, after: interval) else { return true }
            store?.remove(located.entry.stored.key, located.entry.stored.variant)
            return false
        }
    }

    /// Returns the whole response if the store has it with its content, with nothing to decode and no redirect to
    /// follow.
    ///
    /// Most requests end here, so nothing is created that only some callers read.
    func responseFromStore(_ request: PreparedRequest, _ lookup: PlannedLookup) -> ClientResponse? {
        guard let (reuse, located) = servedFromStore(request, lookup) else { return nil }
        return ClientResponse(request, lookup.planned, reuse, from: located, at: clock.elapsed)
    }

    /// Returns the stored response that is to be served, if its content goes to the caller unchanged.
    func servedFromStore(_ request: PreparedRequest, _ lookup: PlannedLookup) -> (Reuse, LocatedEntry)? {
        guard case .serve(let reuse) = lookup.planned.plan, reuse.revalidation == nil, lookup.damage.isEmpty,
            request.request.method == .get, reuse.isWhole, reuse.isPlainContent || isHandedOnAsStored,
            let located = lookup.content(of: reuse.stored)
        else { return nil }
        return (reuse, located)
    }

    /// Whether this client handles neither codings nor redirects.
    private var isHandedOnAsStored: Bool { !configuration.decodesContent && !configuration.followsRedirects }

    /// Returns the answer if no network is needed, otherwise `nil`.
    func answerAtOnce(_ transaction: Transaction, _ lookup: PlannedLookup) throws(ClientError)
        -> TransactionResult?
    {
        let planned = lookup.planned
        switch planned.plan {
        case .serve(let reuse):
            if let validation = reuse.revalidation {
                validateInBackground(transaction, lookup, reuse.stored, validation)
            }
            return answer(transaction, lookup, reuse, CacheStatus(key: planned.key.targetURI, isHit: true))
        case .gatewayTimeout:
            var status = CacheStatus(key: planned.key.targetURI)
            status.detail = "only-if-cached"
            return generated(transaction, planned.findings, status)
        case .unavailable:
            throw ClientError(
                code: .resourceUnavailable,
                url: transaction.fullURL,
                reason: "Nothing is stored, and the policy forbids the network.",
                findings: planned.findings
            )
        case .validate, .complete, .forward: return nil
        }
    }

    /// Returns the answer with a stored response that is served.
    func answer(_ transaction: Transaction, _ lookup: PlannedLookup, _ reuse: Reuse, _ status: CacheStatus)
        -> TransactionResult
    {
        let located = lookup.content(of: reuse.stored)
        var status = status
        status.ttl = .seconds(reuse.lifetime - reuse.age)
        status.detail = lookup.damageDetail
        var metrics = TransactionMetrics(url: transaction.url, startedAt: clock.elapsed)
        metrics.headAt = metrics.startedAt
        metrics.source = located?.tier == .disk ? .disk : .memory
        metrics.version = located?.entry.version
        let response = reuse.response
        metrics.status = response.status.code
        let answer = TransactionResult(
            transaction.request,
            response,
            findings: lookup.planned.findings,
            status: status,
            metrics: metrics
        )
        answer.content = content(located, transaction, reuse)
        answer.isStale = reuse.isStale
        answer.age = reuse.age
        answer.stored = reuse.stored
        return answer
    }

    /// Returns the content of a reused response: all that is stored, or some of it.
    func content(_ located: LocatedEntry?, _ transaction: Transaction, _ reuse: Reuse)
        -> TransactionResult.Content
    {
        guard let located, transaction.request.method != .head else { return .none }
        let body = located.entry.body
        guard !reuse.isWhole, let pieces = reuse.part.pieces(of: reuse.stored) else { return .stored(body) }
        return .composed(
            pieces.compactMap { piece in
                switch piece {
                case .bytes(let bytes): .bytes(bytes)
                case .range(let range): .stored(range, of: reuse.stored, body)
                }
            }
        )
    }

    /// Returns a 504 generated by this client.
    func generated(_ transaction: Transaction, _ findings: [Finding], _ status: CacheStatus)
        -> TransactionResult
    {
        TransactionResult(
            transaction.request,
            HTTPResponse(status: .gatewayTimeout),
            findings: findings,
            status: status,
            metrics: TransactionMetrics(url: transaction.url, startedAt: clock.elapsed)
        )
    }
}

extension TransactionResult.Segment {
    /// Returns stored bytes by their positions in the representation; `nil` if some are missing.
    static func stored(_ range: ByteRange, of stored: StoredResponse, _ body: StoredBody) -> Self? {
        guard let offset = stored.parts.map({ $0.offset(of: range) }) ?? range.first else { return nil }
        return .stored(body, Int(offset)..<Int(offset + range.count))
    }
}

extension PlannedRequest {
    /// Whether the origin must be asked before anything is answered.
    var goesForward: Bool {
        switch plan {
        case .validate, .complete, .forward: true
        case .serve, .gatewayTimeout, .unavailable: false
        }
    }

    /// Whether a stored response answers, and the origin is not asked about it.
    fileprivate var isServedAsItIs: Bool {
        if case .serve(let reuse) = plan { reuse.revalidation == nil } else { false }
    }
}
