/// Requests that run concurrently and end together: with all responses, or with the first failure.
///
///     let batch = FetchBatch(session) {
///         FetchRequest.get("news")
///         FetchBatch.Member("user", .get("user"))
///         FetchBatch.Member("mail", after: "user") { done in .get("mail", ["id": done["user"]?.json?["id"] ?? .null]) }
///     }
///     let responses = try await batch.run()
public struct FetchBatch: FetchGroup {
    /// The treatment of the remaining requests after a failure.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum FailureRule: Sendable, Hashable, CaseIterable {
        /// They are cancelled, and the batch fails with that error.
        case cancelRemaining
        /// They continue, except those that depend on the failed one; the batch fails with the first error
        /// when all have ended.
        case continueRemaining
    }

    /// One request of a batch.
    public struct Member: FetchGroupPart {
        /// Its name within the batch.
        public let label: String
        /// The names of the members whose responses it needs.
        public let dependencies: [String]
        let make: @Sendable ([String: FetchResponse]) throws(FetchError) -> FetchRequest

        /// Creates a member without dependencies, named by its position, from 1.
        public init(_ request: FetchRequest) { self.init("", request) }

        /// Creates a member without dependencies.
        public init(_ label: String, _ request: FetchRequest) {
            self.label = label
            dependencies = []
            make = { _ in request }
        }

        /// Creates a member whose request is built from the responses of other members, by name.
        public init(
            _ label: String,
            after dependencies: String...,
            make: @escaping @Sendable ([String: FetchResponse]) throws(FetchError) -> FetchRequest
        ) {
            self.init(label, after: dependencies, make: make)
        }

        /// Creates a member whose request is built from the responses of other members, by name.
        public init(
            _ label: String,
            after dependencies: [String],
            make: @escaping @Sendable ([String: FetchResponse]) throws(FetchError) -> FetchRequest
        ) {
            (self.label, self.dependencies, self.make) = (label, dependencies, make)
        }
    }

    /// The session that makes the requests.
    public let session: FetchSession
    /// The members in order.
    public let members: [Member]
    /// The treatment of the remaining requests after a failure.
    public let rule: FailureRule

    /// Creates a batch of requests and members, which may be in `if` and `for`.
    public init(
        _ session: FetchSession,
        _ rule: FailureRule = .cancelRemaining,
        @FetchGroupBuilder<Member> _ members: () -> [Member]
    ) {
        self.init(session, rule, members())
    }

    /// Creates a batch of requests without dependencies.
    public init(
        _ session: FetchSession,
        _ rule: FailureRule = .cancelRemaining,
        requests: [FetchRequest]
    ) {
        self.init(session, rule, requests.map { Member($0) })
    }

    private init(_ session: FetchSession, _ rule: FailureRule, _ members: [Member]) {
        self.session = session
        self.rule = rule
        self.members = members.enumerated().map { index, member in
            member.label.isEmpty ? member.labelled(String(index + 1)) : member
        }
    }

    /// Makes the requests and returns their responses in the members' order.
    ///
    /// Throws the first failure. Nothing is sent if a dependency does not exist or is circular.
    nonisolated(nonsending) public func run() async throws(FetchError) -> [FetchResponse] {
        let (results, first) = try await outcome()
        if let first { throw first }
        return results.compactMap { try? $0.get() }
    }

    /// Makes the requests and returns the result of each, in the members' order.
    ///
    /// Throws only if a dependency does not exist or is circular.
    nonisolated(nonsending) public func results() async throws(FetchError)
        -> [Result<FetchResponse, FetchError>]
    {
        try await outcome().results
    }
}
