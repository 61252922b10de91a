import Locks

/// Which connections a server has, which of them are on their way to libmicrohttpd, and what is done on them.
final class ConnectionBook: Sendable {
    private struct State {
        /// Connections on their way to a worker, by descriptor.
        var arriving: [CInt: ServerConnection] = [:]
        var open: [UInt64: ServerConnection] = [:]
        var exchanges: [UInt64: RawExchange] = [:]
        var accepted: UInt64 = 0
        var exchangeCount: UInt64 = 0
    }
    /// Number of the connection before the first.
    private let before: UInt64
    private let state = Lock(State())

    init(connectionsBefore: UInt64) { before = connectionsBefore }

    // MARK: Connections

    /// Notes a new connection and returns it with how many are open now.
    func accept(_ socket: CInt, peer: SocketAddress) -> (connection: ServerConnection, openCount: Int) {
        state.withLock { state in
            state.accepted += 1
            let connection = ServerConnection(number: before + state.accepted, socket: socket, peer: peer)
            state.open[connection.number] = connection
            return (connection, state.open.count)
        }
    }

    /// Number of connections accepted so far.
    var acceptedCount: UInt64 { state.withLock { $0.accepted } }

    /// Number of connections that are open.
    var openCount: Int { state.withLock { $0.open.count } }

    /// The connections that are open.
    var open: [ServerConnection] { state.withLock { Array($0.open.values) } }

    /// Notes that a connection is on its way to a worker.
    func send(_ connection: ServerConnection, as socket: CInt) {
        state.withLock { $0.arriving[socket] = connection }
    }

    /// The connection that has come to a worker.
    func arrived(_ socket: CInt) -> ServerConnection? {
        state.withLock { $0.arriving.removeValue(forKey: socket) }
    }

    /// Forgets a connection that no worker takes.
    func turnBack(_ connection: ServerConnection, _ socket: CInt) {
        state.withLock { state in
            if state.arriving[socket] === connection { state.arriving[socket] = nil }
            state.open[connection.number] = nil
        }
    }

    /// Forgets a connection that is about to be closed.
    func close(_ connection: ServerConnection) {
        state.withLock { $0.open[connection.number] = nil }
    }

    // MARK: Exchanges

    /// Notes an exchange, which is made with a number of its own.
    func begin(_ make: (UInt64) -> RawExchange) -> RawExchange {
        state.withLock { state in
            state.exchangeCount += 1
            let exchange = make(state.exchangeCount)
            state.exchanges[exchange.number] = exchange
            return exchange
        }
    }

    /// The exchanges under way.
    var exchanges: [RawExchange] { state.withLock { Array($0.exchanges.values) } }

    /// Forgets an exchange that is over.
    func end(_ exchange: RawExchange) {
        state.withLock { $0.exchanges[exchange.number] = nil }
    }
}
