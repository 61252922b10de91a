import CLibrary
import Clocks
import Locks
import Threads

/// A TCP connection attempt, on a separate thread, because name resolution blocks.
final class ConnectionCheck: Sendable {
    private let host: String
    private let port: Int
    private let outcome = FetchPromise<Bool>()
    /// Signalled when the time has elapsed.
    private let stop: StopSignal

    /// Returns whether a host accepts a connection within a time of `clock`.
    static func answers(
        _ host: String,
        _ port: Int,
        within timeout: Duration,
        clock: any TimeSource
    ) async -> Bool {
        guard let check = ConnectionCheck(host, port) else { return false }
        let sleeper = clock.schedule(after: timeout) { check.giveUp() }
        check.start()
        let isThere = await withTaskCancellationHandler {
            await check.outcome.wait()
        } onCancel: {
            check.giveUp()
        }
        sleeper.cancel()
        return isThere
    }

    private init?(_ host: String, _ port: Int) {
        guard let stop = StopSignal() else { return nil }
        self.stop = stop
        (self.host, self.port) = (host, port)
    }

    private func start() {
        guard let thread = SystemThread.start({ self.run() }) else { return outcome.fulfill(false) }
        thread.detach()
    }

    private func giveUp() {
        stop.signal()
        outcome.fulfill(false)
    }

    private func run() {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return outcome.fulfill(false) }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next {
            if connects(to: address.pointee) { return outcome.fulfill(true) }
            next = address.pointee.ai_next
        }
        outcome.fulfill(false)
    }

    private func connects(to address: addrinfo) -> Bool {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, address.ai_socktype | flags, address.ai_protocol)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        guard stop.wait(for: descriptor, POLLOUT) else { return false }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 && code == 0
    }
}
