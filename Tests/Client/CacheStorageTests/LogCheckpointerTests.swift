@testable import CacheStorage
import Clocks
import GRDB
import Locks
import Testing
import TestSupport

@Suite("The log is copied into the database concurrently with writing", .blocking)
struct LogCheckpointerTests {
    @Test("The log restarts after each checkpoint, and so does not grow with the amount written")
    func log() throws {
        let folder = try TestFolder()
        let path = Self.path(folder)
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        var logs: [Int] = []
        for round in 1...4 {
            let checkpointer = LogCheckpointer(path, clock: VirtualClock(wallSeconds: 0))
            try Self.write(round, writer, Self.bytes)
            writer.writeWithoutTransaction { db in checkpointer.didWrite(db) }
            // Waits for it.
            checkpointer.close()
            #expect(contents(path).count > round * Self.bytes)
            logs.append(contents(path + "-wal").count)
        }
        #expect(logs.allSatisfy { $0 < 2 * Self.bytes })
    }

    @Test("The total of written pages continues when SQLite's counter restarts at zero")
    func pageCount() {
        var pages = PageCount()
        for count in [1000, .max, 0, 999] as [Int32] { pages.note(count) }
        #expect(pages.total == Int(Int32.max) + 1000)
    }

    @Test("A commit itself copies nothing")
    func commit() throws {
        let folder = try TestFolder()
        let path = Self.path(folder)
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        try Self.write(1, writer, Self.bytes)
        #expect(contents(path).count < Self.bytes)
    }

