import Clocks
import HTTPServing
import MockOrigin
import OriginScript

/// A response of the proxy itself.
struct LocalResponse: Sendable {
    var status: Int
    var reason: String?
    var fields: [(name: String, value: String)] = []
    var content: [UInt8] = []

    /// Creates a response with plain text.
    init(status: Int, text: String) {
        self.status = status
        fields = [(FieldName.contentType, "text/plain; charset=utf-8")]
        content = Array(text.utf8)
    }

    /// Returns the response by which a fault replaces the upstream's; `nil` if none does.
    init?(_ exchange: ProxiedExchange) {
        for fault in exchange.faults(of: nil) {
            guard case .status(let status, let after) = fault.action else { continue }
            self.status = status
            fields = after.map { [(FieldName.retryAfter, "\($0.wholeSeconds)")] } ?? []
            return
        }
        return nil
    }

    /// Returns the response as it is sent; `closes` where no further request is read.
    func bytes(for request: ProxiedRequestHead, closes: Bool) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) \(reason ?? ReasonPhrase.standard(status))"]
        lines += fields.map { "\($0.name): \($0.value)" }
        if status != 204, status != 304 { lines.append("\(FieldName.contentLength): \(content.count)") }
        if closes { lines.append("\(FieldName.connection): close") }
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        let hasContent = request.method != "HEAD" && status != 204 && status != 304
        return hasContent ? head + content : head
    }
}
