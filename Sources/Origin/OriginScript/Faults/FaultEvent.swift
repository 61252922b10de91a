/// Something that happens on a connection or in an exchange, at which a fault can strike; in order of time.
public enum FaultEvent: String, Sendable, Hashable, CaseIterable {
    /// The connection is accepted, nothing is read.
    case accept
    /// The client's TLS hello arrives.
    case tlsHandshake = "tls-handshake"
    /// The head of the first request of a connection arrives.
    case requestHead = "request-head"
    /// The content of a request arrives.
    case requestBody = "request-body"
    /// The request is read, nothing of the final answer is written.
    case beforeHead = "before-head"
    /// The final head is written.
    case head
    /// The content is written; bytes are those of the content, as it is coded but without chunks.
    case body
    /// The content is written; what ends it, the last chunk, is not.
    case end

    /// Whether it comes before anything of a request's answer, so that no route is known.
    public var isBeforeAnswer: Bool {
        switch self {
        case .accept, .tlsHandshake, .requestHead, .requestBody: true
        case .beforeHead, .head, .body, .end: false
        }
    }

    /// Whether it belongs to the connection and no request is known.
    public var isOfConnection: Bool {
        switch self {
        case .accept, .tlsHandshake, .requestHead: true
        default: false
        }
    }

    /// Names of what can be done there.
    var actions: [FaultAction.Name] {
        let ends: [FaultAction.Name] = [.reset, .close, .halfClose, .stall, .delay, .garbage]
        return switch self {
        case .accept: [.refuse] + ends
        case .tlsHandshake, .requestHead: ends
        case .requestBody: ends + [.slow]
        case .beforeHead: ends + [.status, .interim]
        case .head: ends + [.truncate, .duplicate, .rewrite, .slow, .contentLength]
        case .body: ends + [.truncate, .duplicate, .rewrite, .slow]
        case .end: ends + [.truncate]
        }
    }
}
