import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("Variants with the same content, RFC 9111 §4.1 and §4.3.4")
struct VariantAliasTests {
    private static let gzip = request("Accept-Encoding: gzip")
    private static let identity = request()

    /// Returns the stored response of an origin that never compresses this resource, for the first requested coding.
    private static func first(_ tag: String) -> StoredResponse {
        stored("Cache-Control: max-age=60", "Vary: Accept-Encoding", "ETag: \(tag)", asked: gzip)
            .holding(contentLength: 5)
    }

    private static func notModified(_ lines: String..., date: Int64) -> HTTPResponse {
        response(lines: lines, status: 304, date: date)
    }

    private func alias(at second: Int64 = 10) throws -> StoredResponse {
        let answer = Self.notModified("ETag: \"v\"", "X: new", date: second)
        return try #require(
            CacheEngine().exchange(Self.identity, [Self.first("\"v\"")], at: second, answer).alias
        )
    }

    @Test(
        "The weak tag of a variant that the request does not select is not sent",
        .checks("rfc9111.4.3.1.several-tags"),
        arguments: [("W/\"v\"", nil), ("\"v\"", "\"v\"")] as [(String, String?)]
    )
    func offered(tag: String, sent: String?) {
        let planned = CacheEngine().plan(Self.identity, [Self.first(tag)], at: 10)
        #expect(planned.forwardReason == .varyMiss)
        #expect(planned.sent?.headerFields[.ifNoneMatch] == sent)
    }

    @Test(
        "After a Vary miss a 304 selects nothing unless its strong tag names a variant",
        .checks("rfc9111.4.3.4.weak", "rfc9111.4.3.4.none"),
        arguments: [["ETag: W/\"v\""], ["ETag: \"w\""], [], ["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"]]
    )
    func selectsNothing(lines: [String]) {
        let answer = response(lines: lines, status: 304, date: 10)
        let settlement = CacheEngine().exchange(Self.identity, [Self.first("\"v\"")], at: 10, answer)
        #expect(settlement.again == Self.identity)
        #expect(settlement.edits.isEmpty)
    }

    @Test(
        "A strong tag of another variant creates one for this request, and does not change the other",
        .checks("rfc9111.4.1.alias", "rfc9111.4.3.4.strong")
    )
    func remembered() throws {
        let alias = try alias()
        #expect(alias.isAlias && alias.contentVariant == Self.first("").variant)
        #expect(alias.response.headerFields[HTTPField.Name("X") ?? .age] == "new")
        let stored = [Self.first("\"v\""), alias]
        #expect(Outcome(CacheEngine().plan(Self.identity, stored, at: 69)) == .fresh(age: 59))
        #expect(Outcome(CacheEngine().plan(Self.gzip, stored, at: 69)) == .validate)
    }

    @Test(
        "An alias is not used longer than the variant with its content",
        .checks("rfc9111.4.1.alias"),
        arguments: [
            [], [stored("Vary: Accept-Encoding", "ETag: \"other\"", asked: gzip)],
            [stored("Vary: Accept-Encoding", "ETag: W/\"v\"", asked: gzip)],
            [stored("Vary: Accept-Encoding", asked: gzip)],
        ]
    )
    func disappears(with others: [StoredResponse]) throws {
        let planned = CacheEngine().plan(Self.identity, others + [try alias()], at: 11)
        #expect(planned.forwardReason == (others.isEmpty ? .uriMiss : .varyMiss))
    }

    @Test("A range of an alias has the length of the shared content")
    func ranges() throws {
        let stored = [Self.first("\"v\""), try alias()]
        let planned = CacheEngine().plan(request("Range: bytes=-2"), stored, at: 11)
        #expect(planned.reuse?.response.headerFields[.contentRange] == "bytes 3-4/5")
    }

    @Test("A request with no-store, and a 304 with no-store, create no alias")
    func notStored() {
        let asking = request("Cache-Control: no-store")
        let answer = Self.notModified("ETag: \"v\"", date: 10)
        let kept = CacheEngine().exchange(asking, [Self.first("\"v\"")], at: 10, answer)
        #expect(Settled(kept) == .validated(age: "0"))
        #expect(kept.edits.isEmpty)
        let forbidden = Self.notModified("ETag: \"v\"", "Cache-Control: no-store", date: 10)
        let other = CacheEngine().exchange(Self.identity, [Self.first("\"v\"")], at: 10, forbidden)
        #expect(Settled(other) == .validated(age: "0"))
        #expect(other.edits.isEmpty)
    }
}
