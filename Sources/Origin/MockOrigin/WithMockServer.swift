package import Clocks
public import OriginScript

/// Starts a mock server with some routes on any free port of 127.0.0.1, calls `body` with it, and stops it.
///
/// For tests of XCTest, and wherever a trait does not fit. `folder` is where answers that name files find them. The server's
/// clock follows the machine's and can be advanced; with `standingAt`, a time since 1970-01-01T00:00:00Z, it stands there
/// until it is advanced. With `tls` the server also has a port with TLS, `tlsURL`; clients have to trust `authorityPEM`. With
/// `isStrict`, by default false, `UnmatchedRequests` is thrown after `body` if neither a route nor a page was for a request.
public nonisolated(nonsending) func withMockServer<Result>(
    _ routes: Route...,
    folder: String? = nil,
    standingAt timeSinceEpoch: Duration? = nil,
    tls: TLSCase? = nil,
    isStrict: Bool = false,
    body: nonisolated(nonsending) (MockServer) async throws -> Result
) async throws -> Result {
    let clock = MockServer.clock(standingAt: timeSinceEpoch)
    let server = try MockServer.started(routes: routes, folder: folder, tls: tls, clock: clock)
    do {
        let result = try await body(server)
        if isStrict { try server.requireMatches() }
        await server.shutDown()
        return result
    } catch {
        await server.shutDown()
        throw error
    }
}

extension MockServer {
    /// Returns a clock that stands at a time until it is advanced; with `nil`, one that follows the machine's.
    package static func clock(standingAt timeSinceEpoch: Duration?) -> any TimeSource {
        guard let timeSinceEpoch else { return MovableClock(following: SystemClock()) }
        return VirtualClock(timeSinceEpoch: timeSinceEpoch)
    }
}
