import CacheSemantics
import CLibrary
import Clocks
import GRDB
import Testing
import TestSupport

@testable import CacheStorage

@Suite("Damage is a miss with a finding, never a wrong body", .blocking)
struct DamageTests {
    private func filled(_ folder: TemporaryFolder, sizes: [Int]) throws {
        let store = try folder.store()
        for (number, size) in sizes.enumerated() {
            #expect(
                store.put(entry("\(number)", size: size, byte: UInt8(number))) == .stored([.memory, .disk])
            )
        }
        store.close()
    }

    @Test("A body file with one changed byte is a miss, is reported and is removed", arguments: [0, 4 << 20])
    func changedBodyFile(memory: Int) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let store = try folder.store(memory: memory)
        overwrite(folder.path + "/bodies/" + (folder.names("bodies").first ?? ""), at: 150_000, with: [1])
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.subject) == ["http://example.test/0"])
        #expect(store.entries(for: key("0")).damage.isEmpty)
        #expect(store.entryCount == 0)
        store.flush()
        #expect(folder.names("bodies") == [])
    }

    @Test("A body file that cannot be opened is reported, and found again once it can be opened")
    func unopened() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let store = try folder.store(memory: 0)
        let name = folder.names("bodies").first ?? ""
        let (path, aside) = (folder.path + "/bodies/" + name, folder.path + "/aside")
        #expect(rename(path, aside) == 0)
        // A link to itself: the system refuses to follow it.
        #expect(symlink(name, path) == 0)
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.subject) == ["http://example.test/0"])
        #expect(rename(aside, path) == 0)
        #expect(store.tiers("0") == [.disk])
    }

    @Test("A body file that is changed after it was read once is detected")
    func changedLater() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let store = try folder.store(memory: 0)
        #expect(store.tiers("0") == [.disk])
        overwrite(folder.path + "/bodies/" + (folder.names("bodies").first ?? ""), at: 0, with: [1])
        #expect(store.tiers("0") == [])
    }

    @Test("A body file that is changed before its row is written is detected", arguments: [10, 200_001])
    func changedBeforeItsRow(length: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        #expect(store.put(entry("0", size: 200_000)) == .stored([.disk]))
        #expect(store.tiers("0") == [.disk])
        let path = folder.path + "/bodies/" + (folder.names("bodies").first ?? "")
        #expect(truncate(path, off_t(length)) == 0)
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.subject) == ["http://example.test/0"])
        store.flush()
        #expect(store.entryCount == 0)
        #expect(folder.names("bodies") == [])
    }

    @Test("A body file that is changed and whose times are restored is detected")
    func changedSecretly() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let path = folder.path + "/bodies/" + (folder.names("bodies").first ?? "")
        let then = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, then, 0) == 0)
        let store = try folder.store(memory: 0)
        #expect(store.tiers("0") == [.disk])
        overwrite(path, at: 0, with: [1])
        #expect(utimensat(AT_FDCWD, path, then, 0) == 0)
        #expect(store.tiers("0") == [])
    }

    @Test("A body that is changed between lookup and reading is an error, never other bytes")
    func changedWhileRead() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let path = folder.path + "/bodies/" + (folder.names("bodies").first ?? "")
        let then = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, then, 0) == 0)
        let store = try folder.store(memory: 0)
        let body = try #require(store.entries(for: key("0")).entries.first?.entry.body)
        overwrite(path, at: 150_000, with: [1])
        #expect(throws: StorageError.self) { try body.read(from: 0, count: 1000) }
    }

    @Test(
        "A body that the system cannot read says nothing about the entry, a shorter one does"
    )
    func unread() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000, 200_000])
        let store = try folder.store(memory: 0)
        let bodies = try ["0", "1"].map {
            try #require(store.entries(for: key($0)).entries.first?.entry.body)
        }
        guard case .file(let file) = bodies[0] else { throw StorageError(damaged: "0", reason: "in memory") }
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        #expect(dup2(null, file.descriptor) == file.descriptor)
        close(null)
        for name in folder.names("bodies") { #expect(truncate(folder.path + "/bodies/" + name, 10) == 0) }
        let errors = bodies.map { body in #expect(throws: StorageError.self) { try body.readAll() } }
        #expect(errors.map { $0?.isDamage } == [false, true])
    }

    @Test("A body can be read to its end after its entry and its file are removed")
    func removedWhileRead() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let store = try folder.store(memory: 0)
        let body = try #require(store.entries(for: key("0")).entries.first?.entry.body)
        store.removeAll()
        #expect(folder.names("bodies") == [])
        #expect(try body.readAll().count == 200_000)
    }

    @Test(
        "A body in a file is read into memory when it is found, unless the store is configured otherwise",
        arguments: [true, false]
    )
    func promotion(promotesFiles: Bool) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000, 1000])
        var configuration = CacheStore.Configuration(directory: folder.path, largestShare: 0.5)
        configuration.promotesFiles = promotesFiles
        let store = try CacheStore(configuration, clock: VirtualClock(wallSeconds: 1_000_000))
        defer { store.close() }
        for path in ["0", "1"] { #expect(store.tiers(path) == [.disk]) }
        #expect(store.tiers("0") == [promotesFiles ? .memory : .disk])
        #expect(store.tiers("1") == [.memory])
        #expect(try store.bodies("0") == [[UInt8](repeating: 0, count: 200_000)])
    }

    @Test("A body file that is shorter, or missing, is a miss and is reported", arguments: [true, false])
    func missingBodyFile(isGone: Bool) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000, 100])
        let store = try folder.store()
        let path = folder.path + "/bodies/" + (folder.names("bodies").first ?? "")
        #expect((isGone ? unlink(path) : truncate(path, 199_999)) == 0)
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.count == 1)
        #expect(store.tiers("1") == [.disk])
    }

    @Test("A database that is removed while it is open is a miss and is reported", arguments: [true, false])
    func removedDatabase(folderRemains: Bool) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [100])
        let store = try folder.store(memory: 0)
        defer { store.close() }
        let names = folder.names().filter { $0.hasPrefix("entries.sqlite") }
        for name in names { #expect(unlink(folder.path + "/" + name) == 0) }
        if !folderRemains {
            for name in folder.names() { #expect(remove(folder.path + "/" + name) == 0) }
            #expect(rmdir(folder.path) == 0)
            #expect(close(open(folder.path, O_CREAT | O_WRONLY, 0o600)) == 0)
        }
        store.put(entry("1"))
        store.flush()
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        let subjects = [folder.path + "/entries.sqlite"] + (folderRemains ? [] : [folder.path])
        let files = found.damage.map(\.subject).filter {
            $0.hasPrefix(folder.path) && !$0.hasSuffix("/generation")
        }
        #expect(files == subjects)
        #expect(
            found.damage.first { $0.subject == subjects[0] }?.reason == "the database was removed or replaced"
        )
    }

    @Test("A body that becomes shorter while it is read is an error, never other bytes")
    func shrinkingBody() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let store = try folder.store(memory: 0)
        let body = try #require(store.entries(for: key("0")).entries.first?.entry.body)
        #expect(truncate(folder.path + "/bodies/" + (folder.names("bodies").first ?? ""), 10) == 0)
        #expect(throws: StorageError.self) { try body.readAll() }
    }

    @Test(
        "A file that is not a database is set aside, reported once, and a new one works",
        arguments: [0, 100, 5000]
    )
    func noDatabase(size: Int) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [100])
        let path = folder.path + "/entries.sqlite"
        #expect(truncate(path, 0) == 0)
        overwrite(path, at: 0, with: [UInt8](repeating: 0x41, count: size))
        let store = try folder.store()
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        // An empty file is an empty database.
        #expect(found.damage.map(\.subject) == (size == 0 ? [] : [path]))
        #expect(store.entries(for: key("0")).damage.isEmpty)
        #expect(store.put(entry("0")) == .stored([.memory, .disk]))
        store.close()
        #expect(try folder.store().tiers("0") == [.disk])
        #expect(folder.names().contains("entries.sqlite.damaged") == (size != 0))
    }

    @Test(
        "A database with another schema version, earlier or later, is set aside",
        arguments: [UInt8(1), 3, 99]
    )
    func otherVersion(version: UInt8) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [100])
        // The user version, big-endian at byte 60 of a database file.
        overwrite(folder.path + "/entries.sqlite", at: 60, with: [0, 0, 0, version])
        let store = try folder.store()
        let found = store.entries(for: key("0"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.reason) == ["set aside: version \(version), expected 8"])
        #expect(store.put(entry("0")) == .stored([.memory, .disk]))
    }

    @Test(
        "A database whose next row or change could get no number is set aside",
        arguments: ["change", "entry"],
        [Int64.max, Int64.max - 1, Int64.min, -1]
    )
    func lastNumber(table: String, number: Int64) throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [100])
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try database.write { db in
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
            try db.execute(sql: "INSERT INTO sqlite_sequence VALUES (?, ?)", arguments: [table, number])
        }
        try database.close()
        let store = try folder.store()
        let reasons = store.entries(for: key("0")).damage.map(\.reason)
        #expect(reasons == ["set aside: \(number) as a table's last number"])
        #expect(store.put(entry("0")) == .stored([.memory, .disk]))
        store.close()
        #expect(try folder.store().tiers("0") == [.disk])
    }

    @Test("Another application's database is set aside")
    func foreign() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [100])
        // The application, big-endian at byte 68 of a database file.
        overwrite(folder.path + "/entries.sqlite", at: 68, with: [0, 0, 0, 1])
        let found = try folder.store().entries(for: key("0"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.reason) == ["set aside: another program's database"])
    }

    @Test("A database in an unknown file format is set aside")
    func unknownForm() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [100])
        // The schema's file format, big-endian at byte 44 of a database file, at most 4.
        overwrite(folder.path + "/entries.sqlite", at: 44, with: [0, 0, 0, 9])
        let store = try folder.store()
        #expect(
            store.entries(for: key("0")).damage.map(\.reason) == ["set aside: unsupported file format"]
        )
    }

    @Test("Whatever bytes of the database change, no wrong body is returned and nothing crashes")
    func anyByte() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [700, 3000, 20_000, 70_000])
        let path = folder.path + "/entries.sqlite"
        let original = contents(path)
        var generator = Steps(state: 42)
        var intact = 0
        for _ in 0..<150 {
            let offset = Int.random(in: 0..<original.count, using: &generator)
            let count = Int.random(in: 1...64, using: &generator)
            let junk = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            write(path, original)
            overwrite(path, at: min(offset, original.count - count), with: junk)
            let store = try folder.store()
            for number in 0..<4 {
                for body in try store.bodies("\(number)") {
                    intact += 1
                    #expect(
                        body == [UInt8](repeating: UInt8(number), count: [700, 3000, 20_000, 70_000][number])
                    )
                }
            }
            _ = store.put(entry("new"))
            store.close()
        }
        // A store that loses everything would have no wrong body either.
        #expect(intact >= 150)
    }

    @Test("Incomplete files and unreferenced bodies are removed when the folder is opened")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        // More than are open at a time.
        for number in 1...70 {
            for suffix in ["part", "body"] {
                write(folder.path + "/bodies/" + String(number, radix: 16) + "." + suffix, [1])
            }
        }
        let store = try folder.store()
        #expect(folder.names("bodies").count == 1)
        #expect(store.tiers("0") == [.disk])
    }

    @Test("A file with a name that no store gives stays in the folder of bodies")
    func filesOfOthers() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let others = ["notes.txt", "0A.body", "01.body", "1.body.bak", "g.part", ".body"]
        for name in others { write(folder.path + "/bodies/" + name, [1]) }
        let store = try folder.store()
        #expect(Set(folder.names("bodies")).isSuperset(of: others))
        #expect(store.tiers("0") == [.disk])
    }

    @Test(
        "A folder that has files of another program under a store's names is refused, and keeps them",
        arguments: [
            ("bodies/notes.txt", "bodies/notes.txt exists"), ("bodies/1.body", "bodies/1.body exists"),
            ("generation", "it is a file of another program"),
        ]
    )
    func folderOfAnother(name: String, reason: String) throws {
        let folder = try TemporaryFolder()
        mkdir(folder.path + "/bodies", 0o700)
        write(folder.path + "/" + name, [1, 2, 3])
        let error = #expect(throws: StorageError.self) { try folder.store() }
        #expect(error?.reason.contains(reason) == true)
        #expect(contents(folder.path + "/" + name) == [1, 2, 3])
        #expect(folder.names("") == (name == "generation" ? ["bodies", "generation"] : ["bodies"]))
    }

    @Test(
        "Nothing is written or removed through a symbolic link of a store's name",
        arguments: ["generation", "bodies"]
    )
    func links(name: String) throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        write(other.path + "/1.body", [1, 2, 3])
        symlink(name == "bodies" ? other.path : other.path + "/1.body", folder.path + "/" + name)
        let error = #expect(throws: StorageError.self) { try folder.store() }
        #expect(error?.reason == "it is a symbolic link")
        #expect(other.names("") == ["1.body"])
        #expect(contents(other.path + "/1.body") == [1, 2, 3])
    }

    @Test("Only its owner can read what is stored in a folder that others can enter (RFC 9111 §7)")
    func permissions() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let store = try folder.store()
        store.put(entry("1"))
        store.put(entry("2", size: 100_000))
        store.flush()
        let spool = store.spool()
        try spool.append([UInt8](repeating: 1, count: 100_000))
        var readable: [String] = []
        let bodies = folder.names("bodies").map { "bodies/" + $0 }
        #expect(bodies.count == 2)
        for name in folder.names() + bodies {
            var status = stat()
            if stat(folder.path + "/" + name, &status) != 0 || status.st_mode & 0o077 != 0 {
                readable.append(name)
            }
        }
        #expect(folder.names().contains("entries.sqlite-wal"))
        #expect(readable.isEmpty)
    }

    @Test(
        "The folder of a cache with other rules is refused and unchanged, whether the cache has stored something yet or not"
    )
    func otherRules() throws {
        let folder = try TemporaryFolder()
        func store(_ rules: String?) throws -> CacheStore {
            var configuration = CacheStore.Configuration(directory: folder.path)
            configuration.storingRules = rules
            return try CacheStore(configuration, clock: VirtualClock(wallSeconds: 0))
        }
        let first = try store("private cache")
        #expect(throws: StorageError.self) { try store("shared cache") }
        #expect(first.put(entry("0", size: 10, byte: 1)) == .stored([.memory, .disk]))
        first.close()
        let error = #expect(throws: StorageError.self) { try store("shared cache") }
        #expect(error?.reason.contains("found private cache, expected shared cache") == true)
        for rules in ["private cache", nil] {
            let again = try store(rules)
            #expect(again.tiers("0") == [.disk])
            again.close()
        }
    }

    @Test("A store whose folder one with other rules has taken goes on in memory, and changes nothing there")
    func takenFolder() throws {
        let folder = try TemporaryFolder()
        func store(_ rules: String) throws -> CacheStore {
            var configuration = CacheStore.Configuration(
                memoryCapacity: .mebibytes(4),
                diskCapacity: .mebibytes(4),
                directory: folder.path
            )
            configuration.storingRules = rules
            return try CacheStore(configuration, clock: VirtualClock(wallSeconds: 1_000_000))
        }
        let first = try store("one")
        TestFolder.remove(folder.path)
        let second = try store("other")
        let generation = try GenerationFile(path: folder.path + "/generation")
        // The system may report the removal late; then everything is forgotten once more.
        let isStored = (1...1_000).contains { _ in
            first.put(entry("a")) == .stored([.memory]) && first.tiers("a") == [.memory]
        }
        #expect(isStored)
        let before = generation.value
        for _ in 1...10 { #expect(first.tiers("a") == [.memory]) }
        #expect(generation.value == before)
        first.close()
        second.close()
    }

    @Test("The files of another open store are not removed as leftovers")
    func notAlone() throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        let spool = first.spool(expectedSize: nil)
        try spool.append([UInt8](repeating: 1, count: 100_000))
        let second = try folder.store()
        #expect(folder.names("bodies").count == 1)
        let body = try spool.finish()
        #expect(first.put(CacheEntry(stored: response("a"), body: body)) == .stored([.memory, .disk]))
        first.flush()
        #expect(try second.bodies("a") == [[UInt8](repeating: 1, count: 100_000)])
    }

    @Test(
        "A killed process's files are removed while another store is open, without removing any of that store's"
    )
    func leftoversOfAnother() throws {
        let folder = try TemporaryFolder()
        try filled(folder, sizes: [200_000])
        let first = try folder.store()
        let spool = first.spool(expectedSize: nil)
        try spool.append([UInt8](repeating: 1, count: 100_000))
        for number in 1...100 {
            write(folder.path + "/bodies/\(number).part", [1])
            write(folder.path + "/bodies/\(number).body", [1])
        }
        let second = try folder.store()
        #expect(folder.names("bodies").count == 2)
        #expect(second.tiers("0") == [.disk])
        spool.discard()
    }
}

