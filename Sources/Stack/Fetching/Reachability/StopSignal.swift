import Cepoll
import CLibrary

/// Wakes a polling thread; once signalled, it stays so.
final class StopSignal: Sendable {
    /// Readable after the signal.
    let descriptor: Int32

    /// Creates a signal; `nil` if the process has no descriptor left.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Waits until another descriptor has one of `events`; returns `false` after the signal, or if waiting
    /// failed.
    func wait(for other: Int32, _ events: Int32) -> Bool {
        var waits = [
            pollfd(fd: other, events: Int16(events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, 2, -1) < 0 { guard errno == EINTR else { return false } }
        return waits[1].revents == 0 && waits[0].revents != 0
    }
}
