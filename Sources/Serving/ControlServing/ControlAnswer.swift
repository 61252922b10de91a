public import HTTPServing
public import JSON

/// A response of a control API.
public struct ControlAnswer: Sendable {
    /// Content that is complete, or sent as events happen.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Content: Sendable {
        /// Bytes of a media type.
        case bytes([UInt8], type: String)
        /// Server-sent events, each sent as its text, until the function returns or the client goes away.
        case events(@Sendable (_ send: Send) async throws(ClientDisconnected) -> Void)
    }
    /// Sends an event; waits while the client's buffers are full.
    public typealias Send = @Sendable (String) async throws(ClientDisconnected) -> Void

    /// The status code.
    public var status: Int
    /// The content.
    public var content: Content
    /// The value of `Allow`; empty for none.
    var allowedMethods = ""

    /// Creates a response.
    public init(status: Int = 200, _ content: Content) {
        self.status = status
        self.content = content
    }

    /// Returns a response in JSON.
    public static func json(status: Int = 200, _ value: JSONValue) -> ControlAnswer {
        ControlAnswer(status: status, .bytes(Array((value.written() + "\n").utf8), type: "application/json"))
    }

    /// Returns a response without content.
    public static var done: ControlAnswer { ControlAnswer(status: 204, .bytes([], type: "")) }

    /// Returns a server-sent event of one line of JSON.
    public static func event(_ name: String, id: Int? = nil, _ value: JSONValue) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(value.written())\n\n"
    }
}
