import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("Fields that an update does not store, RFC 9111 §3.1, §3.2, §5.2.2.4 and §5.2.2.7")
struct ExclusionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: CacheKind
        /// The directives of the stored response.
        let stored: String
        /// The fields of the update except Set-Cookie.
        let update: [String]
        /// Whether Set-Cookie is stored from the update.
        let isKept: Bool

        init(
            _ name: String,
            _ kind: CacheKind,
            _ stored: String,
            _ update: [String] = [],
            isKept: Bool = false
        ) {
            testDescription = name
            self.kind = kind
            self.stored = "Cache-Control: max-age=60, " + stored
            self.update = update
            self.isKept = isKept
        }
    }

    static let rows = [
        Row("private, shared cache", .shared, "private=\"Set-Cookie\""),
        Row("private, private cache", .private, "private=\"Set-Cookie\"", isKept: true),
        Row("no-cache, shared cache", .shared, "no-cache=\"Set-Cookie\""),
        Row("no-cache, private cache", .private, "no-cache=\"Set-Cookie\""),
        Row("no qualified directive", .shared, "public", isKept: true),
        Row(
            "Cache-Control of its own",
            .shared,
            "private=\"Set-Cookie\"",
            ["Cache-Control: max-age=60"],
            isKept: true
        ),
        Row(
            "Cache-Control of its own, which excludes it, too",
            .shared,
            "public",
            ["Cache-Control: max-age=60, private=\"Set-Cookie\""]
        ),
        Row("Vary alone", .shared, "private=\"Set-Cookie, Vary\"", ["Vary: Foo"], isKept: true),
    ]

    private static let cookie = "Set-Cookie: sid=BOB"

    private func check(_ row: Row, _ settlement: Settlement, _ updated: StoredResponse?) throws {
        let stored = try #require(updated)
        #expect(stored.response.headerFields.contains(.setCookie) == row.isKept)
        if case .validated(_, let response) = settlement.answer {
            #expect(response.headerFields[.setCookie] == "sid=BOB")
        }
    }

    @Test(
        "A 304 stores no field that the merged Cache-Control excludes, and its requester gets it",
        .checks("rfc9111.3.1.private-fields", "rfc9111.3.1.no-cache-fields", "rfc9111.3.2.unstored-fields"),
        arguments: rows.dropLast()
    )
    func notModified(row: Row) throws {
        let entry = stored(row.stored, "ETag: \"v\"")
        let answer = response(lines: row.update + ["ETag: \"v\"", Self.cookie], status: 304, date: 70)
        let engine = CacheEngine(kind: row.kind)
        let settlement = engine.exchange(request("Cache-Control: no-cache"), [entry], at: 70, answer)
        try check(row, settlement, settlement.freshened.first)
    }

    @Test(
        "A 200 to HEAD does not store it either",
        .checks("rfc9111.3.1.private-fields", "rfc9111.3.1.no-cache-fields"),
        arguments: rows.dropLast()
    )
    func head(row: Row) throws {
        let entry = stored(row.stored, "ETag: \"v\"")
        let answer = response(lines: row.update + ["ETag: \"v\"", Self.cookie], date: 70)
        let asking = request("Cache-Control: no-cache", method: "HEAD")
        let settlement = CacheEngine(kind: row.kind).exchange(asking, [entry], at: 70, answer)
        try check(row, settlement, settlement.freshened.first)
    }

    @Test(
        "A 206 does not store it either, whether it is combined with a stored response or replaces it",
        .checks("rfc9111.3.1.private-fields", "rfc9111.3.1.no-cache-fields"),
        arguments: rows.dropLast(),
        ["bytes 5-9/10", "bytes 7-9/10"]
    )
    func part(row: Row, place: String) throws {
        let first = response(row.stored, "ETag: \"v\"", "Content-Range: bytes 0-4/10", status: 206)
        let engine = CacheEngine(kind: row.kind)
        let old = try #require(engine.exchange(request("Range: bytes=0-4"), first).put)
        let answer = response(
            lines: row.update + ["ETag: \"v\"", Self.cookie, "Content-Range: \(place)"],
            status: 206,
            date: 10
        )
        let settlement = engine.exchange(
            request("Range: bytes=5-9", "Cache-Control: no-cache"),
            [old],
            policy: .reloadIgnoringLocalCacheData,
            at: 10,
            answer
        )
        let new = try #require(settlement.put)
        switch engine.joining(new, to: old) {
        case .combine(let joined), .replace(let joined): try check(row, settlement, joined)
        case .freshen, .keep: Issue.record("not stored")
        }
    }

    @Test(
        "A field that a targeted field excludes is not stored either",
        .checks("rfc9111.3.1.private-fields")
    )
    func targeted() throws {
        var engine = CacheEngine(kind: .shared)
        engine.targets = [.cdnCacheControl]
        let entry = stored("CDN-Cache-Control: max-age=60, private=\"set-cookie\"", "ETag: \"v\"")
        let answer = response("ETag: \"v\"", Self.cookie, "Cache-Control: max-age=9", status: 304, date: 70)
        let settlement = engine.exchange(request(), [entry], at: 70, answer)
        let updated = try #require(settlement.freshened.first)
        #expect(!updated.response.headerFields.contains(.setCookie))
        guard case .validated(_, let response) = settlement.answer else {
            Issue.record("not validated")
            return
        }
        #expect(response.headerFields[.setCookie] == "sid=BOB")
    }
}
