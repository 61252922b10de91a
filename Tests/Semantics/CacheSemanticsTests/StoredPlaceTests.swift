import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("What a response may still change in the store, RFC 9111 §4, §4.3.4, §4.4")
struct StoredPlaceTests {
    /// A place, and what is decided about a response of second 5 there.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var seen: StoredResponse?
        var current: StoredResponse?
        var isInvalidated = false
        var isCleared = false
        var isPart = false
        let isAccepted: Bool

        var place: StoredPlace {
            StoredPlace(seen: seen, current: current, isInvalidated: isInvalidated, isCleared: isCleared)
        }
    }

    private static let lines = ["Cache-Control: max-age=60", "ETag: \"1\"", "Content-Length: 6"]

    private static func version(_ second: Int64, isInvalidated: Bool = false) -> StoredResponse {
        stored(lines: lines, date: second, sent: second, received: second, isInvalidated: isInvalidated)
    }

    static let storingRows = [
        Row(testDescription: "an empty place", isAccepted: true),
        Row(testDescription: "an emptied store", isCleared: true, isAccepted: false),
        Row(testDescription: "an older response", seen: version(1), current: version(1), isAccepted: true),
        Row(
            testDescription: "a response of a clock ahead, known at the request",
            seen: version(9),
            current: version(9),
            isAccepted: true
        ),
        Row(testDescription: "a newer response, stored since", current: version(9), isAccepted: false),
        Row(testDescription: "an older response, stored since", current: version(3), isAccepted: true),
        Row(
            testDescription: "a newer response, stored and invalidated since",
            current: version(9, isInvalidated: true),
            isInvalidated: true,
            isAccepted: true
        ),
        Row(
            testDescription: "any response stored after an invalidation",
            current: version(3),
            isInvalidated: true,
            isAccepted: false
        ),
        Row(
            testDescription: "a part beside a newer response",
            current: version(9),
            isPart: true,
            isAccepted: true
        ),
        Row(
            testDescription: "a part after an invalidation",
            current: version(9),
            isInvalidated: true,
            isPart: true,
            isAccepted: false
        ),
    ]

    @Test("A response is not stored in place of what is more recent", arguments: storingRows)
    func storing(row: Row) {
        #expect(row.place.accepts(Self.version(5), isPart: row.isPart) == row.isAccepted)
    }

    static let aliasRows = [
        Row(testDescription: "an empty place", isAccepted: true),
        Row(testDescription: "unchanged", seen: version(1), current: version(1), isAccepted: true),
        Row(testDescription: "stored since", current: version(1), isAccepted: false),
        Row(testDescription: "replaced", seen: version(1), current: version(2), isAccepted: false),
        Row(testDescription: "removed", seen: version(1), isAccepted: false),
        Row(testDescription: "invalidated", isInvalidated: true, isAccepted: false),
        Row(testDescription: "emptied", isCleared: true, isAccepted: false),
    ]

    @Test("An alias is stored only where nothing has changed", arguments: aliasRows)
    func aliases(row: Row) {
        #expect(row.place.acceptsAlias == row.isAccepted)
    }

    static let fresheningRows = [
        Row(testDescription: "unchanged", seen: version(1), current: version(1), isAccepted: true),
        Row(testDescription: "removed", seen: version(1), isAccepted: false),
        Row(testDescription: "stored since", current: version(1), isAccepted: false),
        Row(
            testDescription: "stored after its target was invalidated",
            seen: version(1),
            current: version(1),
            isInvalidated: true,
            isAccepted: true
        ),
        Row(
            testDescription: "invalidated before the request and again since",
            seen: version(1, isInvalidated: true),
            current: version(1, isInvalidated: true),
            isInvalidated: true,
            isAccepted: false
        ),
        Row(
            testDescription: "invalidated itself",
            seen: version(1),
            current: version(1, isInvalidated: true),
            isAccepted: false
        ),
        Row(
            testDescription: "invalidated before the request",
            seen: version(1, isInvalidated: true),
            current: version(1, isInvalidated: true),
            isAccepted: true
        ),
    ]

    @Test("A response is freshened unless it was replaced, removed or invalidated", arguments: fresheningRows)
    func freshening(row: Row) {
        #expect(row.place.isFreshenable(hasSameContent: true) == row.isAccepted)
        #expect(!row.place.isFreshenable(hasSameContent: false))
    }

    @Test("A 304 updates what is stored now if that is what was asked about, or has the validator")
    func named() {
        let other = stored("ETag: \"2\"", date: 2, sent: 2, received: 2)
        let asked = Self.version(1)
        func isNamed(_ current: StoredResponse?, _ tag: String, hasSameContent: Bool = false) -> Bool {
            StoredPlace(seen: asked, current: current)
                .isNamed(by: response("ETag: \(tag)", status: 304), hasSameContent: hasSameContent)
        }
        #expect(isNamed(asked, "\"1\"", hasSameContent: true))
        #expect(isNamed(other, "\"2\""))
        #expect(!isNamed(other, "\"1\""))
        #expect(!isNamed(nil, "\"1\""))
    }

    @Test("What was requested before an invalidation is stored as invalidated, and confirms nothing")
    func joining() throws {
        let engine = CacheEngine()
        let part = try #require(engine.incomplete(Self.version(5), received: 3))
        let whole = Self.version(1, isInvalidated: true)
        func joined(_ new: StoredResponse, _ place: StoredPlace) -> String {
            switch place.joining(new, by: engine) {
            case .replace(let stored): "replaced, \(stored.isInvalidated)"
            case .combine(let stored): "combined, \(stored.isInvalidated)"
            case .freshen: "freshened"
            case .keep: "kept"
            }
        }
        let late = StoredPlace(seen: nil, current: nil, isInvalidated: true)
        #expect(joined(Self.version(5), late) == "replaced, true")
        #expect(joined(Self.version(5), StoredPlace(seen: nil, current: whole)) == "replaced, false")
        #expect(joined(part, StoredPlace(seen: Self.version(1), current: whole)) == "kept")
        #expect(joined(part, StoredPlace(seen: whole, current: whole)) == "freshened")
        let newer = Self.version(3, isInvalidated: true)
        #expect(joined(part, StoredPlace(seen: whole, current: newer)) == "kept")
        #expect(joined(part, StoredPlace(seen: nil, current: newer)) == "kept")
        let held = try #require(engine.incomplete(Self.version(1), received: 2))
        let place = StoredPlace(seen: held, current: held.invalidated())
        #expect(joined(part, place) == "combined, true")
        #expect(joined(part, StoredPlace(seen: held, current: held)) == "combined, false")
    }
}
