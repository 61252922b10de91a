import CacheSemantics
import HTTPTypes

extension EngineDefect {
    /// Does not see a directive of responses.
    static func blind(to directive: String, in kind: CacheKind? = nil, at stages: Set<Stage>? = nil) -> Self {
        directives(at: stages) { head, member in
            (kind ?? head.kind) == head.kind && member.name == directive ? [] : nil
        }
    }

    /// Sees other directives in responses; `nil` leaves one as it is.
    static func directives(
        at stages: Set<Stage>? = nil,
        _ change: @escaping @Sendable (Head, ControlMember) -> [String]?
    ) -> Self {
        view(at: stages) { head in
            head.with(head.fields.changingDirectives { change(head, $0) })
        }
    }

    /// Sees other heads of responses.
    static func view(at stages: Set<Stage>? = nil, _ change: @escaping HeadView) -> Self {
        var defect = EngineDefect()
        defect.head = change
        if let stages { defect.stages = stages }
        return defect
    }

    /// Sees other fields of responses.
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

    /// Does not see a directive of requests.
    static func deaf(to directive: String) -> Self {
        asked { request in
            request.headerFields = request.headerFields.changingDirectives { $0.name == directive ? [] : nil }
        }
    }

    /// Sees other requests.
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

    /// Does not see fields of requests.
    static func ignoring(_ names: HTTPField.Name..., at stages: Set<Stage>? = nil) -> Self {
        asked(at: stages) { request in
            for name in names { request.headerFields[name] = nil }
        }
    }

    /// Sees other stored responses.
    static func stored(
        at stages: Set<Stage>? = nil,
        _ change: @escaping @Sendable (StoredResponse, HTTPRequest) -> StoredResponse?
    ) -> Self {
        var defect = EngineDefect()
        defect.stored = change
        if let stages { defect.stages = stages }
        return defect
    }

    /// Plans something else; `nil` leaves a plan as it is.
    static func plan(_ change: @escaping @Sendable (Planned, Question) -> Plan?) -> Self {
        var defect = EngineDefect()
        defect.plan = change
        return defect
    }

    /// Serves something else in place of what is to be served; `nil` leaves it as it is.
    static func serving(_ change: @escaping @Sendable (Reuse, Question) -> Plan?) -> Self {
        plan { planned, question in
            guard case .serve(let reuse) = planned.plan else { return nil }
            return change(reuse, question)
        }
    }

    /// Sends another validation.
    static func validating(_ change: @escaping @Sendable (inout HTTPRequest, Validation) -> Void) -> Self {
        plan { planned, _ in
            guard case .validate(let validation) = planned.plan else { return nil }
            var request = validation.request
            change(&request, validation)
            return .validate(Validation(request: request, candidates: validation.candidates))
        }
    }

    /// Settles otherwise.
    static func settling(_ change: @escaping @Sendable (Settlement, Exchanged) -> Settlement) -> Self {
        var defect = EngineDefect()
        defect.settlement = change
        return defect
    }

    /// Tells the store something else.
    static func edits(_ change: @escaping @Sendable ([StoreEdit], Exchanged) -> [StoreEdit]) -> Self {
        settling { settlement, exchanged in
            Settlement(
                answer: settlement.answer,
                edits: change(settlement.edits, exchanged),
                findings: settlement.findings
            )
        }
    }

    /// Stores other heads.
    static func putting(_ change: @escaping @Sendable (StoredResponse, Exchanged) -> StoredResponse?) -> Self
    {
        edits { edits, exchanged in
            edits.compactMap { edit in
                guard case .put(let stored) = edit else { return edit }
                return change(stored, exchanged).map { .put($0) }
            }
        }
    }

    /// Updates otherwise after a 304.
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
            return Settlement(answer: answer, edits: edits, findings: settlement.findings)
        }
    }
}
