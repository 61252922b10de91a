import CacheSemantics
import CacheStorage
import HTTPTypes
import Testing

@Suite("Lookup by group, by target URI and by origin")
struct LabelTests {
    private static let origin = "http://example.test"

    /// Returns an entry of a group, or one whose key contains content.
    private func labelled(_ path: String, group: String = "", content: String = "", host: String = origin)
        -> CacheEntry
    {
        let fields: HTTPFields = group.isEmpty ? [:] : [.cacheGroups: "\"\(group)\""]
        let stored = StoredResponse(
            key: CacheKey(targetURI: "\(host)/\(path)", content: content),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
            responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
        )
        return CacheEntry(stored: stored, body: .bytes([1]))
    }

    private func isInvalidated(_ entry: CacheEntry, in store: CacheStore) -> Bool? {
        store.entries(for: entry.stored.key).entries.first?.entry.stored.isInvalidated
    }

    @Test(
        "A store whose only labelled entry was never written, and is forgotten, asks its database for no labels"
    )
    func forgotten() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.deferWrites(true)
        store.put(labelled("1", group: "g"))
        #expect(store.forgetUnwritten())
        let before = store.databaseSteps
        #expect(store.searchable.isEmpty)
        #expect(store.databaseSteps == before)
    }

    @Test(
        "A database that cannot say what answers other queries is set aside, and the next lookup reports it"
    )
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(labelled("1", group: "g"))
        store.flush()
        try removeTable("label", of: folder)
        #expect(store.searchable.isEmpty)
        #expect(store.entries(for: key("2")).damage.map(\.subject) == [folder.path + "/entries.sqlite"])
    }

    @Test("Only what has No-Vary-Search can answer other queries, whatever else has labels")
    func searchable() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        for entry in [labelled("1", group: "g"), labelled("2", content: "q:1")] { store.put(entry) }
        #expect(store.searchable.isEmpty)
    }

    @Test("A group is invalidated in memory, on disk, in another process, and after a restart")
    func groups() throws {
        let folder = try TemporaryFolder()
        let (one, two, three) = (
            labelled("1", group: "g"), labelled("2", group: "g"), labelled("3", group: "h")
        )
        let other = try folder.store()
        do {
            let store = try folder.store()
            for entry in [one, two, three] { store.put(entry) }
            store.close()
        }
        let store = try folder.store()
        #expect(isInvalidated(two, in: other) == false)
        store.invalidate(groups: ["g", "none"], of: Self.origin)
        for store in [store, other] {
            #expect(isInvalidated(one, in: store) == true)
            #expect(isInvalidated(two, in: store) == true)
            #expect(isInvalidated(three, in: store) == false)
        }
    }

    @Test("An entry that another process has stored meanwhile is invalidated by group and by target URI")
    func otherProcess() throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        let (grouped, keyed) = (labelled("1", group: "g"), labelled("2", content: "q:1"))
        theirs.put(grouped)
        theirs.put(keyed)
        theirs.flush()
        mine.invalidate(groups: ["g"], of: Self.origin)
        mine.invalidate(CacheKey(targetURI: Self.origin + "/2"))
        for store in [mine, theirs] {
            #expect(isInvalidated(grouped, in: store) == true)
            #expect(isInvalidated(keyed, in: store) == true)
        }
    }

    @Test("A group of another origin, and an entry that has left the group, are not changed")
    func otherOrigin() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let (elsewhere, left) = (
            labelled("1", group: "g", host: "http://other.test"), labelled("2", group: "g")
        )
        store.put(elsewhere)
        store.put(left)
        store.flush()
        #expect(store.freshen(labelled("2", group: "h").stored))
        store.invalidate(groups: ["g"], of: Self.origin)
        #expect(isInvalidated(elsewhere, in: store) == false)
        #expect(isInvalidated(left, in: store) == false)
    }

    @Test(
        "A target URI is invalidated with all keys that contain more than the URI",
        arguments: [true, false]
    )
    func target(isOnDisk: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: isOnDisk ? 20 << 20 : 0)
        let (keyed, plain, longer) = (
            labelled("a", content: "q:1"), labelled("a"), labelled("ab", content: "q:1")
        )
        for entry in [keyed, plain, longer] { store.put(entry) }
        let watch = store.watch(keyed.stored.key)
        store.invalidate(CacheKey(targetURI: Self.origin + "/a"))
        #expect(isInvalidated(keyed, in: store) == true)
        #expect(isInvalidated(plain, in: store) == true)
        #expect(isInvalidated(longer, in: store) == false)
        #expect(watch.isInvalidated)
    }

    @Test(
        "All entries of an origin are removed, written or not, and none of another origin",
        arguments: [true, false]
    )
    func origin(isWritten: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let elsewhere = [
            labelled("a", host: "http://other.test"), labelled("a", host: "https://example.test"),
            labelled("a", host: "http://example.test:8080"),
        ]
        for entry in [labelled("a"), labelled("b", group: "g"), labelled("c", content: "q:1")] + elsewhere {
            store.put(entry)
        }
        if isWritten { store.close() }
        let after = isWritten ? try folder.store() : store
        let watch = after.watch(key("late"))
        after.removeAll(of: Self.origin)
        #expect(after.entryCount == 3)
        #expect(elsewhere.allSatisfy { isInvalidated($0, in: after) == false })
        #expect(watch.isCleared)
        #expect(after.diskUsage.bytes > 0)
    }

    @Test(
        "A key with content is invalidated alone, and only its own watches see it",
        arguments: [true, false]
    )
    func keyAlone(isOther: Bool) throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try folder.store(), try folder.store())
        let (keyed, plain) = (labelled("a", content: "q:1"), labelled("a"))
        for entry in [keyed, plain] { store.put(entry) }
        store.flush()
        let watches = [keyed, plain].map { store.watch($0.stored.key) }
        (isOther ? other : store).invalidate(keyed.stored.key)
        #expect([keyed, plain].map { isInvalidated($0, in: store) } == [true, false])
        #expect(watches.map(\.isChanged) == [true, false])
        #expect(watches.map(\.mayBeInvalidated) == [true, false])
    }

    @Test("A group that an entry has joined is found by another store at once, although writes are deferred")
    func joinedAtOnce() throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        theirs.put(labelled("1"))
        theirs.flush()
        theirs.deferWrites(true)
        #expect(theirs.freshen(labelled("1", group: "g").stored))
        #expect(mine.remove(tag: "g", of: Self.origin) == .done(keys: 1))
    }
}
