import CacheSemantics
import Explanation
import HTTPArchive
import HTTPTypes
import LocatedYAML

/// An entry of an archive as caches see it.
struct ArchivedExchange {
    /// The number of the entry, from 1.
    let number: Int
    let position: Position
    let request: HTTPRequest
    let response: HTTPResponse
    let requestTime: HTTPDate
    let responseTime: HTTPDate
    /// When it began and when its content was received, in seconds since 1970.
    let started: Double
    let finished: Double
    let source: RecordedSource
    /// Whether it is a page that was navigated to.
    let isNavigation: Bool
    /// The bytes of content that were transferred; `nil` if they are not known.
    let transferred: Int?

    init(_ entry: HTTPArchive.Entry, number: Int) throws(YAMLProblems) {
        let explained = try ExplainedExchange(entry)
        self.number = number
        position = entry.node.position
        request = explained.request
        response = explained.response
        (requestTime, responseTime) = (explained.requestTime, explained.responseTime)
        started = entry.startedAt ?? 0
        finished = started + max(0, entry.node.number("time") ?? 0) / 1000
        source = RecordedSource(entry, explained.response)
        isNavigation = Self.isNavigation(entry, explained.request)
        transferred = Self.size(of: entry)
    }

    var url: String { AuditedExchange.url(of: request) }

    /// The request without preconditions, which a cache adds itself.
    var plainRequest: HTTPRequest {
        var plain = request
        for name in Self.preconditions { plain.headerFields[name] = nil }
        return plain
    }

    /// The request without preconditions and directives: no cache must obey those (RFC 9111 §5.2.1).
    var bareRequest: HTTPRequest {
        var bare = plainRequest
        bare.headerFields[.cacheControl] = nil
        if let pragma = HTTPField.Name("Pragma") { bare.headerFields[pragma] = nil }
        return bare
    }

    var isConditional: Bool { Self.preconditions.contains { request.headerFields.contains($0) } }

    private static let preconditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince,
    ]

    /// Whether a stored response has the same head, as far as validations leave it alone.
    func isLike(_ stored: StoredResponse) -> Bool {
        let fields = response.headerFields
        return stored.statusCode == response.status.code
            && [HTTPField.Name.date, .eTag, .lastModified].allSatisfy {
                fields[$0] == stored.response.headerFields[$0]
            }
    }

    private static func isNavigation(_ entry: HTTPArchive.Entry, _ request: HTTPRequest) -> Bool {
        if entry.node.value(of: "_resourceType")?.scalarText == "document" { return true }
        guard let mode = HTTPField.Name("Sec-Fetch-Mode") else { return false }
        return request.headerFields[mode] == "navigate"
    }

    /// Returns the size of an entry's response content in bytes, as transferred if that is known, otherwise decoded;
    /// `nil` if it has neither.
    static func size(of entry: HTTPArchive.Entry) -> Int? {
        guard let message = entry.response else { return nil }
        let sizes = [message.node.number("bodySize"), message.node.value(of: "content")?.number("size")]
        // Both are -1 if they are not known.
        let known = sizes.compactMap(\.self).first { $0 >= 0 }
        return known.flatMap { Int(exactly: $0.rounded(.down)) }
    }
}
