import Clocks
import HTTPServing

/// What a stage has prepared.
///
/// Everything else is asked for first: what was answered to every such request is prepared then, and lasts until the site
/// changes. While faults or a network are active, nothing is prepared.
extension SiteInstance {
    /// Returns the response to a request and notes it; `nil` where it is to be answered like any other.
    func preparedResponse(for head: RequestHead) -> PreparedResponse? {
        guard let answer = prepared.answer(at: head.target), !injector.isActive else { return nil }
        let fields = SelectingFields(head.fieldLines)
        guard !fields.hasCondition else { return nil }
        let wallSeconds = clock.wallSeconds
        let now = HTTPMoment(wallSeconds: wallSeconds)
        guard let response = answer.response(at: now, allowsGzip: fields.allowsGzip, contents),
            host.count(answer)
        else { return nil }
        journal.note(head, at: wallSeconds, answer, response)
        return response
    }

    /// Prepares what such requests are answered, if all are answered alike; whether this one would be.
    func prepare(_ request: ServedRequest) -> Bool {
        guard request.method == "GET", request.isHTTP11, request.body.isEmpty, !request.wantsClose,
            !SelectingFields(request.fields).hasCondition, !injector.isActive
        else { return false }
        if let known = prepared.answer(at: request.target), host.isOfPresent(known) { return true }
        let inner = below(request)
        guard TargetParts(inner.target).path != DemoSite.journalPath,
            let answer = host.steady(inner, base: base)
        else { return false }
        prepared.add(answer, at: request.target)
        return true
    }
}
