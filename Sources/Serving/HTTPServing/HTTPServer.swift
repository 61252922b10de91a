import Locks

/// An HTTP/1.1 server that can also write raw bytes to its connections.
///
/// One thread reads requests and sends prepared responses. A `RawReply` is written to the socket step by step, and then
/// the connection is read for the next request. A request whose content is read with stops is read by libmicrohttpd;
/// requests that it has read beyond that one are lost, so the connection is closed after the response;
/// `ServedRequest.endsConnection` is true then.
public final class HTTPServer: Sendable {
    /// The configuration of a server.
    public struct Configuration: Sendable {
        /// Numeric address to listen on; default 127.0.0.1.
        public var address = "127.0.0.1"
        /// Port to listen on; `nil`, the default, is any free one.
        public var port: Int?
        /// Number of threads that read requests with stops; default 2, at least 1.
        public var threads = 2
        /// Largest request content in bytes, above which the response is 413; default 16 MiB.
        public var contentLimitBytes = 16 << 20
        /// Longest request target in bytes, above which the response is 414; default 4 KiB.
        public var targetLimitBytes = 4 << 10
        /// Number of open connections above which the response is 503; default 16,384.
        public var connectionLimit = 16_384
        /// Time limits for clients.
        public var timeLimits = TimeLimits()
        /// TLS settings; `nil`, the default, for plain HTTP.
        public var tls: TLSSettings?
        /// The number before that of the first connection; default 0.
        public var connectionsBefore: UInt64 = 0
        /// The largest head in bytes, above which the response is 431 or 414; default 12 KiB.
        public var connectionMemoryBytes = 12 << 10

        /// Creates the default configuration.
        public init() {}
    }
    private struct State {
        var core: ServerCore?
        var listener: Listener?
        /// The reserved port during an outage.
        var held: ReservedPort?
        var port: Int?
    }
    private let configuration: Configuration
    private let handler: any RequestHandler
    private let state = Lock(State())
    private let startState = StartState()

    /// Creates a server that does not listen yet.
    public init(_ configuration: Configuration, handler: any RequestHandler) {
        self.configuration = configuration
        self.handler = handler
    }

    deinit { stop() }

    /// The port it listens on, also during an outage; `nil` before `start()`.
    public var port: Int? { state.withLock { $0.port } }

    /// Whether the listening socket was closed externally, so that no connections are accepted.
    public var isLost: Bool { state.withLock { $0.listener }?.isLost ?? false }

    /// Number of connections accepted so far.
    public var acceptedConnections: UInt64 { state.withLock { $0.core }?.connections.acceptedCount ?? 0 }

    /// Number of connections that are open.
    public var openConnections: Int { state.withLock { $0.core }?.connections.openCount ?? 0 }

    /// Starts to serve.
    ///
    /// Throws `ServerError.alreadyStarted` if it has been started and not stopped since.
    public func start() throws(ServerError) {
        try startState.begin { () throws(ServerError) in try listen() }
    }

    private func listen() throws(ServerError) {
        let address = try SocketAddress(configuration.address, port: configuration.port)
        let core = try ServerCore(handler: handler, configuration: configuration)
        let listener = try Listener(address) { core.accepted($0, peer: $1) }
        do {
            try core.start(configuration)
        } catch {
            listener.stop()
            throw error
        }
        state.withLock { $0 = State(core: core, listener: listener, port: Int(listener.port)) }
    }

    /// Closes every connection, stops every exchange and waits for the threads; waits for a start that is running first; may be
    /// repeated.
    public func stop() { startState.end(close) }

    private func close() {
        let last = state.withLock { state in
            defer { (state.core, state.listener, state.held) = (nil, nil, nil) }
            return state
        }
        last.listener?.stop()
        last.held?.release()
        last.core?.stop()
    }

    /// Begins an outage: closes all connections and refuses new ones, while the port stays reserved.
    public func stopListening() throws(ServerError) {
        let (core, listener) = state.withLock { state in
            defer { state.listener = nil }
            return (state.core, state.listener)
        }
        if let listener {
            do throws(ServerError) {
                let held = try listener.hold()
                state.withLock { $0.held = held }
            } catch {
                state.withLock { $0.listener = listener }
                throw error
            }
        }
        core?.cutConnections()
    }

    /// Ends an outage: accepts connections again on the same port.
    public func startListening() throws(ServerError) {
        let (core, held) = state.withLock { state in
            defer { state.held = nil }
            return (state.core, state.held)
        }
        guard let core, let held else { return }
        do throws(ServerError) {
            let listener = try Listener(held) { core.accepted($0, peer: $1) }
            state.withLock { $0.listener = listener }
        } catch {
            state.withLock { $0.held = held }
            throw error
        }
    }
}
