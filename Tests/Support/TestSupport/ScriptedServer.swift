import CLibrary
import Locks

/// A server that sends exactly the bytes that a test defines; every connection has its own thread.
package final class ScriptedServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let script: @Sendable (ServerConnection) -> Void
    private let count = Lock(0)
    /// Whether the listener was shut down or closed.
    private let isFinished = Lock(false)

    /// Connections accepted so far.
    package var connections: Int { count.withLock { $0 } }
    package var url: String { "http://127.0.0.1:\(port)" }

    package init(_ script: @escaping @Sendable (ServerConnection) -> Void) {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = Self.bindToAnyPort(listener)
        listen(listener, 64)
        startThread { self.acceptAll() }
    }

    /// Answers each request of a connection with the result of `answer` for its number, from 1, and its head.
    package convenience init(answer: @escaping @Sendable (Int, String) -> String) {
        let number = Lock(0)
        self.init { connection in
            while let head = connection.readHead() {
                let current = number.withLock { number in
                    number += 1
                    return number
                }
                connection.send(answer(current, head))
            }
        }
    }

    /// Refuses connections from now on; may be repeated.
    package func stop() {
        isFinished.withLock { isFinished in
            // The thread closes the listener, and its number may by then belong to something else.
            if !isFinished { shutdown(listener, Int32(SHUT_RDWR)) }
            isFinished = true
        }
    }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                isFinished.withLock { $0 = true }
                close(listener)
                return
            }
            // A child process that inherits the connection would keep it open when it is closed here.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let number = count.withLock { count in
                count += 1
                return count
            }
            let connection = ServerConnection(descriptor, number: number)
            startThread { [script] in
                script(connection)
                connection.close()
            }
        }
    }

    private static func bindToAnyPort(_ descriptor: Int32) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = bind(descriptor, raw, length)
                _ = getsockname(descriptor, raw, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// The server's end of a connection; blocking.
package final class ServerConnection: Sendable {
    /// The number of the connection, from 1.
    package let number: Int
    private let descriptor: Int32
    private let buffered = Lock([UInt8]())
    private let isClosed = Lock(false)

    package init(_ descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// Reads the next request up to its empty line; `nil` if the client has closed.
    package func readHead() -> String? { readHeadBytes().map { String(decoding: $0, as: UTF8.self) } }

    /// Reads the next request up to its empty line, as bytes; `nil` if the client has closed.
    package func readHeadBytes() -> [UInt8]? { readBytes { bytes in bytes.headEnd } }

    /// Reads chunked content up to its last chunk.
    package func readChunks() -> String? {
        read { bytes in bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...] ? bytes.count : nil }
    }

    /// Reads the next `count` bytes.
    package func read(count: Int) -> String? { read { $0.count >= count ? count : nil } }

    /// Waits until the client closes, discarding received bytes.
    package func waitForClose() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }

    /// Reads until the client ends; whether it did so by a reset.
    package func readToEnd() -> (bytes: [UInt8], isReset: Bool) {
        var bytes = buffered.withLock { $0 }
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return (bytes, count < 0) }
            bytes += chunk[..<count]
        }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes; returns how many the client's side accepted before it closed.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                CLibrary.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    package func close() {
        let closes = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if closes { _ = CLibrary.close(descriptor) }
    }

    /// Closes with RST.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    private func read(until end: ([UInt8]) -> Int?) -> String? {
        readBytes(until: end).map { String(decoding: $0, as: UTF8.self) }
    }

    private func readBytes(until end: ([UInt8]) -> Int?) -> [UInt8]? {
        var bytes = buffered.withLock { $0 }
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let end = end(bytes) {
                buffered.withLock { $0 = Array(bytes[end...]) }
                return Array(bytes[..<end])
            }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
    }
}

extension [UInt8] {
    fileprivate var headEnd: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard count >= 4 else { return nil }
        for start in 0...(count - 4) where Array(self[start..<start + 4]) == mark { return start + 4 }
        return nil
    }
}
