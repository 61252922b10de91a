import Cepoll
import CLibrary
import Locks
import Threads

/// A thread that notifies exchanges when their client has disconnected, or when their socket is writable again.
final class SocketWatcher: Sendable {
    enum Interest {
        case hangUp
        case writable
        case input
    }
    private let poller: Poller
    private let exchanges = Lock<[UInt64: RawExchange]>([:])
    private let thread = Lock<SystemThread?>(nil)

    init() throws(ServerError) { poller = try Poller() }

    func start() throws(ServerError) {
        let started = try SystemThread.serving { self.run() }
        thread.withLock { $0 = started }
    }

    /// Ends the thread and removes all exchanges; after it returns, no exchange is called.
    func stop() {
        poller.wake()
        thread.withLock { $0 }?.join()
        exchanges.withLock { $0 = [:] }
    }

    /// Watches an exchange's socket for one event; a disconnect is always included.
    ///
    /// While a response waits for something else, the end of the client's side counts as one. While it is being written,
    /// it does not: the client may only have closed its side (RFC 9112 §9.6), and one that has left resets the connection.
    func watch(_ exchange: RawExchange, socket: CInt, for interest: Interest) {
        let isKnown = exchanges.withLock { $0.updateValue(exchange, forKey: exchange.number) != nil }
        let events = Self.mask(interest)
        if isKnown {
            poller.change(socket, events, as: exchange.number)
        } else {
            poller.add(socket, events, as: exchange.number)
        }
    }

    /// Stops watching; called before the socket is closed or passed on.
    func forget(_ exchange: RawExchange, socket: CInt) {
        guard exchanges.withLock({ $0.removeValue(forKey: exchange.number) }) != nil else { return }
        poller.remove(socket)
    }

    private func run() {
        var events = Poller.room(64)
        while let count = poller.wait(&events) {
            for event in events.prefix(count) {
                if event.data.u64 == Poller.wakeUp { return }
                let exchange = exchanges.withLock { $0[event.data.u64] }
                exchange?.socketEvent(isHangUp: event.events & Self.hangUpMask != 0)
            }
        }
    }

    private static let hangUpMask = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

    private static func mask(_ interest: Interest) -> UInt32 {
        let events =
            switch interest {
            case .hangUp: hangUpMask
            case .writable: EPOLLOUT.rawValue
            case .input: hangUpMask | EPOLLIN.rawValue
            }
        return events | EPOLLONESHOT.rawValue
    }
}
