import Locks

/// A server whose connections are streams of bytes, each served by a task of one of a few loops.
package final class DuplexServer: Sendable {
    /// The configuration of a server.
    package struct Configuration: Sendable {
        /// Numeric address to listen on; default 127.0.0.1.
        package var address = "127.0.0.1"
        /// Port to listen on; `nil`, the default, is any free one.
        package var port: Int?
        /// Loops, each with one thread; default 2, at least 1.
        package var threads = 2
        /// Number of open connections above which new ones are closed at once; default 16,384.
        package var connectionLimit = 16_384

        package init() {}
    }
    /// An accepted connection.
    package struct Accepted: Sendable {
        /// The connection, which is closed when its handler has returned, unless that has taken it over.
        package let stream: DuplexStream
        /// The client's address.
        package let peer: PeerAddress
        /// The connection's number, from 1.
        package let number: Int
    }
    private struct State {
        var loops: [DuplexLoop] = []
        var listener: Listener?
        var held: ReservedPort?
        var port: Int?
        var accepted = 0
        var open: [Int: DuplexStream] = [:]
    }
    private let configuration: Configuration
    private let serve: @Sendable (Accepted) async -> Void
    private let state = Lock(State())
    private let startState = StartState()

    /// Creates a server that does not listen yet.
    package init(_ configuration: Configuration, serve: @escaping @Sendable (Accepted) async -> Void) {
        self.configuration = configuration
        self.serve = serve
    }

    /// The port it listens on; `nil` before `start()` and after `stop()`.
    package var port: Int? { state.withLock { $0.port } }

    /// Connections that are open now.
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Tasks of its connections that have not ended.
    package var runningTasks: Int { state.withLock { $0.loops }.reduce(0) { $0 + $1.runningTasks } }

    /// Starts to serve.
    ///
    /// Throws `ServerError.alreadyStarted` if it has been started and not stopped since.
    package func start() throws(ServerError) {
        try startState.begin { () throws(ServerError) in try listen() }
    }

    private func listen() throws(ServerError) {
        let address = try SocketAddress(configuration.address, port: configuration.port)
        var loops: [DuplexLoop] = []
        for _ in 0..<max(1, configuration.threads) { loops.append(try DuplexLoop()) }
        for loop in loops { try loop.start() }
        state.withLock { $0.loops = loops }
        do throws(ServerError) {
            let listener = try Listener(address) { [weak self] in self?.accepted($0, $1) }
            state.withLock { ($0.listener, $0.port) = (listener, Int(listener.port)) }
        } catch {
            close()
            throw error
        }
    }

    /// Closes every connection and waits for the threads; waits for a start that is running first; may be repeated.
    package func stop() { startState.end(close) }

    private func close() {
        let (listener, held, loops) = state.withLock { state in
            defer { (state.listener, state.held, state.loops, state.port) = (nil, nil, [], nil) }
            return (state.listener, state.held, state.loops)
        }
        listener?.stop()
        held?.release()
        for loop in loops { loop.stop() }
    }

    /// Refuses connections and interrupts the open ones, or accepts connections again.
    package func setRefusing(_ isRefusing: Bool) throws(ServerError) {
        try isRefusing ? refuse() : acceptAgain()
    }

    private func refuse() throws(ServerError) {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        guard let listener else { return }
        let held = try listener.hold()
        state.withLock { $0.held = held }
        interruptAll()
    }

    private func acceptAgain() throws(ServerError) {
        let held = state.withLock { state in
            defer { state.held = nil }
            return state.held
        }
        guard let held else { return }
        let listener = try Listener(held) { [weak self] in self?.accepted($0, $1) }
        state.withLock { $0.listener = listener }
    }

    /// Interrupts every open connection.
    package func interruptAll() {
        for stream in state.withLock({ Array($0.open.values) }) { stream.interrupt() }
    }

    private func accepted(_ socket: CInt, _ address: SocketAddress) {
        let place = state.withLock { state -> (DuplexLoop, Int)? in
            guard !state.loops.isEmpty, state.open.count < configuration.connectionLimit else { return nil }
            state.accepted += 1
            return (state.loops[state.accepted % state.loops.count], state.accepted)
        }
        guard let (loop, number) = place else { return Socket.closeQuietly(socket) }
        // What waits in a socket takes memory and hides how fast the peer reads.
        Socket.setUnsentLimit(socket, 64 << 10)
        guard let stream = DuplexStream(socket, on: loop) else { return }
        state.withLock { $0.open[number] = stream }
        stream.onClose { [weak self] in _ = self?.state.withLock { $0.open.removeValue(forKey: number) } }
        let accepted = Accepted(stream: stream, peer: PeerAddress(address: address), number: number)
        loop.run {
            await self.serve(accepted)
            if !stream.isTakenOver { stream.close() }
        }
    }
}
