/// The changes to an upstream's response on its way to the client.
public struct Passing: Sendable, Hashable {
    /// Another status; `nil` is the upstream's.
    public var status: Int?
    /// Field lines that replace those of the same names.
    public var fields: [FieldLine] = []
    /// Names of fields that are removed.
    public var removed: [String] = []
    /// Content that replaces the upstream's; `nil` is the upstream's.
    public var body: [UInt8]?
    /// Broken cache metadata.
    public var violations: Set<PassViolation> = []

    /// Creates the passing of a response as it is.
    public init() {}

    /// Returns the content that replaces the upstream's if that has this status; `nil` if the upstream's is passed.
    ///
    /// A status that has content may replace one that has none, and vice versa (RFC 9112 §6.3).
    package func content(insteadOfThatWith status: Int) -> [UInt8]? {
        switch (Self.hasContent(status), Self.hasContent(self.status ?? status)) {
        case (true, true): body
        case (false, true): body ?? []
        case (true, false): []
        case (false, false): nil
        }
    }

    /// Whether responses with a status have content, unless the request was HEAD.
    package static func hasContent(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    /// Whether the bytes of the response's head or content differ from the upstream's.
    package var changesMessage: Bool {
        status != nil || !fields.isEmpty || !removed.isEmpty || body != nil || !violations.isEmpty
    }
}

/// A way in which a response misleads caches.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PassViolation: String, Sendable, Hashable, CaseIterable {
    /// RFC 9110 §15.4.5: a 304 lacks the fields that a 200 would have.
    case notModifiedWithoutFields = "304-without-fields"
    /// RFC 9110 §15.4.5: a 304 has another entity tag than the one that matched.
    case notModifiedWithOtherETag = "304-with-other-etag"
    /// RFC 9110 §8.8.3: every response for a target has the entity tag of the first.
    case sameETag = "same-etag"
    /// RFC 9110 §12.5.5: no `Vary`.
    case withoutVary = "without-vary"
    /// RFC 9111 §5.1: `Age` is 0 although the response has an age.
    case zeroAge = "zero-age"
    /// RFC 9111 §5.1: `Age` is a day although the response is new.
    case ageOfADay = "age-of-a-day"
    /// RFC 9110 §6.6.1: `Date` is an hour ago.
    case dateInPast = "date-in-past"
    /// RFC 9110 §6.6.1: `Date` is in an hour.
    case dateInFuture = "date-in-future"
}
