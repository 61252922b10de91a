import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Preconditions of the caller, RFC 9111 §4.3.2")
struct CallerConditionTests {
    private static let entry = stored(
        "Cache-Control: max-age=60",
        "ETag: \"v1\"",
        "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT",
        "Content-Type: text/plain",
        "Content-Length: 10",
        "A: 1"
    )

    private static func part(_ lines: [String], of stored: StoredResponse = entry) -> Reuse.Part? {
        CacheEngine().plan(request(lines: lines), [stored], at: 10).reuse?.part
    }

    @Test(
        "If-None-Match is evaluated with weak comparison, and before If-Modified-Since",
        .checks("rfc9111.4.3.2.if-none-match"),
        arguments: [
            (["If-None-Match: \"v1\""], true), (["If-None-Match: W/\"v1\""], true),
            (["If-None-Match: \"v0\", \"v1\""], true),
            (["If-None-Match: \"v0\"", "If-None-Match: \"v1\""], true),
            (["If-None-Match: *"], true), (["If-None-Match: \"v2\""], false), (["If-None-Match: v1"], false),
            (["If-None-Match: \"V1\""], false), (["If-None-Match: "], false),
            (["If-None-Match: \"v2\"", "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"], false),
            (["If-None-Match: \"v1\"", "If-Modified-Since: Mon, 01 Dec 2025 00:00:00 GMT"], true),
        ]
    )
    func noneMatch(lines: [String], isNotModified: Bool) {
        #expect(Self.part(lines) == (isNotModified ? .notModified : .whole))
    }

    @Test(
        "If-Modified-Since is evaluated in all three date forms",
        .checks("rfc9111.4.3.2.if-modified-since"),
        arguments: [
            ("Wed, 31 Dec 2025 00:00:00 GMT", true), ("Wednesday, 31-Dec-25 00:00:00 GMT", true),
            ("Wed Dec 31 00:00:00 2025", true), ("Thu, 01 Jan 2026 00:00:00 GMT", true),
            ("Tue, 30 Dec 2025 23:59:59 GMT", false), ("yesterday", false), ("0", false),
        ]
    )
    func modifiedSince(value: String, isNotModified: Bool) {
        #expect(Self.part(["If-Modified-Since: \(value)"]) == (isNotModified ? .notModified : .whole))
    }

    @Test("Without Last-Modified, If-Modified-Since is compared with the stored Date")
    func modifiedSinceDate() {
        let entry = stored("Cache-Control: max-age=60")
        #expect(Self.part(["If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"], of: entry) == .notModified)
        #expect(Self.part(["If-Modified-Since: Wed, 31 Dec 2025 23:59:59 GMT"], of: entry) == .whole)
    }

    @Test("Preconditions are ignored if the stored response is not a success")
    func errors() {
        let missing = stored("Cache-Control: max-age=60", "ETag: \"v1\"", status: 404)
        #expect(Self.part(["If-None-Match: \"v1\""], of: missing) == .whole)
        #expect(Self.part(["If-None-Match: *"], of: missing) == .whole)
    }

    @Test("A precondition is evaluated before a range")
    func beforeRange() {
        let entry = Self.entry.holding(contentLength: 10)
        #expect(Self.part(["If-None-Match: \"v1\"", "Range: bytes=0-1"], of: entry) == .notModified)
        let other = Self.part(["If-None-Match: \"v2\"", "Range: bytes=0-1"], of: entry)
        #expect(other == .range(range(0, 1), length: 10))
    }

    @Test("A 304 has the fields that guide a cache, and none of the representation's")
    func head() {
        let reuse = CacheEngine().plan(request("If-None-Match: \"v1\""), [Self.entry], at: 10).reuse
        let names = reuse?.response.headerFields.map(\.name.canonicalName).sorted()
        #expect(reuse?.response.status.code == 304)
        #expect(names == ["a", "age", "cache-control", "date", "etag"])
    }

    @Test(
        "A validation contains the stored tags and the caller's",
        .checks("rfc9111.4.3.2.union")
    )
    func union() {
        let asking = request(
            "If-None-Match: \"v0\", \"v1\"",
            "If-Modified-Since: Mon, 01 Dec 2025 00:00:00 GMT"
        )
        let planned = CacheEngine().plan(asking, [Self.entry], at: 100)
        #expect(Outcome(planned) == .validate)
        #expect(planned.sent?.headerFields == fields(["If-None-Match: \"v1\", \"v0\""]))
    }

