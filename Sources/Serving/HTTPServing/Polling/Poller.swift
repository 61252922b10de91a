import Cepoll
import CLibrary

/// The epoll set of one thread: sockets, each by a number, and a descriptor through which other threads wake it.
final class Poller: Sendable {
    /// The number of the wake-up descriptor, which no socket has.
    static let wakeUp = UInt64.max
    private let poller: CInt
    private let wakeUp: CInt

    init() throws(ServerError) {
        poller = epoll_create1(CInt(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        // Nothing stays open when this throws: `deinit` runs as soon as both have a value.
        guard poller >= 0 else { throw Socket.failure("epoll_create1") }
        guard wakeUp >= 0, add(wakeUp, EPOLLIN.rawValue, as: Self.wakeUp) else {
            throw Socket.failure("eventfd")
        }
    }

    deinit {
        if poller >= 0 { close(poller) }
        if wakeUp >= 0 { close(wakeUp) }
    }

    /// Adds a socket; returns false if the system refuses.
    @discardableResult
    func add(_ socket: CInt, _ events: UInt32, as number: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, socket, events, number)
    }

    /// Changes the events of a socket; also rearms a one-shot one.
    func change(_ socket: CInt, _ events: UInt32, as number: UInt64) {
        _ = control(EPOLL_CTL_MOD, socket, events, number)
    }

    /// Removes a socket.
    func remove(_ socket: CInt) { epoll_ctl(poller, EPOLL_CTL_DEL, socket, nil) }

    /// Ends the current wait, or the next one.
    func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    /// Clears a wake-up.
    func clearWakeUp() {
        var count: UInt64 = 0
        _ = read(wakeUp, &count, MemoryLayout<UInt64>.size)
    }

    /// Waits and returns how many elements of `events` were set; `nil` if the set cannot be waited on.
    func wait(_ events: inout [epoll_event], milliseconds: CInt = -1) -> Int? {
        let count = epoll_wait(poller, &events, CInt(events.count), milliseconds)
        if count >= 0 { return Int(count) }
        return errno == EINTR ? 0 : nil
    }

    /// Returns a buffer for `count` events of one wait.
    static func room(_ count: Int) -> [epoll_event] {
        [epoll_event](repeating: epoll_event(), count: count)
    }

    private func control(_ operation: CInt, _ socket: CInt, _ events: UInt32, _ number: UInt64) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(u64: number))
        return epoll_ctl(poller, operation, socket, &event) == 0
    }
}
