import CLibrary
import Locks
import Threads

/// The peak memory of this process above its memory when this value was created.
struct PeakMemory {
    private let before: Int

    init() {
        // Resets the kernel's peak.
        Machine.write("5", to: "/proc/self/clear_refs")
        before = Self.bytes("VmRSS")
    }

    var growthMiB: Double { Double(max(0, Self.bytes("VmHWM") - before)) / 1_048_576 }

    private static func bytes(_ name: String) -> Int {
        let line = Machine.lines(of: "/proc/self/status").first { $0.hasPrefix(name) }
        return
            (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
            ?? 0)
            << 10
    }
}

/// A number that several tasks increase.
final class Count: Sendable {
    private let number = Lock(0)

    var value: Int { number.withLock { $0 } }

    func add(_ count: Int = 1) { number.withLock { $0 += count } }
}

/// A server for one request, which it reads and discards to its end and answers with 204; it ends with the process.
final class DiscardingServer: Sendable {
    let port: UInt16
    /// The number of bytes of content so far.
    let received = Count()
    private let listener: Int32

    init() throws(Failure) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard let port = Loopback.bindToFreePort(listener), listen(listener, 1) == 0 else {
            throw Failure(status: 69, text: "no port for the upload")
        }
        self.port = port
        SystemThread.start { self.run() }?.detach()
    }

    private func run() {
        let connection = accept(listener, nil, nil)
        defer {
            close(connection)
            close(listener)
        }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var head: [UInt8] = []
        var missing: Int?
        while missing != 0 {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            if let left = missing {
                received.add(count)
                missing = max(0, left - count)
                continue
            }
            head += buffer[..<count]
            missing = Self.missing(after: head)
        }
        let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns the number of bytes of content that are missing; `nil` until the head is complete.
    private static func missing(after bytes: [UInt8]) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else {
            return nil
        }
        let length = text.lowercased().split(separator: "content-length: ").dropFirst().first?.prefix {
            $0.isNumber
        }
        return length.flatMap { Int($0) }.map { max(0, $0 - (bytes.count - end - 4)) } ?? 0
    }
}
