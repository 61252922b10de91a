package import HTTPServing
package import JSON
import TextCodings
import WireSyntax

/// The exchanges of a journal as an HTTP archive (HAR 1.2), with the beginnings of their content.
///
/// Injected faults are in `_cachecheck` of each entry, and in words in its comment.
package enum JournalArchive {
    /// An exchange.
    package struct Entry {
        /// When it began, in seconds since 1970.
        package var startedAt: Double
        /// Its duration; `nil` while it goes on, or where it is unknown.
        package var milliseconds: Double?
        package var method: String
        /// The absolute URL.
        package var url: String
        package var fields: [ServedField]
        /// The request's content.
        package var content = KeptContent()
        /// The status that was sent; `nil` for none.
        package var status: Int?
        package var answerFields: [ServedField]
        /// The content of the response; `nil` if the journal keeps none of responses.
        package var answerContent: KeptContent?
        /// The injected faults with their places, such as `reset@body:20000`.
        package var injected: [String]
        /// How it ended; `nil` while it goes on, or as usual.
        package var ended: String?
        /// The label of the route or rule; `nil` for none.
        package var rule: String?

        package init(startedAt: Double, method: String, url: String) {
            (self.startedAt, self.method, self.url) = (startedAt, method, url)
            (fields, answerFields, injected) = ([], [], [])
        }
    }

    /// Returns the archive.
    package static func json(_ entries: [Entry]) -> JSONValue {
        [
            "log": [
                "version": "1.2", "creator": ["name": "cachecheck", "version": "1"], "pages": [],
                "entries": .array(entries.map(json)),
            ]
        ]
    }

    private static func json(_ entry: Entry) -> JSONValue {
        let time: JSONValue = entry.milliseconds.map { .decimal($0, places: 3) } ?? 0
        var own: [(String, JSONValue)] = [("injected", JSONValue(entry.injected))]
        if let ended = entry.ended { own.append(("ended", .string(ended))) }
        if let rule = entry.rule { own.append(("rule", .string(rule))) }
        let words = entry.injected + (entry.ended.map { ["ended: \($0)"] } ?? [])
        return [
            "startedDateTime": .string(Timestamp.text(entry.startedAt)), "time": time,
            "request": request(entry), "response": response(entry), "cache": .object([]),
            "timings": ["send": 0, "wait": time, "receive": 0],
            "comment": .string(words.joined(separator: "; ")), "_cachecheck": .object(own),
        ]
    }

    private static func request(_ entry: Entry) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("method", .string(entry.method)), ("url", .string(entry.url)), ("httpVersion", "HTTP/1.1"),
            ("cookies", []), ("headers", fields(entry.fields)), ("queryString", query(of: entry.url)),
            ("headersSize", -1), ("bodySize", .integer(entry.content.count)),
        ]
        if entry.content.count > 0 {
            let type = entry.fields.combined(FieldName.contentType) ?? "application/octet-stream"
            // HAR has no coding of request content.
            let content = text(of: entry.content, encodingName: "_encoding")
            members.append(("postData", .object([("mimeType", .string(type))] + content)))
        }
        return .object(members)
    }

    private static func query(of url: String) -> JSONValue {
        let pairs = TargetParts(url).query.map { $0.split(separator: "&") } ?? []
        return .array(
            pairs.map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? String(parts[1]) : ""
                return ["name": .string(String(parts[0])), "value": .string(value)]
            }
        )
    }

    /// The kept bytes of a content as text, or in base64 if they are not UTF-8; and what is missing, in words.
    private static func text(of content: KeptContent, encodingName: String) -> [(String, JSONValue)] {
        if content.bytes.isEmpty, content.count > 0 {
            return [("comment", "The journal no longer keeps this content.")]
        }
        var members: [(String, JSONValue)]
        if let text = String(validating: content.bytes, as: UTF8.self) {
            members = [("text", .string(text))]
        } else {
            members = [("text", .string(Base64.encode(content.bytes))), (encodingName, "base64")]
        }
        guard content.bytes.count < content.count else { return members }
        let words = "The first \(content.bytes.count) of \(content.count) bytes."
        return members + [("comment", .string(words))]
    }

    /// A response that did not come has the status 0, as browsers write it.
    private static func response(_ entry: Entry) -> JSONValue {
        let type = entry.answerFields.combined(FieldName.contentType) ?? ""
        return [
            "status": .integer(entry.status ?? 0),
            "statusText": .string(entry.status.map(ReasonPhrase.standard) ?? ""), "httpVersion": "HTTP/1.1",
            "cookies": [], "headers": fields(entry.answerFields),
            "content": content(entry.answerContent, type),
            "redirectURL": .string(entry.answerFields.combined(FieldName.location) ?? ""),
            "headersSize": -1, "bodySize": .integer(entry.answerContent?.count ?? -1),
        ]
    }

    private static func content(_ content: KeptContent?, _ type: String) -> JSONValue {
        let start: [(String, JSONValue)] = [
            ("size", .integer(content?.count ?? 0)), ("mimeType", .string(type)),
        ]
        guard let content else {
            return .object(start + [("comment", "The journal does not store response content.")])
        }
        return .object(start + text(of: content, encodingName: "encoding"))
    }

    private static func fields(_ fields: [ServedField]) -> JSONValue {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

extension JournalArchive.Entry {
    /// The entry of an exchange of the mock server at `origin`.
    init(_ exchange: RecordedExchange, origin: String) {
        self.init(
            startedAt: exchange.arrivedSeconds,
            method: exchange.method,
            url: origin + exchange.request.target
        )
        (fields, status, answerFields) = (exchange.fields, exchange.status, exchange.answerFields)
        content = KeptContent(exchange.request.body, count: exchange.contentCount)
        (injected, rule) = (exchange.faults, exchange.route)
        ended = exchange.isAborted ? "client gone" : exchange.ending
    }
}
