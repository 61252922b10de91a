import CLibrary
import Testing

@testable import HTTPServing

@Suite("The queue of content to write")
struct OutputQueueTests {
    /// Two connected sockets.
    private final class Pair {
        let near: CInt
        private let far: CInt

        init() throws {
            var pair: [CInt] = [-1, -1]
            try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
            (near, far) = (pair[0], pair[1])
        }

        deinit {
            close(near)
            close(far)
        }

        /// Reads what has arrived.
        func arrived() -> [UInt8] {
            guard case .bytes(let bytes) = Socket.receive(far) else { return [] }
            return bytes
        }
    }

    @Test("Pieces are written one after another, each in as many parts as the limit requires")
    func bytes() throws {
        let pair = try Pair()
        var queue = OutputQueue()
        #expect(queue.isEmpty)
        queue.append([1, 2, 3])
        queue.append([])
        queue.append([4])
        let sent = (0..<3).map { _ in queue.writeFirst(to: pair.near, limit: 2) }
        #expect(sent == [.bytes(2), .bytes(1), .bytes(1)])
        #expect(queue.isEmpty)
        #expect(pair.arrived() == [1, 2, 3, 4])
    }

    @Test("A file is written between bytes, in parts up to the limit")
    func file() throws {
        let pair = try Pair()
        var queue = OutputQueue()
        queue.append([9])
        queue.append(try CountingFile(5))
        queue.append(try CountingFile(0))
        queue.append([8])
        var sent: [Socket.Sent] = []
        while !queue.isEmpty { sent.append(queue.writeFirst(to: pair.near, limit: 3)) }
        #expect(sent == [.bytes(1), .bytes(3), .bytes(2), .bytes(1)])
        #expect(pair.arrived() == [9, 0, 1, 2, 3, 4, 8])
    }

    @Test("Nothing is written of a file that has changed")
    func changedFile() throws {
        let pair = try Pair()
        var queue = OutputQueue()
        queue.append(try CountingFile(5, isUnchanged: false))
        #expect(queue.writeFirst(to: pair.near, limit: 3) == .failed)
        #expect(!queue.isEmpty)
        #expect(pair.arrived().isEmpty)
    }

    @Test("A full socket takes nothing, and the rest follows when there is room")
    func fullSocket() throws {
        let pair = try Pair()
        let content = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        var queue = OutputQueue()
        queue.append(content)
        var arrived: [UInt8] = []
        var timesFull = 0
        while !queue.isEmpty {
            guard queue.writeFirst(to: pair.near, limit: .max >> 1) == .full else { continue }
            timesFull += 1
            arrived += pair.arrived()
        }
        while case let more = pair.arrived(), !more.isEmpty { arrived += more }
        #expect(timesFull > 0)
        #expect(arrived == content)
    }
}

/// A file with the bytes 0 up to a count.
final class CountingFile: FileContent {
    let count: Int
    let isUnchanged: Bool
    let descriptor: CInt

    init(_ count: Int, isUnchanged: Bool = true) throws {
        (self.count, self.isUnchanged) = (count, isUnchanged)
        var path = Array("/tmp/cachecheck-content-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        unlink(path)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try #require(write(descriptor, bytes, count) == count)
    }

    deinit { close(descriptor) }
}
