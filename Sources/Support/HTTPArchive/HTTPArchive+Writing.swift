package import JSON
import TextCodings
import WireSyntax

/// Writing archives.
extension HTTPArchive {
    /// Returns the `log` of an archive with these exchanges; `version` is this program's.
    package static func log(_ exchanges: [Exchange], version: String) -> JSONValue {
        [
            "version": "1.2", "creator": ["name": "cachecheck", "version": .string(version)], "pages": [],
            "entries": .array(exchanges.map(\.json)),
        ]
    }

    /// An exchange that becomes an entry.
    package struct Exchange {
        /// When it began, in seconds since 1970-01-01T00:00:00Z.
        package var startedAt: Double
        /// Milliseconds until its end; 0 while it continues, or if it is unknown.
        package var milliseconds = 0.0
        /// Milliseconds until the head of the response; by default all.
        package var waitMilliseconds: Double?
        package var method: String
        /// The absolute URL.
        package var url: String
        package var request = WrittenMessage()
        /// The status that was sent; `nil` if none was sent.
        package var status: Int?
        package var reason = ""
        package var response = WrittenMessage()
        /// Members of the entry that are not of HAR, or about all of it.
        package var remarks: JSONValue = [:]

        package init(startedAt: Double, method: String, url: String) {
            (self.startedAt, self.method, self.url) = (startedAt, method, url)
        }
    }

    /// The field lines and the content of a request or a response that is written.
    package struct WrittenMessage {
        package var fields: [(name: String, value: String)] = []
        /// The content as far as it is known, without content coding unless `isCoded`; `nil` if nothing is.
        package var content: [UInt8]? = []
        /// Whether the content still has its content coding, because that could not be removed.
        package var isCoded = false
        /// Bytes of the whole content without content coding; `nil` if all is known.
        package var size: Int?
        /// Bytes of the content as it was sent, -1 for unknown; `nil` is `size`.
        package var sentBytes: Int?
        /// The missing part of the content, in words.
        package var comment: String?

        package init() {}
    }
}

extension HTTPArchive.Exchange {
    fileprivate var json: JSONValue {
        let wait = waitMilliseconds ?? milliseconds
        let whole = max(milliseconds, wait)
        let entry: JSONValue = [
            "startedDateTime": .string(Timestamp.text(startedAt)), "time": Self.time(whole),
            "request": requestJSON, "response": responseJSON, "cache": .object([]),
            "timings": ["send": 0, "wait": Self.time(wait), "receive": Self.time(whole - wait)],
        ]
        return entry.adding(remarks)
    }

    /// Returns a time with the precision of microseconds; -1 means unknown in archives.
    private static func time(_ milliseconds: Double) -> JSONValue {
        milliseconds.magnitude < 1e15 ? .decimal(milliseconds, places: 3) : -1
    }

    private var requestJSON: JSONValue {
        let whole: JSONValue = [
            "method": .string(method), "url": .string(url), "httpVersion": "HTTP/1.1",
            "cookies": Self.pairs(request.value(of: "cookie") ?? "", separator: ";") { $0 },
            "headers": request.headers, "queryString": query, "headersSize": -1,
            "bodySize": .integer(request.bodySize),
        ]
        guard request.wholeSize > 0 else { return whole }
        let type = request.value(of: "content-type") ?? "application/octet-stream"
        let start: JSONValue = ["mimeType": .string(type)]
        return whole.adding(["postData": start.adding(request.text(encoding: HTTPArchive.postedEncoding))])
    }

    private var query: JSONValue {
        let start = url.firstIndex(of: "?").map { url.index(after: $0) } ?? url.endIndex
        return Self.pairs(url[start...], separator: "&") { PercentText.text($0, plusIsSpace: true) }
    }

    private static func pairs(
        _ text: some StringProtocol,
        separator: Character,
        _ decode: (String) -> String
    ) -> JSONValue {
        let pairs = text.split(separator: separator).map { pair -> JSONValue in
            let pair = pair.drop { $0 == " " }
            let name = pair.prefix { $0 != "=" }
            let value = pair.dropFirst(name.count + 1)
            return ["name": .string(decode(String(name))), "value": .string(decode(String(value)))]
        }
        return .array(pairs)
    }

    /// A response that did not come has the status 0, as browsers write it.
    private var responseJSON: JSONValue {
        let type = response.value(of: "content-type") ?? ""
        let content: JSONValue = ["size": .integer(response.wholeSize), "mimeType": .string(type)]
        return [
            "status": .integer(status ?? 0), "statusText": .string(reason), "httpVersion": "HTTP/1.1",
            "cookies": [], "headers": response.headers,
            "content": content.adding(response.text(encoding: "encoding")),
            "redirectURL": .string(response.value(of: "location") ?? ""), "headersSize": -1,
            "bodySize": .integer(response.bodySize),
        ]
    }
}

extension HTTPArchive.WrittenMessage {
    fileprivate var wholeSize: Int { size ?? content?.count ?? 0 }

    fileprivate var bodySize: Int { sentBytes ?? wholeSize }

    fileprivate var headers: JSONValue {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    /// Returns the value of a field, in lower case; `nil` without one (RFC 9110 §5.3).
    fileprivate func value(of name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the content as text, or in base64 if it is not UTF-8, and what is missing; `encoding` is the name of the coding.
    fileprivate func text(encoding: String) -> JSONValue {
        let remark: JSONValue = comment.map { ["comment": .string($0)] } ?? [:]
        guard let content else { return remark }
        let coded: JSONValue = isCoded ? .object([(HTTPArchive.codedKey, .bool(true))]) : [:]
        let text: JSONValue =
            if let text = String(validating: content, as: UTF8.self) {
                ["text": .string(text)]
            } else {
                .object([("text", .string(Base64.encode(content))), (encoding, .string("base64"))])
            }
        return text.adding(coded).adding(remark)
    }
}
