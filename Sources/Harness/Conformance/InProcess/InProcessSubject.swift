public import CacheSemantics

/// A kind of cache of yours that can be run through scenarios in this process: how it is created, and what it can do.
public struct InProcessSubject: Sendable, Hashable {
    /// The abilities of a cache besides answering requests.
    public struct Capabilities: OptionSet, Sendable, Hashable {
        /// One bit for each capability.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It implements `removeAll()`.
        public static let removesAll = Self(rawValue: 1)
        /// It implements `restart()`.
        public static let restarts = Self(rawValue: 2)
        /// It implements `storedResponse(for:)`.
        public static let inspects = Self(rawValue: 4)
        /// It obeys `SubjectRequest.policy`.
        public static let policies = Self(rawValue: 8)
        /// It obeys `SubjectRequest.timeout`.
        public static let timeouts = Self(rawValue: 16)
        /// It follows redirects, or leaves them to its caller, as `SubjectRequest.followsRedirects` specifies.
        public static let redirects = Self(rawValue: 32)
    }
    /// The name in reports: `MyCache 1.2`.
    public let name: String
    /// The kind of cache; the scenarios for the other kind are not run.
    public let kind: CacheKind
    /// The optional features that it supports.
    public let capabilities: Capabilities
    private let factory: SubjectFactory

    /// Creates a subject; `make` is called once for each scenario, and must return a cache with an empty store.
    public init(
        _ name: String,
        kind: CacheKind = .private,
        capabilities: Capabilities = [],
        make: @escaping @Sendable (SubjectContext) throws -> any Subject
    ) {
        self.name = name
        self.kind = kind
        self.capabilities = capabilities
        factory = SubjectFactory(make: make)
    }

    func make(_ context: SubjectContext) throws -> any Subject { try factory.make(context) }

    /// Whether both are copies of one subject.
    public static func == (left: Self, right: Self) -> Bool { left.factory === right.factory }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(factory)) }
}

/// Gives a subject its identity.
private final class SubjectFactory: Sendable {
    let make: @Sendable (SubjectContext) throws -> any Subject

    init(make: @escaping @Sendable (SubjectContext) throws -> any Subject) { self.make = make }
}