    @Test(
        "Preconditions that cannot be combined with ours are forwarded unchanged",
        arguments: [["If-None-Match: *"], ["If-None-Match: x y"]]
    )
    func notJoined(lines: [String]) {
        let asking = request(lines: lines)
        let planned = CacheEngine().plan(asking, [Self.entry], at: 100)
        #expect(planned.sent == asking)
        #expect(planned.held(.callerConditionForwarded) == true)
    }

    @Test("A stored response without a tag is not validated together with the caller's tags")
    func dated() {
        let entry = stored("Cache-Control: max-age=60", "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT")
        let asking = request("If-None-Match: \"v1\"")
        #expect(CacheEngine().plan(asking, [entry], at: 100).sent == asking)
    }

    @Test("The stored date replaces the caller's in a validation")
    func datedCaller() {
        let date = "Wed, 31 Dec 2025 00:00:00 GMT"
        let entry = stored("Cache-Control: max-age=60", "Last-Modified: \(date)")
        let asking = request("If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT")
        let planned = CacheEngine().plan(asking, [entry], at: 100)
        #expect(planned.sent?.headerFields == fields(["If-Modified-Since: \(date)"]))
    }

    @Test(
        "Beside the stored tag no date is sent that is not that of the selected response, nor any with a range"
    )
    func datedCallerOfTagged() {
        let date = "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"
        let tagged = stored("Cache-Control: max-age=60", "ETag: \"v1\"").holding(contentLength: 10)
        let planned = CacheEngine().plan(request(date), [tagged], at: 100)
        #expect(planned.sent?.headerFields == fields(["If-None-Match: \"v1\""]))
        let dated = Self.entry.holding(contentLength: 10)
        let ofRange = CacheEngine().plan(request("Range: bytes=0-1", date), [dated], at: 100)
        #expect(ofRange.sent?.headerFields == fields(["Range: bytes=0-1", "If-None-Match: \"v1\""]))
    }

    private static func settled(_ asking: HTTPRequest, _ lines: String...) -> Settlement {
        CacheEngine().exchange(asking, [entry], at: 100, response(lines: lines, status: 304, date: 100))
    }

    @Test("A 304 with a tag that the caller lists is a 304 for the caller")
    func theirs() {
        let asking = request("If-None-Match: \"v0\", \"v1\"")
        let own = Self.settled(asking, "ETag: \"v1\"")
        guard case .validated(_, let response) = own.answer else {
            Issue.record("not validated")
            return
        }
        #expect(response.status.code == 304)
        #expect(own.freshened.count == 1)
        let other = Self.settled(asking, "ETag: \"v0\"")
        #expect(Settled(other) == .origin(304))
        #expect(other.freshened.isEmpty)
    }

    @Test(
        "A 304 with a tag that only the cache has is a 200 for the caller",
        .checks("rfc9111.4.3.2.other-tag")
    )
    func ours() {
        let settlement = Self.settled(request("If-None-Match: \"v0\""), "ETag: \"v1\"")
        guard case .validated(let reuse, let response) = settlement.answer else {
            Issue.record("not validated")
            return
        }
        #expect(reuse.part == .whole)
        #expect(response.status.code == 200)
        #expect(settlement.held(.callerTagOther) == true)
    }

    @Test("After a 304 that does not name its tag, the caller's request is sent again unchanged")
    func ambiguous() {
        let asking = request("If-None-Match: \"v0\"")
        let settlement = Self.settled(asking, "A: 1")
        #expect(settlement.again == asking)
        #expect(settlement.freshened.isEmpty)
        let planned = CacheEngine().plan(asking, [Self.entry], at: 100)
        let retried = CacheEngine().retried(planned, sending: asking)
        #expect(retried.sent == asking)
        let reply = OriginReply.response(response(status: 304), requestTime: at(100), responseTime: at(100))
        #expect(Settled(CacheEngine().settle(retried, reply: reply)) == .origin(304))
    }

    @Test("The caller's own date is evaluated on a confirmed response")
    func dateAfterValidation() {
        let old = request("If-Modified-Since: Mon, 01 Dec 2025 00:00:00 GMT")
        let new = request("If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT")
        for (asking, status) in [(old, 200), (new, 304)] {
            guard case .validated(_, let response) = Self.settled(asking, "ETag: \"v1\"").answer else {
                Issue.record("not validated")
                return
            }
            #expect(response.status.code == status)
        }
    }
}
