import HTTPServing
import Locks
import OriginScript

/// The response to every unconditional GET of one target, composed once per second and coding.
final class PreparedAnswer: Sendable {
    /// An answer and its route.
    struct Source {
        var answer: Answer
        /// Index of the route among those of the site; `nil` if no route answers.
        var place: Int?
        /// The route's label in the journal.
        var label: String?
        /// The context of the answer, except for the time and the accepted coding.
        var context: AnswerContext
        /// The generation of the site that it belongs to.
        var generation: Int
    }
    private struct Made {
        /// The response; `nil` if it cannot currently be prepared.
        var response: PreparedResponse?
        var second: Int64
        var file: ContentStore.FileMark?
    }
    /// Larger content is not prepared: copying it costs more than everything else, and it would fill the memory.
    static let largestContent = 64 << 10
    let source: Source
    /// The request's target below the base of the site.
    let target: [UInt8]
    private let isNegotiated: Bool
    /// The responses without and with a coding.
    private let made: Lock<(plain: Made?, coded: Made?)> = Lock((nil, nil))

    init(_ source: Source) {
        self.source = source
        target = Array(source.context.request.target.utf8)
        isNegotiated = source.answer.gzip == .offered
    }

    /// Returns the response of this second; `nil` if it depends on the request.
    func response(at now: HTTPTimestamp, allowsGzip: Bool, _ contents: ContentStore) -> PreparedResponse? {
        let isCoded = isNegotiated && allowsGzip
        let known = made.withLock { isCoded ? $0.coded : $0.plain }
        if let known, known.second == now.seconds {
            // A file may change within the second.
            guard let file = known.file, !contents.isSame(file) else { return known.response }
        }
        let new = make(now, allowsGzip: isCoded, contents)
        made.withLock { if isCoded { $0.coded = new } else { $0.plain = new } }
        return new.response
    }

    private func make(_ now: HTTPTimestamp, allowsGzip: Bool, _ contents: ContentStore) -> Made {
        var context = source.context
        context.now = now
        if allowsGzip { context.request.fields = [ServedField(FieldName.acceptEncoding, "gzip")] }
        // Identified before it is read, so that a concurrent change is detected at the next request.
        let (file, count) = mark(context, contents)
        guard count <= Self.largestContent else { return Made(second: now.seconds, file: file) }
        let reply = ComposedReply.compose(source.answer, context, contents)
        return Made(response: PreparedResponse(reply), second: now.seconds, file: file)
    }

    /// Returns the file of the content, if any, and the size of the content before any coding.
    private func mark(_ context: AnswerContext, _ contents: ContentStore) -> (ContentStore.FileMark?, Int) {
        do throws(ContentStore.Missing) {
            let loaded = try contents.load(source.answer.body, context, revision: 0)
            return (loaded.mark, loaded.content.count)
        } catch {
            // Responses to missing content are not prepared.
            return (nil, .max)
        }
    }
}

extension PreparedResponse {
    /// Prepares a reply; `nil` unless exactly its bytes would be sent.
    fileprivate convenience init?(_ reply: ComposedReply) {
        let rendered = reply.rendered()
        guard reply.ending == .keepAlive, rendered.count == 1, case .write(let bytes) = rendered[0] else {
            return nil
        }
        // The framing is passed separately.
        let framing = [FieldName.transferEncoding, FieldName.contentLength]
        self.init(
            status: reply.head.status,
            reason: reply.head.reason,
            fields: reply.head.fields.filter { field in
                !framing.contains { $0.isSameFieldName(as: field.name) }
            },
            body: reply.content,
            isChunked: reply.coding == .chunked
        )
        guard self.bytes[...] == bytes else { return nil }
    }
}

extension ComposedReply {
    /// The whole content.
    fileprivate var content: [UInt8] {
        steps.reduce(into: []) { content, step in
            if case .content(let piece, _, _) = step { content += piece.bytes() ?? [] }
        }
    }
}
