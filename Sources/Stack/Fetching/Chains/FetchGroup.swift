/// A group of requests that succeed or fail together.
public protocol FetchGroup: Sendable {
    /// The session that makes the requests.
    var session: FetchSession { get }
    /// Makes the requests and returns their responses in order, or throws the first failure.
    ///
    /// Cancelling the task cancels the running requests.
    func run() async throws(FetchError) -> [FetchResponse]
}

extension FetchGroup {
    /// Starts the requests and calls `completion` once, with all responses or the first failure.
    @discardableResult
    public func start(
        completion: @escaping @Sendable (Result<[FetchResponse], FetchError>) -> Void
    ) -> FetchGroupTask {
        FetchGroupTask(session, completion) { () throws(FetchError) in try await run() }
    }
}

/// An element of a group: a request, with more information if needed.
public protocol FetchGroupPart: Sendable {
    /// Creates a part from a request alone.
    init(_ request: FetchRequest)
}

/// Builds the list of a group's requests, each given alone or as a part.
@resultBuilder
public enum FetchGroupBuilder<Part: FetchGroupPart> {
    /// Returns a part for a single request.
    public static func buildExpression(_ request: FetchRequest) -> [Part] { [Part(request)] }
    /// Returns a single part.
    public static func buildExpression(_ part: Part) -> [Part] { [part] }
    /// Returns the parts of a block, in order.
    public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }
    /// Returns the parts of an `if` without `else`.
    public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
    /// Returns the parts of the first branch.
    public static func buildEither(first parts: [Part]) -> [Part] { parts }
    /// Returns the parts of the second branch.
    public static func buildEither(second parts: [Part]) -> [Part] { parts }
    /// Returns the parts of a loop.
    public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }
}

/// A running sequence or batch.
public final class FetchGroupTask: Sendable {
    private let task: Task<Void, Never>

    init<Value: Sendable>(
        _ session: FetchSession,
        _ completion: @escaping @Sendable (Result<Value, FetchError>) -> Void,
        _ run: @escaping @Sendable () async throws(FetchError) -> Value
    ) {
        let configuration = session.configuration
        let callbacks = configuration.callbacks
        task = Task(executorPreference: configuration.executor) {
            let result: Result<Value, FetchError>
            do throws(FetchError) { result = .success(try await run()) } catch { result = .failure(error) }
            await callbacks.call { completion(result) }
        }
    }

    /// Cancels every request that has not ended.
    public func cancel() { task.cancel() }

    /// Waits until the group has ended and its completion has returned.
    public func wait() async { await task.value }
}
