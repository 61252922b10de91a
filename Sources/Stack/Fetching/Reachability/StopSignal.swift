import Cnetlink

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Wakes a thread that polls, once and for good.
final class StopSignal: Sendable {
    /// Readable once the signal is given.
    let descriptor: Int32

    /// `nil` where the process has no descriptor left.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func give() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Waits until another descriptor has one of `events`; false once the signal is given, or where waiting failed.
    func wait(for other: Int32, _ events: Int32) -> Bool {
        var waits = [
            pollfd(fd: other, events: Int16(events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, 2, -1) < 0 { guard errno == EINTR else { return false } }
        return waits[1].revents == 0 && waits[0].revents != 0
    }
}
