import Locks

/// An HTTP/1.1 server on libmicrohttpd that can also write to its connections by hand.
///
/// Requests are read by a pool of threads. A prepared response is sent by libmicrohttpd; a `RawReply` is written
/// to the connection's socket step by step, after which the connection is given back to be read from. What a client
/// has sent ahead by then, when libmicrohttpd has read it already, cannot be given back: the connection is closed
/// after the answer, which `ServedRequest.endsConnection` tells the handler.
public final class HTTPServer: Sendable {
    /// What a server needs to know before it starts.
    public struct Configuration: Sendable {
        /// Numeric address to listen on; default 127.0.0.1.
        public var address = "127.0.0.1"
        /// Port to listen on; 0, the default, is any free one.
        public var port: UInt16 = 0
        /// Threads that read requests; default 2, at least 1.
        public var threads = 2
        /// Largest request content in bytes; default 16 MiB, above which the answer is 413.
        public var bodyLimitBytes = 16 << 20
        /// Longest request target in bytes; default 4 KiB, above which the answer is 414.
        public var targetLimitBytes = 4 << 10
        /// Connections that are open at once, above which the answer is 503; default 16,384.
        public var connectionLimit = 16_384
        /// How long clients may take.
        public var timeLimits = TimeLimits()
        /// What TLS is spoken with; `nil`, the default, is plain HTTP.
        public var tls: TLSSettings?
        /// Number of the connection before the first; default 0, so that numbers begin with 1.
        public var connectionsBefore: UInt64 = 0
        /// Memory per connection in bytes, default 12 KiB; a head that does not fit is answered 431 or 414.
        public var connectionMemoryBytes = 12 << 10

        /// Creates the default configuration.
        public init() {}
    }
    private struct State {
        var core: ServerCore?
        var listener: Listener?
        /// During an outage.
        var held: HeldPort?
        var port: UInt16 = 0
    }
    private let configuration: Configuration
    private let handler: any RequestHandler
    private let state = Lock(State())

    /// Creates a server that does not listen yet.
    public init(_ configuration: Configuration, handler: any RequestHandler) {
        self.configuration = configuration
        self.handler = handler
    }

    deinit { stop() }

    /// The port it listens on, also during an outage; 0 before `start()`.
    public var port: UInt16 { state.withLock { $0.port } }

    /// Whether it takes no more connections although nobody has told it so: its socket was shut down by another hand.
    public var isLost: Bool { state.withLock { $0.listener }?.isLost ?? false }

    /// Number of connections accepted so far.
    public var acceptedConnections: UInt64 { state.withLock { $0.core }?.connections.acceptedCount ?? 0 }

    /// Number of connections that are open.
    public var openConnections: Int { state.withLock { $0.core }?.connections.openCount ?? 0 }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) {
        let address = try SocketAddress(configuration.address, port: configuration.port)
        let core = try ServerCore(handler: handler, configuration: configuration)
        let listener = try Listener(address) { core.accepted($0, peer: $1) }
        do {
            try core.start(configuration)
        } catch {
            listener.stop()
            throw error
        }
        state.withLock { $0 = State(core: core, listener: listener, port: listener.port) }
    }

    /// Closes every connection, stops every exchange and waits for the threads; may be repeated.
    public func stop() {
        let last = state.withLock { state in
            defer { (state.core, state.listener, state.held) = (nil, nil, nil) }
            return state
        }
        last.listener?.stop()
        last.held?.release()
        last.core?.stop()
    }

    /// Refuses connections from now on and cuts those that are open; the port stays this server's.
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

    /// Accepts connections again, on the same port.
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
