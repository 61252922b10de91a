public import CacheSemantics
public import LocatedYAML
public import OriginScript

/// A step and where it stands.
public struct LocatedStep: Sendable {
    /// What is done.
    public var step: Step
    /// Where it stands.
    public var position: Position

    /// Creates a located step.
    public init(step: Step, position: Position) {
        self.step = step
        self.position = position
    }
}

/// One thing that is done or expected.
public indirect enum Step: Sendable {
    /// One request by the caller, and what the caller must see.
    case request(RequestStep)
    /// Requests started together.
    case parallel([RequestStep])
    /// Steps done several times.
    case `repeat`(times: Int, steps: [LocatedStep])
    /// The clock moves.
    case advance(Duration)
    /// The wall clock alone jumps.
    case jumpWall(Duration)
    /// Stalled answers go on; `nil` for all.
    case release(label: String?)
    /// The client's objects are dropped and built anew on the same folder.
    case restartClient
    /// Something is done to the cache.
    case cache(CacheAction)
    /// The client's transport refuses at once (`false`) or works (`true`).
    case network(online: Bool)
    /// The network to the origin is another from now on.
    case networkProfile(NetworkSchedule)
    /// Something is done to the origin.
    case origin(OriginAction)
    /// `cachedResponse(for:)`.
    case lookup(RequestStep)
    /// An entry is put by hand.
    case store(StoreStep)
    /// Expectation on the store.
    case usage(UsageExpectation)
    /// Expectation on the origin's record.
    case originSaw(OriginExpectation)
    /// Bytes that are sent to a gateway before the origin, and what comes back.
    case gateway(GatewayStep)
    /// A step of an extension.
    case added(any ExtensionStep, by: any ScenarioExtension)
    /// Background work ends.
    case idle
}

/// Bytes on a connection of their own to a gateway before the origin.
public struct GatewayStep: Sendable {
    /// What is sent, one byte for each character up to U+00FF, after `${base}` and its kind have been replaced.
    public var text: String
    /// What the first response must be.
    public var expectation = CallerExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a step that expects any response.
    public init(text: String, position: Position) {
        self.text = text
        self.position = position
    }
}

/// One request by the caller.
public struct RequestStep: Sendable {
    /// Path, from `/`.
    public var path = "/"
    /// Query without `?`; `nil` for none.
    public var query: String?
    /// Method.
    public var method = "GET"
    /// Field lines.
    public var fields: [FieldLine] = []
    /// Content; `nil` for none.
    public var body: BodySource?
    /// `nil` for the client's default.
    public var policy: RequestCachePolicy?
    /// `nil` for the client's default.
    public var timeout: Duration?
    /// Whether the origin's second host name is asked.
    public var asksOtherHost = false
    /// When the caller cancels; `nil` for never.
    public var cancelAfter: Duration?
    /// Name for `origin-saw` and `same-as`.
    public var label: String?
    /// What the caller must see; empty expects any response.
    public var expectation = CallerExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a GET of `/`.
    public init(position: Position) {
        self.position = position
    }
}

/// Something done to the cache.
public enum CacheAction: Sendable, Hashable {
    /// Everything is removed.
    case clear
    /// What is stored for the path is removed.
    case remove(path: String)
    /// What was stored later than so far from the present is removed.
    case removeSince(offset: Duration)
    /// Capacities in bytes; `nil` stays.
    case resize(memory: Int?, disk: Int?)
    /// Bytes of every file of the disk tier are overwritten.
    case damage
}

/// Something done to the origin.
public enum OriginAction: Sendable, Hashable {
    /// Connections are refused.
    case stop
    /// Connections are accepted again.
    case start
    /// The route gives this answer, counted from 1, from now on.
    case use(answer: Int, label: String)
}

/// An entry put by hand.
public struct StoreStep: Sendable {
    /// Path, from `/`.
    public var path = "/"
    /// Status code.
    public var status = 200
    /// Field lines.
    public var fields: [FieldLine] = []
    /// Content.
    public var body = BodySource.text("")
    /// What is kept with it.
    public var userInfo: [String: String] = [:]
    /// `allowed`, `memory-only` or `not-allowed`.
    public var storagePolicy = "allowed"

    /// Creates an entry of 200 without fields.
    public init() {}
}
