import CacheSemantics
import Clocks
import HTTPTypes

extension CachingClient {
    /// Whether a request had better ask for itself: what was asked for under its key lately answered nobody else.
    func goesAlone(_ hop: Hop, _ looked: Looked) -> Bool {
        solo.contains(looked.planned.key, hop.hasAuthorization, now: clock.elapsed)
    }

    /// Remembers a key whose answer was of no use for others.
    func noteSolo(_ hop: Hop, _ looked: Looked) {
        solo.insert(looked.planned.key, hop.hasAuthorization, now: clock.elapsed)
    }

    /// Remembers a key whose answer was of no use for who has waited for it.
    func noteSolo(after arrival: Flight.Arrival, _ hop: Hop, _ looked: Looked) {
        guard case .response(let head, _, _) = arrival.reply,
            head.status == .notModified || Self.tellsOfTheNext(head.status)
        else { return }
        noteSolo(hop, looked)
    }

    /// Looks at what an exchange has brought: whether others could have used it.
    ///
    /// What is stored and stale at once is left to those who have waited for it: the next answer may be fresh.
    func noteSharing(_ hop: Hop, _ looked: Looked, _ answer: HopAnswer) {
        let engine = configuration.engine
        let status = answer.response.status
        switch (answer.source, answer.pending?.stored ?? answer.stored) {
        case (.validated, let stored?):
            if engine.answersAlone(stored, now: now) { solo.remove(stored.key) }
        case (.origin, let stored?) where engine.timeToLive(of: stored, now: now) <= 0: return
        case (.origin, let stored) where Self.tellsOfTheNext(status) && flightKey(hop, looked) != nil:
            if stored.map({ !engine.answersAlone($0, now: now) }) ?? true { noteSolo(hop, looked) }
        default: return
        }
    }

    /// Whether the next answer will be like this one: not where the origin has failed or has answered conditions and
    /// ranges of the request's own.
    static func tellsOfTheNext(_ status: HTTPResponse.Status) -> Bool {
        (200...499).contains(status.code) && ![206, 304, 412, 416].contains(status.code)
    }
}

extension Hop {
    fileprivate var hasAuthorization: Bool { request.headerFields.contains(.authorization) }
}
