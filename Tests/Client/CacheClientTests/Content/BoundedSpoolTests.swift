import CacheStorage
import Clocks
import Locks
import Testing
import TestSupport

@testable import CacheClient

@Suite("Content that stalls on its way into memory", .blocking)
struct BoundedSpoolTests {
    private let clock = VirtualClock(wallSeconds: 1_000_000)
    private let held = HeldBytes()
    private let stalls = Lock(0)
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func spool(isOnDisk: Bool = false, _ count: Int) throws -> BoundedSpool {
        let store = try CacheStore(
            .init(
                diskCapacity: isOnDisk ? .mebibytes(20) : .zero,
                directory: isOnDisk ? folder.path : nil,
                largestShare: 1
            ),
            clock: clock
        )
        let spool = BoundedSpool(store.spool(), clock: clock, held: held)
        spool.onStall { [stalls] in stalls.withLock { $0 += 1 } }
        try spool.append([UInt8](repeating: 1, count: count))
        return spool
    }

    private func stalls(after milliseconds: Int) -> Int {
        clock.advance(by: .milliseconds(milliseconds))
        return stalls.withLock { $0 }
    }

    @Test("A stall is reported after two seconds, and again until the content continues")
    func stalled() throws {
        let spool = try spool(300 << 10)
        #expect(stalls(after: 1_900) == 0)
        #expect(stalls(after: 200) == 1)
        #expect(stalls(after: 2_000) == 2)
        try spool.append([1])
        #expect(stalls(after: 1_900) == 2)
        try spool.append([1])
        #expect(stalls(after: 1_900) == 2)
        #expect(stalls(after: 200) == 3)
    }

    @Test(
        "Little content, and content in a file, may wait without limit",
        arguments: [(200 << 10, false), (2 << 20, true)]
    )
    func unbounded(count: Int, isOnDisk: Bool) throws {
        let spool = try spool(isOnDisk: isOnDisk, count)
        #expect(stalls(after: 60_000) == 0)
        #expect(spool.count == count)
    }

    @Test("Neither complete nor abandoned content is reported", arguments: [true, false])
    func over(isComplete: Bool) throws {
        let spool = try spool(300 << 10)
        if isComplete {
            #expect(try spool.finish().count == 300 << 10)
        } else {
            spool.discard()
        }
        #expect(stalls(after: 10_000) == 0)
    }

    @Test("Memory has room for two of the largest contents, and always for one")
    func room() throws {
        let (mebibyte, largest) = (1 << 20, 3 << 19)
        var spools = [try spool(mebibyte)]
        #expect(spools[0].hasRoom(for: 1, largest: mebibyte / 4) == false)
        #expect(spools[0].hasRoom(for: mebibyte / 2, largest: largest))
        #expect(!spools[0].hasRoom(for: mebibyte / 2 + 1, largest: largest))
        for _ in 0..<4 { spools.append(try spool(mebibyte)) }
        #expect(!spools[0].hasRoom(for: 1, largest: largest))
        #expect(try spool(isOnDisk: true, mebibyte).hasRoom(for: 1, largest: largest))
        spools.removeLast().discard()
        #expect(spools[0].hasRoom(for: 1, largest: largest))
        _ = try spools.removeLast().finish()
        for spool in spools { spool.discard() }
        #expect(held.count == 0)
    }

    @Test(
        "Pieces of any size are joined in the order in which they were appended",
        arguments: [1, 1000, 20_000, 70_000]
    )
    func pieces(size: Int) throws {
        for isOnDisk in [false, true] {
            let spool = try spool(isOnDisk: isOnDisk, 0)
            var expected: [UInt8] = []
            for number in 0..<max(9, 200_000 / size) {
                let piece = (0..<size).map { UInt8(truncatingIfNeeded: number &+ $0) }
                expected += piece
                try spool.append(piece)
            }
            #expect(spool.count == expected.count)
            #expect(try spool.finish().readAll() == expected)
        }
    }
}
