public import HTTPServing
public import JSON
import TextCodings

/// The content of a request, parsed by its `Content-Type`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RequestContent: Sendable, Hashable {
    /// No content.
    case none
    /// A URL-encoded form: names in order, the values of each in order.
    case form([FormField])
    /// JSON that is well-formed.
    case json(JSONValue)
    /// A multipart form.
    case parts([Part])
    /// Another type, or none.
    case other
    /// Content that does not have the form of its type.
    case malformed(String)

    /// One name of a form with all of its values.
    public struct FormField: Sendable, Hashable {
        /// Decoded name.
        public var name: String
        /// Decoded values.
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
        /// Content, or its beginning if the record does not keep all of it.
        public var body: [UInt8]
        /// Size of the content in bytes.
        public var contentCount: Int

        init(name: String?, fileName: String?, contentType: String?, body: [UInt8]) {
            (self.name, self.fileName, self.contentType) = (name, fileName, contentType)
            self.body = body
            contentCount = body.count
        }
    }

    /// Parses the content of a request.
    public init(_ request: ServedRequest) {
        let type = request.fields.combined(FieldName.contentType) ?? ""
        switch Kind(type) {
        case _ where request.body.isEmpty: self = .none
        case .form: self = .form(Self.form(request.body))
        case .multipart: self = MultipartFormReader.read(request.body, type: type)
        case .json: self = Self.json(request.body)
        case .other: self = .other
        }
    }

    /// Parses content that must be parsed as a whole, and keeps at most `limit` bytes and a thousand parts of it.
    ///
    /// `nil` for a type that can be parsed from its beginning; well-formed JSON that is too large becomes `other`.
    static func summary(_ request: ServedRequest, limit: Int) -> RequestContent? {
        switch Kind(request.fields.combined(FieldName.contentType) ?? "") {
        case .form, .other: return nil
        case .multipart, .json: break
        }
        switch RequestContent(request) {
        case .json: return .other
        case .parts(let parts): return .parts(shortened(parts.prefix(1000), limit))
        case let other: return other
        }
    }

    private static func shortened(_ parts: ArraySlice<Part>, _ limit: Int) -> [Part] {
        var left = limit
        return parts.map { part in
            var part = part
            part.body = Array(part.body.prefix(left))
            left -= part.body.count
            return part
        }
    }

    private enum Kind {
        case form
        case multipart
        case json
        case other

        init(_ type: String) {
            let essence = type.prefix { $0 != ";" }.trimmed.lowercased()
            switch essence {
            case "application/x-www-form-urlencoded": self = .form
            case "multipart/form-data": self = .multipart
            case _ where essence == "application/json" || essence.hasSuffix("+json"): self = .json
            default: self = .other
            }
        }
    }

    private static func json(_ body: [UInt8]) -> RequestContent {
        JSONValue(content: body).map(RequestContent.json) ?? .malformed("The content is not JSON.")
    }

    /// Returns the form's names, each with the list of its values; text that cannot be decoded stays unchanged.
    private static func form(_ body: [UInt8]) -> [FormField] {
        var fields: [FormField] = []
        var indices: [String: Int] = [:]
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentText.decode($0, plusIsSpace: true) ?? String($0) }
            let value = decoded.count > 1 ? decoded[1] : ""
            if let index = indices[decoded[0]] {
                fields[index].values.append(value)
            } else {
                indices[decoded[0]] = fields.count
                fields.append(FormField(decoded[0], [value]))
            }
        }
        return fields
    }
}
