import Locks

/// The open connections of a server, those being handed to libmicrohttpd, and the exchanges on them.
final class ServerConnections: Sendable {
    private struct State {
        /// Connections that are being handed to a worker, by descriptor.
        var arriving: [CInt: ServerConnection] = [:]
        var open: [UInt64: ServerConnection] = [:]
        var exchanges: [UInt64: RawExchange] = [:]
        var accepted: UInt64 = 0
        var exchangeCount: UInt64 = 0
    }
    /// The number that precedes that of the first connection.
    private let before: UInt64
    private let state = Lock(State())

    init(connectionsBefore: UInt64) { before = connectionsBefore }

    // MARK: Connections

    /// Adds a connection and returns it with the number of open ones.
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

    /// Records that a connection is being handed to a worker.
    func send(_ connection: ServerConnection, as socket: CInt) {
        state.withLock { $0.arriving[socket] = connection }
    }

    /// Returns the connection that a worker has received.
    func arrived(_ socket: CInt) -> ServerConnection? {
        state.withLock { $0.arriving.removeValue(forKey: socket) }
    }

    /// Removes a connection that no worker accepts.
    func turnBack(_ connection: ServerConnection, _ socket: CInt) {
        state.withLock { state in
            if state.arriving[socket] === connection { state.arriving[socket] = nil }
            state.open[connection.number] = nil
        }
    }

    /// Removes a connection that is about to be closed.
    func close(_ connection: ServerConnection) {
        state.withLock { $0.open[connection.number] = nil }
    }

    // MARK: Exchanges

    /// Adds the exchange that `make` creates with a unique number.
    func begin(_ make: (UInt64) -> RawExchange) -> RawExchange {
        state.withLock { state in
            state.exchangeCount += 1
            let exchange = make(state.exchangeCount)
            state.exchanges[exchange.number] = exchange
            return exchange
        }
    }

    /// The exchanges in progress.
    var exchanges: [RawExchange] { state.withLock { Array($0.exchanges.values) } }

    /// Removes an exchange that has ended.
    func end(_ exchange: RawExchange) {
        state.withLock { $0.exchanges[exchange.number] = nil }
    }
}
