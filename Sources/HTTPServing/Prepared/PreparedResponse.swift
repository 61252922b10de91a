import Cmicrohttpd

/// A response that libmicrohttpd keeps and sends as often as it is asked for.
public final class PreparedResponse: @unchecked Sendable {
    // Reason: libmicrohttpd counts references under its own lock, and nothing is changed after `init`.
    let response: OpaquePointer
    let status: CUnsignedInt
    let isChunked: Bool
    /// The whole response as it is sent in one piece.
    let bytes: [UInt8]
    /// Field lines, without those of its framing.
    public let fields: [ServedField]
    /// Bytes of content.
    public let contentCount: Int

    /// Prepares a response; `nil` when libmicrohttpd refuses a field or has no memory.
    ///
    /// With `isChunked` the length is not told.
    public init?(status: Int, fields: [ServedField], body: [UInt8], isChunked: Bool) {
        var body = body
        guard
            let made = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
        else { return nil }
        response = made
        self.status = CUnsignedInt(clamping: status)
        self.isChunked = isChunked
        contentCount = body.count
        self.fields = fields
        let coding = ServedField(FieldName.transferEncoding, "chunked")
        let length = ServedField(FieldName.contentLength, "\(body.count)")
        bytes = Self.head(status, fields + [isChunked ? coding : length]) + Self.framed(body, isChunked)
        for field in fields + (isChunked ? [coding] : [])
        where MHD_add_response_header(made, field.name, field.value) != .YES {
            return nil
        }
    }

    private static func head(_ status: Int, _ fields: [ServedField]) -> [UInt8] {
        let reason = MHD_get_reason_phrase_for(CUnsignedInt(clamping: status)).map { String(cString: $0) }
        let lines = ["HTTP/1.1 \(status) \(reason ?? "")"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func framed(_ body: [UInt8], _ isChunked: Bool) -> [UInt8] {
        guard isChunked else { return body }
        let end = Array("0\r\n\r\n".utf8)
        if body.isEmpty { return end }
        return Array("\(String(body.count, radix: 16))\r\n".utf8) + body + [0x0D, 0x0A] + end
    }

    deinit { MHD_destroy_response(response) }
}