    @Test("A long log restarts even if others write during each copying")
    func busy() async throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let (calls, call) = AsyncStream<Void>.makeStream()
        let number = Lock(100)
        let checkpointers = Lock<LogCheckpointer?>(nil)
        let checkpointer = LogCheckpointer(Self.path(folder), clock: VirtualClock(wallSeconds: 0)) {
            // Far more than a checkpoint may leave.
            let next = number.withLock { number in
                number += 1
                return number
            }
            _ = Result { try Self.write(next, writer, 1 << 20) }
            let checkpointer = checkpointers.withLock { $0 }
            writer.writeWithoutTransaction { db in checkpointer?.didWrite(db) }
            call.yield()
        }
        checkpointers.withLock { $0 = checkpointer }
        defer { checkpointers.withLock { $0 = nil } }
        try Self.write(1, writer, 40 << 20)
        Self.notify(checkpointer, of: writer)
        // Two calls of copying, which leave no less, and one of the end.
        var waiting = calls.makeAsyncIterator()
        for _ in 1...3 { await waiting.next() }
        checkpointer.close()
        let long = contents(Self.path(folder) + "-wal").count
        try Self.write(2, writer, Self.bytes)
        // Otherwise these would follow what it has; it may have been shortened meanwhile.
        #expect(contents(Self.path(folder) + "-wal").count < long + Self.bytes)
    }

    @Test("A log that has become long is shortened when it restarts")
    func shortening() throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        try Self.write(1, writer, 40 << 20)
        #expect(contents(Self.path(folder) + "-wal").count > 40 << 20)
        try writer.writeWithoutTransaction { db in _ = try db.checkpoint(.restart) }
        try Self.write(2, writer, 1)
        #expect(contents(Self.path(folder) + "-wal").count == 4 << 20)
    }

    @Test(
        "Pages written before a pause are copied, even if they are fewer than a checkpoint usually waits for"
    )
    func pause() throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let clock = VirtualClock(wallSeconds: 0)
        let checkpointer = LogCheckpointer(Self.path(folder), clock: clock)
        try Self.write(1, writer, 1 << 20)
        writer.writeWithoutTransaction { db in checkpointer.didWrite(db) }
        clock.advance(by: LogCheckpointer.pause)
        checkpointer.close()
        #expect(contents(Self.path(folder)).count > 1 << 20)
    }

    @Test("During continuous writing, nothing is copied until there is enough of it")
    func noPause() throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let clock = VirtualClock(wallSeconds: 0)
        let checkpointer = LogCheckpointer(Self.path(folder), clock: clock)
        for number in 1...3 {
            try Self.write(number, writer, 1 << 20)
            writer.writeWithoutTransaction { db in checkpointer.didWrite(db) }
            clock.advance(by: LogCheckpointer.pause / 2)
        }
        checkpointer.close()
        #expect(contents(Self.path(folder)).count < 1 << 20)
    }

    @Test("Pages that could not be copied because of a reader are copied later")
    func heldView() async throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let (calls, call) = AsyncStream<Void>.makeStream()
        let clock = VirtualClock(wallSeconds: 0)
        let checkpointer = LogCheckpointer(Self.path(folder), clock: clock) { call.yield() }
        let reader = try Self.holdingReader(of: folder)
        try Self.write(1, writer, 1 << 20)
        Self.notify(checkpointer, of: writer)
        clock.advance(by: LogCheckpointer.pause)
        // Two of copying, the second of which copies no more than the first, and one of the end.
        var waiting = calls.makeAsyncIterator()
        for _ in 1...3 { await waiting.next() }
        #expect(contents(Self.path(folder)).count < 1 << 20)
        try reader.close()
        try Self.write(2, writer, 1)
        Self.notify(checkpointer, of: writer)
        // The first may be the end of a pause that began before.
        for _ in 1...2 { clock.advance(by: LogCheckpointer.pause) }
        checkpointer.close()
        #expect(contents(Self.path(folder)).count > 1 << 20)
    }

    @Test("After an attempt in which nothing could be copied, none follows until something is written")
    func heldForLong() async throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let clock = VirtualClock(wallSeconds: 0)
        var checkpointer: LogCheckpointer? = LogCheckpointer(Self.path(folder), clock: clock)
        weak let left = checkpointer
        let reader = try Self.holdingReader(of: folder)
        try Self.write(1, writer, 1 << 20)
        if let checkpointer { Self.notify(checkpointer, of: writer) }
        clock.advance(by: LogCheckpointer.pause)
        // The first copied what the reader has seen; that suffices for another one.
        await clock.waitForSleeper()
        clock.advance(by: LogCheckpointer.pause)
        checkpointer = nil
        // It lives as long as the attempt.
        while left != nil { await Task.yield() }
        #expect(clock.nextDeadline == nil)
        try reader.close()
    }

    /// More than the pages between two checkpoints.
    private static let bytes = 9 << 20

    private static func path(_ folder: TestFolder) -> String { StoragePaths(directory: folder.path).database }

    private static func database(in folder: TestFolder) throws -> DatabaseQueue {
        try StoragePaths(directory: folder.path).create()
        var damage: [StorageDamage] = []
        return try DiskSchema.open(path(folder), damage: &damage)
    }

    /// Returns a connection that has read, and holds on to what it has seen.
    private static func holdingReader(of folder: TestFolder) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path(folder), configuration: configuration)
        try reader.inDatabase { db in try db.execute(sql: "BEGIN; SELECT count(*) FROM entry") }
        return reader
    }

    /// Notifies the checkpointer of a write; outside of tests that are asynchronous, where another function of the writer
    /// would be meant.
    private static func notify(_ checkpointer: LogCheckpointer, of writer: DatabaseQueue) {
        writer.writeWithoutTransaction { db in checkpointer.didWrite(db) }
    }

    private static func write(_ number: Int, _ writer: DatabaseQueue, _ bytes: Int) throws {
        try writer.write { db in
            try db.execute(
                sql:
                    "INSERT INTO content (id, metadata_sum, body_sum, uri, metadata, body) VALUES (?, 0, 0, x'', x'', zeroblob(?))",
                arguments: [number, bytes]
            )
        }
    }

    @Test("A long log that a reader kept from being copied is copied by the next commit, once")
    func finish() async throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let (calls, call) = AsyncStream<Void>.makeStream()
        let count = Lock(0)
        let checkpointer = LogCheckpointer(Self.path(folder), clock: VirtualClock(wallSeconds: 0)) {
            count.withLock { $0 += 1 }
            call.yield()
        }
        let reader = try Self.holdingReader(of: folder)
        try Self.write(1, writer, 40 << 20)
        Self.notify(checkpointer, of: writer)
        // Two of copying, the second of which copies no more than the first, and one of the end.
        var waiting = calls.makeAsyncIterator()
        for _ in 1...3 { await waiting.next() }
        #expect(contents(Self.path(folder)).count < 40 << 20)
        try reader.close()
        try Self.write(2, writer, 1)
        Self.notify(checkpointer, of: writer)
        #expect(contents(Self.path(folder)).count > 40 << 20)
        try Self.write(3, writer, 1 << 20)
        Self.notify(checkpointer, of: writer)
        #expect(contents(Self.path(folder)).count < 41 << 20)
        checkpointer.close()
        #expect(count.withLock { $0 } == 3, "no checkpoint but the first")
    }

    @Test("Without a connection of its own it copies within each commit that has written enough")
    func noConnection() throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let checkpointer = LogCheckpointer(
            folder.path + "/none/entries.sqlite",
            clock: VirtualClock(wallSeconds: 0)
        )
        for round in 1...2 {
            try Self.write(round, writer, Self.bytes)
            Self.notify(checkpointer, of: writer)
            #expect(contents(Self.path(folder)).count > round * Self.bytes)
        }
        checkpointer.close()
    }

    @Test("Nothing is copied once it is closed")
    func closed() throws {
        let folder = try TestFolder()
        let writer = try Self.database(in: folder)
        defer { _ = Result { try writer.close() } }
        let clock = VirtualClock(wallSeconds: 0)
        let checkpointer = LogCheckpointer(Self.path(folder), clock: clock)
        checkpointer.close()
        try Self.write(1, writer, Self.bytes)
        Self.notify(checkpointer, of: writer)
        // Waits for what should not run.
        checkpointer.close()
        #expect(contents(Self.path(folder)).count < Self.bytes)
        #expect(clock.nextDeadline == nil)
    }
}
