import CacheSemantics
import CacheStorage
import HTTPTypes
import Testing
import TestSupport

@Suite("The variants of a URL that a request may select, RFC 9111 §4.1", .blocking)
struct VariantSelectionTests {
    /// The places of the variants at the time of the request.
    enum Place: String, CaseIterable {
        case memory, memoryWithDisk, partlyInMemory, disk, reopenedDisk
    }
    struct Row: CustomTestStringConvertible {
        var place: Place
        var deviations: Deviations = []
        var isPartitioned = false

        var testDescription: String {
            "\(place.rawValue), deviations \(deviations.rawValue)\(isPartitioned ? ", partitioned" : "")"
        }
    }

    private static let rows =
        Place.allCases.map { Row(place: $0) } + [
            Row(place: .memory, deviations: .languageOrder), Row(place: .disk, deviations: .languageOrder),
            Row(place: .memory, deviations: .contentLanguage),
            Row(place: .disk, deviations: .contentLanguage),
            Row(place: .memory, isPartitioned: true), Row(place: .disk, isPartitioned: true),
        ]

    @Test("The engine selects the same variant from those that it is given as from all", arguments: rows)
    func selectsTheSame(row: Row) throws {
        var engine = CacheEngine(deviations: row.deviations)
        if row.isPartitioned {
            engine.partition = CredentialPartition(salt: Array("a salt of 16 bytes".utf8))
        }
        for seed in UInt64(1)...12 {
            var random = Steps(state: seed)
            let folder = try TemporaryFolder()
            var store = try folder.store(
                memory: row.place.memory,
                disk: row.place == .memory ? 0 : 20 << 20
            )
            for number in 0..<24 {
                let stored = response(to: request(&random), by: engine, number, &random)
                if let stored { _ = store.put(CacheEntry(stored: stored, body: .bytes([1]))) }
            }
            store.flush()
            if row.place == .reopenedDisk {
                store.close()
                store = try folder.store(memory: 0)
            }
            for _ in 0..<60 {
                let request = request(&random)
                let given = store.entries(
                    for: engine.key(for: request),
                    selectableBy: engine.selector(for: request)
                )
                let all = store.entries(for: engine.key(for: request))
                #expect(
                    selected(request, among: given, by: engine) == selected(request, among: all, by: engine)
                )
                #expect(given.leavesOut == (given.entries.count < all.entries.count))
            }
        }
    }

    @Test(
        "A variant whose key is not that of its fields is given for every request",
        arguments: [true, false]
    )
    func unknown(isInMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: isInMemory ? 4 << 20 : 0, disk: isInMemory ? 0 : 20 << 20)
        for variant in ["de", "en"] { store.put(entry("a", variant: variant)) }
        let request = HTTPRequest(method: .get, scheme: "http", authority: "example.test", path: "/a")
        let found = store.entries(for: key("a"), selectableBy: CacheEngine().selector(for: request))
        #expect(found.entries.count == 2)
        #expect(!found.leavesOut)
    }

    /// Returns the number of the stored response that answers; empty if there is none.
    private func selected(_ request: HTTPRequest, among found: StoredEntries, by engine: CacheEngine)
        -> String
    {
        let planned = engine.plan(
            request,
            policy: .useProtocolCachePolicy,
            stored: found.entries.map(\.entry.stored),
            now: HTTPDate(secondsSinceEpoch: 1_000_000)
        )
        guard case .serve(let reuse) = planned.plan else { return "" }
        return reuse.stored.response.headerFields[.number] ?? ""
    }

    private func request(_ random: inout Steps) -> HTTPRequest {
        var fields = HTTPFields()
        if Bool.random(using: &random) { fields[.acceptLanguage] = draw(Self.languages, &random) }
        if Bool.random(using: &random) { fields[.acceptEncoding] = draw(Self.codings, &random) }
        if Bool.random(using: &random) { fields[.authorization] = draw(["a", "b"], &random) }
        if Bool.random(using: &random) { fields[fields: .cookie] = draw(Self.cookies, &random) }
        return HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "example.test",
            path: "/v",
            headerFields: fields
        )
    }

    /// Returns a stored response to a request, as created by the engine.
    private func response(
        to request: HTTPRequest,
        by engine: CacheEngine,
        _ number: Int,
        _ random: inout Steps
    ) -> StoredResponse? {
        let now = HTTPDate(secondsSinceEpoch: 1_000_000)
        var fields: HTTPFields = [
            .cacheControl: "max-age=3600", .number: "\(number)",
            .contentLanguage: draw(["en", "fr"], &random),
            .date: HTTPDate(secondsSinceEpoch: 999_000 + Int64(number * 7 % 24)).text,
        ]
        fields[.vary] = draw(Self.lists, &random)
        let planned = engine.plan(request, policy: .useProtocolCachePolicy, stored: [], now: now)
        let reply = OriginReply.response(
            HTTPResponse(status: .ok, headerFields: fields),
            requestTime: now,
            responseTime: now
        )
        for case .put(let stored) in engine.settle(planned, reply: reply).edits { return stored }
        return nil
    }

    private func draw<Value>(_ values: [Value], _ random: inout Steps) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private static let languages = ["en", "EN", "fr, en", "en,fr", "en, fr;q=0.5", "fr;q=0.5,en", "broken;;"]
    private static let codings = ["gzip", "gzip, br", "br,gzip", "GZIP"]
    private static let cookies: [[HTTPField]] = [
        [HTTPField(name: .cookie, value: "a=1")],
        [HTTPField(name: .cookie, value: "a=1"), HTTPField(name: .cookie, value: "b=2")],
        [HTTPField(name: .cookie, value: "a=1, b=2")],
    ]
    private static let lists: [String?] = [
        nil, "Accept-Language", "accept-language, Accept-Encoding", "Accept-Encoding", "Cookie",
        "Authorization", "Cookie, Authorization", "*",
    ]
}

extension VariantSelectionTests.Place {
    fileprivate var memory: Int {
        switch self {
        case .memory, .memoryWithDisk: 4 << 20
        case .partlyInMemory: 20_000
        case .disk, .reopenedDisk: 0
        }
    }
}
