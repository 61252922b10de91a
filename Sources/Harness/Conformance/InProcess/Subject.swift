import Clocks
public import HTTPTypes
public import Scenarios

/// A cache of yours under test, which runs in this process: a client, or a proxy or middleware behind a function.
///
/// The runner creates one for each scenario and calls it from tasks, concurrently where a scenario sends concurrent
/// requests. Only `respond(to:)` has to be implemented. `removeAll()`, `restart()` and `storedResponse(for:)` belong to a
/// capability of `InProcessSubject` each; scenarios that need one that is not declared are skipped.
public protocol Subject: Sendable {
    /// Returns the response that the cache gives its caller, from its store or from the origin.
    ///
    /// The target is `request.url`, an absolute URL at the origin. A thrown error means that there is no response.
    func respond(to request: SubjectRequest) async throws -> SubjectResponse

    /// Forgets everything that is stored; for `removesAll`. By default, throws.
    func removeAll() async throws

    /// Drops everything in memory and opens the same store again; for `restarts`. By default, throws.
    func restart() async throws

    /// Returns the response stored for a request without using it, or `nil`; for `inspects`. By default, throws.
    func storedResponse(for request: SubjectRequest) async throws -> SubjectResponse?

    /// Returns when no work is left that continues after a response, such as background validation.
    ///
    /// By default, after 200 ms of real time.
    func finishBackgroundWork() async

    /// Releases what the cache holds, such as connections, threads and files: called once, when its scenario has ended.
    ///
    /// Requests that have not ended are cancelled before. By default, does nothing.
    func close() async
}

extension Subject {
    /// Throws, because the subject did not declare `removesAll`.
    public func removeAll() async throws { throw SubjectError("the subject does not implement removeAll()") }

    /// Throws, because the subject did not declare `restarts`.
    public func restart() async throws { throw SubjectError("the subject does not implement restart()") }

    /// Throws, because the subject did not declare `inspects`.
    public func storedResponse(for request: SubjectRequest) async throws -> SubjectResponse? {
        throw SubjectError("the subject does not implement storedResponse(for:)")
    }

    /// Waits for 200 ms, in which background requests reach the origin.
    public func finishBackgroundWork() async {
        // Nothing cancels the task, so that the sleep is never cut short.
        do { try await SystemClock().sleep(for: .milliseconds(200)) } catch {}
    }

    /// Does nothing.
    public func close() async {}
}

/// The response of a cache under test.
public struct SubjectResponse: Sendable {
    /// Status code.
    public var status: Int
    /// Header fields, in order.
    public var headerFields: HTTPFields
    /// Content; the runner decodes gzip and deflate if `Content-Encoding` names them, and leaves what is decoded already.
    public var body: [UInt8]
    /// The source of the response; `nil`, the default, has the runner infer it from what reached the origin.
    public var source: Provenance?

    /// Creates a response.
    public init(
        status: Int,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [],
        source: Provenance? = nil
    ) {
        self.status = status
        headerFields = fields
        self.body = body
        self.source = source
    }
}