@Suite("Writing that fails", .blocking)
struct FailureTests {
    @Test("A folder that cannot be created is an error")
    func noFolder() throws {
        #expect(throws: StorageError.self) {
            try CacheStore(.init(directory: "/proc/none/cache"), clock: VirtualClock(wallSeconds: 0))
        }
    }

    @Test("A relative path starts in the working folder, and its missing folders are created")
    func relativePath() throws {
        let folder = try TemporaryFolder()
        var here = [CChar](repeating: 0, count: 4096)
        try #require(getcwd(&here, here.count) != nil)
        let depth = here.prefix { $0 != 0 }.split(separator: 0x2F).count
        let path = String(repeating: "../", count: depth) + folder.path.dropFirst() + "/new//deep"
        let store = try CacheStore(.init(directory: path), clock: VirtualClock(wallSeconds: 0))
        #expect(store.put(entry("a")) == .stored([.memory, .disk]))
        #expect(Set(folder.names("new/deep")).isSuperset(of: ["bodies", "entries.sqlite", "generation"]))
        store.close()
    }

    @Test("A body that cannot be written is refused, and no incomplete file remains")
    func noBodies() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        // Not by permissions, which do not bind root.
        #expect(rmdir(folder.path + "/bodies") == 0)
        write(folder.path + "/bodies", [])
        guard case .refused(.failed) = store.put(entry("a", size: 100_000)) else {
            Issue.record("stored")
            return
        }
        #expect(store.tiers("a") == [])
        #expect(store.entryCount == 0)
        #expect(throws: StorageError.self) {
            try store.spool(expectedSize: .bytes(100_000)).append([UInt8](repeating: 1, count: 100_000))
        }
        #expect(store.put(entry("b", size: 100)) == .stored([.disk]))
    }

    @Test("With memory on, a response whose body cannot be written is kept in memory")
    func memoryOnly() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(rmdir(folder.path + "/bodies") == 0)
        #expect(store.put(entry("a", size: 100_000)) == .stored([.memory]))
        #expect(store.tiers("a") == [.memory])
    }
}

