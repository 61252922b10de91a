/// Answers what is prepared on connections that have asked for nothing else yet.
///
/// libmicrohttpd sends a chunked response in three pieces, each with a system call, and more calls hold them together.
/// Here such a response is one piece. What stands in front of libmicrohttpd only looks at what has arrived: a request
/// that is not answered here is still unread when libmicrohttpd is given the connection, for good.
final class PreparedFront: Sendable {
    private let loops: [PreparedLoop]

    init(_ configuration: HTTPServer.Configuration, handler: any RequestHandler) throws(ServerError) {
        var loops: [PreparedLoop] = []
        for _ in 0..<max(1, configuration.threads) {
            loops.append(try PreparedLoop(configuration, handler: handler))
        }
        self.loops = loops
    }

    func start(_ core: ServerCore) throws(ServerError) {
        for loop in loops { try loop.start(core) }
    }

    /// Closes every connection that is still here and waits for the threads.
    func stop() {
        for loop in loops { loop.stop() }
    }

    /// Reads from a connection; false where the system takes no more.
    func add(_ connection: ServerConnection, _ socket: CInt) -> Bool {
        loops[Int(connection.number % UInt64(loops.count))].add(connection, socket)
    }
}
