import CLibrary
import Clocks
import GRDB
import TestSupport
import Testing

@testable import CacheStorage

@Suite("The folder of a store, its files and its database", .blocking)
struct StoragePathsTests {
    private let folder: TemporaryFolder
    private var paths: StoragePaths { StoragePaths(directory: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    @Test("The index of the log is whole if it has one or more blocks of 32 KiB, and nothing besides")
    func index() {
        #expect(!paths.isIndexWhole)
        let sizes = [0, 1, 32_767, 32_768, 32_769, 65_536]
        let found = sizes.map { size in
            write(paths.database + "-shm", [UInt8](repeating: 0, count: size))
            return paths.isIndexWhole
        }
        #expect(found == [false, false, false, true, false, true])
    }

    @Test("A folder that is not there has no bodies")
    func noFolder() { #expect(StoragePaths(directory: folder.path + "/none").bodyNames() == []) }

    @Test("Less than 32 MiB is little space", .enabled(if: SmallFileSystem.isAvailable))
    func reserve() throws {
        let disk = try #require(SmallFileSystem(folder.path, kibibytes: 32 << 10))
        defer { disk.remove() }
        #expect(!paths.isShortOfSpace)
        write(folder.path + "/file", [1])
        #expect(paths.isShortOfSpace)
    }

    @Test("A damaged database that cannot be set aside is an error, and stays")
    func obstacle() throws {
        try folder.store().close()
        let path = paths.database
        write(path, [UInt8](repeating: 0x41, count: 100))
        mkdir(path + ".damaged", 0o700)
        let error = #expect(throws: StorageError.self) { try folder.store() }
        #expect(error?.operation == "set aside")
        #expect(contents(path).count == 100)
    }

    @Test("Other programs know the database by the application's number CCHS")
    func application() throws {
        try folder.store().close()
        #expect(Array(contents(paths.database)[68..<72]) == Array("CCHS".utf8))
    }

    @Test(
        "A database without one of its tables is set aside when it is opened",
        arguments: ["entry", "use", "change", "label", "identity"]
    )
    func missingTable(table: String) throws {
        let first = try folder.store()
        first.put(entry("a"))
        first.close()
        try removeTable(table, of: folder)
        let store = try folder.store()
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.subject) == [paths.database])
        #expect(found.damage.first?.reason.contains("no such table: \(table)") == true)
        #expect(store.put(entry("a")) == .stored([.memory, .disk]))
        store.close()
        #expect(try folder.store().tiers("a") == [.disk])
    }

    @Test("A reader of a database that is not there is an error")
    func noDatabase() {
        #expect(throws: DatabaseError.self) { try RowReader(folder.path + "/none.sqlite") }
    }

    @Test("A disk tier that cannot be opened later stays off, and the next lookup reports it")
    func openedLater() throws {
        let path = folder.path + "/file"
        write(path, [1])
        let store = try CacheStore(
            .init(diskCapacity: .zero, directory: path),
            clock: VirtualClock(wallSeconds: 0)
        )
        store.setCapacities(disk: .mebibytes(1))
        #expect(store.entries(for: key("a")).damage.map(\.subject) == [path + "/bodies"])
        #expect(store.put(entry("a")) == .stored([.memory]))
    }
}
