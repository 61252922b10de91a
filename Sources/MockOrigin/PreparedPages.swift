import HTTPServing
import Locks
import OriginScript

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Responses that never change but for their `Date`, which libmicrohttpd sends without our help.
final class PreparedPages: Sendable {
    private struct State {
        var second: Int64 = .min
        var responses: [PreparedResponse?]
    }
    private let targets: [[UInt8]]
    private let answers: [Answer]
    private let contents: ContentStore
    private let state: Lock<State>

    init(_ answers: [(target: String, answer: Answer)], _ contents: ContentStore) {
        targets = answers.map { Array($0.target.utf8) }
        self.answers = answers.map(\.answer)
        self.contents = contents
        state = Lock(State(responses: Array(repeating: nil, count: answers.count)))
    }

    /// Returns the place of the page whose target is exactly this.
    func place(of target: UnsafeBufferPointer<UInt8>) -> Int? {
        targets.firstIndex { candidate in
            guard candidate.count == target.count, let start = target.baseAddress else { return false }
            return memcmp(candidate, start, target.count) == 0
        }
    }

    /// Returns the response of this second; made anew when the second is another than at the last call.
    func response(_ place: Int, at wallSeconds: Double) -> PreparedResponse? {
        let now = HTTPMoment(wallSeconds: wallSeconds)
        let known = state.withLock { state -> PreparedResponse? in
            if state.second == now.seconds { return state.responses[place] }
            state = State(second: now.seconds, responses: Array(repeating: nil, count: targets.count))
            return nil
        }
        if let known { return known }
        let made = make(answers[place], now)
        state.withLock { state in
            if state.second == now.seconds { state.responses[place] = made }
        }
        return made
    }

    private func make(_ answer: Answer, _ now: HTTPMoment) -> PreparedResponse? {
        let request = ServedRequest(method: "GET", target: "/")
        let context = AnswerContext(request: request, now: now, startedAt: now)
        let reply = OriginReply.compose(answer, context, contents)
        // libmicrohttpd frames by itself, and counts a content's bytes.
        let framing = [FieldName.transferEncoding, FieldName.contentLength]
        let fields = reply.head.fields.filter { field in
            !framing.contains { $0.isSameFieldName(as: field.name) }
        }
        return PreparedResponse(
            status: reply.head.status,
            fields: fields,
            body: reply.content,
            isChunked: reply.coding == .chunked
        )
    }
}

extension OriginReply {
    /// The whole content.
    fileprivate var content: [UInt8] {
        steps.reduce(into: []) { content, step in
            if case .content(let piece, _, _) = step { content += piece }
        }
    }
}
