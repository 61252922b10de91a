/// Requests that are made as one.
public protocol FetchGroup: Sendable {
    /// Makes the requests and returns their responses in order, or throws the first failure.
    ///
    /// Cancelling the task cancels what is under way.
    func run(in session: FetchSession) async throws(FetchError) -> [FetchResponse]
}

extension FetchGroup {
    /// Begins the requests and calls `completion` once, with all responses or the first failure.
    @discardableResult
    public func start(
        in session: FetchSession,
        completion: @escaping @Sendable (Result<[FetchResponse], FetchError>) -> Void
    ) -> FetchGroupTask {
        FetchGroupTask(session, completion) { () throws(FetchError) in try await run(in: session) }
    }
}

/// What stands for a request in the list of a group, and may say more of it.
public protocol FetchGroupPart: Sendable {
    /// Creates a part that is a request and no more.
    init(_ request: FetchRequest)
}

/// Lists the requests of a group, each alone or as a part.
@resultBuilder
public enum FetchGroupBuilder<Part: FetchGroupPart> {
    /// A request alone.
    public static func buildExpression(_ request: FetchRequest) -> [Part] { [Part(request)] }
    /// A part.
    public static func buildExpression(_ part: Part) -> [Part] { [part] }
    /// One after another.
    public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }
    /// Those that a condition holds for.
    public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
    /// Those of the first case.
    public static func buildEither(first parts: [Part]) -> [Part] { parts }
    /// Those of the second case.
    public static func buildEither(second parts: [Part]) -> [Part] { parts }
    /// Those of a loop.
    public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }
}

/// A sequence or batch under way.
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

    /// Cancels everything of it that has not ended.
    public func cancel() { task.cancel() }

    /// Waits until it is over, completion included.
    public func wait() async { await task.value }
}
