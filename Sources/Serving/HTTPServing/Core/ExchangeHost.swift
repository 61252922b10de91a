import Clocks

/// The interface of the server for its exchanges.
protocol ExchangeHost: AnyObject, Sendable {
    var watcher: SocketWatcher { get }
    /// The real clock, to stop reading from clients that never stop sending.
    var drainClock: SystemClock { get }
    /// Called when the exchange has ended, before its socket is closed or returned.
    func exchangeEnded(_ exchange: RawExchange)
    /// Called before the connection is closed.
    func ended(_ connection: ServerConnection)
    /// Reads the next request from the connection.
    func takeBack(_ connection: ServerConnection, socket: CInt)
}
