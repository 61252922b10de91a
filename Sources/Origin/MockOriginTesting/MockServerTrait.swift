public import MockOrigin
public import OriginScript
public import Testing

/// Gives each test its own mock server, `MockServer.current`, which ends with the test.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
    let routes: [Route]
    let folder: String?
    let timeSinceEpoch: Duration?
    let tls: TLSCase?
    let isStrict: Bool

    /// Whether tests inherit the trait from their suite: true, so each has a server.
    public var isRecursive: Bool { true }

    /// Runs a test with its server.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try MockServer.started(
            routes: routes,
            folder: folder,
            tls: tls,
            clock: MockServer.clock(standingAt: timeSinceEpoch)
        )
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
    /// `standingAt`, a time since 1970-01-01T00:00:00Z, it stands there until the test moves it. With `tls` the server
    /// also has a port with TLS, `tlsURL`; clients have to trust `authorityPEM`. With `isStrict` a request that no route
    /// and no page answers is an issue of the test; default false.
    public static func mockServer(
        _ routes: Route...,
        folder: String? = nil,
        standingAt timeSinceEpoch: Duration? = nil,
        tls: TLSCase? = nil,
        isStrict: Bool = false
    ) -> Self {
        MockServerTrait(
            routes: routes,
            folder: folder,
            timeSinceEpoch: timeSinceEpoch,
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
            guard let bound else { throw MissingMockServerError() }
            return bound
        }
    }
}

/// A test without the trait requested its mock server.
public struct MissingMockServerError: Error, CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "The test has no mock server: it, or its suite, needs the trait .mockServer."
    }
}
