import HTTPServing
import OriginScript

/// The framing of a reply (RFC 9112 §6), and its effect on the connection.
struct ReplyFraming {
    /// Fields to add.
    let fields: [ServedField]
    /// Transfer coding of the content.
    let coding: ComposedReply.Coding
    /// The continuation or end of the connection.
    let ending: RawReply.Ending
    /// Whether content follows the head at all.
    let sendsContent: Bool

    /// Frames content of `count` bytes with a status, which may differ from the script's.
    init(_ answer: Answer, status: Int, count: Int, _ request: ServedRequest) {
        let hasNone = !Passing.hasContent(status)
        let isWrong = answer.violations.contains(.headWithBody)
        sendsContent = !hasNone && (request.method != "HEAD" || isWrong)
        let scripted = answer.fields.filter { line in
            line.name.isSameFieldName(as: FieldName.contentLength)
                || line.name.isSameFieldName(as: FieldName.transferEncoding)
        }
        // A script that both requests chunked coding and lists its field determines the position of the field.
        if scripted.count == 1, answer.framing == .chunked, scripted[0].value == .text("chunked"),
            request.isHTTP11
        {
            (fields, coding, ending) = ([], .chunked, .keepAlive)
        } else if !scripted.isEmpty {
            // The script sets its own framing; if that is wrong, nothing may follow on the connection.
            let isTrue = !sendsContent || Self.isTrue(scripted, count)
            (fields, coding, ending) = ([], .identity, isTrue ? .keepAlive : .close)
        } else if hasNone {
            (fields, coding, ending) = ([], .identity, .keepAlive)
        } else {
            (fields, coding, ending) = Self.parts(of: Self.effective(answer, request), count, request)
        }
    }

    private static func parts(
        of framing: Framing,
        _ count: Int,
        _ request: ServedRequest
    ) -> ([ServedField], ComposedReply.Coding, RawReply.Ending) {
        switch framing {
        case .length: ([ServedField(FieldName.contentLength, "\(count)")], .identity, .keepAlive)
        case .chunked: ([ServedField(FieldName.transferEncoding, "chunked")], .chunked, .keepAlive)
        case .close:
            (request.wantsClose ? [] : [ServedField(FieldName.connection, "close")], .identity, .close)
        }
    }

    /// Returns the framing that is used: pieces require chunks, and HTTP/1.0 does not have them.
    private static func effective(_ answer: Answer, _ request: ServedRequest) -> Framing {
        let wanted = answer.framing == .length && !answer.chunks.isEmpty ? .chunked : answer.framing
        return wanted == .chunked && !request.isHTTP11 ? .close : wanted
    }

    private static func isTrue(_ lines: [FieldLine], _ count: Int) -> Bool {
        lines.allSatisfy { line in
            line.name.isSameFieldName(as: FieldName.contentLength)
                && line.value == .text("\(count)")
        }
    }
}
