import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript

/// A client's connection and the one to the upstream that belongs to it alone.
final class ProxyConnection: Sendable {
    private struct State {
        var toUpstream: DirectionWriter?
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
        var isFinished = false
        /// Why the remaining requests get no response, as in the journal; `nil` while they may get one.
        var end: String?
        /// The request that is being read or answered; `nil` once that is done, or it is one of `exchanges`.
        var latest: ProxiedExchange?
        var waiter: Waiter?
    }
    /// The task of the requests while it waits for responses.
    private struct Waiter {
        let continuation: UnsafeContinuation<Void, Never>
        /// The number of incomplete responses with which it continues.
        let most: Int
        /// Whether it also continues when the client has hung up.
        let endsWithClient: Bool
    }
    /// The number of requests whose responses may be incomplete before the next one is passed on: each takes some memory.
    private static let maximumOutstandingRequests = 256
    let client: DuplexStream
    let peer: PeerAddress
    let number: Int
    /// The connection's name in decisions and in the journal.
    let name: String
    let context: ProxyContext
    let toClient: DirectionWriter
    /// Released when the client has hung up.
    let gone = Hold()
    private let state = Locked(State())

    init(_ accepted: DuplexServer.Accepted, _ context: ProxyContext) {
        client = accepted.stream
        peer = accepted.peer
        number = context.number(ofAccepted: accepted.number)
        name = "connection#\(number)"
        self.context = context
        toClient = DirectionWriter(client, .down, name: name, context.injector, gone: gone)
    }

    /// Begins to serve the connection, which closes itself at its end.
    func serve() async {
        client.takeOver()
        client.onHangUp { [gone, weak self] in
            gone.release()
            self?.wake { _, waiter in waiter.endsWithClient }
        }
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
        let (isFinished, tunnel, unanswered, end) = state.withLock { state in
            state.directions -= 1
            let unanswered = state.exchanges + (state.latest.map { [$0] } ?? [])
            return (state.directions == 0, state.tunnel, unanswered, state.end ?? "client gone")
        }
        guard isFinished else { return }
        if let tunnel { context.ended(tunnel, ifOpen: "complete") }
        for exchange in unanswered {
            context.ended(exchange, ifOpen: end)
            exchange.capture?.end("the connection ended before the response (\(end))")
        }
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
    var toUpstream: DirectionWriter? { state.withLock { $0.toUpstream } }

    /// The connection to the upstream; `nil` before the first request.
    var upstream: DuplexStream? { toUpstream?.stream }

    /// Returns the direction to a server; `nil` if the connection is to another one, or to none.
    func writer(to server: Upstream) -> DirectionWriter? {
        state.withLock { $0.server == server ? $0.toUpstream : nil }
    }

    /// Notes the connection to an upstream.
    func use(_ toUpstream: DirectionWriter, to server: Upstream) {
        state.withLock { ($0.toUpstream, $0.server) = (toUpstream, server) }
    }

    /// Whether a stream is that of the upstream, and not of one that was left for another.
    func isCurrent(_ stream: DuplexStream) -> Bool { upstream === stream }

    /// Ends the connection to an upstream whose responses are complete.
    func retireUpstream() {
        let old = upstream
        state.withLock { ($0.toUpstream, $0.server, $0.isFinished) = (nil, nil, false) }
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

    /// Whether one of the incomplete responses may still be recorded.
    var isRecording: Bool { state.withLock { $0.exchanges }.contains { $0.capture?.isFinished == false } }

    /// Notes a request that is passed on.
    func began(_ exchange: ProxiedExchange) {
        state.withLock { state in
            state.exchanges.append(exchange)
            state.latest = nil
        }
    }

    /// Notes that the response to the first of the requests is complete.
    func completed() {
        wake { state, waiter in
            state.exchanges.count <= waiter.most
        } after: { state in
            state.exchanges.removeFirst(min(1, state.exchanges.count))
        }
    }

    /// Records that no further response will arrive.
    func upstreamIsOver() {
        wake { _, _ in
            true
        } after: {
            $0.isFinished = true
        }
    }

    /// Notes the request that is being read or answered; `nil` if there is none.
    func note(latest exchange: ProxiedExchange?) { state.withLock { $0.latest = exchange } }

    /// Why no further response is passed on; `nil` while that is not known.
    var end: String? { state.withLock { $0.end } }

    /// Records why no further response is passed on; the first reason counts.
    func note(end: String) { state.withLock { $0.end = $0.end ?? end } }

    private func wake(
        _ shouldContinue: (State, Waiter) -> Bool,
        after change: (inout State) -> Void = { _ in }
    ) {
        let waiter = state.withLock { state -> Waiter? in
            change(&state)
            guard let waiter = state.waiter, shouldContinue(state, waiter) else { return nil }
            state.waiter = nil
            return waiter
        }
        waiter?.continuation.resume()
    }

    /// Waits until every response is complete; false if that will not be.
    func allCompleted() async -> Bool {
        await outstanding(atMost: 0)
        return state.withLock { $0.exchanges.isEmpty && !$0.isFinished }
    }

    /// Waits until so few responses are incomplete that another request may be passed on, or that no longer matters.
    func roomForRequest() async {
        await outstanding(atMost: Self.maximumOutstandingRequests - 1, endsWithClient: true)
    }

    private func outstanding(atMost most: Int, endsWithClient: Bool = false) async {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard state.exchanges.count > most, !state.isFinished, !endsWithClient || !gone.isReleased
                else {
                    return false
                }
                state.waiter = Waiter(continuation: continuation, most: most, endsWithClient: endsWithClient)
                return true
            }
            if !waits { continuation.resume() }
        }
    }
}
