public import CacheClient
import CLibrary
import Locks
import Threads

/// Memory pressure as reported by the Linux kernel in `/proc/pressure/memory` (PSI).
///
/// The kernel wakes a thread when tasks have stalled longer than a threshold within a time window; there is
/// no polling.
public final class KernelMemoryPressureSource: MemoryPressureSource {
    /// The source that a whole program shares: the kernel's, or `nil` if it reports none to this program; replaceable.
    public static let shared = SharedValue<(any MemoryPressureSource)?> {
        do throws(ImageError) {
            return try KernelMemoryPressureSource()
        } catch {
            // The documentation names this case.
            return nil
        }
    }

    private let relay = ScriptedMemoryPressure()
    private let stopper: Int32

    /// Starts to monitor; throws if the kernel has no pressure stall information, or denies access to it.
    ///
    /// `warning` and `critical` are milliseconds of stall within two seconds: of some tasks, and of all
    /// tasks.
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
        let watcher = StallWatcher(some: opened[0], full: opened[1], stopper: ends[0], relay: relay)
        guard watcher.start() else {
            watcher.close()
            throw .storage("The thread that monitors memory pressure cannot be started.")
        }
    }

    // Closing this end of the pipe stops the thread.
    deinit { close(stopper) }

    /// Adds a subscriber, which is called on the monitoring thread.
    public func subscribe(
        _ handler: @escaping @Sendable (MemoryPressure) -> Void
    ) -> PressureSubscription { relay.subscribe(handler) }

    private static func open(_ path: String, trigger: String) throws(ImageError) -> Int32 {
        let descriptor = CLibrary.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .storage("\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        let bytes = Array(trigger.utf8) + [0]
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw .storage("\(path) rejects the trigger: \(reason).")
        }
        return descriptor
    }
}

/// The state of the monitoring thread.
private final class StallWatcher: Sendable {
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
        guard let thread = SystemThread.start({ self.run() }) else { return false }
        thread.detach()
        return true
    }

    private func run() {
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
        for descriptor in [some, full, stopper] { _ = CLibrary.close(descriptor) }
    }
}
