import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript

/// A client's connection and the one to the upstream that belongs to it alone.
final class ProxyConnection: Sendable {
    private struct State {
        var toUpstream: Outlet?
        /// The server at the end of `toUpstream`.
        var server: Upstream?
        /// The server whose TLS is terminated.
        var intercepted: Upstream?
        /// The CONNECT that has begun the tunnel.
        var tunnel: ProxiedExchange?
        /// The faults before the first request.
        var faults: [Fault] = []
        /// Requests until now, without a CONNECT whose TLS is terminated.
        var requestCount = 0
        /// Directions that are not over.
        var directions = 0
        /// The requests whose final responses are incomplete, in order.
        var exchanges: [ProxiedExchange] = []
        var isTunnel = false
        /// Whether the upstream will send nothing more.
        var isOver = false
        var waiter: UnsafeContinuation<Void, Never>?
    }
    let client: DuplexStream
    let peer: PeerAddress
    let number: Int
    /// The connection's name in decisions and in the journal.
    let name: String
    let context: ProxyContext
    let toClient: Outlet
    /// Released when the client has hung up.
    let gone = Hold()
    private let state = Locked(State())

    init(_ accepted: DuplexServer.Accepted, _ context: ProxyContext) {
        client = accepted.stream
        peer = accepted.peer
        number = context.number(ofAccepted: accepted.number)
        name = "connection#\(number)"
        self.context = context
        toClient = Outlet(client, .down, name: name, context.injector, gone: gone)
    }

    /// Begins to serve the connection, which closes itself at its end.
    func serve() async {
        client.takeOver()
        client.onHangUp { [gone] in gone.release() }
        let faults = context.connectionFaults(number)
        guard await passes(faults.filter { $0.event == .accept }, at: .accept),
            await startsTLS(context.credentials.client, faults)
        else { return client.close() }
        state.withLock { $0.faults = faults }
        start(.requests)
    }

    /// Counts a direction that has begun.
    func directionBegan() { state.withLock { $0.directions += 1 } }

    /// Ends both connections with the last direction.
    func directionEnded() {
        let (isOver, tunnel) = state.withLock { state in
            state.directions -= 1
            return (state.directions == 0, state.tunnel)
        }
        guard isOver else { return }
        if let tunnel { context.tunnelEnded(tunnel) }
        client.close()
        upstream?.close()
    }

    /// Applies the faults of an event before any message; false if they end the connection.
    func passes(_ faults: [Fault], at event: FaultEvent) async -> Bool {
        guard !faults.isEmpty else { return true }
        var track = FaultTrack(faults)
        track.enter(event)
        track.finish()
        let marks = track.takeMarks()
        let outcome = await toClient.perform(track.takeSteps())
        context.connectionFaulted(number, marks, outcome.end)
        if case .ended(let end) = outcome { await finish(end) }
        return outcome == .done
    }

    // MARK: State

    /// The faults before the first request.
    var faults: [Fault] { state.withLock { $0.faults } }

    /// Counts a request; returns its number on the connection, from 1.
    func countRequest() -> Int {
        state.withLock { state in
            state.requestCount += 1
            return state.requestCount
        }
    }

    /// The direction to the upstream; `nil` before the first request.
    var toUpstream: Outlet? { state.withLock { $0.toUpstream } }

    /// The connection to the upstream; `nil` before the first request.
    var upstream: DuplexStream? { toUpstream?.stream }

    /// Returns the direction to a server; `nil` if the connection is to another one, or to none.
    func outlet(to server: Upstream) -> Outlet? {
        state.withLock { $0.server == server ? $0.toUpstream : nil }
    }

    /// Notes the connection to an upstream.
    func use(_ toUpstream: Outlet, to server: Upstream) {
        state.withLock { ($0.toUpstream, $0.server) = (toUpstream, server) }
    }

    /// Whether a stream is that of the upstream, and not of one that was left for another.
    func isCurrent(_ stream: DuplexStream) -> Bool { upstream === stream }

    /// Ends the connection to an upstream whose responses are complete.
    func retireUpstream() {
        let old = upstream
        state.withLock { ($0.toUpstream, $0.server, $0.isOver) = (nil, nil, false) }
        old?.close()
    }

    /// The server whose TLS is terminated; `nil` if there is none.
    var intercepted: Upstream? { state.withLock { $0.intercepted } }

    /// Notes that requests within TLS follow.
    func becomeIntercepted(_ server: Upstream) { state.withLock { $0.intercepted = server } }

    /// Whether both directions pass bytes that are not HTTP.
    var isTunnel: Bool { state.withLock { $0.isTunnel } }

    /// Passes all further bytes of both directions unchanged.
    func becomeTunnel() { state.withLock { $0.isTunnel = true } }

    /// Passes all further bytes as they are, because of a CONNECT to the proxy.
    func becomeTunnel(of exchange: ProxiedExchange) {
        state.withLock { ($0.isTunnel, $0.tunnel) = (true, exchange) }
    }

    /// The CONNECT to the proxy that has begun the tunnel; `nil` for other tunnels.
    var tunnelExchange: ProxiedExchange? { state.withLock { $0.tunnel } }

    /// The exchange whose response comes next.
    var exchange: ProxiedExchange? { state.withLock { $0.exchanges.first } }

    /// Notes a request that is passed on.
    func began(_ exchange: ProxiedExchange) { state.withLock { $0.exchanges.append(exchange) } }

    /// Notes that the response to the first of the requests is complete.
    func completed() {
        wake { state in
            state.exchanges = Array(state.exchanges.dropFirst())
            return state.exchanges.isEmpty
        }
    }

    /// Records that no further response will arrive.
    func upstreamIsOver() {
        wake { state in
            state.isOver = true
            return true
        }
    }

    private func wake(_ change: (inout State) -> Bool) {
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard change(&state) else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until every response is complete; false if that will not be.
    func allCompleted() async -> Bool {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard !state.exchanges.isEmpty, !state.isOver else { return false }
                state.waiter = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
        return state.withLock { $0.exchanges.isEmpty && !$0.isOver }
    }

    // MARK: Ending

    /// Ends both connections as a fault asks for.
    func finish(_ end: ConnectionEnd) async {
        switch end {
        case .reset:
            // A reset destroys what has not arrived.
            await delivered(client)
            if let upstream { await delivered(upstream) }
            client.reset()
            upstream?.reset()
        case .close:
            client.close()
            upstream?.close()
        case .halfClose:
            await client.endWriting()
            upstream?.close()
            await waitForHangUp()
            client.close()
        }
    }

    /// Ends the connection of the client as a fault asks for, while the upstream's response is read to its end.
    func endClient(_ outcome: Outlet.Outcome) async {
        switch outcome {
        case .ended(.reset):
            await delivered(client)
            client.reset()
        case .ended(.halfClose): await client.endWriting()
        case .ended(.close), .lost: client.close()
        case .done: break
        }
    }

    private func delivered(_ stream: DuplexStream) async {
        for _ in 0..<2000 where stream.unacknowledged > 0 && !stream.hasHungUp {
            guard (try? await context.clock.sleep(for: .milliseconds(1))) != nil else { return }
        }
    }

    /// Waits until the client has hung up, at most for `most`, by default for ever.
    func waitForHangUp(most: Duration? = nil) async {
        _ = await Waiting.forFirst([.release(of: gone)] + (most.map { [.time($0, context.clock)] } ?? []))
    }
}
