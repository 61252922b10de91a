import HTTPServing
import OriginScript

/// The framing of the suite's origin, and its effect on the connection.
struct SuiteFraming {
    private static let keepAlive = "Keep-Alive"
    /// Fields to add.
    let fields: [ServedField]
    /// Transfer coding of the content.
    let coding: ComposedReply.Coding
    /// The continuation or end of the connection.
    let ending: RawReply.Ending

    /// Frames content of `count` bytes, `nil` for a response without content, unless the test sets its own framing.
    init(_ scripted: [SuiteField], contentCount: Int?, _ request: ServedRequest) {
        func values(_ name: String) -> [String] {
            scripted.filter { $0.name.isSameFieldName(as: name) }.map(\.value.plainText)
        }
        let codings = values(FieldName.transferEncoding)
        let lengths = values(FieldName.contentLength)
        let options = values(FieldName.connection)
        let isChunked = codings.last?.lowercased().hasSuffix("chunked") ?? false
        coding = isChunked ? .chunked : .identity
        // If the framing is wrong, nothing may follow on the connection.
        let isUnframed =
            !codings.isEmpty && !isChunked || !lengths.isEmpty && lengths != contentCount.map { [String($0)] }
        let closes =
            request.wantsClose || contentCount != nil && isUnframed
            || options.contains { $0.lowercased().contains("close") }
        ending = closes ? .close : .keepAlive
        var fields: [ServedField] = []
        if options.isEmpty {
            fields.append(ServedField(FieldName.connection, closes ? "close" : "keep-alive"))
            // The suite's own server does not add this field to a test that sets one.
            if !closes, values(Self.keepAlive).isEmpty {
                fields.append(ServedField(Self.keepAlive, "timeout=5"))
            }
        }
        if let contentCount, codings.isEmpty, lengths.isEmpty {
            fields.append(ServedField(FieldName.contentLength, String(contentCount)))
        }
        self.fields = fields
    }
}

extension ComposedReply {
    /// Returns a reply with one line of text.
    static func suiteNotice(
        _ status: Int,
        _ text: String,
        type: String = "text/plain",
        to request: ServedRequest
    ) -> ComposedReply {
        let content = Array(text.utf8)
        let framing = SuiteFraming([], contentCount: content.count, request)
        let fields = [ServedField(FieldName.contentType, type)] + framing.fields
        let head = Head(status: status, reason: ReasonPhrase.standard(status), fields: fields)
        var reply = ComposedReply(head: head, steps: [.head], ending: framing.ending)
        if request.method != "HEAD" {
            reply.steps.append(.content(Content(content), chunk: nil, endsChunk: false))
        }
        return reply
    }
}
