import HTTPServing
import OriginScript

/// The head of a request, and what the proxy needs to know of it.
struct ProxiedRequestHead: Sendable {
    var raw: HeadBytes
    let method: String
    let target: String
    let framing: ContentFraming
    /// Whether the connection may become something else than HTTP by the response (RFC 9110 §7.8, §9.3.6).
    let mayBecomeTunnel: Bool
    /// Whether the client waits for a response before it sends the content (RFC 9110 §10.1.1).
    let waitsForResponse: Bool
    /// Whether the client sends no further request on the connection (RFC 9112 §9.3).
    let wantsClose: Bool

    /// Reads a head; `nil` if it is not one of HTTP/1.
    init?(_ raw: HeadBytes) {
        let words = raw.startWords
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), !words[0].isEmpty, !words[1].isEmpty else {
            return nil
        }
        self.raw = raw
        (method, target) = (words[0], words[1])
        framing = ContentFraming(raw, otherwise: .none)
        mayBecomeTunnel = method == "CONNECT" || !raw.values("Upgrade").isEmpty
        waitsForResponse = raw.members("Expect").contains("100-continue")
        let options = raw.members(FieldName.connection)
        wantsClose = options.contains("close") || (words[2] == "HTTP/1.0" && !options.contains("keep-alive"))
    }

    /// The path without query.
    var path: String { TargetParts(target).path }
}

/// The head of a response, and what the proxy needs to know of it.
struct ResponseHead: Sendable {
    var raw: HeadBytes
    let status: Int

    /// Reads a head; `nil` if it is not one of HTTP/1.
    init?(_ raw: HeadBytes) {
        let words = raw.startWords
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]),
            (100...999).contains(status)
        else { return nil }
        self.raw = raw
        self.status = status
    }

    /// Whether the final response to the request is still to come.
    var isInterim: Bool { status < 200 && status != 101 }

    /// Whether the connection is a tunnel after the head.
    func begins(tunnelFor method: String) -> Bool {
        status == 101 || (method == "CONNECT" && (200..<300).contains(status))
    }

    /// Returns the framing of the content (RFC 9112 §6.3).
    func framing(for method: String) -> ContentFraming {
        guard method != "HEAD", Passing.hasContent(status) else { return .none }
        return ContentFraming(raw, otherwise: .untilClose)
    }
}
