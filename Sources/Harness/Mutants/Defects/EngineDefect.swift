import CacheSemantics
import HTTPTypes

/// The changes of an engine's input and decisions; what is `nil` is not changed.
struct EngineDefect: Sendable {
    /// The environment at which input is changed.
    enum Stage {
        case planning, settling
    }
    typealias RequestView = @Sendable (HTTPRequest, CacheEngine) -> HTTPRequest
    typealias HeadView = @Sendable (Head) -> HTTPResponse

    /// Changes a request.
    var request: RequestView?
    /// Changes the head of a response, stored or received.
    var head: HeadView?
    /// Changes a stored response; its result is `nil` if the response is ignored.
    var stored: (@Sendable (StoredResponse, HTTPRequest) -> StoredResponse?)?
    /// Replaces the current time.
    var now: (@Sendable (Question) -> HTTPDate)?
    /// Replaces the policy.
    var policy: (@Sendable (RequestCachePolicy) -> RequestCachePolicy)?
    /// Replaces a plan; its result is `nil` if the plan is kept.
    var plan: (@Sendable (PlannedRequest, Question) -> Plan?)?
    /// Replaces the key of a plan.
    var key: (@Sendable (PlannedRequest) -> CacheKey)?
    /// Replaces the reason for forwarding.
    var reason: (@Sendable (ForwardReason) -> ForwardReason)?
    /// Replaces a settlement.
    var settlement: (@Sendable (Settlement, Exchanged) -> Settlement)?
    /// Changes two responses that may be combined.
    var joined: (@Sendable (StoredResponse, StoredResponse?) -> (StoredResponse, StoredResponse?))?
    /// Replaces the received part of an incomplete response.
    var incomplete: (@Sendable (StoredResponse?) -> StoredResponse?)?
    /// The stages at which request, head, stored response and policy are changed; both by default.
    var stages: Set<Stage> = [.planning, .settling]

    func bends(_ environment: Stage) -> Bool {
        let isBent = request != nil || head != nil || stored != nil || policy != nil
        return (isBent && stages.contains(environment)) || (environment == .planning && now != nil)
    }
}

/// The head of a response and the context in which it is inspected.
struct Head {
    var response: HTTPResponse
    /// When the response was received.
    let received: HTTPDate
    let engine: CacheEngine
    /// Whether the response is already stored.
    let isStored: Bool

    var kind: CacheKind { engine.kind }
    var fields: HTTPFields { response.headerFields }
    var status: Int { response.status.code }

    /// Returns the response with other fields.
    func with(_ fields: HTTPFields) -> HTTPResponse {
        HTTPResponse(status: response.status, headerFields: fields)
    }

    /// Returns the date in a field, if the field contains one.
    func date(_ name: HTTPField.Name) -> HTTPDate? {
        fields[name].flatMap { HTTPDate(parsing: $0, now: received) }
    }
}

/// The input of an engine before a request is forwarded.
struct Question {
    let engine: CacheEngine
    var request: HTTPRequest
    let key: CacheKey
    var policy: RequestCachePolicy
    var stored: [StoredResponse]
    var now: HTTPDate

    /// The plan of the engine without any defect.
    var answer: PlannedRequest { engine.plan(request, key: key, policy: policy, stored: stored, now: now) }

    /// Returns the same question with another policy.
    func withPolicy(_ policy: RequestCachePolicy) -> Question {
        var copy = self
        copy.policy = policy
        return copy
    }

    /// Returns the same question with other stored responses.
    func withStored(_ stored: [StoredResponse]) -> Question {
        var copy = self
        copy.stored = stored
        return copy
    }
}

/// A plan and the result of its exchange.
struct Exchanged {
    let engine: CacheEngine
    let planned: PlannedRequest
    /// The response; `nil` if there was none.
    let response: HTTPResponse?
    /// When the response or the failure arrived.
    let received: HTTPDate

    var request: HTTPRequest { planned.request }
    var method: HTTPRequest.Method { planned.request.method }
    var status: Int { response?.status.code ?? 0 }

    var isValidation: Bool {
        if case .validate = planned.plan { return true }
        return false
    }
}
