import CacheSemantics
import CLibrary
import FileWatching
import Locks
import Synchronization
import TestSupport
import Testing

@testable import CacheStorage

@Suite(
    "A generation file that is truncated, removed or replaced while it is open",
    .timeLimit(.minutes(20)),
    .blocking
)
struct GenerationFileTests {
    @Test(
        "It is restored before the number is changed, and the number is different",
        arguments: [0, 1, 4095]
    )
    func mended(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/generation"
        let file = try GenerationFile(path: path)
        _ = file.advance()
        let before = file.value
        let told = Wake()
        file.guardFile { _ in told.post() }
        #expect(truncate(path, off_t(size)) == 0)
        told.wait()
        #expect(contents(path).count == 4096)
        #expect(file.value != before)
    }

    @Test("A file that was truncated before anything watched it is restored, too")
    func cutOffBefore() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/generation"
        let file = try GenerationFile(path: path)
        #expect(truncate(path, 0) == 0)
        let count = Atomic(0)
        file.guardFile { _ in count.add(1, ordering: .relaxed) }
        #expect(contents(path).count == 4096)
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("A lookup reports it once, and finds the stored entry")
    func told() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(entry("a"))
        store.flush()
        await cutOff(folder)
        var found = store.entries(for: key("a"))
        // The file is restored a moment before this is reported.
        while found.damage.isEmpty {
            await Task.yield()
            found = store.entries(for: key("a"))
        }
        #expect(found.damage.map(\.subject) == [folder.path + "/generation"])
        #expect(found.damage.map(\.reason) == ["was truncated"])
        #expect(try store.bodies("a") == [[UInt8](repeating: 7, count: 1000)])
        #expect(store.entries(for: key("a")).damage.isEmpty)
    }

    @Test("A lookup that the disk answers reports it, and freshening leaves the report to a lookup")
    func toldWithDisk() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.put(entry("a"))
        store.flush()
        #expect(unlink(folder.path + "/generation") == 0)
        store.invalidate(key("a"))
        #expect(store.freshen(response("a")))
        let found = store.entries(for: key("a"))
        #expect(found.entries.map(\.tier) == [.disk])
        #expect(found.damage.map(\.reason) == ["was removed or replaced"])
    }

    @Test("An entry that one store removes afterwards is not returned by the other")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        let second = try folder.store()
        first.put(entry("a"))
        first.flush()
        #expect(second.tiers("a") == [.disk])
        #expect(second.tiers("a") == [.memory])
        await cutOff(folder)
        first.removeAll()
        #expect(second.tiers("a") == [])
    }

    @Test("If the system has no watches left, it is restored within some seconds")
    func withoutWatches() throws {
        let folder = try TemporaryFolder()
        let file = try GenerationFile(path: folder.path + "/generation")
        let told = Wake()
        file.guardFile(by: { _, _, _ in nil }) { _ in told.post() }
        #expect(truncate(file.path, 0) == 0)
        told.wait()
        #expect(contents(file.path).count == 4096)
    }

    @Test(
        "If the system has no watch left for the file, or for its folder, what that would report is found within some seconds",
        arguments: [FileChanges.modified, .appeared]
    )
    func withoutOneWatch(missing: FileChanges) throws {
        let folder = try TemporaryFolder()
        let file = try GenerationFile(path: folder.path + "/generation")
        let told = Wake()
        file.guardFile(by: { path, changes, notify in
            changes == missing ? nil : FileWatch(path, changes, notify)
        }) { _ in told.post() }
        if missing == .modified {
            #expect(truncate(file.path, 0) == 0)
        } else {
            #expect(rename(file.path, file.path + ".old") == 0)
            _ = try GenerationFile(path: file.path).advance()
        }
        told.wait()
        #expect(contents(file.path).count == 4096)
        let other = try GenerationFile(path: file.path)
        #expect(file.value == other.value)
    }

    @Test(
        "The folder is watched from the start on, and only the file is watched anew when a name appears in it"
    )
    func folderWatch() throws {
        let folder = try TemporaryFolder()
        let file = try GenerationFile(path: folder.path + "/generation")
        let (watched, appeared) = (Lock<[String]>([]), Lock<(@Sendable () -> Void)?>(nil))
        file.guardFile(by: { path, changes, notify in
            watched.withLock { $0.append(path) }
            if changes == .appeared { appeared.withLock { $0 = notify } }
            return FileWatch(path, changes, {})
        }) { _ in }
        appeared.withLock { $0 }?()
        #expect(watched.withLock { $0 } == [folder.path, folder.path, file.path, file.path])
    }

    /// The ways of replacing an open file.
    enum Loss: CaseIterable {
        case removed, movedAway, replaced

        func happen(in folder: TemporaryFolder) {
            let path = folder.path + "/generation"
            switch self {
            case .removed: #expect(unlink(path) == 0)
            case .movedAway: #expect(rename(path, path + ".old") == 0)
            case .replaced:
                write(path + ".new", [1, 2, 3])
                #expect(rename(path + ".new", path) == 0)
            }
        }
    }

    @Test(
        "A store that opens the folder next is noticed by one that had it open before",
        arguments: Loss.allCases
    )
    func lost(loss: Loss) async throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        first.put(entry("a"))
        first.put(entry("b"))
        first.flush()
        #expect(first.tiers("a") == [.memory])
        loss.happen(in: folder)
        let second = try folder.store()
        second.remove(key("a"), VariantKey())
        while first.tiers("a") != [] { await Task.yield() }
        #expect(first.tiers("b") == [.memory])
        first.remove(key("b"), VariantKey())
        #expect(second.tiers("b") == [])
    }

    @Test("The first store that changes something is noticed by all others at once", arguments: Loss.allCases)
    func writesFirst(loss: Loss) throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        let second = try folder.store()
        first.put(entry("a"))
        first.flush()
        #expect(second.tiers("a") == [.disk])
        #expect(second.tiers("a") == [.memory])
        loss.happen(in: folder)
        first.remove(key("a"), VariantKey())
        #expect(second.tiers("a") == [])
        let third = try folder.store()
        third.put(entry("c"))
        third.flush()
        #expect(first.tiers("c") == [.disk])
    }

    /// The ways in which the whole folder goes.
    enum FolderLoss: CaseIterable {
        case removed, movedAway, replaced

        func happen(to folder: TemporaryFolder) {
            switch self {
            case .removed: TestFolder.remove(folder.path)
            case .movedAway: #expect(rename(folder.path, folder.path + ".old") == 0)
            case .replaced:
                #expect(rename(folder.path, folder.path + ".old") == 0)
                #expect(mkdir(folder.path, 0o700) == 0)
            }
        }
    }

    @Test(
        "What is removed after the whole folder has gone is returned by no store that had it open",
        arguments: FolderLoss.allCases,
        [false, true]
    )
    func folderLost(loss: FolderLoss, byNewStore: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { TestFolder.remove(folder.path + ".old") }
        let (first, second) = (try folder.store(), try folder.store())
        first.put(entry("a"))
        first.flush()
        #expect(second.tiers("a") == [.disk])
        #expect(second.tiers("a") == [.memory])
        loss.happen(to: folder)
        let withdrawing = byNewStore ? try folder.store() : first
        #expect(withdrawing.remove(key("a"), VariantKey()).failure == nil)
        // A new store has nothing in common with the others but the folder's path, so that they need the system's report.
        if byNewStore { while second.tiers("a") != [] { await Task.yield() } }
        #expect(second.tiers("a") == [])
        second.put(entry("b"))
        second.flush()
        #expect(withdrawing.tiers("b") == [.disk])
    }

    @Test("Switching to another file is reported")
    func lossTold() throws {
        let folder = try TemporaryFolder()
        let file = try GenerationFile(path: folder.path + "/generation")
        let (found, told) = (Lock<[String]>([]), Wake())
        file.guardFile { damage in
            found.withLock { $0.append(damage.reason) }
            told.post()
        }
        #expect(unlink(file.path) == 0)
        let before = file.value
        let other = try GenerationFile(path: file.path)
        told.wait()
        #expect(found.withLock { $0 } == ["was removed or replaced"])
        #expect(file.value != before)
        #expect(file.value == other.value)
        _ = other.advance()
        #expect(file.value == other.value)
    }

    @Test("It is created only by a store that changes something, so that the folder can be removed")
    func notBegun() throws {
        let folder = try TemporaryFolder()
        let file = try GenerationFile(path: folder.path + "/generation")
        #expect(unlink(file.path) == 0)
        file.restore()
        #expect(folder.names() == [])
        _ = file.advance()
        #expect(folder.names() == ["generation"])
    }

    @Test("An obstacle in its place does not harm a store that has it open")
    func inTheWay() throws {
        let folder = try TemporaryFolder()
        let file = try GenerationFile(path: folder.path + "/generation")
        #expect(unlink(file.path) == 0)
        #expect(mkdir(file.path, 0o700) == 0)
        let before = file.advance()
        #expect(file.value == before &+ 1)
        #expect(rmdir(file.path) == 0)
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(file.advance() == before &+ 1)
        #expect(file.value == before &+ 2)
    }

    @Test("Opening the folder without it does not remove files that others are about to reference")
    func halfWritten() throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        let spool = first.spool(expectedSize: .bytes(200_000))
        try spool.append([UInt8](repeating: 1, count: 200_000))
        #expect(unlink(folder.path + "/generation") == 0)
        let second = try folder.store()
        #expect(folder.names("bodies").count == 1)
        let body = try spool.finish()
        first.put(CacheEntry(stored: response("large"), body: body))
        first.flush()
        #expect(try second.bodies("large") == [[UInt8](repeating: 1, count: 200_000)])
    }

    /// Truncates the file and waits until it is restored.
    private func cutOff(_ folder: TemporaryFolder) async {
        let path = folder.path + "/generation"
        #expect(truncate(path, 0) == 0)
        while contents(path).count < 4096 { await Task.yield() }
    }
}
