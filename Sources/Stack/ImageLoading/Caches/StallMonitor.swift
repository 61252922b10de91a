import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Memory pressure as the Linux kernel sees it: `/proc/pressure/memory` (PSI).
///
/// The kernel wakes one thread when tasks stalled for memory longer than a share of a window; nothing is polled.
public final class StallMonitor: MemoryPressureSource {
    private let relay = ScriptedMemoryPressure()
    private let stopper: Int32

    /// Starts to watch; throws where the kernel has no stall accounting, or does not let this process use it.
    ///
    /// `warning` and `critical` are milliseconds of stall within two seconds: of some tasks, and of all of them.
    public init(
        path: String = "/proc/pressure/memory",
        warningMilliseconds: Int = 150,
        criticalMilliseconds: Int = 300
    ) throws(ImageError) {
        let triggers = [("some", warningMilliseconds), ("full", criticalMilliseconds)]
        var opened: [Int32] = []
        for (kind, milliseconds) in triggers {
            do throws(ImageError) {
                opened.append(try Self.open(path, trigger: "\(kind) \(milliseconds * 1000) 2000000"))
            } catch {
                for descriptor in opened { close(descriptor) }
                throw error
            }
        }
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopper = ends[1]
        let watch = Watch(some: opened[0], full: opened[1], stopper: ends[0], relay: relay)
        guard watch.start() else {
            watch.close()
            throw .storage("The thread that watches memory cannot be started.")
        }
    }

    // The other end of the pipe is told by its closing.
    deinit { close(stopper) }

    /// Adds a subscriber, who is told on the watching thread.
    public func subscribe(
        _ handler: @escaping @Sendable (MemoryPressure) -> Void
    ) -> PressureSubscription { relay.subscribe(handler) }

    private static func open(_ path: String, trigger: String) throws(ImageError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .storage("\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        let bytes = Array(trigger.utf8) + [0]
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw .storage("\(path) takes no trigger: \(reason).")
        }
        return descriptor
    }
}

/// What the watching thread holds.
private final class Watch: Sendable {
    private let some: Int32
    private let full: Int32
    private let stopper: Int32
    private let relay: ScriptedMemoryPressure

    init(some: Int32, full: Int32, stopper: Int32, relay: ScriptedMemoryPressure) {
        self.some = some
        self.full = full
        self.stopper = stopper
        self.relay = relay
    }

    func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, watchStalls, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    func run() {
        var polled = [some, full].map { pollfd(fd: $0, events: Int16(POLLPRI), revents: 0) }
        polled.append(pollfd(fd: stopper, events: Int16(POLLIN), revents: 0))
        while true {
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { break }
            if polled[2].revents != 0 || polled[0].revents & Int16(POLLERR) != 0 { break }
            if polled[1].revents & Int16(POLLPRI) != 0 {
                relay.signal(.critical)
            } else if polled[0].revents & Int16(POLLPRI) != 0 {
                relay.signal(.warning)
            }
        }
        close()
    }

    func close() {
        for descriptor in [some, full, stopper] { _ = Glibc.close(descriptor) }
    }
}

private func watchStalls(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Watch>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
