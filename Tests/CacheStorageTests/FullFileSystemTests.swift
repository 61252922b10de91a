import CacheStorage
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("A file system without room", .enabled(if: SmallFileSystem.isAvailable))
struct FullFileSystemTests {
    private let folder: TemporaryFolder
    private let disk: SmallFileSystem

    init() throws {
        folder = try TemporaryFolder()
        disk = try #require(SmallFileSystem(folder.path))
    }

    @Test(
        "The first put after it is full promises what the next lookup takes back; later ones are refused at once"
    )
    func full() throws {
        defer { disk.remove() }
        let store = try folder.store(memory: 0)
        store.put(entry("kept", size: 30_000, byte: 1))
        store.flush()
        #expect(store.writeFailure == nil)
        disk.fill()
        // So that the writer's thread does not know before `put` has returned.
        store.deferWrites(true)
        #expect(store.put(entry("first", size: 60_000)) == .stored([.disk]))
        store.flush()
        store.deferWrites(false)
        #expect(store.writeFailure?.reason == "database or disk is full")
        // Whoever asks for anything is told.
        let told = store.entries(for: key("kept"))
        #expect(told.damage.map(\.subject) == ["http://example.test/first"])
        #expect(told.damage.map(\.reason) == ["could not be written: database or disk is full"])
        #expect(try store.bodies("first") == [])
        guard case .refused(.failed(let error)) = store.put(entry("second", size: 60_000)) else {
            Issue.record("stored on a full file system")
            return
        }
        #expect(error.reason == "database or disk is full")
        #expect(try store.bodies("kept") == [[UInt8](repeating: 1, count: 30_000)])
        disk.makeRoom()
        #expect(store.put(entry("third", size: 60_000, byte: 3)) == .stored([.disk]))
        #expect(store.writeFailure == nil)
        #expect(try store.bodies("third") == [[UInt8](repeating: 3, count: 60_000)])
        store.close()
    }

    @Test("What the memory tier has, too, stays there")
    func memory() throws {
        defer { disk.remove() }
        let store = try folder.store()
        store.put(entry("kept"))
        store.flush()
        disk.fill()
        store.deferWrites(true)
        #expect(store.put(entry("a", size: 60_000)) == .stored([.memory, .disk]))
        store.flush()
        store.deferWrites(false)
        #expect(store.entries(for: key("a")).damage.count == 1)
        #expect(store.tiers("a") == [.memory])
        #expect(store.put(entry("b", size: 60_000)) == .stored([.memory]))
        store.close()
    }

    @Test("Content that is a file of its own is refused at once")
    func largeContent() throws {
        defer { disk.remove() }
        let store = try folder.store(memory: 0)
        disk.fill()
        guard case .refused(.failed(let error)) = store.put(entry("a", size: 100_000)) else {
            Issue.record("stored on a full file system")
            return
        }
        #expect(error.reason == "No space left on device")
        #expect(folder.names("bodies").isEmpty)
        store.close()
    }

    @Test("No store can be opened there, which is an error and no crash")
    func opening() {
        defer { disk.remove() }
        disk.fill()
        #expect(throws: StorageError.self) { try folder.store() }
    }
}

/// A file system of 1 MiB, where the process may mount one.
private struct SmallFileSystem {
    let path: String
    private var filler: String { path + "/filler" }

    static var isAvailable: Bool {
        guard geteuid() == 0, let folder = try? TemporaryFolder(), let disk = SmallFileSystem(folder.path)
        else {
            return false
        }
        disk.remove()
        return true
    }

    init?(_ path: String) {
        self.path = path
        guard mount("none", path, "tmpfs", 0, "size=1m") == 0 else { return nil }
    }

    /// Takes all the room there is.
    func fill() {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let page = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
        #expect(errno == ENOSPC)
        close(descriptor)
    }

    /// Gives it back.
    func makeRoom() { unlinkIfThere(filler) }

    func remove() { umount2(path, Int32(MNT_DETACH)) }
}
