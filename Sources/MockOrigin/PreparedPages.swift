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
        /// Whether each page is what it was prepared as.
        var areValid: [Bool]
    }
    private let targets: [[UInt8]]
    private let answers: [Answer]
    private let contents: ContentStore
    private let state: Lock<State>

    init(_ answers: [(target: String, answer: Answer)], _ contents: ContentStore) {
        targets = answers.map { Array($0.target.utf8) }
        self.answers = answers.map(\.answer)
        self.contents = contents
        let responses = [PreparedResponse?](repeating: nil, count: answers.count)
        state = Lock(State(responses: responses, areValid: Array(repeating: true, count: answers.count)))
    }

    /// Answers only these targets from now on.
    func restrict(to valid: Set<String>) {
        let areValid = targets.map { valid.contains(String(decoding: $0, as: UTF8.self)) }
        state.withLock { $0.areValid = areValid }
    }

    /// Whether any page is what it was prepared as.
    var hasValid: Bool { state.withLock { $0.areValid.contains(true) } }

    /// The targets of all pages.
    var allTargets: [String] { targets.map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the place of the page whose target is exactly this.
    func place(of target: UnsafeBufferPointer<UInt8>) -> Int? {
        targets.firstIndex { candidate in
            guard candidate.count == target.count, let start = target.baseAddress else { return false }
            return memcmp(candidate, start, target.count) == 0
        }
    }

    /// Returns the response of this second; made anew when the second is another than at the last call.
    ///
    /// `nil` for a page that is no longer what it was prepared as.
    func response(_ place: Int, at wallSeconds: Double) -> PreparedResponse? {
        let now = HTTPMoment(wallSeconds: wallSeconds)
        let (isValid, known) = state.withLock { state -> (Bool, PreparedResponse?) in
            guard state.areValid[place] else { return (false, nil) }
            if state.second == now.seconds { return (true, state.responses[place]) }
            state.second = now.seconds
            state.responses = Array(repeating: nil, count: targets.count)
            return (true, nil)
        }
        guard isValid else { return nil }
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
            if case .content(let piece, _, _) = step { content += piece.bytes() ?? [] }
        }
    }
}
