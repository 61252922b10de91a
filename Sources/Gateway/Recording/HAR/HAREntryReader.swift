import HTTPServing
import FoundationEssentials
import LocatedYAML
import TextCodings

/// Reads one entry of an archive; keys that it does not know are passed over, because every program adds its own.
struct HAREntryReader {
    enum Outcome {
        case exchange(CapturedExchange)
        /// It is well-formed, but there is nothing to replay; why.
        case omitted(String)
        case malformed
    }
    let problems: ProblemCollector

    func read(_ entry: YAMLNode) -> Outcome {
        guard let request = map("request", in: entry), let response = map("response", in: entry),
            let method = text("method", in: request), let url = text("url", in: request),
            let status = number("status", in: response)
        else { return .malformed }
        guard let (origin, target) = Self.parts(of: url) else { return .omitted("\(url) is no http URL") }
        guard (100...999).contains(status) else { return .omitted("\(method) \(url) has no response") }
        guard let body = content(response) else {
            return .omitted("\(method) \(url) has no content in the file")
        }
        var exchange = CapturedExchange(
            method: method,
            origin: origin,
            target: target,
            requestFields: fields(request),
            requestBody: Array((request.value(of: "postData")?.value(of: "text")?.scalarText ?? "").utf8),
            response: Self.whole(
                status,
                response.value(of: "statusText")?.scalarText ?? "",
                Self.framed(fields(response), body, response.value(of: "httpVersion")?.scalarText ?? ""),
                body
            ),
            at: started(entry)
        )
        exchange.tookSeconds = max(0, number("time", orNone: entry) ?? 0) / 1000
        exchange.answeredAt +=
            max(0, entry.value(of: "timings").flatMap { number("wait", orNone: $0) } ?? 0) / 1000
        return .exchange(exchange)
    }

    /// What other versions of HTTP need not say: the length of the content.
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

    /// A response whose content has no coding any more says neither the coding nor its length.
    private static func whole(
        _ status: Int,
        _ reason: String,
        _ fields: [CapturedExchange.Field],
        _ body: [UInt8]
    ) -> CapturedExchange.Response {
        var fields = fields
        let isCoded = fields.contains { $0.isNamed(FieldName.contentEncoding) }
        if isCoded, !body.starts(with: [0x1F, 0x8B]) {
            fields.removeAll { $0.isNamed(FieldName.contentEncoding) }
        }
        for index in fields.indices where fields[index].isNamed(FieldName.contentLength) && !body.isEmpty {
            fields[index].value = "\(body.count)"
        }
        return CapturedExchange.Response(status: status, reason: reason, fields: fields, body: body)
    }

    private func map(_ key: String, in node: YAMLNode) -> YAMLNode? {
        guard let value = node.value(of: key), value.pairs != nil else {
            problems.add(
                at: node.position,
                found: "an entry without \"\(key)\"",
                expected: "an object \"\(key)\""
            )
            return nil
        }
        return value
    }

    private func text(_ key: String, in node: YAMLNode) -> String? {
        guard let value = node.value(of: key)?.scalarText, !value.isEmpty else {
            problems.add(at: node.position, found: "no text \"\(key)\"", expected: "a text \"\(key)\"")
            return nil
        }
        return value
    }

    private func number(_ key: String, in node: YAMLNode) -> Int? {
        guard let value = number(key, orNone: node), let whole = Int(exactly: value) else {
            problems.add(
                at: node.position,
                found: "no number \"\(key)\"",
                expected: "a whole number \"\(key)\""
            )
            return nil
        }
        return whole
    }

    private func number(_ key: String, orNone node: YAMLNode) -> Double? {
        node.value(of: key)?.scalarText.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }

    private func fields(_ node: YAMLNode) -> [CapturedExchange.Field] {
        (node.value(of: "headers")?.elements ?? []).compactMap { line in
            guard let name = line.value(of: "name")?.scalarText, !name.hasPrefix(":"),
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }), !name.isEmpty
            else { return nil }
            let value = line.value(of: "value")?.scalarText ?? ""
            return CapturedExchange.Field(name, String(value.map { $0.isNewline || $0 == "\0" ? " " : $0 }))
        }
    }

    /// Empty where there is none; `nil` where there was some and the file has not kept it.
    private func content(_ response: YAMLNode) -> [UInt8]? {
        guard let content = response.value(of: "content") else { return [] }
        guard let text = content.value(of: "text")?.scalarText else {
            return (number("size", orNone: content) ?? 0) > 0 ? nil : []
        }
        guard content.value(of: "encoding")?.scalarText == "base64" else { return Array(text.utf8) }
        guard let bytes = Base64.decode(text, skippingBlanks: true) else {
            problems.add(at: content.position, found: "content that is no base64", expected: "base64")
            return []
        }
        return bytes
    }

    private func started(_ entry: YAMLNode) -> Double {
        guard let text = entry.value(of: "startedDateTime")?.scalarText else { return 0 }
        for isFractional in [true, false] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: isFractional)
            if let date = try? style.parse(text) { return date.timeIntervalSince1970 }
        }
        problems.add(
            at: entry.position,
            found: YAMLNode.quoted(text),
            expected: "a moment such as 2026-01-01T00:00:00Z"
        )
        return 0
    }

    private static func parts(of url: String) -> (String, String)? {
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), let slashes = url.firstRange(of: "://")
        else {
            return nil
        }
        let whole = url.prefix { $0 != "#" }
        let end = whole[slashes.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? whole.endIndex
        guard end > slashes.upperBound, whole.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let rest = String(whole[end...])
        return (String(whole[..<end]), rest.hasPrefix("/") ? rest : "/" + rest)
    }
}
