import Clocks
import FaultProxy
import HTTPArchive
import HTTPServing
import LocatedYAML
import WireSyntax

/// Converts an entry of an archive to an exchange; reports missing and malformed members.
struct HAREntryReader {
    let problems: ProblemCollector

    /// Returns the exchange, or the reason why the entry cannot be replayed; `nil` for a malformed one.
    func read(_ entry: HTTPArchive.Entry) -> RecordedEvent? {
        guard let request = message("request", entry.request, in: entry),
            let response = message("response", entry.response, in: entry),
            let method = text("method", in: request.node), let urlText = text("url", in: request.node),
            let status = number("status", in: response.node)
        else { return nil }
        guard Token.isToken(method) else { return .omitted("\(method) \(urlText) has no method of HTTP") }
        guard let url = request.url else { return .omitted("\(urlText) is not an http URL") }
        guard (100...999).contains(status) else { return .omitted("\(method) \(urlText) has no response") }
        guard let body = content(response.content) else {
            return .omitted("\(method) \(urlText) has no content in the file")
        }
        var exchange = CapturedExchange(
            method: method,
            origin: url.origin,
            target: url.target,
            response: Self.whole(
                status,
                Self.reason(response.node, status),
                Self.framed(fields(response), body, response.node.value(of: "httpVersion")?.scalarText ?? ""),
                body,
                isCoded: response.isCoded
            ),
            at: .saturating(seconds: started(entry))
        )
        exchange.requestFields = fields(request)
        exchange.requestBody = content(request.postedContent) ?? []
        exchange.duration = .seconds(seconds(entry.node.number("time"), "time", in: entry))
        exchange.answeredAt += .seconds(seconds(entry.timing("wait"), "timings.wait", in: entry))
        return .exchange(exchange)
    }

    /// Returns the reason phrase, which has no meaning (RFC 9112 §4), or the standard one for a text that no status line
    /// can have.
    private static func reason(_ response: YAMLNode, _ status: Int) -> String {
        let text = response.value(of: "statusText")?.scalarText ?? ""
        let isPhrase = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        return isPhrase ? text : ReasonPhrase.standard(status)
    }

    /// Returns a duration in milliseconds as seconds; 0 for one that is not known, which archives write as -1.
    private func seconds(_ milliseconds: Double?, _ key: String, in entry: HTTPArchive.Entry) -> Double {
        let seconds = max(0, milliseconds ?? 0) / 1000
        guard seconds > Double(Quantity.longestSeconds) else { return seconds }
        problems.add(
            at: entry.node.position,
            found: "\"\(key)\" of \(seconds) s",
            expected: "at most \(Quantity.longestSeconds) s, in milliseconds"
        )
        return 0
    }

    /// Adds Content-Length, which later versions of HTTP do not require.
    private static func framed(
        _ fields: [CapturedExchange.Field],
        _ body: [UInt8],
        _ version: String
    ) -> [CapturedExchange.Field] {
        let isFramed = fields.contains {
            $0.isNamed(FieldName.contentLength) || $0.isNamed(FieldName.transferEncoding)
        }
        if isFramed || body.isEmpty || version.uppercased().hasPrefix("HTTP/1.") { return fields }
        return fields + [CapturedExchange.Field(FieldName.contentLength, "\(body.count)")]
    }

    /// Removes Content-Encoding if the archive has decoded content, and corrects Content-Length.
    private static func whole(
        _ status: Int,
        _ reason: String,
        _ fields: [CapturedExchange.Field],
        _ body: [UInt8],
        isCoded: Bool
    ) -> CapturedExchange.Response {
        var fields = fields
        if !isCoded, !body.starts(with: [0x1F, 0x8B]) {
            fields.removeAll { $0.isNamed(FieldName.contentEncoding) }
        }
        for index in fields.indices where fields[index].isNamed(FieldName.contentLength) && !body.isEmpty {
            fields[index].value = "\(body.count)"
        }
        return CapturedExchange.Response(status: status, reason: reason, fields: fields, body: body)
    }

    private func message(
        _ key: String,
        _ message: HTTPArchive.Message?,
        in entry: HTTPArchive.Entry
    ) -> HTTPArchive.Message? {
        if message == nil {
            problems.add(
                at: entry.node.position,
                found: "an entry without \"\(key)\"",
                expected: "an object \"\(key)\""
            )
        }
        return message
    }

    private func text(_ key: String, in node: YAMLNode) -> String? {
        guard let value = node.value(of: key)?.scalarText, !value.isEmpty else {
            problems.add(at: node.position, found: "no string \"\(key)\"", expected: "a string \"\(key)\"")
            return nil
        }
        return value
    }

    private func number(_ key: String, in node: YAMLNode) -> Int? {
        guard let value = node.number(key), let whole = Int(exactly: value) else {
            problems.add(
                at: node.position,
                found: "no number \"\(key)\"",
                expected: "a whole number \"\(key)\""
            )
            return nil
        }
        return whole
    }

    private func fields(_ message: HTTPArchive.Message) -> [CapturedExchange.Field] {
        message.fields.map { CapturedExchange.Field($0.name, $0.value) }
    }

    /// Returns the content; `nil` if the archive does not contain it.
    private func content(_ content: HTTPArchive.Content) -> [UInt8]? {
        switch content {
        case .bytes(let bytes): return bytes
        case .omitted: return nil
        case .malformed(let node):
            problems.add(at: node.position, found: "content that is not base64", expected: "base64")
            return []
        }
    }

    private func started(_ entry: HTTPArchive.Entry) -> Double {
        if let seconds = entry.startedAt { return seconds }
        guard let node = entry.started else { return 0 }
        problems.add(node, expected: "a timestamp such as 2026-01-01T00:00:00Z")
        return 0
    }
}
