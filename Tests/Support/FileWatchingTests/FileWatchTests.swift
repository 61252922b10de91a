import CLibrary
import Synchronization
import TestSupport
import Testing

@testable import FileWatching

@Suite("Watches of files and folders", .timeLimit(.minutes(20)))
struct FileWatchTests {
    /// A change in a folder with the file `a`.
    enum Deed: String, CaseIterable {
        case write, cutOff, make, remove, moveAway

        func perform(in folder: TestFolder) {
            let path = folder.path + "/a"
            switch self {
            case .write: append(path)
            case .cutOff: #expect(truncate(path, 0) == 0)
            case .make: close(open(folder.path + "/b", O_RDONLY | O_CREAT | O_CLOEXEC, 0o600))
            case .remove: #expect(unlink(path) == 0)
            case .moveAway: #expect(rename(path, folder.path + "-a") == 0)
            }
        }
    }

    struct Row: Sendable {
        let deed: Deed
        var path = ""
        let changes: FileChanges
    }

    @Test(
        "Each change is reported to those who wait for it",
        arguments: [
            Row(deed: .write, path: "/a", changes: .modified),
            Row(deed: .cutOff, path: "/a", changes: .modified),
            Row(deed: .write, changes: .modified), Row(deed: .write, path: "/a", changes: .finished),
            Row(deed: .write, changes: .finished), Row(deed: .make, changes: .appeared),
            Row(deed: .remove, changes: .disappeared), Row(deed: .moveAway, changes: .disappeared),
            Row(deed: .moveAway, changes: [.appeared, .disappeared]),
            Row(deed: .remove, path: "/a", changes: .gone), Row(deed: .moveAway, path: "/a", changes: .gone),
        ]
    )
    func told(row: Row) throws {
        let folder = try TestFolder(["a": "text"])
        defer { unlink(folder.path + "-a") }
        let told = Wake()
        let watch = try #require(FileWatch(folder.path + row.path, row.changes) { told.post() })
        row.deed.perform(in: folder)
        told.wait()
        withExtendedLifetime(watch) {}
    }

    @Test("Two watches of one file each report their own events, and one continues when the other has ended")
    func shared() throws {
        let folder = try TestFolder(["a": "text"])
        let others = Atomic(0)
        let gone = Atomic(0)
        let told = Wake()
        let other = FileWatch(folder.path + "/a", .appeared) { others.add(1, ordering: .relaxed) }
        var going = FileWatch(folder.path + "/a", .modified) { gone.add(1, ordering: .relaxed) }
        let watch = FileWatch(folder.path + "/a", .modified) { told.post() }
        #expect(going != nil)
        going = nil
        // The events of the first change have been reported before those of the second.
        for _ in 0..<2 {
            append(folder.path + "/a")
            told.wait()
        }
        #expect(gone.load(ordering: .relaxed) == 0)
        #expect(others.load(ordering: .relaxed) == 0)
        withExtendedLifetime((other, watch)) {}
    }

    @Test("A file that replaces a watched one can be watched, too")
    func again() throws {
        let folder = try TestFolder(["a": "text"])
        let first = FileWatch(folder.path + "/a", .modified) {}
        try folder.write("a", "other")
        let told = Wake()
        let second = FileWatch(folder.path + "/a", .modified) { told.post() }
        withExtendedLifetime(first) {}
        append(folder.path + "/a")
        told.wait()
        withExtendedLifetime(second) {}
    }

    @Test("A thousand watches use one of the instances, of which a user has few")
    func many() throws {
        let folder = try TestFolder(Dictionary(uniqueKeysWithValues: (0..<1000).map { ("\($0)", "") }))
        let watches = (0..<1000).compactMap { FileWatch(folder.path + "/\($0)", .modified) {} }
        #expect(watches.count == 1000)
        #expect(instances() == 1)
    }

    @Test("A missing file cannot be watched")
    func missing() {
        #expect(FileWatch("/nowhere/at/all", .modified) {} == nil)
    }

    @Test("If the system loses events all watches are notified, and an incomplete record is ignored")
    func gap() {
        var record = inotify_event()
        record.wd = -1
        record.mask = UInt32(IN_Q_OVERFLOW)
        let bytes = withUnsafeBytes(of: record) { Array($0) }
        #expect(bytes.withUnsafeBytes { FileEvents($0) }.concerns(7, .modified))
        #expect(!bytes.dropLast().withUnsafeBytes { FileEvents($0) }.concerns(7, .modified))
    }

    /// Returns the number of open instances of inotify in this process.
    private func instances() -> Int { OpenFiles.all().count { $0.path == "anon_inode:inotify" } }
}

private func append(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(write(descriptor, "x", 1) == 1)
    close(descriptor)
}
