import CacheStorage
import Clocks
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("What a lookup costs does not grow with what is stored")
struct FlatCostTests {
    private static let lookups = 2000

    @Test(
        "With two hundred times the entries, a hit costs less than ten times the processor time",
        arguments: [0, 64 << 20]
    )
    func hit(memory: Int) throws {
        let few = try cost(entries: 50, memory: memory)
        let many = try cost(entries: 10_000, memory: memory)
        #expect(many < few * 10, "\(few) ns, then \(many) ns")
    }

    /// The processor time of this thread for hits that are spread over all entries, in nanoseconds.
    private func cost(entries: Int, memory: Int) throws -> Int {
        let folder = TemporaryFolder()
        let store = try folder.store(memory: memory, disk: 256 << 20)
        for number in 0..<entries { store.put(entry("\(number)", size: 10)) }
        store.flush()
        let keys = (0..<Self.lookups).map { key("\($0 * 7919 % entries)") }
        let start = processorTime()
        for key in keys { #expect(store.entries(for: key).entries.count == 1) }
        return processorTime() - start
    }

    private func processorTime() -> Int {
        var moment = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &moment)
        return moment.tv_sec * 1_000_000_000 + moment.tv_nsec
    }
}