@Suite("Spooled bodies", .blocking)
struct BodySpoolTests {
    @Test("A body file that was cut off before it is finished is an error, and leaves nothing behind")
    func cutOff() throws {
        let folder = try TemporaryFolder()
        try folder.store().close()
        var writer = try BodyFileWriter(StoragePaths(directory: folder.path))
        try [UInt8](repeating: 1, count: 100_000).withUnsafeBytes { try writer.append($0) }
        #expect(truncate(writer.path, 50_000) == 0)
        let error = #expect(throws: StorageError.self) { try writer.finish() }
        #expect(error?.reason == "the file was changed")
        #expect(access(writer.path, F_OK) != 0)
    }

    @Test(
        "Content of any size is returned as it was appended",
        arguments: [0, 1, 65_536, 65_537, 131_072, 500_001]
    )
    func roundTrip(size: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let spool = store.spool(expectedSize: .bytes(size))
        for start in stride(from: 0, to: size, by: 10_000) {
            try spool.append(Array(content[start..<min(start + 10_000, size)]))
        }
        #expect(spool.count == size)
        let body = try spool.finish()
        #expect(body.count == size)
        #expect(try body.readAll() == content)
        #expect(store.put(CacheEntry(stored: response("a"), body: body)) == .stored([.disk]))
        store.flush()
        #expect(try store.bodies("a") == [content])
        #expect(store.diskFileCount == (size > 65_536 ? 1 : 0))
        store.close()
        #expect(try folder.store().bodies("a") == [content])
    }

