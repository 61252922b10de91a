public import HTTPTypes

/// A stored response that may be used as it is.
public struct Reuse: Sendable {
    /// What of the stored response answers the request.
    public enum Part: Sendable, Hashable {
        /// All of it.
        case whole
        /// Nothing but 304: the caller has it already (RFC 9111 §4.3.2).
        case notModified
        /// One range of it as 206, of a representation of `length` bytes; `nil` where the length is not known.
        case range(ByteRange, length: Int64?)
        /// Several ranges of it as 206 with `multipart/byteranges` (RFC 9110 §14.6).
        case ranges([ByteRange], length: Int64)
        /// 416: no range that was asked for is in its `length` bytes (RFC 9110 §15.5.17).
        case unsatisfiable(length: Int64)
    }

    /// The selected stored response.
    public let stored: StoredResponse
    /// Current age in seconds (RFC 9111 §4.2.3).
    public let age: Int64
    /// Freshness lifetime in seconds (RFC 9111 §4.2.1).
    public let lifetime: Int64
    /// Whether it is used although stale.
    public let isStale: Bool
    /// The conditional request to send in the background (RFC 5861 §3); `nil` where none is due.
    public var revalidation: Validation? { revalidations.first }
    /// None or one: out of line, so that copying a reuse, as every hit does, does not copy an empty request.
    private let revalidations: [Validation]
    /// None, for the whole, or one, for the same reason.
    private let parts: [Part]

    /// Creates a reuse, of the whole stored response if nothing else is said.
    public init(
        stored: StoredResponse,
        age: Int64,
        lifetime: Int64,
        isStale: Bool,
        revalidation: Validation?,
        part: Part = .whole
    ) {
        self.stored = stored
        self.age = age
        self.lifetime = lifetime
        self.isStale = isStale
        revalidations = revalidation.map { [$0] } ?? []
        parts = part == .whole ? [] : [part]
    }

    /// What of the stored response answers.
    public var part: Part { parts.first ?? .whole }

    /// Whether all of the stored response answers; quicker to know than `part`.
    public var isWhole: Bool { parts.isEmpty }

    /// The response to hand on: the stored one, or a part of it, with `Age` set; made anew at each access.
    public var response: HTTPResponse {
        var response = stored.facts.responseWithoutAge
        if let part = parts.first { part.shape(&response, of: stored) }
        if response.status != .rangeNotSatisfiable {
            response.headerFields.append(HTTPField(name: .age, value: String(age)))
        }
        return response
    }
}
