package import CacheSemantics
package import LocatedYAML
package import OriginScript

/// A step and its position.
package struct LocatedStep: Sendable {
    /// The action or the requests.
    package var step: Step
    /// Its position in the file.
    package var position: Position

    /// Creates a located step.
    package init(step: Step, position: Position) {
        self.step = step
        self.position = position
    }
}

/// One action or expectation of a scenario.
package indirect enum Step: Sendable {
    /// One request by the caller, and its expectation.
    case request(RequestStep)
    /// Concurrent requests.
    case parallel([RequestStep])
    /// Steps that are repeated.
    case `repeat`(times: Int, steps: [LocatedStep])
    /// The clock moves.
    case advance(Duration)
    /// Only the wall clock jumps.
    case jumpWall(Duration)
    /// Held responses are released; `nil` for all.
    case release(label: String?)
    /// The client's objects are dropped and created again on the same folder.
    case restartClient
    /// An action on the cache.
    case cache(CacheAction)
    /// The client's transport works or refuses at once.
    case network(ClientNetwork)
    /// The network to the origin changes.
    case networkProfile(NetworkSchedule)
    /// An action on the origin.
    case origin(OriginAction)
    /// `cachedResponse(for:)`.
    case lookup(RequestStep)
    /// An entry is stored directly.
    case store(StoreStep)
    /// An expectation for the store.
    case usage(UsageExpectation)
    /// An expectation for the origin's record.
    case originSaw(OriginExpectation)
    /// Bytes that are sent to a gateway in front of the origin, and the expected response.
    case gateway(GatewayStep)
    /// A step of an extension.
    case added(any ExtensionStep, by: any ScenarioExtension)
    /// Background work ends.
    case idle
}

/// Whether a client may use the network, by the names of the `network` step.
package enum ClientNetwork: String, Sendable, Hashable, CaseIterable {
    /// It may.
    case online
    /// Its transport fails at once with −1009.
    case offline
    /// Its transport fails at once with −1018.
    case roamingOff = "roaming-off"
    /// Its transport fails at once with −1020.
    case dataNotAllowed = "data-not-allowed"
}

/// Bytes on a separate connection to a gateway in front of the origin.
package struct GatewayStep: Sendable {
    /// The bytes to send, one for each character up to U+00FF, after `${base}` and similar variables have been
    /// replaced.
    package var text: String
    /// The expectation for the first response.
    package var expectation = CallerExpectation()
    /// The position of the step in its file.
    package var position: Position

    /// Creates a step that accepts any response.
    package init(text: String, position: Position) {
        self.text = text
        self.position = position
    }
}

/// One request by the caller.
package struct RequestStep: Sendable {
    /// Path, from `/`.
    package var path = "/"
    /// Query without `?`; `nil` if there is none.
    package var query: String?
    /// Method.
    package var method = "GET"
    /// Field lines.
    package var fields: [FieldLine] = []
    /// Content; `nil` if there is none.
    package var body: BodySource?
    /// The request policy; `nil` for the client's default.
    package var policy: RequestCachePolicy?
    /// The timeout; `nil` for the client's default.
    package var timeout: Duration?
    /// Whether the request uses the origin's second host name.
    package var asksOtherHost = false
    /// When the caller cancels; `nil` means never.
    package var cancelAfter: Duration?
    /// Name for `origin-saw` and `same-as`.
    package var label: String?
    /// The caller's expectation; an empty one accepts any response.
    package var expectation = CallerExpectation()
    /// The position of the step in its file.
    package var position: Position

    /// Creates a GET of `/`.
    package init(position: Position) {
        self.position = position
    }
}

/// An action on the cache.
package enum CacheAction: Sendable, Hashable {
    /// Everything is removed.
    case clear
    /// All entries for the path are removed.
    case remove(path: String)
    /// Entries that were stored after this offset from the current time are removed.
    case removeSince(offset: Duration)
    /// The capacities in bytes change; `nil` keeps one.
    case resize(memory: Int?, disk: Int?)
    /// Bytes of every file of the disk tier are overwritten.
    case damage
}

/// An action on the origin.
package enum OriginAction: Sendable, Hashable {
    /// Connections are refused.
    case stop
    /// Connections are accepted again.
    case start
    /// The route gives the answer with this number, from 1, from now on.
    case use(answer: Int, label: String)
}

/// An entry that a step stores directly.
package struct StoreStep: Sendable {
    /// Path, from `/`.
    package var path = "/"
    /// Status code.
    package var status = 200
    /// Field lines.
    package var fields: [FieldLine] = []
    /// Content.
    package var body = BodySource.text("")
    /// Values that are stored with it.
    package var userInfo: [String: String] = [:]
    /// `allowed`, `memory-only` or `not-allowed`.
    package var storagePolicy = "allowed"

    /// Creates an entry with status 200 and no fields.
    package init() {}
}
