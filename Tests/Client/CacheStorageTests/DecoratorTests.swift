import CacheSemantics
import CacheStorage
import Clocks
import Testing

@Suite("Decorated stores")
struct DecoratorTests {
    private final class Plain: ResponseStoreDecorator {
        let base: any ResponseStore
        init(_ base: any ResponseStore) { self.base = base }
    }

    private let base: CacheStore
    private let store: Plain

    init() throws {
        base = try CacheStore(.init(diskCapacity: .zero), clock: VirtualClock(wallSeconds: 1_000_000))
        store = Plain(base)
    }

    @Test("Calls that a decorator does not implement reach the base")
    func passes() throws {
        #expect(store.put(entry("a", number: 1)) == .stored([.memory]))
        #expect(base.numbers("a") == ["1"])
        #expect(store.admits(entry("b")) && !store.admits(entry("b", policy: .notAllowed)))
        #expect(store.freshen(response("a", number: 2), seen: nil))
        #expect(store.ownEntry(for: key("a"), VariantKey())?.stored.response.headerFields[.number] == "2")
        let sizes = [
            store.memoryUsage == base.memoryUsage, store.memoryUsage.bytes > 0, store.diskUsage == .zero,
            store.entryCount == 1, store.largestEntry == base.largestEntry, store.writeFailure == nil,
        ]
        #expect(sizes == Array(repeating: true, count: 6))
        store.reportLater([StorageDamage(subject: "a", reason: "torn")])
        #expect(base.entries(for: key("a")).damage.map(\.reason) == ["torn"])
        store.setCapacities(memory: .kibibytes(8), disk: nil)
        #expect(base.memoryCapacity == .kibibytes(8))
        store.close()
        #expect(base.put(entry("a")) == .refused(.noTier))
    }

    /// The ways of withdrawing `a`, and whether it is still there.
    enum Withdrawal: CaseIterable {
        case invalidation, group, variant, wholeKey, since, all, origin

        func happen(in store: some ResponseStore) -> ChangeOutcome {
            switch self {
            case .invalidation: store.invalidate(key("a"))
            case .group: store.invalidate(groups: ["g"], of: "http://example.test")
            case .variant: store.remove(key("a"), VariantKey())
            case .wholeKey: store.remove(key("a"))
            case .since: store.remove(storedSince: .seconds(999_999))
            case .all: store.removeAll()
            case .origin: store.removeAll(of: "http://example.test")
            }
        }
    }

    @Test("So do withdrawals", arguments: Withdrawal.allCases)
    func withdraws(withdrawal: Withdrawal) {
        base.put(entry("a"))
        let watch = store.watch(key("a"))
        #expect(withdrawal.happen(in: store) == .done(keys: withdrawal == .group ? 0 : 1))
        #expect(watch.mayBeInvalidated || watch.isChanged)
        #expect(base.entryCount == ([.invalidation, .group].contains(withdrawal) ? 1 : 0))
    }
}
