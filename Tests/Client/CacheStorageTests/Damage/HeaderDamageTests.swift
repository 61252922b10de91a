import CacheStorage
import Testing
import TestSupport

@Suite("Damage of the database's header, the first 100 bytes of its file", .blocking)
struct HeaderDamageTests {
    private static let sizes = [700, 20_000]

    @Test(
        "After any change of one byte of the header, a lookup gives a whole body or a miss with a finding",
        arguments: 0..<100
    )
    func anyByte(offset: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/entries.sqlite"
        let original = try filled(folder)
        let old = original[offset]
        for value in Set<UInt8>([0, 3, 0x80, 0xFF, old ^ 1]) where value != old {
            restore(path, original)
            overwrite(path, at: offset, with: [value])
            try lookUpAndStore(folder, "byte \(offset) is \(value)")
        }
    }

    @Test(
        "A page size that differs from the file's is never used",
        arguments: [0x0000, 0x0001, 0x0100, 0x0200, 0x0400, 0x1000, 0x1001, 0x4000, 0x8000, 0xFFFF]
    )
    func pageSize(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/entries.sqlite"
        _ = try filled(folder)
        overwrite(path, at: 16, with: [UInt8(size >> 8), UInt8(size & 0xFF)])
        try lookUpAndStore(folder, "page size \(size)")
    }

    @Test(
        "An unknown file format version is set aside, and one older version can still be read",
        arguments: [[1, 1], [0, 0], [3, 2], [2, 3], [3, 3], [255, 255], [1, 2], [2, 1]] as [[UInt8]]
    )
    func forms(forms: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/entries.sqlite"
        _ = try filled(folder)
        overwrite(path, at: 18, with: forms)
        try lookUpAndStore(folder, "forms \(forms)")
    }

    /// Fills a folder with two entries, whose database is all in one file; returns the file's bytes.
    private func filled(_ folder: TemporaryFolder) throws -> [UInt8] {
        let store = try folder.store()
        for (number, size) in Self.sizes.enumerated() {
            store.put(entry("\(number)", size: size, byte: UInt8(number + 1)))
        }
        store.close()
        return contents(folder.path + "/entries.sqlite")
    }

    private func restore(_ path: String, _ original: [UInt8]) {
        for suffix in ["-wal", "-shm"] { unlinkIfThere(path + suffix) }
        write(path, original)
    }

    /// Checks that entries found have their own content, missing ones were reported or are in a new store, and new ones
    /// stay.
    private func lookUpAndStore(_ folder: TemporaryFolder, _ damage: String) throws {
        let store = try folder.store()
        var findings = 0
        for (number, size) in Self.sizes.enumerated() {
            let found = store.entries(for: key("\(number)"))
            findings += found.damage.count
            let bodies = try found.entries.map { try $0.entry.body.readAll() }
            #expect(bodies.count <= 1, "\(damage)")
            for body in bodies {
                #expect(body == [UInt8](repeating: UInt8(number + 1), count: size), "\(damage)")
            }
            if bodies.isEmpty {
                #expect(findings > 0, "\(damage): a miss without a reported reason")
            }
        }
        #expect(store.put(entry("new", byte: 9)) == .stored([.memory, .disk]), "\(damage)")
        store.close()
        let again = try folder.store(memory: 0)
        // A wrong number of pages is detected when the new entry is read.
        let found = again.entries(for: key("new"))
        #expect(found.entries.count == 1 || !found.damage.isEmpty, "\(damage)")
        for entry in found.entries {
            #expect(try entry.entry.body.readAll() == [UInt8](repeating: 9, count: 1000), "\(damage)")
        }
        again.close()
    }
}
