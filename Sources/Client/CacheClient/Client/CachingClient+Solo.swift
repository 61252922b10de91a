import CacheSemantics
import Clocks
import HTTPTypes

extension CachingClient {
    /// Whether a request had better ask for itself: what was asked for under its key lately answered nobody else.
    func goesAlone(_ hop: Hop, _ looked: PlannedLookup) -> Bool {
        solo.contains(looked.planned.key, hop.hasAuthorization, now: clock.elapsed)
    }

    /// Remembers a key whose answer was of no use for others.
    func noteSolo(_ hop: Hop, _ looked: PlannedLookup) {
        solo.insert(looked.planned.key, hop.hasAuthorization, now: clock.elapsed)
    }

    /// Remembers a key whose answer was of no use for who has waited for it.
    func noteSolo(after arrival: Flight.Arrival, _ hop: Hop, _ looked: PlannedLookup) {
        guard case .response(let head, _, _) = arrival.reply,
            head.status == .notModified || Self.tellsOfTheNext(head.status)
        else { return }
        noteSolo(hop, looked)
    }

    /// Looks at what an exchange has brought: whether others could have used it.
    ///
    /// What is stored and stale at once is left to those who have waited for it: the next answer may be fresh.
    func noteSharing(_ hop: Hop, _ looked: PlannedLookup, _ answer: HopAnswer) {
        let engine = configuration.engine
        let status = answer.response.status
        switch (answer.source, answer.pending?.stored ?? answer.stored) {
        case (.validated, let stored?):
            if engine.answersAlone(stored, now: now) { solo.remove(stored.key) }
        case (.origin, let stored):
            let isShared = flightKey(hop, looked) != nil
            sharing(hop, looked, status, isShared: isShared).learn(from: stored, engine, now: now)
        default: return
        }
    }

    /// What the origin's answer with a status tells of others, where the request may share exchanges.
    func sharing(_ hop: Hop, _ looked: PlannedLookup, _ status: HTTPResponse.Status, isShared: Bool)
        -> Sharing
    {
        Sharing(
            solo: solo,
            key: looked.planned.key,
            hasAuthorization: hop.hasAuthorization,
            tells: isShared && Self.tellsOfTheNext(status),
            moment: clock.elapsed
        )
    }

    /// Whether the next answer will be like this one: not where the origin has failed or has answered conditions and
    /// ranges of the request's own.
    static func tellsOfTheNext(_ status: HTTPResponse.Status) -> Bool {
        (200...499).contains(status.code) && ![206, 304, 412, 416].contains(status.code)
    }
}

/// What an answer of the origin's tells of whether others could use the next one.
struct Sharing: Sendable {
    let solo: UncollapsibleKeys
    let key: CacheKey
    let hasAuthorization: Bool
    /// Whether it tells anything.
    let tells: Bool
    /// When the answer came, on the client's clock.
    let moment: Duration

    /// Remembers or forgets the key, as what is to be stored says; `nil` for nothing.
    func learn(from stored: StoredResponse?, _ engine: CacheEngine, now: HTTPDate) {
        if let stored, engine.answersAlone(stored, now: now) {
            if !solo.isEmpty { solo.remove(key) }
        } else if tells, stored.map({ engine.timeToLive(of: $0, now: now) > 0 }) ?? true {
            solo.insert(key, hasAuthorization, now: moment)
        }
    }
}

extension Hop {
    fileprivate var hasAuthorization: Bool { request.headerFields.contains(.authorization) }
}
