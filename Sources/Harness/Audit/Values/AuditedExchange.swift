package import CacheSemantics
package import Explanation
package import HTTPTypes

/// A request that an audit has sent, or read from an archive, and its response.
package struct AuditedExchange: Sendable {
    /// The request that was sent.
    package var request: HTTPRequest
    /// The response that was received.
    package var response: HTTPResponse
    /// The content as sent; empty if there was none, or it is not known or no longer held.
    package var content: [UInt8] = []
    /// Whether `content` is all of it.
    package var hasWholeContent = true
    /// The facts about content that has been released; `nil` before.
    private var summary: Summary?
    /// When the request was sent.
    package var requestTime: HTTPDate
    /// When the response's head was received.
    package var responseTime: HTTPDate

    /// The fields of the response.
    package var fields: HTTPFields { response.headerFields }

    /// The status code.
    package var status: Int { response.status.code }

    /// The entity tag; `nil` if there is none that is valid.
    var entityTag: EntityTag? { EntityTag(of: fields) }

    /// The Last-Modified; `nil` if there is none that is valid.
    var lastModified: HTTPDate? {
        let lines = fields[values: .lastModified]
        return lines.count == 1 ? HTTPDate(parsing: lines[0], now: responseTime) : nil
    }

    /// The content without its content codings; `nil` if it is incomplete or its coding is unknown.
    var decodedContent: [UInt8]? { decoding.content }

    /// The reason why the content is not what its content codings produce; `nil` if it is, or that is not known.
    var codingProblem: CodingProblem? { summary.map(\.problem) ?? decoding.problem }

    private var decoding: (content: [UInt8]?, problem: CodingProblem?) {
        // A part of a coded representation cannot be decoded.
        guard hasWholeContent, status != 206 || codings.isEmpty else { return (nil, nil) }
        do throws(CodingProblem) {
            return (try ContentCoding.remove(codings, from: content, limit: Self.decodedLimit), nil)
        } catch {
            return (nil, error)
        }
    }

    /// The content without its content codings as far as it was received; `nil` if it has codings that are unknown, or is cut off
    /// within them.
    var readableContent: [UInt8]? { codings.isEmpty ? content : decodedContent }

    /// The digest by which decoded contents are compared; `nil` if the content is incomplete or its coding is unknown.
    var decodedIdentity: ContentIdentity? {
        if let summary { return summary.decoded }
        return decodedContent.map { ContentIdentity($0) }
    }

    /// The number of bytes that were received; `nil` if the content is not known.
    var receivedBytes: Int? {
        if let summary { return summary.size }
        return hasWholeContent || !content.isEmpty ? content.count : nil
    }

    /// Whether the content went on when the most that is read had been received.
    var isCutOff: Bool { summary?.isCutOff ?? (!hasWholeContent && !content.isEmpty) }

    /// The exchange without its content, so that an audit of many URLs holds few contents at a time.
    var summarised: AuditedExchange {
        guard summary == nil else { return self }
        var copy = self
        let decoding = decoding
        copy.summary = Summary(
            size: receivedBytes,
            decoded: decoding.content.map { ContentIdentity($0) },
            problem: decoding.problem,
            isCutOff: isCutOff,
            language: language
        )
        (copy.content, copy.hasWholeContent) = ([], false)
        return copy
    }

    private struct Summary: Sendable {
        let size: Int?
        let decoded: ContentIdentity?
        let problem: CodingProblem?
        let isCutOff: Bool
        let language: String?
    }

    /// The language, without its region, that the response names in its fields or its content; `nil` if it names none or several.
    var language: String? { summary.map(\.language) ?? namedLanguage }

    /// The content codings in lower case, without `identity`.
    var codings: [String] {
        ListField.members(of: fields[values: .contentEncoding]).map { $0.lowercased() }.filter {
            $0 != "identity"
        }
    }

    /// Guards against content that decodes to far more than it is.
    private static let decodedLimit = 64 << 20

    /// Whether the content is a page that browsers show.
    var isPage: Bool { ["text/html", "application/xhtml+xml"].contains(mediaType) }

    /// The media type in lower case, without parameters; empty if there is none.
    package var mediaType: String {
        let type = fields[.contentType] ?? ""
        return type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The absolute URL of the request.
    package var url: String { Self.url(of: request) }

    static func url(of request: HTTPRequest) -> String {
        "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
    }

    /// Creates an exchange; times are of this computer's clock.
    package init(
        request: HTTPRequest,
        response: HTTPResponse,
        content: [UInt8]? = [],
        requestTime: HTTPDate,
        responseTime: HTTPDate
    ) {
        self.request = request
        self.response = response
        self.content = content ?? []
        hasWholeContent = content != nil
        self.requestTime = requestTime
        self.responseTime = responseTime
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

/// A digest that distinguishes contents.
struct ContentIdentity: Sendable, Hashable {
    /// The number of bytes.
    let size: Int
    private let digest: Int

    init(_ content: [UInt8]) {
        size = content.count
        digest = content.hashValue
    }
}
