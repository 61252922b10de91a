#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Cmicrohttpd
import Locks

/// One thread that tells exchanges when their client went away, or when their socket takes bytes again.
final class SocketWatcher: Sendable {
    enum Interest {
        case hangUp
        case writable
        case input
    }
    private let poller: CInt
    private let bell: CInt
    private let exchanges = Lock<[UInt64: RawExchange]>([:])
    private let thread = Lock<ServerThread?>(nil)
    private static let bellNumber = UInt64.max

    init() throws(ServerError) {
        poller = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard poller >= 0 else { throw Socket.failure("epoll_create1") }
        bell = eventfd(0, CInt(EFD_CLOEXEC))
        guard bell >= 0 else { throw Socket.failure("eventfd") }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.bellNumber))
        epoll_ctl(poller, EPOLL_CTL_ADD, bell, &event)
    }

    deinit {
        close(poller)
        close(bell)
    }

    func start() throws(ServerError) {
        let started = try ServerThread { self.run() }
        thread.withLock { $0 = started }
    }

    /// Ends the thread and forgets every exchange; returns when no exchange will be called any more.
    func stop() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
        thread.withLock { $0 }?.join()
        exchanges.withLock { $0 = [:] }
    }

    /// Watches an exchange's socket for one event; the client's going away is always one.
    func watch(_ exchange: RawExchange, socket: CInt, for interest: Interest) {
        let isKnown = exchanges.withLock { $0.updateValue(exchange, forKey: exchange.number) != nil }
        var event = epoll_event(events: Self.mask(interest), data: epoll_data_t(u64: exchange.number))
        epoll_ctl(poller, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
    }

    /// Stops watching; called before the socket is closed or handed on.
    func forget(_ exchange: RawExchange, socket: CInt) {
        guard exchanges.withLock({ $0.removeValue(forKey: exchange.number) }) != nil else { return }
        epoll_ctl(poller, EPOLL_CTL_DEL, socket, nil)
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(poller, &events, CInt(events.count), -1)
            guard count >= 0 || errno == EINTR else { return }
            for event in events.prefix(Int(max(count, 0))) {
                if event.data.u64 == Self.bellNumber { return }
                let exchange = exchanges.withLock { $0[event.data.u64] }
                exchange?.socketEvent(isHangUp: event.events & Self.hangUpMask != 0)
            }
        }
    }

    private static let hangUpMask = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

    private static func mask(_ interest: Interest) -> UInt32 {
        let always = hangUpMask | EPOLLONESHOT.rawValue
        return switch interest {
        case .hangUp: always
        case .writable: always | EPOLLOUT.rawValue
        case .input: always | EPOLLIN.rawValue
        }
    }
}
