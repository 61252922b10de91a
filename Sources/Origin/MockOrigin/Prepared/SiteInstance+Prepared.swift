import Clocks
import HTTPServing

/// The prepared responses of a stage.
///
/// A request without a prepared response is answered in the general way. If its response is the same for all such
/// requests, it is then prepared and remains valid until the site changes. While faults or a network are active,
/// nothing is prepared.
extension SiteInstance {
    /// Returns the prepared response to a request and records it; `nil` to answer the request in the general way.
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

    /// Prepares the response to such requests if it is the same for all; returns whether it is prepared.
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
