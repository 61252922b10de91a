import CLibrary
import Testing
import TestSupport

@testable import CacheStorage

@Suite("The content that a spool holds", .blocking)
struct SpoolHoldingTests {
    @Test("Up to 64 KiB are in memory, of more the part of the last block, without a folder everything")
    func held() throws {
        let folder = try TemporaryFolder()
        let spool = try folder.store().spool(expectedSize: nil)
        #expect(!spool.isHeldWhole)
        var held: [Int] = []
        for size in [40_000, 25_536, 1, 130_000] {
            try [UInt8](repeating: 1, count: size).withUnsafeBytes { try spool.append($0) }
            held.append(spool.heldCount)
            #expect(folder.names("bodies").isEmpty == (spool.count <= 65_536))
        }
        #expect(spool.count == 195_537)
        // What is left of 65,537 bytes after one block, and of 130,001 after another.
        #expect(held == [40_000, 65_536, 1, 64_465])
        let other = try folder.store(disk: 0).spool()
        try other.append([UInt8](repeating: 1, count: 100_000))
        #expect(other.isHeldWhole && other.heldCount == 100_000)
    }

    @Test("A store whose disk tier was switched off spools in memory")
    func switchedOff() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.setCapacities(disk: .zero)
        #expect(store.spool().isHeldWhole)
    }

    @Test("A spool that could not write is over, and its end is an error")
    func failed() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let spool = store.spool()
        #expect(rmdir(folder.path + "/bodies") == 0)
        #expect(throws: StorageError.self) { try spool.append([UInt8](repeating: 1, count: 100_000)) }
        #expect(store.writeFailure?.operation == "create")
        try spool.append([1])
        #expect(spool.count == 0)
        #expect(throws: StorageError.self) { try spool.finish() }
    }

    @Test("Content whose file was cut off is refused by a store that must read it, and leaves no file")
    func cutOff() throws {
        let (own, other) = (try TemporaryFolder(), try TemporaryFolder())
        let memory = try own.store(disk: 0, share: 1)
        let disk = try other.store(memory: 0)
        for store in [memory, disk] {
            let spool = try own.store().spool()
            try spool.append([UInt8](repeating: 1, count: 200_000))
            let body = try spool.finish()
            guard case .file(let file) = body else { throw StorageError(damaged: "a", reason: "in memory") }
            #expect(truncate(file.path, 10) == 0)
            guard case .refused(.failed(let error)) = store.put(CacheEntry(stored: response("a"), body: body))
            else {
                Issue.record("stored")
                continue
            }
            #expect(error.isDamage)
            #expect(store.entryCount == 0)
        }
        #expect(other.names("bodies") == [])
    }
}
