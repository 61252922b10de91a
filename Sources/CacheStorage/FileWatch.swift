import Dispatch
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Has the system tell when somebody writes to a file or makes it shorter, but not of what is written to a mapping.
final class FileWatch: Sendable {
    private let events = Lock<(any DispatchSourceRead)?>(nil)

    /// Calls `tell` on a thread of the system's after each change; `nil` where the system has no more watches to give.
    init?(_ path: String, _ tell: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
            close(descriptor)
            return nil
        }
        let events = DispatchSource.makeReadSource(
            fileDescriptor: descriptor,
            queue: .global(qos: .userInitiated)
        )
        events.setEventHandler {
            Self.empty(descriptor)
            tell()
        }
        events.setCancelHandler { close(descriptor) }
        events.resume()
        self.events.withLock { $0 = events }
    }

    deinit { events.withLock { $0 }?.cancel() }

    /// Takes what is to be read: that something happened is enough.
    private static func empty(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
