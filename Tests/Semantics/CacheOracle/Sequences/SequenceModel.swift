/// Requests to a cache and how the origin answers what the cache forwards.
public struct ExchangeSequence: Equatable, Sendable {
    /// Whether the cache is shared.
    public var isShared: Bool
    /// The resources of the origin.
    public var resources: [Resource]
    /// The steps, in order.
    public var steps: [Step]

    /// The local time at which every sequence begins, in seconds since 1970.
    public static let start = 1_800_000_000

    /// Creates it.
    public init(isShared: Bool, resources: [Resource], steps: [Step]) {
        self.isShared = isShared
        self.resources = resources
        self.steps = steps
    }
}

/// A resource of the generated origin.
public struct Resource: Equatable, Sendable {
    /// The kind of tags that its representations have.
    public enum Tags: Equatable, Sendable, CaseIterable {
        case none, strong, weak, weakForAllVariants
    }

    /// When its representations were last modified.
    public enum Modified: Equatable, Sendable, CaseIterable {
        case unknown, longAgo, justNow
    }

    /// The path.
    public var path: String
    /// The kind of tags that the representations have.
    public var tags: Tags
    /// When the representations were last modified.
    public var modified: Modified
    /// The request fields that select a representation, which are those of Vary.
    public var selecting: [String]

    /// The target URI.
    public var target: String { "http://origin.test" + path }
}

/// One step of a sequence.
public enum Step: Equatable, Sendable {
    /// The local clock moves by so many seconds, possibly backwards.
    case advance(Int)
    /// One request, or several that are under way together. Their answers come in the order of the
    /// numbers in `order`.
    case calls([Call], order: [Int])
}

/// A request of a client, and how the origin answers the requests that it causes, in order.
///
/// The last answer is repeated.
public struct Call: Equatable, Sendable {
    /// The request.
    public var request: OracleRequest
    /// The answers of the origin.
    public var answers: [Answer]
}

/// The origin's answer to one request.
public struct Answer: Equatable, Sendable {
    /// A 304 that is sent regardless of the condition.
    public enum ForcedTag: Equatable, Sendable {
        case absent
        /// The tag of the representation for another value of the selecting field.
        case ofOtherVariant
        case ofEarlierVersion
        case weakened
        case unknown
    }

    /// The connection fails.
    public var fails = false
    /// The status; any but 200 is sent regardless of the condition or range.
    public var status = 200
    /// Whether the representations change before the answer.
    public var changes = false
    /// Cache-Control, one field line per line of text; `nil` if there is none.
    public var cacheControl: String?
    /// Seconds from Date to Expires; the text `invalid` is sent if it is negative beyond a day.
    public var expires: Int?
    /// Age; `nil` if there is none.
    public var age: Int?
    /// Seconds by which the clock of the origin is ahead; `nil` sends no Date.
    public var dateOffset: Int? = 0
    /// Seconds from the request to the response.
    public var delay = 0
    /// Whether it is composed when the request arrives, before the requests that are under way with it are answered.
    public var isComposedEarly = false
    /// Vary in place of the selecting fields of the resource.
    public var vary: String?
    /// Further fields, sent in every response of this answer.
    public var fields = FieldSection()
    /// Whether conditions are not evaluated.
    public var ignoresConditions = false
    /// Whether Range is not evaluated.
    public var ignoresRange = false
    /// A 304 with this tag, regardless of the condition.
    public var forced: ForcedTag?
    /// Fields that a 304, a 206 and a response to HEAD leave out.
    public var omitted: [String] = []

    /// Creates it.
    public init() {}
}
