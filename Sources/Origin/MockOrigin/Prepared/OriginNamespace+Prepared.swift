import Clocks
import HTTPServing
import Locks

/// The prepared responses of a namespace.
///
/// Everything else is asked for first: what was answered to every such request is prepared then, and lasts until the site
/// changes. While faults or a network are active, nothing is prepared.
extension OriginNamespace {
    /// Returns the prepared response to a request and records it; `nil` to answer the request in the general way.
    func preparedResponse(for head: RequestHead) -> PreparedResponse? {
        guard let answer = prepared.answer(at: head.target), !injector.isActive else { return nil }
        let fields = SelectingFields(head.fieldLines)
        guard !fields.hasCondition else { return nil }
        let wallSeconds = clock.wallSeconds
        let now = HTTPTimestamp(wallSeconds: wallSeconds)
        guard let response = answer.response(at: now, allowsGzip: fields.allowsGzip, contents),
            count(answer)
        else { return nil }
        journal.add(head, at: wallSeconds, answer, response)
        return response
    }

    /// Prepares the response to such requests if it is the same for all.
    func prepare(_ request: ServedRequest) {
        guard request.method == "GET", request.isHTTP11, request.body.isEmpty, !request.wantsClose,
            !SelectingFields(request.fields).hasCondition, !injector.isActive
        else { return }
        if let known = prepared.answer(at: request.target), isOfPresent(known) { return }
        let inner = below(request)
        guard let answer = state.withLock({ $0.site }).steady(inner, base: base, contents) else { return }
        prepared.add(answer, at: request.target)
    }

    /// Whether an answer was prepared for the current site.
    private func isOfPresent(_ answer: PreparedAnswer) -> Bool {
        state.withLock { $0.site.generation == answer.source.generation }
    }

    /// Counts a request that gets a prepared response; false if the site has changed since.
    private func count(_ answer: PreparedAnswer) -> Bool {
        state.withLock { state in
            guard state.site.generation == answer.source.generation else { return false }
            if let place = answer.source.place { state.site.script.count(place) }
            return true
        }
    }
}
