import CLibrary

/// A connection over loopback whose reads block up to a limit.
final class RawSocket {
    private static let timeoutSeconds = 5
    private let descriptor: CInt

    /// Connects to a port; `nil` if nothing listens.
    init?(port: Int) {
        guard let port = UInt16(exactly: port) else { return nil }
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard Loopback.connects(descriptor, to: port) else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends all bytes, or as many as the other end accepts; returns false if it accepts none.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in write(descriptor, buffer) }
            // A server that refuses a request closes the connection before it has read everything.
            guard count > 0 else { return rest.count < bytes.count }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func write(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
        CLibrary.send(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL))
    }

    /// Returns the next bytes; empty at the end, `nil` if none arrive in time.
    func receive() -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, length in
            count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            length = max(0, count)
        }
        return count < 0 ? nil : bytes
    }
}
