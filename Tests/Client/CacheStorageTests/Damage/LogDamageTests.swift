import CacheSemantics
import CacheStorage
import CLibrary
import GRDB
import Testing
import TestSupport

@Suite("Damage does not undo invalidations or removals", .blocking)
struct LogDamageTests {
    /// The bytes of a folder as they are when its process is killed.
    private struct Image {
        var files: [String: [UInt8]] = [:]

        init(_ folder: TemporaryFolder) {
            for name in ["entries.sqlite", "entries.sqlite-wal", "generation"] {
                files[name] = contents(folder.path + "/" + name)
            }
        }

        func store(damaging name: String, _ damage: (inout [UInt8]) -> Void) throws -> (
            TemporaryFolder, CacheStore
        ) {
            let folder = try TemporaryFolder()
            for (file, bytes) in files {
                var bytes = bytes
                if file == name { damage(&bytes) }
                write(folder.path + "/" + file, bytes)
            }
            return (folder, try folder.store())
        }
    }

    /// Returns a folder with an invalidated, a removed and an unchanged entry, all of them in the log.
    private func image() throws -> Image {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for path in ["invalidated", "removed", "kept"] { store.put(entry(path)) }
        store.flush()
        store.invalidate(key("invalidated"))
        store.remove(key("removed"))
        // Closing it would empty the log.
        return withExtendedLifetime(store) { Image(folder) }
    }

    private func expectNothingBack(_ store: CacheStore, _ note: Comment) {
        let found = store.entries(for: key("invalidated")).entries
        #expect(found.allSatisfy { $0.entry.stored.isInvalidated }, note)
        #expect(store.entries(for: key("removed")).entries.isEmpty, note)
    }

    @Test("An undamaged folder keeps its other entries")
    func intact() throws {
        let (folder, store) = try image().store(damaging: "") { _ in }
        defer { withExtendedLifetime(folder) {} }
        #expect(store.entries(for: key("kept")).damage.isEmpty)
        #expect(store.tiers("kept") == [.memory])
        expectNothingBack(store, "")
        store.close()
    }

    @Test("A log that is truncated at any of its frames")
    func truncated() throws {
        let image = try image()
        let size = image.files["entries.sqlite-wal"]?.count ?? 0
        #expect(size > 32)
        var findings = 0
        for end in stride(from: 0, to: size, by: 8192 + 24) {
            let (folder, store) = try image.store(damaging: "entries.sqlite-wal") {
                $0.removeLast($0.count - min(end + 32, size))
            }
            findings += store.entries(for: key("kept")).damage.count
            expectNothingBack(store, "cut at \(end)")
            withExtendedLifetime(folder) { store.close() }
        }
        #expect(findings > 0)
    }

    @Test("A log with a changed byte at any position")
    func flipped() throws {
        let image = try image()
        let size = image.files["entries.sqlite-wal"]?.count ?? 0
        var generator = Steps(state: 7)
        for _ in 0..<60 {
            let place = Int.random(in: 0..<size, using: &generator)
            let (folder, store) = try image.store(damaging: "entries.sqlite-wal") { $0[place] ^= 0x10 }
            expectNothingBack(store, "byte \(place)")
            withExtendedLifetime(folder) { store.close() }
        }
    }

    @Test("The removal of an invalidation mark is detected, and its response is removed")
    func mark() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(entry("a"))
        store.flush()
        store.invalidate(key("a"))
        store.close()
        let queue = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE entry SET is_invalidated = 0") }
        try queue.close()
        let again = try folder.store()
        let found = again.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.reason) == ["1 of its rows are damaged"])
        again.close()
        #expect(try folder.store().entries(for: key("a")).damage.isEmpty)
    }

    @Test("A database that was restored to an earlier state is set aside")
    func restored() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(entry("a"))
        store.close()
        let earlier = contents(folder.path + "/entries.sqlite")
        let later = try folder.store()
        later.invalidate(key("a"))
        later.close()
        write(folder.path + "/entries.sqlite", earlier)
        let found = try folder.store().entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(
            found.damage.map(\.reason) == ["set aside: older than its last invalidation or removal"]
        )
    }
}
