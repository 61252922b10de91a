import Synchronization
import TestSupport
import Testing

@testable import CacheStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("A generation file that is cut off while it is open")
struct GenerationFileTests {
    @Test(
        "It is whole again before anybody changes the number, and the number is another",
        arguments: [0, 1, 4095]
    )
    func mended(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/generation"
        let file = try GenerationFile(path: path)
        _ = file.advance()
        let before = file.value
        let told = Wake()
        file.guardSize { told.post() }
        #expect(truncate(path, off_t(size)) == 0)
        told.wait()
        #expect(contents(path).count == 4096)
        #expect(file.value != before)
    }

    @Test("What was cut off before anybody listened is made whole, too")
    func cutOffBefore() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/generation"
        let file = try GenerationFile(path: path)
        #expect(truncate(path, 0) == 0)
        let count = Atomic(0)
        file.guardSize { count.add(1, ordering: .relaxed) }
        #expect(contents(path).count == 4096)
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("A lookup tells it once, and finds what is stored")
    func told() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(entry("a"))
        store.flush()
        await cutOff(folder)
        var found = store.entries(for: key("a"))
        // The file is whole a moment before it is told.
        while found.damage.isEmpty {
            await Task.yield()
            found = store.entries(for: key("a"))
        }
        #expect(found.damage.map(\.subject) == [folder.path + "/generation"])
        #expect(found.damage.map(\.reason) == ["had been made shorter"])
        #expect(try store.bodies("a") == [[UInt8](repeating: 7, count: 1000)])
        #expect(store.entries(for: key("a")).damage.isEmpty)
    }

    @Test("What one store removes afterwards the other does not return")
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

    /// Cuts the file off and waits until it is whole again.
    private func cutOff(_ folder: TemporaryFolder) async {
        let path = folder.path + "/generation"
        #expect(truncate(path, 0) == 0)
        while contents(path).count < 4096 { await Task.yield() }
    }
}
