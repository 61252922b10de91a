import CacheStorage
import CLibrary
import Clocks
import Testing
import TestSupport

@Suite("The memory of small entries", .blocking)
struct AccountingTests {
    @Test("Without a folder the disk tier is off, whatever its capacity")
    func noFolder() throws {
        let configuration = CacheStore.Configuration(diskCapacity: .mebibytes(50))
        let store = try CacheStore(configuration, clock: VirtualClock(wallSeconds: 0))
        #expect(store.diskCapacity == .zero)
        #expect(try TemporaryFolder().store(disk: 50 << 20).diskCapacity == .mebibytes(50))
    }

    @Test("Content may be stored if its length is unknown, or at most that of the largest entry")
    func mayStore() throws {
        let memory = try CacheStore(
            .init(memoryCapacity: .kibibytes(100), diskCapacity: .zero),
            clock: VirtualClock(wallSeconds: 0)
        )
        let folder = try TemporaryFolder()
        for store in [memory, try folder.store()] {
            let largest = store.largestEntry
            #expect([nil, 0, largest].allSatisfy { store.mayStore(contentLength: $0) })
            #expect(!store.mayStore(contentLength: largest + 1))
            store.close()
            #expect(!store.mayStore(contentLength: nil))
        }
    }

    @Test("Content of any length may not be stored if both tiers have been switched off")
    func switchedOff() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(store.mayStore(contentLength: nil))
        store.setCapacities(memory: .zero, disk: .zero)
        #expect(![nil, 0].contains { store.mayStore(contentLength: $0) })
    }

    private static let capacity = 16 << 20

    // In a separate process, whose memory no other test uses. The bound is that of 40 MiB for 32 MiB.
    @Test(
        "50,000 responses of 20 bytes take a process at most a quarter more memory than the memory tier may have",
        .disabled(
            if: getenv("ASAN_OPTIONS") != nil,
            "AddressSanitizer has memory of its own around each object."
        )
    )
    func smallEntries() throws {
        let folder = try TestFolder()
        #expect(try SecondProcess.run("AccountingTests/secondProcess", folder.path) == 0)
        let text = try String(readingFile: folder.path + "/growth")
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 3)
        let (growth, counted, entries) = (numbers[0], numbers[1], numbers[2])
        #expect(growth <= Self.capacity / 4 * 5, "\(growth) bytes, of which \(counted) are counted")
        #expect(counted <= Self.capacity)
        // Counting too much would be no accounting either: the tier is used.
        #expect(growth >= Self.capacity / 2)
        #expect(entries >= 4_000)
    }

    @Test("The second process's part", .enabled(if: SecondProcess.folder != nil))
    func secondProcess() throws {
        let folder = try #require(SecondProcess.folder)
        // What code and tables take at their first use is not the entries'.
        _ = try fill(100)
        let before = try #require(residentBytes())
        let store = try fill(50_000)
        let growth = try #require(residentBytes()) - before
        try "\(growth) \(store.memoryUsage.bytes) \(store.entryCount)".write(file: folder + "/growth")
    }

    /// Returns a store to which responses were added and in which each was looked up, as by a client that asks again.
    private func fill(_ count: Int) throws -> CacheStore {
        let store = try CacheStore(
            .init(memoryCapacity: .bytes(Self.capacity), diskCapacity: .zero),
            clock: VirtualClock(wallSeconds: 1_000_000)
        )
        for number in 0..<count {
            store.put(entry("\(number)", size: 20))
            _ = store.entries(for: key("\(number)"))
        }
        return store
    }
}

/// Returns the memory that this process has at the moment; `nil` if the system does not report it.
private func residentBytes() -> Int? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    let numbers = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
    return numbers.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) }
}
