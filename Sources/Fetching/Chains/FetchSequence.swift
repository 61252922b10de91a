/// Requests of which each may be made from the responses before it.
///
///     let sequence = FetchSequence {
///         FetchRequest.post("login", ["user": "me"])
///         FetchSequence.Then { responses in .get("items", ["token": responses[0].json?["token"] ?? .null]) }
///     }
///     let responses = try await sequence.run(in: session)
public struct FetchSequence: Sendable {
    /// Makes a request of the responses so far, in order; throws to end the sequence with that error.
    public typealias Making = @Sendable ([FetchResponse]) throws(FetchError) -> FetchRequest

    /// A request that is made of the responses before it.
    public struct Then: Sendable {
        let make: Making

        /// Creates a step.
        public init(_ make: @escaping Making) { self.make = make }
    }

    /// Lists the steps of a sequence.
    @resultBuilder
    public enum Builder {
        /// A request that is known.
        public static func buildExpression(_ request: FetchRequest) -> [Then] { [Then { _ in request }] }
        /// A request that is made of responses.
        public static func buildExpression(_ then: Then) -> [Then] { [then] }
        /// One after another.
        public static func buildBlock(_ steps: [Then]...) -> [Then] { steps.flatMap { $0 } }
        /// Those that a condition holds for.
        public static func buildOptional(_ steps: [Then]?) -> [Then] { steps ?? [] }
        /// Those of the first case.
        public static func buildEither(first steps: [Then]) -> [Then] { steps }
        /// Those of the second case.
        public static func buildEither(second steps: [Then]) -> [Then] { steps }
        /// Those of a loop.
        public static func buildArray(_ steps: [[Then]]) -> [Then] { steps.flatMap { $0 } }
    }

    private let steps: [Then]

    /// Creates a sequence.
    public init(@Builder _ steps: () -> [Then]) { self.steps = steps() }

    /// Makes the requests one after another and returns their responses in order.
    ///
    /// The first failure ends the sequence: nothing more is sent. Cancelling the task cancels what is under way.
    public func run(in session: FetchSession) async throws(FetchError) -> [FetchResponse] {
        var responses: [FetchResponse] = []
        for step in steps { responses.append(try await session.send(step.make(responses))) }
        return responses
    }

    /// Begins the sequence and calls `completion` once, with all responses or the first failure.
    @discardableResult
    public func start(
        in session: FetchSession,
        completion: @escaping @Sendable (Result<[FetchResponse], FetchError>) -> Void
    ) -> FetchGroupTask {
        FetchGroupTask(session, completion) { () throws(FetchError) in try await run(in: session) }
    }
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
