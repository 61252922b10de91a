import Clocks
public import MockOrigin
public import OriginScript
public import Testing

/// Gives each test a mock server of its own, `MockServer.current`, which ends with the test.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
    /// The kind of a server's clock.
    enum Time: Sendable {
        case following
        case standing(Duration)

        var clock: any TimeSource {
            switch self {
            case .following: MovableClock(following: SystemClock())
            case .standing(let time): VirtualClock(timeSinceEpoch: time)
            }
        }
    }
    var site: Site
    var folder: String?
    var time: Time
    var tls: TLSCase?
    var isStrict: Bool

    /// True: where a suite has the trait, each of its tests has a server.
    public var isRecursive: Bool { true }

    /// Runs a test with its server.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        var configuration = MockServer.Configuration()
        configuration.site = site
        configuration.fixtureFolder = folder
        if let tls { try configuration.useTLS(tls) }
        let server = MockServer(configuration, clock: time.clock)
        try server.start()
        defer { server.stop() }
        try await MockServer.$bound.withValue(server) { try await function() }
        if isStrict { server.recordUnmatched(at: test.sourceLocation) }
    }
}

extension Trait where Self == MockServerTrait {
    /// Gives each test a mock server without routes on any free port of 127.0.0.1.
    public static var mockServer: Self { mockServer() }

    /// Gives each test a mock server of some routes on any free port of 127.0.0.1.
    ///
    /// `folder` is where answers that name files find them. The server's clock follows the machine's; with
    /// `standingAt`, a time since 1970-01-01T00:00:00Z, it stands there until the test moves it. With `tls` the server also has a port
    /// with TLS, `tlsURL`; clients have to trust `authorityPEM`. With `isStrict` a request that no route and no page answers is an
    /// issue of the test; default false.
    public static func mockServer(
        _ routes: Route...,
        folder: String? = nil,
        standingAt timeSinceEpoch: Duration? = nil,
        tls: TLSCase? = nil,
        isStrict: Bool = false
    ) -> Self {
        MockServerTrait(
            site: Site(routes: routes),
            folder: folder,
            time: timeSinceEpoch.map { .standing($0) } ?? .following,
            tls: tls,
            isStrict: isStrict
        )
    }
}

extension MockServer {
    @TaskLocal static var bound: MockServer?

    /// The server of the test that runs; throws in a test without the trait.
    public static var current: MockServer {
        get throws {
            guard let bound else { throw NoMockServer() }
            return bound
        }
    }
}

/// A test asks for its mock server and has none.
public struct NoMockServer: Error, CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "The test has no mock server: it, or its suite, needs the trait .mockServer."
    }
}
