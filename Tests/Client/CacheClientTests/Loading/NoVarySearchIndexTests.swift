import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Testing

@testable import CacheClient

@Suite("Stored responses that may answer queries other than their own, No-Vary-Search")
struct NoVarySearchIndexTests {
    private let index = NoVarySearchIndex(CacheEngine())
    private let store: CacheStore

    init() throws {
        store = try CacheStore(CacheStore.Configuration(), clock: VirtualClock(wallSeconds: startOfTime))
    }

    private static func key(_ query: String) -> CacheKey { CacheKey(targetURI: "http://a/path?" + query) }

    private static func stored(_ key: CacheKey, _ rule: String? = "params=(\"n\")") throws -> StoredResponse {
        let name = try #require(HTTPField.Name("No-Vary-Search"))
        let fields: HTTPFields = rule.map { [name: $0] } ?? [:]
        return StoredResponse(
            key: key,
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
    }

    private func note(_ query: String, _ rule: String? = "params=(\"n\")") throws {
        index.note(try Self.stored(Self.key(query), rule))
    }

    /// Returns the queries that may answer another.
    private func found(_ query: String) -> [Substring] {
        index.equivalents(of: Self.key(query), in: store).compactMap {
            $0.targetURI.split(separator: "?").last
        }
    }

    @Test("Equivalent queries are found, the newest first, without the query itself")
    func order() throws {
        #expect(found("n=1") == [])
        try note("n=1")
        try note("n=2")
        try note("n=3&m=1")
        try note("n=1", nil)
        #expect(found("n=9") == ["n=2", "n=1"])
        #expect(found("n=2") == ["n=1"])
        #expect(found("n=9&m=1") == ["n=3&m=1"])
        #expect(found("n=9&m=2") == [])
        try note("n=1")
        #expect(found("n=9") == ["n=1", "n=2"])
    }

    @Test("Other paths and other parts of the key are apart")
    func places() throws {
        try note("n=1")
        #expect(index.equivalents(of: CacheKey(targetURI: "http://a/other?n=2"), in: store) == [])
        #expect(
            index.equivalents(of: CacheKey(targetURI: "http://a/path?n=2", content: "x"), in: store) == []
        )
    }

    @Test("Of several rules for one path the newest applies")
    func rules() throws {
        try note("n=1")
        try note("m=1", "params=(\"m\")")
        #expect(found("m=2") == ["m=1"])
        #expect(found("n=2") == [])
    }

    @Test("A key under which nothing is stored is not found any more")
    func forgotten() throws {
        try note("n=1")
        try note("n=2")
        index.forget(Self.key("n=2"))
        index.forget(Self.key("n=7"))
        index.forget(CacheKey(targetURI: "http://b/?n=1"))
        #expect(found("n=9") == ["n=1"])
        index.forget(Self.key("n=1"))
        #expect(found("n=9") == [])
        try note("n=1")
        #expect(found("n=9") == ["n=1"])
    }

    @Test("Of very many equivalent queries the latest sixteen are remembered")
    func equivalents() throws {
        for number in 1...40 { try note("n=\(number)") }
        #expect(found("n=0") == (25...40).reversed().map { "n=\($0)" })
        try note("n=30")
        #expect(found("n=0").first == "n=30")
        #expect(found("n=0").count == 16)
    }

    @Test("A query beyond 4,096 takes the place of one other")
    func many() throws {
        for number in 1...4_096 { try note("m=\(number)") }
        #expect(found("m=1&n=1") == ["m=1"])
        try note("m=5000")
        #expect(found("m=5000&n=1") == ["m=5000"])
        #expect((1...4_096).count { found("m=\($0)&n=1") == ["m=\($0)"] } == 4_095)
    }

    /// An action that a server and a client may repeat without ever having many queries stored.
    enum Repetition: String, CaseIterable, CustomTestStringConvertible {
        case sameQuery = "the same query is stored again"
        case equivalentQueries = "equivalent queries are stored"
        case ruleChanges = "the rule of a path changes"
        case removals = "a stored query is removed"

        var testDescription: String { rawValue }
    }

    @Test(
        "A query is remembered, however often something else replaces itself",
        arguments: Repetition.allCases
    )
    func replaced(by repetition: Repetition) throws {
        try note("kept=1")
        let other = CacheKey(targetURI: "http://a/other?m=1")
        for number in 0..<5_000 {
            switch repetition {
            case .sameQuery: index.note(try Self.stored(other))
            case .equivalentQueries:
                index.note(try Self.stored(CacheKey(targetURI: "http://a/other?n=\(number)")))
            case .ruleChanges: index.note(try Self.stored(other, "params=(\"n\" \"\(number)\")"))
            case .removals:
                index.note(try Self.stored(other))
                index.forget(other)
            }
        }
        #expect(found("kept=1&n=1") == ["kept=1"])
    }

    @Test("What was stored before is found at the first use")
    func filled() throws {
        let stored = try Self.stored(Self.key("n=1"))
        _ = store.put(CacheEntry(stored: stored, body: .bytes([1])))
        #expect(found("n=2") == ["n=1"])
        #expect(found("n=2") == ["n=1"])
    }
}
