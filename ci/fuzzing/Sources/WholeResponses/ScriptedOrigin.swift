import FuzzInput
import Glibc
import Synchronization

/// An origin on loopback that answers each request with the next of a list of byte strings, whatever they are.
final class ScriptedOrigin: Sendable {
    let port: UInt16
    private let listener: Int32
    private let answers = Mutex([[UInt8]]())

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = bind(listener, raw, length)
                _ = getsockname(listener, raw, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        listen(listener, 64)
    }

    /// Answers so from now on; without an answer a connection is closed.
    func answer(with answers: [[UInt8]]) { self.answers.withLock { $0 = answers } }

    /// Serves one connection after the other for ever, on a thread of its own.
    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(&thread, nil, serveForever, context)
        precondition(status == 0, "no thread")
    }

    fileprivate func serve() {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        while hasRequest(connection), let answer = next() { send(answer, over: connection) }
        close(connection)
    }

    private func next() -> [UInt8]? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    private func send(_ bytes: [UInt8], over connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Whether a request arrives soon: a client that waits for the rest of a response receives nothing more.
    private func hasRequest(_ connection: Int32) -> Bool {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while head.suffix(4) != [13, 10, 13, 10] {
            var wish = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, Self.momentInMilliseconds) > 0 else { return false }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            head += buffer[..<count]
        }
        return true
    }

    private static let momentInMilliseconds: Int32 = 3
}

private func serveForever(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let origin = Unmanaged<ScriptedOrigin>.fromOpaque(context).takeRetainedValue()
    while true { origin.serve() }
}
