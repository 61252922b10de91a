import CacheClient
package import CacheSemantics
package import Explanation
package import HTTPTypes

/// A request that an audit has sent, or read from an archive, and its response.
package struct AuditedExchange: Sendable {
    /// The request.
    package var request: HTTPRequest
    /// The response.
    package var response: HTTPResponse
    /// The content as sent; empty if there was none or it is not known.
    package var content: [UInt8] = []
    /// Whether the content is known, and all of it.
    package var hasWholeContent = true
    /// When the request was sent.
    package var requestTime: HTTPDate
    /// When the response's head was received.
    package var responseTime: HTTPDate

    /// The fields of the response.
    package var fields: HTTPFields { response.headerFields }

    /// The status code.
    package var status: Int { response.status.code }

    /// The entity tag; `nil` if there is none that is valid.
    var entityTag: EntityTag? {
        let lines = fields[values: .eTag]
        return lines.count == 1 ? EntityTag(parsing: lines[0]) : nil
    }

    /// The Last-Modified; `nil` if there is none that is valid.
    var lastModified: HTTPDate? {
        let lines = fields[values: .lastModified]
        return lines.count == 1 ? HTTPDate(parsing: lines[0], now: responseTime) : nil
    }

    /// The content without its content codings; `nil` if it is incomplete or its coding is unknown.
    var decodedContent: [UInt8]? {
        guard hasWholeContent else { return nil }
        let codings = codings
        guard !codings.isEmpty else { return content }
        guard codings.allSatisfy({ Self.knownCodings.contains($0) }) else { return nil }
        return try? ContentDecoder.decode(content, of: response, limit: Self.decodedLimit)
    }

    /// The content codings in lower case, without `identity`.
    var codings: [String] {
        ListField.members(of: fields[values: .contentEncoding]).map { $0.lowercased() }.filter {
            $0 != "identity"
        }
    }

    private static let knownCodings = ["gzip", "x-gzip", "deflate"]
    /// Guards against content that decodes to far more than it is.
    private static let decodedLimit = 64 << 20

    /// Whether the content is a page that browsers show.
    var isPage: Bool { ["text/html", "application/xhtml+xml"].contains(mediaType) }

    /// The media type in lower case, without parameters; empty if there is none.
    package var mediaType: String {
        let type = fields[.contentType] ?? ""
        return type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The URL.
    package var url: String { Self.url(of: request) }

    static func url(of request: HTTPRequest) -> String {
        "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
    }

    /// The exchange as the engine sees it, by a request without preconditions and directives.
    ///
    /// Archives are often recorded while the browser's cache is off, so that every request has `no-cache`.
    package var explained: ExplainedExchange {
        var plain = request
        for name in Self.conditions { plain.headerFields[name] = nil }
        var exchange = ExplainedExchange(request: plain, response: response, at: responseTime)
        exchange.requestTime = requestTime
        return exchange
    }

    private static let conditions: [HTTPField.Name] =
        [.cacheControl, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifUnmodifiedSince, .ifRange, .range]
        + [HTTPField.Name("Pragma")].compactMap(\.self)
}
