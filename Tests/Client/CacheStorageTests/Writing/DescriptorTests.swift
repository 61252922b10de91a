import CacheSemantics
import CLibrary
import Clocks
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Descriptors of a store", .blocking)
struct DescriptorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the paths of the open files in the folder.
    private func open(_ suffix: String = "") -> [String] {
        OpenFiles.all().map(\.path).filter { $0.hasPrefix(folder.path) && $0.hasSuffix(suffix) }
    }

    @Test("A closed store has no file open, whatever it has read, written and removed")
    func closed() throws {
        do {
            let store = try folder.store(memory: 0)
            store.put(entry("small"))
            store.put(entry("large", size: 100_000))
            store.flush()
            for path in ["small", "large", "none"] { _ = try store.bodies(path) }
            let spool = store.spool(expectedSize: nil)
            try spool.append([UInt8](repeating: 1, count: 100_000))
            spool.discard()
            #expect(unlink(folder.path + "/generation") == 0)
            store.remove(key("large"))
            #expect(!open().isEmpty)
            store.close()
        }
        write(folder.path + "/bodies/1.part", [1])
        try folder.store(memory: 0).close()
        // The last task of a thread may end a moment later.
        #expect((1...1_000).contains { _ in open().isEmpty }, "\(open())")
    }

    @Test("Of the connections of many reads at once, four stay open, and none once they are closed")
    func readers() throws {
        let store = try folder.store(memory: 0)
        store.put(entry("a"))
        store.flush()
        let paths = StoragePaths(directory: folder.path)
        let before = open("-wal").count
        let readers = RowReaders(
            paths.database,
            try GenerationFile(path: paths.generation),
            clock: VirtualClock(wallSeconds: 0)
        )
        try read(6, readers)
        #expect(open("-wal").count == before + 4)
        try readers.read { reader, generation in
            let row = try reader.content(row: 1, of: key("a"), isInvalidated: false, generation)
            #expect(row != nil)
            readers.close()
            #expect(open("-wal").count == before + 1)
        }
        #expect(open("-wal").count == before)
    }

    /// Reads with this number of connections at once.
    private func read(_ count: Int, _ readers: RowReaders) throws {
        guard count > 0 else { return }
        try readers.read { reader, generation in
            let row = try reader.content(row: 1, of: key("a"), isInvalidated: false, generation)
            #expect(row != nil)
            try read(count - 1, readers)
        }
    }

    @Test("A row of a process that has not announced it yet is found by a reader that holds an earlier state")
    func unannounced() throws {
        let store = try folder.store(memory: 0)
        store.put(entry("a"))
        store.flush()
        let reader = try RowReader(StoragePaths(directory: folder.path).database)
        func content(_ row: Int64) throws -> ContentRow? {
            try reader.content(row: row, of: key("a"), isInvalidated: false, 1)
        }
        #expect(try content(1) != nil)
        store.put(entry("b"))
        store.flush()
        #expect(try content(2) != nil)
        #expect(try content(3) == nil)
    }

    @Test("A finished or discarded spool accepts nothing and creates no file", arguments: [true, false])
    func spool(isFinished: Bool) throws {
        let store = try folder.store()
        let spool = store.spool(expectedSize: nil)
        if isFinished { _ = try spool.finish() } else { spool.discard() }
        try spool.append([UInt8](repeating: 1, count: 100_000))
        #expect(spool.count == 0)
        #expect(folder.names("bodies") == [])
    }
}
