import CacheSemantics
import HTTPTypes

extension EngineDefect {
    /// Ignores a directive of responses.
    static func blind(to directive: String, in kind: CacheKind? = nil, at stages: Set<Stage>? = nil) -> Self {
        directives(at: stages) { head, member in
            (kind ?? head.kind) == head.kind && member.name == directive ? [] : nil
        }
    }

    /// Changes the directives of responses; `nil` keeps one.
    static func directives(
        at stages: Set<Stage>? = nil,
        _ change: @escaping @Sendable (Head, ControlMember) -> [String]?
    ) -> Self {
        view(at: stages) { head in head.with(head.fields.changingDirectives { change(head, $0) }) }
    }

    /// Changes the heads of responses.
    static func view(at stages: Set<Stage>? = nil, _ change: @escaping HeadView) -> Self {
        var defect = EngineDefect()
        defect.head = change
        if let stages { defect.stages = stages }
        return defect
    }

    /// Changes the fields of responses.
    static func fields(
        at stages: Set<Stage>? = nil,
        _ change: @escaping @Sendable (inout HTTPFields, Head) -> Void
    ) -> Self {
        view(at: stages) { head in
            var fields = head.fields
            change(&fields, head)
            return head.with(fields)
        }
    }

    /// Ignores a directive of requests.
    static func deaf(to directive: String) -> Self {
        asked { request in
            request.headerFields = request.headerFields.changingDirectives { $0.name == directive ? [] : nil }
        }
    }

    /// Changes requests.
    static func asked(
        at stages: Set<Stage>? = nil,
        _ change: @escaping @Sendable (inout HTTPRequest) -> Void
    ) -> Self {
        var defect = EngineDefect()
        defect.request = { request, _ in
            var request = request
            change(&request)
            return request
        }
        if let stages { defect.stages = stages }
        return defect
    }

    /// Ignores fields of requests.
    static func ignoring(_ names: HTTPField.Name..., at stages: Set<Stage>? = nil) -> Self {
        asked(at: stages) { request in
            for name in names { request.headerFields[name] = nil }
        }
    }

    /// Changes stored responses.
    static func stored(
        at stages: Set<Stage>? = nil,
        _ change: @escaping @Sendable (StoredResponse, HTTPRequest) -> StoredResponse?
    ) -> Self {
        var defect = EngineDefect()
        defect.stored = change
        if let stages { defect.stages = stages }
        return defect
    }

    /// Changes plans; `nil` keeps a plan.
    static func plan(_ change: @escaping @Sendable (PlannedRequest, Question) -> Plan?) -> Self {
        var defect = EngineDefect()
        defect.plan = change
        return defect
    }

    /// Serves something else instead of a reused response; `nil` keeps the reuse.
    static func serving(_ change: @escaping @Sendable (Reuse, Question) -> Plan?) -> Self {
        plan { planned, question in
            guard case .serve(let reuse) = planned.plan else { return nil }
            return change(reuse, question)
        }
    }

    /// Changes the requests of validations.
    static func validating(_ change: @escaping @Sendable (inout HTTPRequest, Validation) -> Void) -> Self {
        plan { planned, _ in
            guard case .validate(let validation) = planned.plan else { return nil }
            var request = validation.request
            change(&request, validation)
            return .validate(Validation(request: request, candidates: validation.candidates))
        }
    }

    /// Changes settlements.
    static func settling(_ change: @escaping @Sendable (Settlement, Exchanged) -> Settlement) -> Self {
        var defect = EngineDefect()
        defect.settlement = change
        return defect
    }

    /// Changes the edits of the store.
    static func edits(_ change: @escaping @Sendable ([StoreEdit], Exchanged) -> [StoreEdit]) -> Self {
        settling { settlement, exchanged in settlement.with(edits: change(settlement.edits, exchanged)) }
    }

    /// Changes the heads of stored responses.
    static func putting(_ change: @escaping @Sendable (StoredResponse, Exchanged) -> StoredResponse?) -> Self
    {
        edits { edits, exchanged in
            edits.compactMap { edit in
                guard case .put(let stored) = edit else { return edit }
                return change(stored, exchanged).map { .put($0) }
            }
        }
    }

    /// Changes the update after a 304.
    static func freshening(_ change: @escaping @Sendable (StoredResponse, Exchanged) -> StoredResponse?)
        -> Self
    {
        settling { settlement, exchanged in
            guard exchanged.status == 304 else { return settlement }
            let edits = settlement.edits.compactMap { edit -> StoreEdit? in
                guard case .freshen(let stored) = edit else { return edit }
                return change(stored, exchanged).map { .freshen($0) }
            }
            var answer = settlement.answer
            if case .validated(let reuse, _) = answer, let changed = change(reuse.stored, exchanged) {
                let again = reuse.with(changed)
                answer = .validated(again, response: again.response)
            }
            return settlement.with(answer: answer, edits: edits)
        }
    }
}