    @Test("A spool that is discarded or dropped leaves no file", arguments: [true, false])
    func discarding(explicitly: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        do {
            let spool = store.spool(expectedSize: nil)
            try spool.append([UInt8](repeating: 1, count: 200_000))
            #expect(folder.names("bodies").count == 1)
            if explicitly {
                spool.discard()
                #expect(throws: StorageError.self) { try spool.finish() }
            }
        }
        #expect(folder.names("bodies") == [])
    }

    @Test("A finished body that is not stored leaves no file")
    func unstored() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(share: 0.001)
        do {
            let spool = store.spool(expectedSize: nil)
            try spool.append([UInt8](repeating: 1, count: 200_000))
            let stored = CacheEntry(stored: response("a"), body: try spool.finish())
            guard case .refused(.tooLarge) = store.put(stored) else {
                Issue.record("stored")
                return
            }
        }
        #expect(folder.names("bodies") == [])
    }

    @Test("A body that is stored under two keys is two files")
    func twice() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let spool = store.spool(expectedSize: nil)
        try spool.append([UInt8](repeating: 1, count: 200_000))
        let body = try spool.finish()
        store.put(CacheEntry(stored: response("a"), body: body))
        store.put(CacheEntry(stored: response("b"), body: body))
        store.remove(key("a"), VariantKey())
        #expect(try store.bodies("b") == [[UInt8](repeating: 1, count: 200_000)])
    }

    @Test("Without a disk tier the content stays in memory")
    func inMemory() throws {
        let store = try CacheStore(.init(largestShare: 1), clock: VirtualClock(wallSeconds: 0))
        let spool = store.spool(expectedSize: nil)
        try spool.append([UInt8](repeating: 1, count: 200_000))
        let body = try spool.finish()
        guard case .bytes = body else {
            Issue.record("a file")
            return
        }
        #expect(store.put(CacheEntry(stored: response("a"), body: body)) == .stored([.memory]))
    }
}
