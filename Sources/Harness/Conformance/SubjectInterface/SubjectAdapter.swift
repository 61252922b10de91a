import Scenarios

/// The cache under test as the steps of a scenario use it: it takes requests and reports what it did.
///
/// The steps of one scenario come from one thread; completions may be called from any. An adapter lives for one
/// scenario.
protocol SubjectAdapter: Sendable {
    /// Sends a request; `completion` is called once, with the caller's observation.
    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange

    /// Returns the response that is stored for a request, without using it.
    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation

    /// Stores an entry directly.
    func store(_ entry: SubjectEntry) throws(SubjectError)

    /// Performs an action on the cache; `url` returns the absolute form of a path in it.
    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError)

    /// Drops every object in memory and builds new ones on the same folder.
    func restart() throws(SubjectError)

    /// Makes the transport refuse requests at once, or work again.
    func use(_ network: ClientNetwork)

    /// Calls `completion` once no background work is left.
    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void)

    /// Returns the cache's usage, and which of some texts can be read in its files.
    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation

    /// The reason why the subject itself is gone or broken, so that no observation of it is a verdict; `nil` while it is not.
    var breakdown: String? { get }

    /// Ends the subject; nothing is called afterwards.
    func close()
}

extension SubjectAdapter {
    /// A subject of this process does not break.
    var breakdown: String? { nil }
}

/// A request that was sent to a subject.
protocol SubjectExchange: Sendable {
    /// Cancels the request, as its caller would.
    func cancel()
}

/// An entry that a step stores directly.
struct SubjectEntry: Sendable {
    /// Absolute URL.
    var url: String
    /// Status code.
    var status: Int
    /// Field lines.
    var fields: [(name: String, value: String)]
    /// Content.
    var body: [UInt8]
    /// Values that are stored with it.
    var userInfo: [String: String]
    /// `allowed`, `memory-only` or `not-allowed`.
    var storagePolicy: String
}
