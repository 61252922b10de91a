import CacheSemantics
import CacheStorage
import CLibrary
import HTTPTypes
import Testing

@Suite("Content of parts that are joined, RFC 9111 §3.4")
struct JoiningTests {
    /// Returns the byte at each position of a representation.
    private static func byte(_ position: Int64) -> UInt8 { UInt8(truncatingIfNeeded: position &* 31 &+ 7) }

    private static func bytes(_ ranges: [ByteRange]) -> [UInt8] {
        ranges.flatMap { ($0.first...$0.last).map(byte) }
    }

    /// Returns an incomplete entry of a representation of a million bytes.
    private static func part(_ places: [(Int64, Int64)], path: String = "a") throws -> CacheEntry {
        let ranges = try places.map { try #require(ByteRange(first: $0.0, last: $0.1)) }
        let parts = try #require(StoredParts(ranges, completeLength: 1_000_000))
        let whole = response(path)
        let stored = StoredResponse(
            key: whole.key,
            variant: whole.variant,
            method: whole.method,
            selectingFields: [:],
            response: whole.response,
            requestTime: whole.requestTime,
            responseTime: whole.responseTime,
            parts: parts
        )
        return CacheEntry(stored: stored, body: .bytes(bytes(parts.ranges)))
    }

    @Test(
        "Each byte of the joined content is the byte of its position",
        arguments: [
            ([(0, 9)], [(10, 19)]), ([(10, 19)], [(0, 9)]), ([(0, 9), (20, 29)], [(10, 19)]),
            ([(0, 99)], [(50, 149)]), ([(0, 99), (200, 299)], [(50, 249)]), ([(0, 9)], [(100, 109)]),
            ([(0, 150_000)], [(100_000, 300_000)]), ([(200_000, 400_000)], [(0, 65_535), (65_537, 199_999)]),
        ] as [([(Int64, Int64)], [(Int64, Int64)])]
    )
    func joined(old: [(Int64, Int64)], new: [(Int64, Int64)]) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try folder.store()
        let (held, added) = (try Self.part(old), try Self.part(new))
        let parts = try #require(added.stored.parts)
        let union = try #require(held.stored.parts?.union(parts))
        let body = try #require(try store.joined(held, added))
        #expect(body.count == Int(union.count))
        #expect(try body.readAll() == Self.bytes(union.ranges))
    }

    @Test("Parts with a different byte in their overlap are not joined")
    func disagreeing() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try folder.store()
        var old = try Self.part([(0, 99)])
        var bytes = try old.body.readAll()
        bytes[90] ^= 1
        old.body = .bytes(bytes)
        #expect(try store.joined(old, try Self.part([(90, 199)]))?.count == nil)
        #expect(try store.joined(old, try Self.part([(91, 199)]))?.count == 200)
    }

    @Test("Complete content, or content whose size differs from its ranges, is not joined")
    func notParts() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try folder.store()
        let part = try Self.part([(0, 99)])
        #expect(try store.joined(entry("a"), part)?.count == nil)
        var short = part
        short.body = .bytes([1, 2, 3])
        #expect(try store.joined(short, part)?.count == nil)
        #expect(try store.joined(part, short)?.count == nil)
    }

    @Test("A part exists after a restart, with its ranges and its size", arguments: [100, 200_000])
    func restart(count: Int64) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let part = try Self.part([(0, 9), (500_000, 500_000 + count - 1)])
        #expect(store.put(part) == .stored([.memory, .disk]))
        let usage = store.diskUsage.bytes
        store.close()
        let again = try folder.store()
        #expect(again.diskUsage.bytes == usage)
        let found = try #require(again.entries(for: key("a")).entries.first)
        #expect(found.tier == .disk)
        #expect(found.entry.stored.parts == part.stored.parts)
        #expect(found.entry.stored.contentLength == count + 10)
        #expect(try found.entry.body.readAll() == Self.bytes(part.stored.parts?.ranges ?? []))
    }

    @Test("A stored part counts with its own size")
    func accounting() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try folder.store(disk: 0)
        let part = try Self.part([(0, 999)])
        _ = store.put(part)
        let before = store.memoryUsage.bytes
        let whole = try #require(try store.joined(part, try Self.part([(1000, 4999)])))
        var joined = try Self.part([(0, 4999)])
        joined.body = whole
        _ = store.put(joined)
        #expect(store.entryCount == 1)
        #expect(store.memoryUsage.bytes == before + 4000)
    }

    @Test(
        "Parts are not joined if the file of one was cut off, and no file is left of them",
        arguments: [true, false]
    )
    func cutOff(isOld: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var parts = [try Self.part([(0, 199_999)]), try Self.part([(200_000, 399_999)])]
        let spool = store.spool()
        let place = isOld ? 0 : 1
        try spool.append(try parts[place].body.readAll())
        parts[place].body = try spool.finish()
        let names = folder.names("bodies")
        #expect(names.count == 1)
        for name in names { #expect(truncate(folder.path + "/bodies/" + name, 150_000) == 0) }
        #expect(throws: StorageError.self) { try store.joined(parts[0], parts[1]) }
        #expect(folder.names("bodies") == names)
    }
}
