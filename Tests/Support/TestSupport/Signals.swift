import CLibrary

/// Counts posts; `wait()` blocks the thread for one.
package final class Wake: Sendable {
    private let ends: (read: Int32, write: Int32)

    package init() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    package func post() { _ = write(ends.write, [1], 1) }

    package func wait() {
        var byte: UInt8 = 0
        while read(ends.read, &byte, 1) < 1 {}
    }

    /// Blocks the thread until there is a post, without consuming it.
    fileprivate func waitForAny() {
        var poll = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
        while CLibrary.poll(&poll, 1, -1) < 1 {}
    }
}

/// Blocks threads until it is opened.
package final class Gate: Sendable {
    private let wake = Wake()

    package init() {}

    /// Blocks the thread until the gate is open.
    package func wait() { wake.waitForAny() }

    /// Unblocks all threads, permanently.
    package func open() { wake.post() }
}

/// Runs a function on a separate thread.
package func startThread(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    pthread_create(&thread, nil, runWork, Unmanaged.passRetained(Work(run)).toOpaque())
    pthread_detach(thread)
}

private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
