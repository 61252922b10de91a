import OriginScript

/// The client's observation of one request.
public enum SuiteReply: Sendable {
    /// A complete response.
    case response(SuiteResponse)
    /// No response within the time limit.
    case timedOut
    /// No response or an incomplete one, with the reason.
    case failed(String)
}

/// A response as the client saw it; field values are read as ISO-8859-1.
public struct SuiteResponse: Sendable {
    /// A 1xx response.
    public struct Interim: Sendable {
        /// Status code.
        public var status: Int
        /// Field lines.
        public var fields: [(name: String, value: String)]

        /// Creates an interim response.
        public init(status: Int, fields: [(name: String, value: String)]) {
            self.status = status
            self.fields = fields
        }
    }
    /// Status code.
    public var status: Int
    /// Field lines.
    public var fields: [(name: String, value: String)]
    /// Content.
    public var body: [UInt8]
    /// 1xx responses before this one.
    public var interim: [Interim]

    /// Creates a response.
    public init(
        status: Int,
        fields: [(name: String, value: String)],
        body: [UInt8],
        interim: [Interim] = []
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.interim = interim
    }

    /// Returns the values of all lines with a name, in any case, joined by a comma; `nil` if there are none.
    public func field(_ name: String) -> String? { Self.combined(name, in: fields) }

    /// Returns the number that a field's value starts with.
    func number(_ name: String) -> Int? { field(name).flatMap(ScriptInteger.parse) }

    static func combined(_ name: String, in fields: [(name: String, value: String)]) -> String? {
        let name = name.asciiLowercased
        let values = fields.filter { $0.name.asciiLowercased == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
