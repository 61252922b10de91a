import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Exchanges with a store of one's own")
final class EngineStoreTests {
    var store = MemoryEngineStore()
    let engine = CacheEngine()

    /// Begins a request that has to go to the origin.
    func sent(_ request: HTTPRequest, at now: Int64 = 0) throws -> CacheExchange {
        guard case .send(let exchange) = engine.begin(request, in: &store, at: at(now)) else {
            throw Unexpected.step
        }
        return exchange
    }

    /// Finishes an exchange that ends with a response for the caller.
    func finished(
        _ exchange: CacheExchange,
        _ lines: String...,
        status: Int = 200,
        content: String = "",
        isComplete: Bool = true,
        at now: Int64 = 0
    ) throws -> CacheReply {
        let head = HTTPResponse(status: .init(code: status), headerFields: fields(lines))
        let reply = UpstreamReply.response(head, content: Array(content.utf8), isComplete: isComplete)
        guard case .respond(let answer) = engine.finish(exchange, with: reply, in: &store, at: at(now)) else {
            throw Unexpected.step
        }
        return answer
    }

    /// Returns the response to a request that needs no origin.
    func hit(_ request: HTTPRequest, at now: Int64 = 0) throws -> CacheReply {
        guard case .respond(let answer) = engine.begin(request, in: &store, at: at(now)) else {
            throw Unexpected.step
        }
        return answer
    }

    @Test("A fresh response is served with its age, §4.2")
    func served() throws {
        let answer = try finished(try sent(request()), "Cache-Control: max-age=60", content: "one")
        #expect(answer.source == .origin)
        let hit = try hit(request(), at: 10)
        #expect(hit.source == .stored)
        #expect(hit.content == Array("one".utf8))
        #expect(hit.head.headerFields[.age] == "10")
    }

    @Test("A 304 updates the stored fields and keeps the content, §4.3.4")
    func validated() throws {
        _ = try finished(try sent(request()), "ETag: \"1\"", "Cache-Control: max-age=1", content: "one")
        let validation = try sent(request(), at: 5)
        #expect(validation.request.headerFields[.ifNoneMatch] == "\"1\"")
        let lines = ["ETag: \"1\"", "Cache-Control: max-age=60"]
        let answer = try finished(validation, lines[0], lines[1], status: 304, at: 5)
        #expect(answer.source == .validated)
        #expect(answer.content == Array("one".utf8))
        #expect(try hit(request(), at: 30).content == Array("one".utf8))
    }

