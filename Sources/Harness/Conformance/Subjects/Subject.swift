public import CacheSemantics
public import Scenarios

/// The cache under test: it takes requests and reports what it did.
///
/// The steps of one scenario come from one thread; completions may be called from any. A subject lives for one
/// scenario.
public protocol Subject: Sendable {
    /// Sends a request; `completion` is called once, with the caller's observation.
    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange

    /// Returns what is stored for a request, without using it.
    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation

    /// Stores an entry directly.
    func store(_ entry: SubjectEntry) throws(SubjectError)

    /// Performs an action on the cache; `url` returns the absolute form of a path in it.
    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError)

    /// Drops every object in memory and builds new ones on the same folder.
    func restart() throws(SubjectError)

    /// Makes the transport refuse requests at once, or work again.
    func setOnline(_ isOnline: Bool)

    /// Calls `completion` once no background work is left.
    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void)

    /// Returns the cache's usage, and which of some texts can be read in its files.
    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation

    /// Why the subject itself is gone or broken, so that no observation of it is a verdict; `nil` while it is not.
    var breakdown: String? { get }

    /// Ends the subject; nothing is called afterwards.
    func close()
}

extension Subject {
    /// A subject of this process does not break.
    public var breakdown: String? { nil }
}

/// A request that was sent to a subject.
public protocol SubjectExchange: Sendable {
    /// Cancels the request, as its caller would.
    func cancel()
}

/// One request as its caller makes it.
public struct SubjectRequest: Sendable {
    /// Method.
    public var method: String
    /// Absolute URL.
    public var url: String
    /// Field lines.
    public var fields: [(name: String, value: String)]
    /// Content; `nil` for none.
    public var body: [UInt8]?
    /// `nil` for the subject's default.
    public var policy: RequestCachePolicy?
    /// `nil` for the subject's default.
    public var timeout: Duration?
    /// Whether it is one of several concurrent requests of a step, none of which may wait for another; default false.
    var isBesideOthers = false

    /// Creates a request.
    public init(
        method: String,
        url: String,
        fields: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        policy: RequestCachePolicy? = nil,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.policy = policy
        self.timeout = timeout
    }
}

/// An entry that a step stores directly.
public struct SubjectEntry: Sendable {
    /// Absolute URL.
    public var url: String
    /// Status code.
    public var status: Int
    /// Field lines.
    public var fields: [(name: String, value: String)]
    /// Content.
    public var body: [UInt8]
    /// Values that are stored with it.
    public var userInfo: [String: String]
    /// `allowed`, `memory-only` or `not-allowed`.
    public var storagePolicy: String

    /// Creates an entry.
    public init(
        url: String,
        status: Int,
        fields: [(name: String, value: String)],
        body: [UInt8],
        userInfo: [String: String],
        storagePolicy: String
    ) {
        self.url = url
        self.status = status
        self.fields = fields
        self.body = body
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
    }
}

/// Why a subject cannot do what a step requires.
public struct SubjectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
