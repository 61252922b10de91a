import Cmicrohttpd

/// A response that can be sent repeatedly: in one piece by the prepared front, or by libmicrohttpd.
public final class PreparedResponse: @unchecked Sendable {
    // Reason: libmicrohttpd counts references under its own lock, and nothing changes after `init`.
    let response: OpaquePointer
    let isChunked: Bool
    /// The whole response as one piece.
    public let bytes: [UInt8]
    /// Status code.
    public let status: Int
    /// The field lines of the head that is sent.
    public let fields: [ServedField]

    /// Creates a response; `nil` if libmicrohttpd would send a different one, refuses a field or has no memory.
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
        var body = body
        guard
            let made = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
        else { return nil }
        response = made
        self.status = status
        self.isChunked = isChunked
        let coding = ServedField(FieldName.transferEncoding, "chunked")
        let length = ServedField(FieldName.contentLength, "\(body.count)")
        self.fields = fields + [isChunked ? coding : length]
        bytes = Self.head("\(status) \(standard)", self.fields) + Self.framed(body, isChunked)
        for field in fields + (isChunked ? [coding] : [])
        where MHD_add_response_header(made, field.name, field.value) != .YES {
            return nil
        }
    }

    deinit { MHD_destroy_response(response) }

    /// Whether libmicrohttpd sends content and a length with this status.
    private static func hasContent(_ status: Int) -> Bool {
        (200...599).contains(status) && status != 204 && status != 205 && status != 304
    }

    /// Whether libmicrohttpd sends a field unchanged; it controls the fields of framing and connection itself.
    private static func isSentAsGiven(_ field: ServedField) -> Bool {
        !field.isLatin1 && !own.contains { $0.isSameFieldName(as: field.name) }
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
