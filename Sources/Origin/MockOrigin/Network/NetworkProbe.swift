import CLibrary
import Clocks

/// A client that blocks its thread and measures one exchange at a time.
final class NetworkProbe {
    /// The times and size of one exchange.
    struct Exchange {
        var seconds: Double
        var sent: Int
        var headBytes: Int
        var contentBytes: Int
    }
    /// The reason why nothing was measured.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        /// Creates the failure of a system call, with the reason that `errno` has.
        static func system(_ what: String) -> Failure {
            Failure(description: "\(what): \(String(cString: strerror(errno)))")
        }
    }
    private let socket: CInt
    private let clock = SystemClock()

    init(port: Int, timeoutMilliseconds: Int = 60_000) throws(Failure) {
        socket = CLibrary.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw .system("no socket for the measurement") }
        var timeout = timeval(
            tv_sec: timeoutMilliseconds / 1000,
            tv_usec: timeoutMilliseconds % 1000 * 1000
        )
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var on: CInt = 1
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        guard Loopback.connects(socket, to: UInt16(truncatingIfNeeded: port)) else {
            throw .system("cannot connect to 127.0.0.1:\(port) for the measurement")
        }
    }

    deinit { close(socket) }

    /// Measures from the first byte sent to the last byte received.
    func get(_ path: String) throws(Failure) -> Exchange {
        try exchange(Array("GET /-/check\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    }

    /// Sends this many bytes of content.
    func post(_ path: String, count: Int) throws(Failure) -> Exchange {
        let head = "POST /-/check\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\r\n"
        return try exchange(Array(head.utf8) + Array(repeating: 0x61, count: count))
    }

    private func exchange(_ request: [UInt8]) throws(Failure) -> Exchange {
        let begin = clock.elapsed
        try send(request)
        var received: [UInt8] = []
        var total: (head: Int, content: Int)?
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var count = 0
        while total.map({ count < $0.head + $0.content }) ?? true {
            let got = recv(socket, &buffer, buffer.count, 0)
            guard got > 0 else { throw Failure(description: "the response did not arrive") }
            count += got
            if total == nil {
                received += buffer.prefix(got)
                total = Self.sizes(received)
            }
        }
        let seconds = (clock.elapsed - begin).seconds
        return Exchange(
            seconds: seconds,
            sent: request.count,
            headBytes: total?.head ?? 0,
            contentBytes: total?.content ?? 0
        )
    }

    private func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                CLibrary.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .system("the request could not be sent") }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the size of the head and, from its fields, of the content; `nil` until the head is complete.
    private static func sizes(_ bytes: [UInt8]) -> (head: Int, content: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let length = line.flatMap { Int($0.dropFirst(16)) } ?? 0
        return (end.upperBound, length)
    }
}
