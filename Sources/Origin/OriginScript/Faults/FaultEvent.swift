/// An event of a connection or an exchange at which a fault can happen, in order of time.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FaultEvent: String, Sendable, Hashable, CaseIterable {
    /// The connection is accepted; nothing is read.
    case accept
    /// The client's TLS hello arrives.
    case tlsHandshake = "tls-handshake"
    /// The head of the first request of a connection arrives.
    case requestHead = "request-head"
    /// The content of a request arrives.
    case requestBody = "request-body"
    /// The request is read; nothing of the final response is written.
    case beforeHead = "before-head"
    /// The final head is written.
    case head
    /// The content is written. Its bytes are counted with content coding and without chunk framing.
    case body
    /// The content is written; its end, the last chunk, is not.
    case end

    /// The scope of an event.
    enum Scope {
        /// The connection; no request is known.
        case connection
        /// A request whose route is not known.
        case request
        /// The response of a route.
        case response
    }

    /// The scope of the event.
    var scope: Scope {
        switch self {
        case .accept, .tlsHandshake, .requestHead: .connection
        case .requestBody: .request
        case .beforeHead, .head, .body, .end: .response
        }
    }

    /// The event's row of the table.
    package var row: ReferenceRow {
        func row(_ bytes: String, _ summary: String, example: String) -> ReferenceRow {
            ReferenceRow(rawValue, takes: ValueForm(bytes), summary, example: example)
        }
        return switch self {
        case .accept: row("none", "The connection is accepted; nothing is read", example: "reset@accept")
        case .tlsHandshake:
            row(
                "the TLS hello, from its first byte",
                "The client's TLS hello arrives; a plain request is not affected",
                example: "close@tls-handshake:50%"
            )
        case .requestHead:
            row(
                "the request's head; no fraction",
                "The head of the first request of a connection arrives",
                example: "reset@request-head:40"
            )
        case .requestBody:
            row(
                "the request's content",
                "The content of a request arrives",
                example: "slow=1KiB@request-body"
            )
        case .beforeHead:
            row(
                "none",
                "The request is read; nothing of the final head is written",
                example: "delay=2s@before-head"
            )
        case .head:
            row(
                "the final head, with status line and blank line",
                "The head is written",
                example: "close@head"
            )
        case .body:
            row(
                "the content with its content coding, without chunk framing",
                "The content is written",
                example: "reset@body:100"
            )
        case .end:
            row(
                "the last chunk, or none",
                "The content is written; its end is not",
                example: "stall=forever@end"
            )
        }
    }

    /// Whether the event is before the response, when no route is known.
    public var isBeforeAnswer: Bool { scope != .response }

    /// Whether the event is one of the connection, at which no request is known.
    public var isOfConnection: Bool { scope == .connection }

    /// Kinds of actions that are possible here.
    var actions: [FaultAction.Kind] { Self.actions[self] ?? [] }

    private static let actions: [FaultEvent: [FaultAction.Kind]] = {
        var actions: [FaultEvent: [FaultAction.Kind]] = [:]
        for kind in FaultAction.Kind.allCases {
            for event in kind.row.events { actions[event, default: []].append(kind) }
        }
        return actions
    }()
}
