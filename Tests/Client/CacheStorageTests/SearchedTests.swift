import CacheSemantics
import CacheStorage
import HTTPTypes
import TestSupport
import Testing

@Suite("Invalidation and removal of what answers by No-Vary-Search", .blocking)
struct SearchedTests {
    private func entry(_ path: String, ignoring field: String? = #"params=("u")"#) -> CacheEntry {
        var fields = HTTPFields()
        fields[.known("No-Vary-Search")] = field
        let stored = StoredResponse(
            key: key(path),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
            responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
        )
        return CacheEntry(stored: stored, body: .bytes([1]))
    }

    /// Returns whether what is stored under a path is invalidated; `nil` if nothing is.
    private func isInvalidated(_ path: String, in store: CacheStore) -> Bool? {
        store.entries(for: key(path)).entries.first?.entry.stored.isInvalidated
    }

    /// A stored target, and whether a change of `/a?x=1&u=9` concerns it.
    struct Row: CustomTestStringConvertible {
        let path: String
        var field: String? = #"params=("u")"#
        let isMeant: Bool

        var testDescription: String { "\(path) \(field ?? "without the field")" }
    }
    private static let rows = [
        Row(path: "a?x=1&u=1", isMeant: true), Row(path: "a?x=1", isMeant: true),
        Row(path: "%61?u=2&x=%31", isMeant: true), Row(path: "a?x=2&u=9", isMeant: false),
        Row(path: "b?x=1&u=1", isMeant: false), Row(path: "a?x=1&u=8", field: nil, isMeant: false),
        Row(path: "a?y=1", field: #"except=("x")"#, isMeant: false),
        Row(path: "a?x=1&y=1", field: #"except=("x")"#, isMeant: true),
    ]

    @Test(
        "A change of a target concerns what answers requests for it, in memory and on disk",
        arguments: rows
    )
    func changed(_ row: Row) throws {
        for isOnDisk in [false, true] {
            let folder = try TemporaryFolder()
            var store = isOnDisk ? try folder.store() : try folder.store(disk: 0)
            store.put(entry(row.path, ignoring: row.field))
            if isOnDisk {
                store.close()
                store = try folder.store()
            }
            #expect(store.invalidate(key("a?x=1&u=9")) == .done(keys: row.isMeant ? 1 : 0))
            #expect(isInvalidated(row.path, in: store) == row.isMeant)
            #expect(
                store.remove(targetURI: key("a?x=1&u=9").targetURI) == .done(keys: row.isMeant ? 1 : 0)
            )
            #expect(isInvalidated(row.path, in: store) == (row.isMeant ? nil : false))
        }
    }

    @Test(
        "A change by one store concerns what another has written, or is about to write",
        arguments: [true, false]
    )
    func otherStore(isWritten: Bool) throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        theirs.put(entry("a?u=1"))
        if isWritten { theirs.flush() }
        mine.invalidate(key("a?u=2"))
        #expect(isInvalidated("a?u=1", in: theirs) == true)
        mine.remove(targetURI: key("a?u=2").targetURI)
        #expect(isInvalidated("a?u=1", in: theirs) == nil)
    }

    @Test(
        "A pending response that turns out to answer for a changed target is invalidated",
        arguments: [true, false]
    )
    func pending(isOwn: Bool) throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        let changing = isOwn ? mine : theirs
        for change in [
            { changing.invalidate(key("a?u=2")) }, { changing.remove(targetURI: key("a?u=2").targetURI) },
        ] {
            let watch = mine.watch(key("a?u=1"))
            _ = change()
            mine.put(entry("a?u=1"), watchedBy: watch)
            #expect(isInvalidated("a?u=1", in: mine) == true)
            mine.put(entry("a?u=1", ignoring: nil), watchedBy: watch)
            #expect(isInvalidated("a?u=1", in: mine) == false)
        }
    }

    @Test(
        "A pending response is invalidated only after more changes of other targets than the 64 that are held",
        arguments: [(64, false), (65, true), (100, true)]
    )
    func manyChanges(count: Int, expected: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        let watch = store.watch(key("a?u=1"))
        for number in 0..<count { store.invalidate(key("a?x=\(number)")) }
        store.put(entry("a?u=1", ignoring: nil), watchedBy: watch)
        #expect(isInvalidated("a?u=1", in: store) == expected)
    }
}
