import CacheSemantics
import Clocks
import HTTPTypes

extension CachingClient {
    /// Whether a request should not wait for another, because a recent response under its key answered no other request.
    func bypassesCollapsing(_ transaction: Transaction, _ lookup: PlannedLookup) -> Bool {
        uncollapsible.contains(lookup.planned.key, transaction.hasAuthorization, now: clock.elapsed)
    }

    /// Records a key whose response other requests could not use.
    func noteUncollapsible(_ transaction: Transaction, _ lookup: PlannedLookup) {
        uncollapsible.insert(lookup.planned.key, transaction.hasAuthorization, now: clock.elapsed)
    }

    /// Records a key whose response a request that waited for it could not use.
    func noteUncollapsible(after arrival: Flight.Arrival, _ transaction: Transaction, _ lookup: PlannedLookup)
    {
        guard case .response(let head, _, _) = arrival.reply,
            head.status == .notModified || Self.isRepresentative(head.status.code)
        else { return }
        noteUncollapsible(transaction, lookup)
    }

    /// Records whether other requests could have used the response of an exchange.
    ///
    /// A stored response that is immediately stale changes nothing here: the next one may be fresh, and requests that
    /// waited for this one record the key.
    func noteSharing(_ transaction: Transaction, _ lookup: PlannedLookup, _ answer: TransactionResult) {
        let engine = configuration.engine
        let status = answer.response.status.code
        switch (answer.source, answer.pending?.stored ?? answer.stored) {
        case (.validated, let stored?):
            if engine.isReusableWithoutValidation(stored, now: now) { uncollapsible.remove(stored.key) }
        case (.origin, let stored):
            let isShared = collapsingKey(transaction, lookup) != nil
            sharing(transaction, lookup, status, isShared: isShared).learn(from: stored, engine, now: now)
        default: return
        }
    }

    /// Returns the evidence that the status of the origin's response gives about other responses, if the request may
    /// share exchanges.
    func sharing(
        _ transaction: Transaction,
        _ lookup: PlannedLookup,
        _ status: Int,
        isShared: Bool
    )
        -> Sharing
    {
        Sharing(
            uncollapsible: uncollapsible,
            key: lookup.planned.key,
            hasAuthorization: transaction.hasAuthorization,
            isRepresentative: isShared && Self.isRepresentative(status),
            moment: clock.elapsed
        )
    }

    /// Whether the next response will be like this one: not if the origin has failed or has answered conditions and
    /// ranges of the request's own.
    static func isRepresentative(_ status: Int) -> Bool {
        (200...499).contains(status) && ![206, 304, 412, 416].contains(status)
    }
}

/// A response of the origin, as evidence whether other requests can share the next one.
struct Sharing: Sendable {
    let uncollapsible: UncollapsibleKeys
    let key: CacheKey
    let hasAuthorization: Bool
    /// Whether the next response will be like it.
    let isRepresentative: Bool
    /// When the response arrived, on the client's clock.
    let moment: Duration

    /// Adds or removes the key, depending on the response to be stored; `nil` if nothing is stored.
    func learn(from stored: StoredResponse?, _ engine: CacheEngine, now: HTTPDate) {
        if let stored, engine.isReusableWithoutValidation(stored, now: now) {
            if !uncollapsible.isEmpty { uncollapsible.remove(key) }
        } else if isRepresentative, stored.map({ engine.remainingFreshness(of: $0, now: now) > 0 }) ?? true {
            uncollapsible.insert(key, hasAuthorization, now: moment)
        }
    }
}

extension Transaction {
    fileprivate var hasAuthorization: Bool { request.headerFields.contains(.authorization) }
}
