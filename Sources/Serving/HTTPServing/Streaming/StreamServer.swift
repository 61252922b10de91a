public import Clocks
import Locks

/// An HTTP/1.1 server that streams in both directions, with back-pressure, and parses requests itself.
///
/// libmicrohttpd hides what a gateway must see (continued lines, bare line ends, bytes after a request) and cannot slow
/// down a client's content. Each connection belongs to one of several loops, each with one thread.
public final class StreamServer: Sendable {
    /// The configuration of a server.
    public struct Configuration: Sendable {
        /// Numeric address to listen on; default 127.0.0.1.
        public var address = "127.0.0.1"
        /// Port to listen on; `nil`, the default, is any free one.
        public var port: Int?
        /// Number of loops, each with one thread; default 2, at least 1.
        public var threads = 2
        /// Largest request content in bytes, above which the response is 413; default 2 GiB.
        public var contentLimitBytes = 2 << 30
        /// Longest request target in bytes, above which the response is 414; default 8 KiB.
        public var targetLimitBytes = 8 << 10
        /// Largest head in bytes, above which the response is 431; default 32 KiB, at most 60 KiB.
        public var headLimitBytes = 32 << 10
        /// Number of open connections above which the response is 503; default 16,384.
        public var connectionLimit = 16_384
        /// Time limits for clients, by the server's clock; the limit for a head starts at its first byte.
        ///
        /// A client that reads nothing of a response for the time limit of content is disconnected.
        public var timeLimits = TimeLimits()

        /// Creates the default configuration.
        public init() {}
    }
    private struct State {
        var loops: [StreamLoop] = []
        var listener: Listener?
        var accepted: UInt64 = 0
    }
    private let configuration: Configuration
    private let handler: any StreamHandler
    private let clock: any TimeSource
    private let connections = ConnectionCount()
    private let state = Lock(State())
    private let startState = StartState()

    /// Creates a server that does not listen yet; `clock` drives the time limits.
    public init(_ configuration: Configuration, handler: any StreamHandler, clock: any TimeSource) {
        var configuration = configuration
        configuration.headLimitBytes = min(configuration.headLimitBytes, 60 << 10)
        self.configuration = configuration
        self.handler = handler
        self.clock = clock
    }

    deinit { stop() }

    /// The port it listens on; `nil` before `start()` and after `stop()`.
    public var port: Int? { state.withLock { $0.listener.map { Int($0.port) } } }

    /// The URL of its root without a slash at the end; with port 0 while it does not listen.
    public var url: String {
        let address = configuration.address
        return "http://\(address.contains(":") ? "[\(address)]" : address):\(port ?? 0)"
    }

    /// Returns the URL of a path, with or without its slash.
    package func url(_ path: String) -> String { url + (path.hasPrefix("/") ? path : "/" + path) }

    /// Starts to serve.
    ///
    /// Throws `ServerError.alreadyStarted` if it has been started and not stopped since.
    public func start() throws(ServerError) {
        try startState.begin { () throws(ServerError) in try listen() }
    }

    private func listen() throws(ServerError) {
        let address = try SocketAddress(configuration.address, port: configuration.port)
        var loops: [StreamLoop] = []
        for _ in 0..<max(1, configuration.threads) {
            let loop = try StreamLoop(configuration, handler: handler, clock: clock, connections: connections)
            loops.append(loop)
        }
        for loop in loops { try loop.start() }
        state.withLock { $0.loops = loops }
        do throws(ServerError) {
            let listener = try Listener(address) { [weak self] socket, _ in self?.accepted(socket) }
            state.withLock { $0.listener = listener }
        } catch {
            close()
            throw error
        }
    }

    /// Closes every connection and waits for the threads; waits for a start that is running first; may be repeated.
    public func stop() { startState.end(close) }

    private func close() {
        let (listener, loops) = state.withLock { state in
            defer { (state.listener, state.loops) = (nil, []) }
            return (state.listener, state.loops)
        }
        listener?.stop()
        for loop in loops { loop.stop() }
    }

    /// The number of connections beyond the limit that get a response.
    private static let maximumRejected = 64

    /// Number of open connections.
    public var openConnections: Int { connections.count }

    private func accepted(_ socket: CInt) {
        let place = state.withLock { state -> (StreamLoop, UInt64)? in
            guard !state.loops.isEmpty else { return nil }
            state.accepted += 1
            return (state.loops[Int(state.accepted % UInt64(state.loops.count))], state.accepted)
        }
        guard let (loop, number) = place else { return Socket.closeQuietly(socket) }
        let open = connections.add()
        guard open <= configuration.connectionLimit + Self.maximumRejected else {
            connections.remove()
            return Socket.closeQuietly(socket)
        }
        loop.post(.accepted(socket, number, isOneTooMany: open > configuration.connectionLimit))
    }
}
