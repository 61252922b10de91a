/// Requests of which each may be made from the responses before it.
///
///     let sequence = FetchSequence {
///         FetchRequest.post("login", ["user": "me"])
///         FetchSequence.Then { responses in .get("items", ["token": responses[0].json?["token"] ?? .null]) }
///     }
///     let responses = try await sequence.run(in: session)
public struct FetchSequence: FetchGroup {
    /// Makes a request of the responses so far, in order; throws to end the sequence with that error.
    public typealias Making = @Sendable ([FetchResponse]) throws(FetchError) -> FetchRequest

    /// A request that is made of the responses before it.
    public struct Then: FetchGroupPart {
        let make: Making

        /// Creates a step.
        public init(_ make: @escaping Making) { self.make = make }

        /// Creates a step whose request is known.
        public init(_ request: FetchRequest) { make = { _ in request } }
    }

    private let steps: [Then]

    /// Creates a sequence.
    public init(@FetchGroupBuilder<Then> _ steps: () -> [Then]) { self.steps = steps() }

    /// Makes the requests one after another and returns their responses in order.
    ///
    /// The first failure ends the sequence: nothing more is sent. Cancelling the task cancels what is under way.
    public func run(in session: FetchSession) async throws(FetchError) -> [FetchResponse] {
        var responses: [FetchResponse] = []
        for step in steps { responses.append(try await session.send(step.make(responses))) }
        return responses
    }
}
