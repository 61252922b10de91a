import Cmicrohttpd

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What one thread waits on: sockets, each by a number, and a bell that other threads ring.
final class Poller: Sendable {
    /// The number of the bell, which no socket has.
    static let bell = UInt64.max
    private let poller: CInt
    private let bell: CInt

    init() throws(ServerError) {
        poller = epoll_create1(CInt(EPOLL_CLOEXEC))
        bell = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        // Thrown from here nothing is left open: `deinit` runs as soon as both have a value.
        guard poller >= 0 else { throw Socket.failure("epoll_create1") }
        guard bell >= 0, add(bell, EPOLLIN.rawValue, as: Self.bell) else { throw Socket.failure("eventfd") }
    }

    deinit {
        if poller >= 0 { close(poller) }
        if bell >= 0 { close(bell) }
    }

    /// Waits on a socket from now on; false where the system takes no more.
    @discardableResult
    func add(_ socket: CInt, _ events: UInt32, as number: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, socket, events, number)
    }

    /// Waits for other events of a socket; also where it was told once and is not waited on since.
    func change(_ socket: CInt, _ events: UInt32, as number: UInt64) {
        _ = control(EPOLL_CTL_MOD, socket, events, number)
    }

    /// Waits on a socket no more.
    func remove(_ socket: CInt) { epoll_ctl(poller, EPOLL_CTL_DEL, socket, nil) }

    /// Wakes whoever waits, now or at its next wait.
    func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
    }

    /// Forgets that the bell was rung.
    func silence() {
        var count: UInt64 = 0
        _ = read(bell, &count, MemoryLayout<UInt64>.size)
    }

    /// Waits and returns how many places of `events` were filled; `nil` where waiting has no sense any more.
    func wait(_ events: inout [epoll_event], milliseconds: CInt = -1) -> Int? {
        let count = epoll_wait(poller, &events, CInt(events.count), milliseconds)
        if count >= 0 { return Int(count) }
        return errno == EINTR ? 0 : nil
    }

    /// Room for so many events of one wait.
    static func room(_ count: Int) -> [epoll_event] {
        [epoll_event](repeating: epoll_event(), count: count)
    }

    private func control(_ operation: CInt, _ socket: CInt, _ events: UInt32, _ number: UInt64) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(u64: number))
        return epoll_ctl(poller, operation, socket, &event) == 0
    }
}
