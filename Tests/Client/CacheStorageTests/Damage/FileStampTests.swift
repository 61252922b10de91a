import CLibrary
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Changes of body files that leave no trace in their times", .blocking)
struct FileStampTests {
    @Test("A file that has just been changed has no number that stands for its content")
    func unsettled() throws {
        let folder = try TestFolder()
        let path = try folder.write("file", "text")
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        // A machine may be so slow that the change is long ago when it is looked at.
        let isUnsettled = (1...1_000).contains { _ in
            pwrite(descriptor, "text", 4, 0) == 4 && FileStamp(descriptor)?.mark == nil
        }
        #expect(isUnsettled)
    }

    @Test(
        "Content that was changed long before it is first read, or between two reads, is not returned",
        arguments: [true, false]
    )
    func settled(isFirst: Bool) throws {
        let folder = try TemporaryFolder()
        var store = try folder.store()
        store.put(entry("a", size: 200_000))
        store.close()
        let path = folder.path + "/bodies/" + (folder.names("bodies").first ?? "")
        store = try folder.store(memory: 0)
        if !isFirst {
            try waitUntilSettled(path)
            for _ in 1...2 { #expect(store.tiers("a") == [.disk]) }
        }
        overwrite(path, at: 150_000, with: [1])
        try waitUntilSettled(path)
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.subject) == ["http://example.test/a"])
    }

    /// Waits until a tenth of a second after the change.
    private func waitUntilSettled(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        while try #require(FileStamp(descriptor)).mark == nil { sched_yield() }
    }
}
