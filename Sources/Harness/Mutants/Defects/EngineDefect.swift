import CacheSemantics
import HTTPTypes

/// How an engine's view of the world, or its decisions, are bent; what is `nil` stays straight.
struct EngineDefect: Sendable {
    /// When the view is bent.
    enum Stage {
        case planning, settling
    }
    typealias RequestView = @Sendable (HTTPRequest, CacheEngine) -> HTTPRequest
    typealias HeadView = @Sendable (Head) -> HTTPResponse

    /// How it sees a request.
    var request: RequestView?
    /// How it sees the head of a response, stored or arriving.
    var head: HeadView?
    /// How it sees a stored response; `nil` for not at all.
    var stored: (@Sendable (StoredResponse, HTTPRequest) -> StoredResponse?)?
    /// What it takes for the present.
    var now: (@Sendable (Question) -> HTTPDate)?
    /// What it takes for the policy.
    var policy: (@Sendable (RequestCachePolicy) -> RequestCachePolicy)?
    /// What becomes of a plan; `nil` where nothing does.
    var plan: (@Sendable (Planned, Question) -> Plan?)?
    /// What it takes for the key of what it has planned.
    var key: (@Sendable (Planned) -> CacheKey)?
    /// What becomes of the reason to go forward.
    var reason: (@Sendable (ForwardReason) -> ForwardReason)?
    /// What becomes of a settlement.
    var settlement: (@Sendable (Settlement, Exchanged) -> Settlement)?
    /// How it sees two responses that may be joined.
    var joined: (@Sendable (StoredResponse, StoredResponse?) -> (StoredResponse, StoredResponse?))?
    /// What becomes of what is left of a response that broke off.
    var incomplete: (@Sendable (StoredResponse?) -> StoredResponse?)?
    /// When request, head, stored response and policy are bent; both by default.
    var stages: Set<Stage> = [.planning, .settling]

    func bends(_ stage: Stage) -> Bool {
        let isBent = request != nil || head != nil || stored != nil || policy != nil
        return (isBent && stages.contains(stage)) || (stage == .planning && now != nil)
    }
}

/// The head of a response, and who looks at it.
struct Head {
    var response: HTTPResponse
    /// When it was received.
    let received: HTTPDate
    let engine: CacheEngine
    /// Whether it is stored already.
    let isStored: Bool

    var kind: CacheKind { engine.kind }
    var fields: HTTPFields { response.headerFields }
    var status: Int { response.status.code }

    /// The response with other fields.
    func with(_ fields: HTTPFields) -> HTTPResponse {
        HTTPResponse(status: response.status, headerFields: fields)
    }

    /// The date of a field, if it is one.
    func date(_ name: HTTPField.Name) -> HTTPDate? {
        fields[name].flatMap { HTTPDate(parsing: $0, now: received) }
    }
}

/// What an engine is asked before the network.
struct Question {
    let engine: CacheEngine
    var request: HTTPRequest
    let key: CacheKey
    var policy: RequestCachePolicy
    var stored: [StoredResponse]
    var now: HTTPDate

    /// What the engine without any defect says.
    var answer: Planned { engine.plan(request, key: key, policy: policy, stored: stored, now: now) }

    /// The same question under another policy.
    func withPolicy(_ policy: RequestCachePolicy) -> Question {
        var copy = self
        copy.policy = policy
        return copy
    }

    /// The same question with other stored responses.
    func withStored(_ stored: [StoredResponse]) -> Question {
        var copy = self
        copy.stored = stored
        return copy
    }
}

/// What was planned, and what came of it.
struct Exchanged {
    let engine: CacheEngine
    let planned: Planned
    /// `nil` where no response came.
    let response: HTTPResponse?
    /// When the answer, or the failure, came.
    let received: HTTPDate

    var request: HTTPRequest { planned.request }
    var method: HTTPRequest.Method { planned.request.method }
    var status: Int { response?.status.code ?? 0 }

    var isValidation: Bool {
        if case .validate = planned.plan { return true }
        return false
    }
}
