import HTTPServing
import MockOrigin
import OriginScript

/// CONNECT at a forward proxy.
extension ProxyConnection {
    private static let established = Array("HTTP/1.1 200 Connection Established\r\n\r\n".utf8)

    /// Connects to the server of a CONNECT and begins a tunnel; false if the connection is over.
    func beginTunnel(_ exchange: ProxiedExchange, to server: Upstream) async -> Bool {
        exchange.capture?.end("it opens a tunnel")
        guard await isFree(), let upstream = await open(exchange, to: server) else { return false }
        var track = FaultTrack(exchange.faults(of: nil).filter { $0.event != .body && $0.event != .end })
        track.enter(.beforeHead)
        track.enter(.head, total: Self.established.count)
        track.take(Self.established.indices, of: Self.established)
        track.finish()
        context.progressed(exchange, status: 200, head: Self.established[...], track.takeMarks())
        becomeTunnel(of: exchange)
        let outcome = await toClient.perform(track.takeSteps(), .message, label: exchange.label)
        guard await shouldContinue(outcome) else {
            context.ended(exchange, outcome.end)
            return false
        }
        start(.responses(from: upstream.stream))
        return true
    }

    /// Terminates the TLS that a CONNECT begins, and begins that with the server; false if the connection is over.
    ///
    /// Requests follow within both.
    func intercept(
        _ request: ProxiedRequestHead,
        to server: Upstream,
        _ input: inout InputBuffer
    ) async -> Bool {
        guard await isFree() else { return false }
        let upstream: DuplexStream
        let credentials: TLSCredentials
        do {
            // TLS could not read bytes that precede the response.
            guard input.rest.isEmpty else { throw UpstreamFailure(status: 400, cause: "bytes after CONNECT") }
            credentials = try context.credentials(for: server)
            upstream = try await context.connector(to: server).connect(on: client.loop)
        } catch {
            await refuse(
                request,
                error as? UpstreamFailure ?? UpstreamFailure(status: 502, cause: "\(error)")
            )
            return false
        }
        use(DirectionWriter(upstream, .up, name: name, context.injector, gone: gone), to: server)
        becomeIntercepted(server)
        guard await toClient.write(Self.established[...], .message), await toClient.line.flush(),
            await startsTLS(credentials, faults)
        else { return false }
        start(.responses(from: upstream))
        return true
    }

    private func refuse(_ request: ProxiedRequestHead, _ failure: UpstreamFailure) async {
        let response = LocalResponse(status: failure.status, text: "cachecheck proxy: \(failure.cause)\n")
        context.connectionFailed(number, request, failure)
        _ = await toClient.write(response.bytes(for: request, closes: true)[...])
        await linger()
    }

    /// Ends the connection to an upstream whose responses are complete; false if the connection is over.
    func isFree() async -> Bool {
        guard upstream != nil else { return true }
        guard await allCompleted() else { return false }
        retireUpstream()
        return true
    }

    /// Returns where a request goes.
    func destination(of request: ProxiedRequestHead) throws(RequestDestination.Problem) -> RequestDestination
    {
        if let fixed = context.configuration.upstream ?? intercepted {
            return RequestDestination(server: fixed)
        }
        return try RequestDestination(request)
    }
}
