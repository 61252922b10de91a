import HTTPServing

/// The head of a control API's response.
enum ControlHead {
    static func bytes(_ answer: ControlAnswer, isPersistent: Bool, adding more: [ServedField] = []) -> [UInt8]
    {
        // Reason phrases are optional and ignored, RFC 9112 §4.
        var lines = ["HTTP/1.1 \(answer.status) "] + (fields(answer) + more).map { "\($0.name): \($0.value)" }
        if !isPersistent { lines.append("\(FieldName.connection): close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Pages may load resources from this server only, and must not be framed.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static func fields(_ answer: ControlAnswer) -> [ServedField] {
        var fields = [
            ServedField(FieldName.cacheControl, "no-store"),
            ServedField(FieldName.contentTypeOptions, "nosniff"),
            ServedField(FieldName.contentSecurityPolicy, policy),
            ServedField(FieldName.referrerPolicy, "no-referrer"),
        ]
        fields += contentFields(answer)
        if !answer.allowedMethods.isEmpty {
            fields.append(ServedField(FieldName.allow, answer.allowedMethods))
        }
        if answer.status == 503 { fields.append(ServedField(FieldName.retryAfter, "1")) }
        if answer.status == 401 { fields.append(ServedField(FieldName.wwwAuthenticate, "Bearer")) }
        return fields
    }

    private static func contentFields(_ answer: ControlAnswer) -> [ServedField] {
        switch answer.content {
        case .events: return [ServedField(FieldName.contentType, "text/event-stream")]
        case .bytes(let bytes, let type):
            let typeField = type.isEmpty ? nil : ServedField(FieldName.contentType, type)
            let length = answer.status == 204 ? nil : ServedField(FieldName.contentLength, "\(bytes.count)")
            return [typeField, length].compactMap(\.self)
        }
    }
}
