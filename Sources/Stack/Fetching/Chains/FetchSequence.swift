/// Requests that run one after another, each of which may be built from the previous responses.
///
///     let sequence = FetchSequence(session) {
///         FetchRequest.post("login", ["user": "me"])
///         FetchSequence.Then { responses in .get("items", ["token": responses[0].json?["token"] ?? .null]) }
///     }
///     let responses = try await sequence.run()
public struct FetchSequence: FetchGroup {
    /// Builds a request from the previous responses, in order; throws to end the sequence with that error.
    public typealias RequestBuilder = @Sendable ([FetchResponse]) throws(FetchError) -> FetchRequest

    /// A step whose request is built from the previous responses.
    public struct Then: FetchGroupPart {
        let make: RequestBuilder

        /// Creates a step.
        public init(_ make: @escaping RequestBuilder) { self.make = make }

        /// Creates a step with a fixed request.
        public init(_ request: FetchRequest) { make = { _ in request } }
    }

    /// The session that makes the requests.
    public let session: FetchSession
    private let steps: [Then]

    /// Creates a sequence of requests and steps, which may be in `if` and `for`.
    public init(_ session: FetchSession, @FetchGroupBuilder<Then> _ steps: () -> [Then]) {
        (self.session, self.steps) = (session, steps())
    }

    /// Creates a sequence of requests that do not depend on each other's responses.
    public init(_ session: FetchSession, requests: [FetchRequest]) {
        (self.session, steps) = (session, requests.map { Then($0) })
    }

    /// Makes the requests one after another and returns their responses in order.
    ///
    /// The first failure ends the sequence: nothing more is sent. Cancelling the task cancels the running
    /// request.
    nonisolated(nonsending) public func run() async throws(FetchError) -> [FetchResponse] {
        var responses: [FetchResponse] = []
        for step in steps { responses.append(try await session.send(step.make(responses))) }
        return responses
    }
}
