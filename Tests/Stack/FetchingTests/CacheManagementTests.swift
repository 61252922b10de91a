import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Reading, clearing and measuring the application cache", .timeLimit(.minutes(20)))
struct CacheManagementTests {
    /// Returns a session whose cache has the responses to `requests`, each of which is its index from 1.
    private func filled(_ requests: [FetchRequest], seconds: Int = 180) async throws -> (
        FetchFixture, FetchSession
    ) {
        let fixture = try FetchFixture([
            Route(label: "1", answers: requests.indices.map { json("\($0 + 1)") })
        ])
        let session = fixture.session(.sjNetwork, hasCache: true)
        for request in requests { _ = try await session.send(request.cached(for: .seconds(seconds))) }
        return (fixture, session)
    }

    private func values(_ values: [FetchValue]?) -> [JSONValue]? {
        values?.compactMap { if case .json(let json) = $0 { json } else { nil } }
    }

    @Test(
        "One entry is read by URL, method and parameters without a request",
        .checks(
            "sjnetwork.cachemgmt.read-one",
            "sjnetwork.cachemgmt.read-one-valid",
            "sjnetwork.cachemgmt.read-one-missing",
            "sjnetwork.cachemgmt.read-one-expired"
        )
    )
    func readOne() async throws {
        let (fixture, session) = try await filled([.post("a", ["k": 1]), .post("a", ["k": 2])])
        let second = await session.cachedValue("a", method: .post, parameters: ["k": 2])
        #expect(values(second.map { [$0] }) == [2])
        #expect(await session.cachedValue("a", method: .post, parameters: ["k": 3]) == nil)
        fixture.clock.advance(by: .seconds(181))
        #expect(await session.cachedValue("a", method: .post, parameters: ["k": 2]) == nil)
        #expect(try await session.cacheSize().files == 2)
        #expect(fixture.hits == 2)
    }

    @Test(
        "All entries of a URL are read, or those of a method",
        .checks(
            "sjnetwork.cachemgmt.read-by-url",
            "sjnetwork.cachemgmt.read-by-url-method",
            "sjnetwork.cachemgmt.read-many-empty"
        )
    )
    func readMany() async throws {
        let (fixture, session) = try await filled([
            .post("a", ["k": 1]), .post("a", ["k": 2]), .get("a"), .get("b"), .get("ab"),
        ])
        #expect(values(try await session.cachedValues("a")).map(Set.init) == [1, 2, 3])
        #expect(values(try await session.cachedValues("a", method: .post)).map(Set.init) == [1, 2])
        #expect(try await session.cachedValues("c") == nil)
        fixture.clock.advance(by: .seconds(181))
        #expect(try await session.cachedValues("a") == nil)
    }

    @Test(
        "Reading several entries omits and removes expired ones",
        .checks("sjnetwork.cachemgmt.read-many-skips-expired")
    )
    func skipsExpired() async throws {
        let (fixture, session) = try await filled([.get("a", ["k": 1])], seconds: 10)
        fixture.clock.advance(by: .seconds(11))
        _ = try await session.send(.get("a", ["k": 2]).cached(for: .seconds(180)))
        #expect(try await session.cacheSize().files == 4)
        #expect(try await session.cachedValues("a")?.count == 1)
        #expect(try await session.cacheSize().files == 2)
    }

    @Test(
        "One entry is cleared, and then there is nothing to clear",
        .checks("sjnetwork.cachemgmt.clear-one", "sjnetwork.cachemgmt.clear-nothing")
    )
    func clearOne() async throws {
        let (fixture, session) = try await filled([.post("a", ["k": 1]), .post("a", ["k": 2])])
        #expect(await session.clearCache("a", method: .post, parameters: ["k": 1]))
        #expect(try await session.cacheSize().files == 2)
        #expect(await session.clearCache("a", method: .post, parameters: ["k": 1]) == false)
        #expect(await session.cachedValue("a", method: .post, parameters: ["k": 2]) != nil)
        #expect(fixture.hits == 2)
    }

    @Test(
        "All entries of a URL are cleared, or only those of a method; a longer URL's remain",
        .checks(
            "sjnetwork.cachemgmt.clear-by-url",
            "sjnetwork.cachemgmt.clear-by-url-method",
            "sjnetwork.cachemgmt.no-prefix-leak"
        )
    )
    func clearMany() async throws {
        let (fixture, session) = try await filled([
            .post("toutiao/index"), .get("toutiao/index"), .put("toutiao/index"), .get("toutiao/index2"),
        ])
        #expect(try await session.clearCache("toutiao/index", method: .post))
        #expect(try await session.cacheSize().files == 6)
        #expect(try await session.clearCache("toutiao/index"))
        #expect(await session.cachedValue("toutiao/index2") != nil)
        #expect(try await session.cacheSize().files == 2)
        #expect(try await session.clearCache("toutiao/index") == false)
        #expect(try await session.clearCache())
        #expect(try await session.cacheSize().files == 0)
        #expect(try await session.clearCache() == false)
        #expect(fixture.hits == 4)
    }

    @Test(
        "The methods of the session and those of the cache act on the same entries",
        .checks("sjnetwork.cachemgmt.singleton")
    )
    func oneStore() async throws {
        let (fixture, session) = try await filled([.get("a")])
        let other = fixture.cache()
        #expect(try await other.identifiers().count == 1)
        for identifier in try await other.identifiers() { #expect(await other.remove(identifier)) }
        #expect(await session.cachedValue("a") == nil)
    }

    @Test(
        "One entry has two files, and partial downloads are included",
        .checks(
            "sjnetwork.cachemgmt.size-tuple",
            "sjnetwork.cachemgmt.size-counts-files",
            "sjnetwork.cachemgmt.size-includes-partials"
        )
    )
    func size() async throws {
        let (fixture, session) = try await filled([.get("a")])
        let cache = try #require(session.cache)
        let files = try cache.folder.names()
        let bytes = files.reduce(0) { $0 + (cache.folder.size(of: $1) ?? 0) }
        #expect(files.count == 2)
        #expect(try await session.cacheSize() == CacheSize(files: 2, total: .bytes(bytes)))
        try fixture.folder.write("downloads/half.part", [UInt8](repeating: 0, count: 1000))
        let measuring = fixture.cache(measuring: [fixture.folder.path + "/downloads"])
        let size = try await measuring.size()
        #expect(size == CacheSize(files: 3, total: .bytes(bytes + 1000)))
        #expect(size.text.hasSuffix(" KB"))
    }

    @Test(
        "Sizes are in KB below 1024 × 1024, otherwise in MB, with four decimals",
        .checks("sjnetwork.cachemgmt.size-unit-boundary", "sjnetwork.cachemgmt.size-format"),
        arguments: [
            (1_298_609, "1.2385 MB"), (1_048_575, "1023.9990 KB"), (1_048_576, "1.0000 MB"),
            (1_048_577, "1.0000 MB"),
            (0, "0.0000 KB"), (512, "0.5000 KB"), (2_097_151, "2.0000 MB"),
        ]
    )
    func sizeText(bytes: Int, text: String) { #expect(CacheSize.text(of: .bytes(bytes)) == text) }
}
