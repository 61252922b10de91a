import Clocks

/// What an exchange needs of the server it belongs to.
protocol ExchangeHost: AnyObject, Sendable {
    var watcher: SocketWatcher { get }
    /// Real time, for giving up on clients that never stop sending.
    var drainClock: SystemClock { get }
    /// The exchange is over; its socket is about to be closed or handed back.
    func exchangeEnded(_ exchange: RawExchange)
    /// The connection is about to be closed.
    func ended(_ connection: ServerConnection)
    /// Reads the next request from the connection; one that is likely prepared is looked for first.
    func takeBack(_ connection: ServerConnection, socket: CInt, precedesPrepared: Bool)
}
