import Ccurl
import Cepoll
import CLibrary

/// A poller that waits for the sockets of libcurl's connections, and that can be woken.
///
/// Accessed on the loop's thread only, except `wakeUp()`, and so not checked for overlapping accesses. A kept-alive
/// connection passes from one exchange to the next without a system call: the kernel continues to report its input,
/// and is only informed of a change if an event would be missed, or if one has arrived that is not wanted.
final class SocketPoller {
    private struct Watch {
        var wanted: UInt32 = 0
        var registered: UInt32 = 0
        /// Whether its closing will be reported.
        var isConnection = false
    }
    private let poller: Int32
    private let wakeUpEvent: Int32
    /// By descriptor.
    @exclusivity(unchecked) private var watches: [Watch] = []
    /// The largest number of events taken at a time.
    private static let capacity = 64
    private let events: UnsafeMutablePointer<epoll_event>
    @exclusivity(unchecked) private var found = 0
    @exclusivity(unchecked) private var taken = 0
    @exclusivity(unchecked) private var busyWait = BusyWait()

    init?() {
        poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUpEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        events = .allocate(capacity: Self.capacity)
        events.initialize(repeating: epoll_event(), count: Self.capacity)
        // Edge-triggered, so it need not be read after each wake-up. Fails without either descriptor.
        guard control(EPOLL_CTL_ADD, wakeUpEvent, Self.input | EPOLLET.rawValue) else { return nil }
    }

    deinit {
        close(poller)
        close(wakeUpEvent)
        events.deallocate()
    }

    /// Adds the socket of a new connection, whose closing will be reported.
    func opened(_ descriptor: Int32) {
        makeRoom(for: descriptor)
        watches[Int(descriptor)] = Watch(isConnection: true)
    }

    /// Removes the socket of a connection, which is about to be closed.
    func closes(_ descriptor: Int32) {
        guard watches.indices.contains(Int(descriptor)) else { return }
        register(descriptor, 0)
        watches[Int(descriptor)] = Watch()
    }

    /// Changes the events that are awaited on a socket.
    func watch(_ descriptor: Int32, input: Bool, output: Bool) {
        makeRoom(for: descriptor)
        let watch = watches[Int(descriptor)]
        let wanted = (input ? Self.input : 0) | (output ? Self.output : 0)
        watches[Int(descriptor)].wanted = wanted
        // Input may arrive early, and is left for later; output is possible nearly all the time.
        let isMissed = wanted & ~watch.registered != 0
        let isTooMuch = watch.registered & ~wanted & Self.output != 0
        if isMissed || isTooMuch || (wanted == 0 && !watch.isConnection) { register(descriptor, wanted) }
    }

    /// Waits until a socket is ready or `wakeUp` is called; false if neither happened in time.
    ///
    /// With `isEager`, for a response that may arrive soon, it polls a few times before sleeping.
    func wait(milliseconds: Int32, isEager: Bool) -> Bool {
        if isEager, busyWait.finds({ look(milliseconds: 0) }) { return true }
        return look(milliseconds: milliseconds)
    }

    private func look(milliseconds: Int32) -> Bool {
        taken = 0
        found = Int(max(0, epoll_wait(poller, events, Int32(Self.capacity), milliseconds)))
        return found > 0
    }

    /// Returns the next ready socket that is awaited, with its readiness in libcurl's form.
    func nextReady() -> (descriptor: Int32, readiness: Int32)? {
        while taken < found {
            let event = events[taken]
            taken += 1
            let descriptor = event.data.fd
            guard descriptor != wakeUpEvent else { continue }
            let watch = watches[Int(descriptor)]
            if event.events & ~watch.wanted != 0 { register(descriptor, watch.wanted) }
            guard watch.wanted != 0 else { continue }
            return (descriptor, Self.readiness(event.events))
        }
        return nil
    }

    private func makeRoom(for descriptor: Int32) {
        let missing = Int(descriptor) + 1 - watches.count
        if missing > 0 { watches.append(contentsOf: repeatElement(Watch(), count: missing)) }
    }

    /// Ends `wait`, or the next one; may be called from any thread.
    func wakeUp() {
        var one: UInt64 = 1
        _ = write(wakeUpEvent, &one, MemoryLayout<UInt64>.size)
    }

    private func register(_ descriptor: Int32, _ events: UInt32) {
        let registered = watches[Int(descriptor)].registered
        guard registered != events else { return }
        watches[Int(descriptor)].registered = events
        let operation = events == 0 ? EPOLL_CTL_DEL : registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        _ = control(operation, descriptor, events)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(poller, operation, descriptor, &event) == 0
    }

    private static let input = EPOLLIN.rawValue
    private static let output = EPOLLOUT.rawValue

    /// Returns the readiness in libcurl's form; 0, which makes libcurl check by itself, if something is wrong with the
    /// socket.
    private static func readiness(_ events: UInt32) -> Int32 {
        if events & ~(input | output) != 0 { return 0 }
        return (events & input != 0 ? CURL_CSELECT_IN : 0) | (events & output != 0 ? CURL_CSELECT_OUT : 0)
    }
}
