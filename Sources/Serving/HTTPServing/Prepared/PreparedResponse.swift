import Cmicrohttpd
import WireSyntax

/// A response that can be sent repeatedly, in one piece.
public final class PreparedResponse: Sendable {
    /// The whole response as one piece.
    public let bytes: [UInt8]
    /// Status code.
    public let status: Int
    /// The field lines of the head that is sent.
    public let fields: [ServedField]

    /// Creates a response; `nil` for one without content or length, with a custom reason phrase, or with an unusual
    /// field, which only a raw reply sends.
    ///
    /// `fields` are all fields except those of the framing, which are added at the end; with `isChunked` the length is
    /// not sent.
    public init?(
        status: Int,
        reason: String? = nil,
        fields: [ServedField],
        body: [UInt8],
        isChunked: Bool
    ) {
        guard Self.hasContent(status), fields.allSatisfy(Self.isSentAsGiven) else { return nil }
        let standard = MHD_get_reason_phrase_for(CUnsignedInt(clamping: status)).map { String(cString: $0) }
        guard let standard, reason == nil || reason == standard else { return nil }
        self.status = status
        let coding = ServedField(FieldName.transferEncoding, "chunked")
        let length = ServedField(FieldName.contentLength, "\(body.count)")
        self.fields = fields + [isChunked ? coding : length]
        bytes = Self.head("\(status) \(standard)", self.fields) + Self.framed(body, isChunked)
    }

    /// Whether a response with this status has content and a length.
    private static func hasContent(_ status: Int) -> Bool {
        (200...599).contains(status) && status != 204 && status != 205 && status != 304
    }

    /// Whether a field is an ordinary one that is sent as given; those of framing and connection are not.
    private static func isSentAsGiven(_ field: ServedField) -> Bool {
        !field.isLatin1 && !own.contains { $0.isSameFieldName(as: field.name) }
            && !field.name.isEmpty && field.name.utf8.allSatisfy(Token.isCharacter)
            && !field.value.isEmpty && field.value.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }
    }

    private static let own = [FieldName.transferEncoding, FieldName.contentLength, FieldName.connection]

    private static func head(_ status: String, _ fields: [ServedField]) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func framed(_ body: [UInt8], _ isChunked: Bool) -> [UInt8] {
        guard isChunked else { return body }
        let end = Array("0\r\n\r\n".utf8)
        if body.isEmpty { return end }
        return Array("\(String(body.count, radix: 16))\r\n".utf8) + body + [0x0D, 0x0A] + end
    }
}
