public import HTTPServing
public import JSON

/// What a control API answers.
public struct ControlAnswer: Sendable {
    /// What follows the head.
    public enum Content: Sendable {
        /// Bytes of some type.
        case bytes([UInt8], type: String)
        /// Server-sent events, each sent as its text, until the function returns or the client goes away.
        case events(@Sendable (_ send: Send) async throws(ClientGone) -> Void)
    }
    /// Sends an event; waits while the client is slow to take it.
    public typealias Send = @Sendable (String) async throws(ClientGone) -> Void

    /// Status.
    public var status: Int
    /// Content.
    public var content: Content

    /// Creates an answer.
    public init(status: Int = 200, _ content: Content) {
        self.status = status
        self.content = content
    }

    /// An answer in JSON.
    public static func json(status: Int = 200, _ value: JSONValue) -> ControlAnswer {
        ControlAnswer(status: status, .bytes(Array((value.written() + "\n").utf8), type: "application/json"))
    }

    /// An answer without content.
    public static var done: ControlAnswer { ControlAnswer(status: 204, .bytes([], type: "")) }

    /// Returns a server-sent event of one line of JSON.
    public static func event(_ name: String, id: Int? = nil, _ value: JSONValue) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(value.written())\n\n"
    }
}
