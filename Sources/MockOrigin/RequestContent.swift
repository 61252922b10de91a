public import HTTPServing

/// The content of a request as its `Content-Type` says, for people who read the record.
public enum RequestContent: Sendable, Hashable {
    /// No content.
    case none
    /// A URL-encoded form: names in order, the values of each in order.
    case form([FormField])
    /// JSON that is well-formed, as it was sent.
    case json(String)
    /// A multipart form.
    case parts([Part])
    /// Another type, or none.
    case other
    /// Content that is not what its type says.
    case malformed(String)

    /// One name of a form with all its values.
    public struct FormField: Sendable, Hashable {
        /// Name, decoded.
        public var name: String
        /// Values, decoded.
        public var values: [String]

        /// Creates a form field.
        public init(_ name: String, _ values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// One part of a multipart form.
    public struct Part: Sendable, Hashable {
        /// Name of the form field.
        public var name: String?
        /// Name of the file.
        public var fileName: String?
        /// Type of the content.
        public var contentType: String?
        /// Content.
        public var body: [UInt8]
    }

    /// Reads the content of a request.
    public init(_ request: ServedRequest) {
        let type = request.fields.combined(FieldName.contentType) ?? ""
        let essence = type.prefix { $0 != ";" }.trimmed.lowercased()
        switch essence {
        case _ where request.body.isEmpty: self = .none
        case "application/x-www-form-urlencoded": self = .form(Self.form(request.body))
        case "multipart/form-data": self = MultipartReader.read(request.body, type: type)
        case _ where essence == "application/json" || essence.hasSuffix("+json"):
            self = Self.json(request.body)
        default: self = .other
        }
    }

    private static func json(_ body: [UInt8]) -> RequestContent {
        guard JSONCheck.isValid(body), let text = String(validating: body, as: UTF8.self) else {
            return .malformed("The content is no JSON.")
        }
        return .json(text)
    }

    /// A repeated name becomes one with a list; what cannot be decoded stays as it was sent.
    private static func form(_ body: [UInt8]) -> [FormField] {
        var fields: [FormField] = []
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentText.decode($0, plusIsSpace: true) ?? String($0) }
            let value = decoded.count > 1 ? decoded[1] : ""
            if let place = fields.firstIndex(where: { $0.name == decoded[0] }) {
                fields[place].values.append(value)
            } else {
                fields.append(FormField(decoded[0], [value]))
            }
        }
        return fields
    }
}