    @Test("A response that was requested before an invalidation is not used without validation, §4.4")
    func invalidatedMeanwhile() throws {
        let early = try sent(request())
        _ = try finished(try sent(request(method: "DELETE")), status: 204)
        let answer = try finished(early, "ETag: \"1\"", "Cache-Control: max-age=60", content: "old")
        #expect(answer.content == Array("old".utf8))
        #expect(try sent(request(), at: 1).request.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("An unsafe request without a response invalidates, as it may have been carried out, §4.4")
    func invalidatedUnanswered() throws {
        _ = try finished(try sent(request()), "ETag: \"1\"", "Cache-Control: max-age=60", content: "one")
        _ = engine.finish(try sent(request(method: "PUT")), with: .failure, in: &store, at: at(1))
        #expect(try sent(request(), at: 2).request.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("A 304 does not make a response valid that was invalidated while it was asked about, §4.4")
    func invalidatedWhileValidated() throws {
        _ = try finished(try sent(request()), "ETag: \"1\"", "Cache-Control: max-age=1", content: "one")
        let validation = try sent(request(), at: 5)
        _ = try finished(try sent(request(method: "PUT"), at: 5), status: 204, at: 5)
        _ = try finished(validation, "ETag: \"1\"", "Cache-Control: max-age=60", status: 304, at: 6)
        #expect(try sent(request(), at: 7).request.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("The response to a request that is repeated after an invalidation is used, §4.4")
    func repeatedAfterInvalidation() throws {
        _ = try finished(try sent(request()), "ETag: \"1\"", "Cache-Control: max-age=1", content: "one")
        let validation = try sent(request(), at: 5)
        _ = try finished(try sent(request(method: "PUT"), at: 5), status: 204, at: 5)
        let unusable = HTTPResponse(status: .notModified, headerFields: fields(["ETag: \"0\""]))
        let reply = UpstreamReply.response(unusable, content: [], isComplete: true)
        guard case .send(let again) = engine.finish(validation, with: reply, in: &store, at: at(6)) else {
            throw Unexpected.step
        }
        _ = try finished(again, "Cache-Control: max-age=60", content: "two", at: 6)
        #expect(try hit(request(), at: 7).content == Array("two".utf8))
    }

    @Test(
        "A part that was requested before a response was invalidated does not make that valid again, §4.3.5, §4.4",
        .checks("rfc9111.4.4.validates"),
        arguments: ["DELETE", "HEAD"],
        ["", "Range: bytes=0-2"]
    )
    func partInvalidatedMeanwhile(_ method: String, _ range: String) throws {
        let late = try sent(request("Range: bytes=3-"))
        let first = try sent(range.isEmpty ? request() : request(range))
        if range.isEmpty {
            _ = try finished(first, Self.tag, Self.fresh, content: "abcdef")
        } else {
            _ = try finished(first, Self.tag, Self.fresh, Self.range(0, 2), status: 206, content: "abc")
        }
        let changing = try sent(request("Cache-Control: no-cache", method: method), at: 1)
        _ = try finished(changing, "ETag: \"2\"", Self.fresh, at: 1)
        let part = try finished(
            late,
            Self.tag,
            Self.fresh,
            Self.range(3, 5),
            status: 206,
            content: "def",
            at: 2
        )
        #expect(part.content == Array("def".utf8))
        #expect(try sent(request(), at: 3).request.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("A part that was requested after an invalidation makes valid what it completes, §3.4, §4.4")
    func partAfterInvalidation() throws {
        let first = try sent(request("Range: bytes=0-2"))
        _ = try finished(first, Self.tag, Self.fresh, Self.range(0, 2), status: 206, content: "abc")
        _ = try finished(try sent(request(method: "DELETE"), at: 1), status: 204, at: 1)
        let rest = try sent(request(), at: 2)
        #expect(rest.request.headerFields[.range] == "bytes=3-")
        let whole = try finished(
            rest,
            Self.tag,
            Self.fresh,
            Self.range(3, 5),
            status: 206,
            content: "def",
            at: 2
        )
        #expect(whole.content == Array("abcdef".utf8))
        #expect(try hit(request(), at: 3).content == Array("abcdef".utf8))
    }

    @Test("A part whose bytes contradict what it was to complete is not stored alone, RFC 9110 §15.3.7")
    func contradictingPart() throws {
        let first = try sent(request("Range: bytes=2-3"))
        _ = try finished(first, Self.tag, Self.fresh, Self.range(2, 3), status: 206, content: "cd")
        let completing = try sent(request(), at: 1)
        _ = try finished(
            completing,
            Self.tag,
            Self.fresh,
            Self.range(0, 5),
            status: 206,
            content: "abCDef",
            at: 1
        )
        #expect(try sent(request(), at: 2).request.headerFields[.ifRange] == "\"1\"")
    }

    @Test("A whole response that was requested before HEAD showed another is stored as it is, §4.3.5")
    func wholeBesideHead() throws {
        let late = try sent(request())
        _ = try finished(try sent(request()), Self.tag, Self.fresh, content: "one")
        let asking = try sent(request("Cache-Control: no-cache", method: "HEAD"), at: 1)
        _ = try finished(asking, "ETag: \"2\"", Self.fresh, at: 1)
        _ = try finished(late, "ETag: \"2\"", Self.fresh, content: "two", at: 2)
        #expect(try hit(request(), at: 3).content == Array("two".utf8))
    }

    @Test("An older response does not replace a more recent one, §4")
    func overtaken() throws {
        let early = try sent(request())
        let late = try sent(request(), at: 2)
        let dates = ["Date: Thu, 01 Jan 2026 00:00:01 GMT", "Date: Thu, 01 Jan 2026 00:00:03 GMT"]
        _ = try finished(late, dates[1], "Cache-Control: max-age=60", content: "new", at: 3)
        _ = try finished(early, dates[0], "Cache-Control: max-age=60", content: "old", at: 4)
        #expect(try hit(request(), at: 5).content == Array("new".utf8))
    }

    @Test("What broke off is completed by a range request, §3.3, §3.4")
    func completed() throws {
        let lines = ["ETag: \"1\"", "Cache-Control: max-age=60", "Content-Length: 6"]
        let first = try finished(
            try sent(request()),
            lines[0],
            lines[1],
            lines[2],
            content: "abc",
            isComplete: false
        )
        #expect(!first.isComplete)
        let rest = try sent(request(), at: 1)
        #expect(rest.request.headerFields[.range]?.hasPrefix("bytes=3-") == true)
        #expect(rest.request.headerFields[.ifRange] == "\"1\"")
        let range = "Content-Range: bytes 3-5/6"
        let whole = try finished(rest, lines[0], lines[1], range, status: 206, content: "def", at: 1)
        #expect(whole.head.status == .ok)
        #expect(whole.isComplete)
        #expect(whole.content == Array("abcdef".utf8))
        #expect(try hit(request(), at: 2).content == Array("abcdef".utf8))
    }

    @Test("The last bytes that are missing still make the response incomplete, §3.3")
    func brokenAgain() throws {
        let lines = ["ETag: \"1\"", "Cache-Control: max-age=60", "Content-Length: 6"]
        let exchange = try sent(request())
        _ = try finished(exchange, lines[0], lines[1], lines[2], content: "abc", isComplete: false)
        let range = "Content-Range: bytes 3-5/6"
        let rest = try sent(request(), at: 1)
        let answer = try finished(
            rest,
            lines[0],
            lines[1],
            range,
            status: 206,
            content: "de",
            isComplete: false
        )
        #expect(!answer.isComplete)
        #expect(answer.content == Array("abcde".utf8))
        #expect(try sent(request(), at: 2).request.headerFields[.range]?.hasPrefix("bytes=5-") == true)
    }

    @Test("Clear-Site-Data removes everything of the origin, and what was requested before is not stored")
    func cleared() throws {
        // The field is for secure origins only (W3C Clear Site Data §4.1).
        var requests = ["/a", "/b", "/c"].map { request(path: $0) }
        for index in requests.indices { requests[index].scheme = "https" }
        _ = try finished(try sent(requests[1]), "Cache-Control: max-age=60", content: "b")
        let early = try sent(requests[0])
        _ = try finished(try sent(requests[2]), "Clear-Site-Data: \"cache\"")
        _ = try finished(early, "Cache-Control: max-age=60", content: "a")
        #expect(store.count == 0)
    }

    @Test("A stale response answers in place of an unreachable origin, §4.2.4")
    func unreachable() throws {
        _ = try finished(try sent(request()), "Cache-Control: max-age=1, stale-if-error=60", content: "one")
        let exchange = try sent(request(), at: 5)
        guard case .respond(let answer) = engine.finish(exchange, with: .failure, in: &store, at: at(5))
        else {
            throw Unexpected.step
        }
        #expect(answer.source == .stored)
        #expect(answer.content == Array("one".utf8))
    }

    @Test(
        "The least recently used responses are removed first, and one that is too large removes its predecessor"
    )
    func evicted() throws {
        store = MemoryEngineStore(capacity: .bytes(1_000))
        let content = String(repeating: "x", count: 300)
        for path in ["/1", "/2"] {
            let exchange = try sent(request(path: path))
            _ = try finished(exchange, "Cache-Control: max-age=60", content: content)
        }
        _ = try hit(request(path: "/1"), at: 1)
        for path in ["/3", "/4"] {
            let exchange = try sent(request(path: path))
            _ = try finished(exchange, "Cache-Control: max-age=60", content: content)
        }
        #expect(store.size <= .bytes(1_000))
        #expect(throws: Unexpected.self) { try hit(request(path: "/2"), at: 2) }
        #expect(try hit(request(path: "/4"), at: 2).content.count == 300)
        let reload = try sent(request("Cache-Control: no-cache", path: "/4"), at: 3)
        let large = String(repeating: "y", count: 2_000)
        _ = try finished(reload, "Cache-Control: max-age=60", content: large, at: 3)
        #expect(throws: Unexpected.self) { try hit(request(path: "/4"), at: 4) }
    }

    @Test("A request that is older than the recorded invalidations counts as invalidated")
    func longAgo() throws {
        let early = try sent(request())
        for number in 0..<3_000 {
            _ = try finished(try sent(request(method: "DELETE", path: "/other/\(number)")), status: 204)
        }
        _ = try finished(early, "ETag: \"1\"", "Cache-Control: max-age=60")
        #expect(store.count == 0)
    }

    @Test("`StoreChanges` reports what was invalidated or cleared after a request")
    func changes() throws {
        _ = try finished(try sent(request()), "ETag: \"1\"", "Cache-Control: max-age=60")
        let key = engine.key(for: request())
        let stored = try #require(store.responses(for: key).first?.response)
        var changes = StoreChanges()
        changes.note(.invalidate(stored.key))
        let mark = changes.mark
        #expect(!changes.invalidates(stored, since: mark))
        changes.note(.put(stored))
        changes.note(.remove(stored.key, stored.variant))
        #expect(changes.mark == mark)
        changes.note(.invalidate(stored.key))
        #expect(changes.invalidates(stored, since: mark))
        #expect(!changes.clears(stored, since: mark))
        changes.note(.clear(origin: stored.origin))
        #expect(changes.clears(stored, since: mark))
        #expect(!changes.invalidates(stored, since: changes.mark))
    }

    private static let tag = "ETag: \"1\""
    private static let fresh = "Cache-Control: max-age=60"

    private static func range(_ first: Int, _ last: Int) -> String {
        "Content-Range: bytes \(first)-\(last)/6"
    }

    private enum Unexpected: Error { case step }
}
