import Cmicrohttpd

/// A response that libmicrohttpd keeps and sends as often as it is asked for.
public final class PreparedResponse: @unchecked Sendable {
    // Reason: libmicrohttpd counts references under its own lock, and nothing is changed after `init`.
    let response: OpaquePointer
    let status: CUnsignedInt
    let isChunked: Bool
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
        let coding = isChunked ? [ServedField(FieldName.transferEncoding, "chunked")] : []
        for field in fields + coding where MHD_add_response_header(made, field.name, field.value) != .YES {
            return nil
        }
    }

    deinit { MHD_destroy_response(response) }
}
