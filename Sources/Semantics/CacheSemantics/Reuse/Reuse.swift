public import HTTPTypes

/// A stored response that may be used without validation.
public struct Reuse: Sendable {
    /// The part of the stored response that answers the request.
    public enum Part: Sendable, Hashable {
        /// All of it.
        case whole
        /// A 304 without content: the caller has the representation (RFC 9111 §4.3.2).
        case notModified
        /// One range of it as 206, of a representation of `length` bytes; `nil` if the length is not known.
        case range(ByteRange, length: Int64?)
        /// Several ranges of it as 206 with `multipart/byteranges` (RFC 9110 §14.6).
        case ranges([ByteRange], length: Int64)
        /// A 416: no requested range is within its `length` bytes (RFC 9110 §15.5.17).
        case unsatisfiable(length: Int64)
    }

    /// The selected stored response.
    public package(set) var stored: StoredResponse
    /// Current age in seconds (RFC 9111 §4.2.3); a delta-seconds, as `Age` has it (§1.2.2).
    public package(set) var age: Int64
    /// Freshness lifetime in seconds (RFC 9111 §4.2.1); a delta-seconds, as `max-age` has it.
    public package(set) var lifetime: Int64
    /// Whether the response is stale: its age is not below its lifetime, and it was not just validated.
    public let isStale: Bool
    /// Whether `part` answers an `If-Range` that held, so that the caller has the fields of the representation (RFC 9110
    /// §15.3.7).
    public var answersIfRange = false
    /// The conditional request to send in the background (RFC 5861 §3); `nil` if none is due.
    public package(set) var revalidation: Validation? {
        get { revalidations.first }
        set { revalidations = newValue.map { [$0] } ?? [] }
    }
    /// At most one element; an array, so that copying a reuse, as every hit does, does not copy an optional request.
    private var revalidations: [Validation]
    /// Empty for the whole, otherwise one element, for the same reason.
    private var parts: [Part] = []

    /// Creates a reuse of the whole stored response.
    public init(
        stored: StoredResponse,
        age: Int64,
        lifetime: Int64,
        isStale: Bool,
        revalidation: Validation?
    ) {
        self.stored = stored
        self.age = age
        self.lifetime = lifetime
        self.isStale = isStale
        revalidations = revalidation.map { [$0] } ?? []
    }

    /// The part of the stored response.
    public package(set) var part: Part {
        get { parts.first ?? .whole }
        set { parts = newValue == .whole ? [] : [newValue] }
    }

    /// Whether the whole stored response is used; faster than reading `part`.
    public var isWhole: Bool { parts.isEmpty }

    /// The response to send, constructed at each access: the stored one, or a part of it, with `Age` set.
    public var response: HTTPResponse {
        var response = stored.facts.responseWithoutAge
        if let part = parts.first {
            part.shape(&response, of: stored)
            if answersIfRange { part.leaveOutKnownFields(of: &response) }
        }
        // §4: also for a 304, 206 or 416 that is made of the stored response, because its age is that of the information
        // in them.
        response.headerFields.append(HTTPField(name: .age, value: String(age)))
        return response
    }
}
