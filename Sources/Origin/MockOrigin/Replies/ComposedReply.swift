import HTTPServing
import OriginScript

/// The reply to one request, composed but not yet written.
struct ComposedReply {
    /// A status line with its fields.
    struct Head {
        var status: Int
        var reason: String
        var fields: [ServedField]
        /// Whether field values are sent in ISO-8859-1 instead of UTF-8.
        var isLatin1 = false
    }
    /// One step of writing the reply.
    enum Step {
        case interim(Head)
        case wait(Duration)
        case hold(Hold)
        case head
        /// A piece of the content; `chunk` is the size of the chunk that it begins, `endsChunk` whether it ends one.
        case content(Content, chunk: Int?, endsChunk: Bool)
        /// The content is complete.
        case endOfContent
        /// Continue with a reply that is composed at this step; the last step.
        case decide(@Sendable () -> ComposedReply)
        /// Bytes of the final head, of framing, or of no message.
        case raw(ArraySlice<UInt8>)
        /// The final head is complete; its bytes are those of steps before this one.
        case headSent
    }
    enum Coding {
        case identity
        case chunked
    }

    var head: Head
    var steps: [Step]
    var coding = Coding.identity
    var ending = RawReply.Ending.keepAlive
    /// Whether the content intentionally ends early.
    var isCut = false

    /// The heads of the interim responses, in order.
    var interimResponses: [RecordedExchange.InterimResponse] {
        steps.compactMap { step in
            guard case .interim(let head) = step else { return nil }
            return RecordedExchange.InterimResponse(status: head.status, fields: head.fields)
        }
    }

    /// Returns the reply as bytes and waits.
    ///
    /// Steps without a wait between them are joined unless they are large.
    func rendered() -> [RawReply.Step] {
        var rendered: [RawReply.Step] = []
        var bytes: [UInt8] = []
        for step in steps {
            if let pause = Self.pause(step) {
                Self.flush(&bytes, to: &rendered)
                rendered.append(pause)
            }
            switch step {
            case .interim(let head): bytes += Self.bytes(head)
            case .head: bytes += Self.bytes(head)
            case .content(let piece, let chunk, let endsChunk):
                if coding == .chunked, let chunk { bytes += Self.chunkLine(chunk) }
                Self.append(piece, to: &bytes, &rendered)
                if coding == .chunked, endsChunk { bytes += Self.chunkEnd }
            case .endOfContent: if coding == .chunked { bytes += Self.lastChunk }
            case .raw(let piece): bytes += piece
            case .wait, .hold, .decide, .headSent: break
            }
        }
        Self.flush(&bytes, to: &rendered)
        return rendered
    }

    /// Returns the step that sends nothing; `nil` for one that sends bytes.
    private static func pause(_ step: Step) -> RawReply.Step? {
        switch step {
        case .wait(let time): .wait(time)
        case .hold(let hold): .hold(hold)
        case .decide(let decide):
            .decide {
                let reply = decide()
                return RawReply.Rest(reply.rendered(), ending: reply.ending)
            }
        case .interim, .head, .content, .endOfContent, .raw, .headSent: nil
        }
    }

    /// Content above this size in bytes is produced while it is written.
    private static let largestCopied = 256 << 10

    private static func append(_ piece: Content, to bytes: inout [UInt8], _ rendered: inout [RawReply.Step]) {
        if piece.count <= largestCopied, let content = piece.bytes() {
            bytes += content
            return
        }
        flush(&bytes, to: &rendered)
        rendered.append(.produce(piece.producer))
    }

    private static func flush(_ bytes: inout [UInt8], to rendered: inout [RawReply.Step]) {
        if bytes.isEmpty { return }
        rendered.append(.write(bytes[...]))
        bytes = []
    }

    /// Returns the line before a chunk.
    static func chunkLine(_ size: Int) -> String.UTF8View { "\(String(size, radix: 16))\r\n".utf8 }

    static let chunkEnd: [UInt8] = [0x0D, 0x0A]
    static let lastChunk = Array("0\r\n\r\n".utf8)

    /// Returns a head as it is sent; characters that would end a line early become spaces.
    static func bytes(_ head: Head) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(head.status) ".utf8)
        appendLine(head.reason, to: &bytes)
        for field in head.fields {
            bytes += field.name.utf8
            bytes += [0x3A, 0x20]
            if head.isLatin1 {
                appendLatin1Line(field.value, to: &bytes)
            } else {
                appendLine(field.value, to: &bytes)
            }
        }
        bytes += [0x0D, 0x0A]
        return bytes
    }

    private static func appendLine(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 { bytes.append(byte == 0x0D || byte == 0x0A || byte == 0 ? 0x20 : byte) }
        bytes += [0x0D, 0x0A]
    }

    private static func appendLatin1Line(_ text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            let byte = UInt8(exactly: scalar.value) ?? UInt8(ascii: "?")
            bytes.append(byte == 0x0D || byte == 0x0A || byte == 0 ? 0x20 : byte)
        }
        bytes += [0x0D, 0x0A]
    }
}

extension RawReply.Ending {
    /// The name in the journal; `nil` for a connection that stays open.
    var journalText: String? {
        switch self {
        case .keepAlive: nil
        case .close, .drainAndClose: "close"
        case .cut: "cut"
        case .reset: "reset"
        }
    }
}
