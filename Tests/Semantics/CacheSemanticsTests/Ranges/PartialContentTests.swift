import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Incomplete responses, RFC 9111 §3.3, §3.4")
struct PartialContentTests {
    private static let tag = "ETag: \"v1\""

    /// Returns a stored response of ten bytes, of which some are present.
    static func partial(
        _ ranges: [ByteRange] = [range(0, 4)],
        of length: Int64? = 10,
        _ lines: String...
    ) -> StoredResponse {
        let response = response(lines: lines.isEmpty ? ["Cache-Control: max-age=60", tag] : lines)
        let parts = StoredParts(ranges, completeLength: length)
        return StoredResponse(
            key: CacheEngine().key(for: request()),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: response,
            requestTime: at(0),
            responseTime: at(0),
            parts: parts
        )
        .holding(contentLength: Int(parts?.count ?? 0))
    }

    private static func partial(lines: [String]) -> StoredResponse {
        StoredResponse(
            key: CacheEngine().key(for: request()),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: response(lines: lines),
            requestTime: at(0),
            responseTime: at(0),
            parts: StoredParts([range(0, 4)], completeLength: 10)
        )
        .holding(contentLength: 5)
    }

    // MARK: Using

    @Test("Stale parts that are served are validated in the background by their tag, RFC 5861 §3")
    func background() {
        let entry = Self.partial(
            [range(0, 4)],
            of: 10,
            "Cache-Control: max-age=9, stale-while-revalidate=60",
            Self.tag
        )
        let planned = CacheEngine().plan(request("Range: bytes=0-1"), [entry], at: 20)
        #expect(Outcome(planned) == .stale(age: 20, revalidates: true))
        #expect(planned.sent?.headerFields == fields(["If-None-Match: \"v1\""]))
    }

    // MARK: Storing

    @Test(
        "A 206 is stored as a part of a 200",
        .checks("rfc9111.3.3.partial-stored")
    )
    func stored206() throws {
        let settlement = CacheEngine().exchange(
            request("Range: bytes=-5"),
            response(
                "Cache-Control: max-age=60",
                Self.tag,
                "Content-Range: bytes 5-9/10",
                "Content-Length: 5",
                status: 206
            )
        )
        let put = try #require(settlement.put)
        #expect(put.parts == StoredParts([range(5, 9)], completeLength: 10))
        #expect(put.statusCode == 200)
        #expect(put.response.headerFields[.contentRange] == nil)
        #expect(put.response.headerFields[.contentLength] == "10")
    }

    @Test("The length of a representation may be unknown")
    func unknownLength() {
        let answer = response("Cache-Control: max-age=60", "Content-Range: bytes 0-4/*", status: 206)
        let put = CacheEngine().exchange(request("Range: bytes=0-4"), answer).put
        #expect(put?.parts == StoredParts([range(0, 4)], completeLength: nil))
        #expect(put?.response.headerFields[.contentLength] == nil)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var asked = ["Range: bytes=0-4"]
        var lines = ["Content-Range: bytes 0-4/10"]
        var engine = CacheEngine()
        var rule = Rule.partialNotStored
    }

    @Test(
        "A 206 to a request without Range is rejected, and nothing is stored",
        .checks("rfc9110.15.3.7.unsolicited", "rfc9111.3.3.partial-not-stored"),
        arguments: [[], ["Content-Range: bytes 0-4/10"], ["Content-Type: multipart/byteranges; boundary=x"]]
    )
    func unsolicited(_ lines: [String]) {
        let answer = response(lines: ["Cache-Control: max-age=60", Self.tag] + lines, status: 206)
        for stored in [[], [Self.partial()]] {
            let planned = CacheEngine().plan(
                request(),
                policy: .reloadIgnoringLocalCacheData,
                stored: stored,
                now: at(10)
            )
            let reply = OriginReply.response(answer, requestTime: at(10), responseTime: at(10))
            let settlement = CacheEngine().settle(planned, reply: reply)
            #expect(Settled(settlement) == .rejected)
            #expect(settlement.edits.isEmpty)
        }
    }

    @Test(
        "A 206 whose bytes are not clear, or that may not be stored, is not stored",
        .checks("rfc9111.3.3.partial-not-stored"),
        arguments: [
            Refused(testDescription: "no Content-Range", lines: []),
            Refused(testDescription: "another unit", lines: ["Content-Range: items 0-4/10"]),
            Refused(testDescription: "last before first", lines: ["Content-Range: bytes 4-0/10"]),
            Refused(testDescription: "beyond the end", lines: ["Content-Range: bytes 0-10/10"]),
            Refused(
                testDescription: "a complete length that no number holds",
                lines: ["Content-Range: bytes 0-4/99999999999999999999999"]
            ),
            Refused(testDescription: "unsatisfied", lines: ["Content-Range: bytes */10"]),
            Refused(
                testDescription: "two",
                lines: ["Content-Range: bytes 0-4/10", "Content-Range: bytes 5-9/10"]
            ),
            Refused(
                testDescription: "another length",
                lines: ["Content-Range: bytes 0-4/10", "Content-Length: 6"]
            ),
            Refused(
                testDescription: "several parts without a boundary",
                lines: ["Content-Type: multipart/byteranges"]
            ),
            Refused(
                testDescription: "no-store",
                lines: ["Content-Range: bytes 0-4/10", "Cache-Control: no-store"],
                rule: .responseNoStore
            ),
            Refused(
                testDescription: "the caller's no-store",
                asked: ["Range: bytes=0-4", "Cache-Control: no-store"],
                rule: .requestNoStore
            ),
            Refused(
                testDescription: "private in a shared cache",
                lines: ["Content-Range: bytes 0-4/10", "Cache-Control: private"],
                engine: .shared,
                rule: .responsePrivate
            ),
            Refused(
                testDescription: "authorized in a shared cache",
                asked: ["Range: bytes=0-4", "Authorization: x"],
                engine: .shared,
                rule: .authorizationInShared
            ),
            Refused(
                testDescription: "to the caller's If-Range",
                asked: ["Range: bytes=0-4", "If-Range: \"v1\""]
            ),
            Refused(
                testDescription: "several parts to the caller's If-Range",
                asked: ["Range: bytes=0-1,4-5", "If-Range: \"v1\""],
                lines: ["Content-Type: multipart/byteranges; boundary=x"]
            ),
            Refused(
                testDescription: "partial content is off",
                engine: CacheEngine(keepsPartialContent: false)
            ),
        ]
    )
    func refused(_ row: Refused) {
        let answer = response(lines: ["Cache-Control: max-age=60", Self.tag] + row.lines, status: 206)
        let settlement = row.engine.exchange(request(lines: row.asked), answer)
        #expect(settlement.edits.isEmpty)
        #expect(Settled(settlement) == .origin(206))
        #expect(settlement.held(row.rule) == false)
    }

    @Test(
        "A 200 that broke off is an incomplete response",
        .checks("rfc9111.3.3.partial-stored")
    )
    func incomplete() {
        let engine = CacheEngine()
        let whole = stored("Cache-Control: max-age=60", "Content-Length: 10")
        #expect(
            engine.incomplete(whole, received: 4)?.parts == StoredParts([range(0, 3)], completeLength: 10)
        )
        #expect(engine.incomplete(whole, received: 0) == nil)
        #expect(engine.incomplete(whole, received: 10) == nil)
        #expect(engine.incomplete(whole, received: 11) == nil)
        let chunked = stored("Cache-Control: max-age=60")
        #expect(
            engine.incomplete(chunked, received: 4)?.parts == StoredParts([range(0, 3)], completeLength: nil)
        )
        #expect(engine.incomplete(stored(status: 404), received: 4) == nil)
        #expect(CacheEngine(keepsPartialContent: false).incomplete(whole, received: 4) == nil)
        let part = Self.partial([range(5, 9)])
        #expect(engine.incomplete(part, received: 2)?.parts == StoredParts([range(5, 6)], completeLength: 10))
    }

    // MARK: Using

    @Test(
        "A part answers ranges within it, with 206",
        .checks("rfc9111.3.3.range-from-stored"),
        arguments: [
            ("bytes=0-4", 0, 4), ("bytes=1-2", 1, 2), ("bytes=7-8", 7, 8), ("bytes=-2", 8, 9),
            ("bytes=7-", 7, 9),
        ] as [(String, Int64, Int64)]
    )
    func held(field: String, first: Int64, last: Int64) {
        let entry = Self.partial([range(0, 4), range(7, 9)])
        let reuse = CacheEngine().plan(request("Range: \(field)"), [entry], at: 10).reuse
        #expect(reuse?.part == .range(range(first, last), length: 10))
    }

    @Test(
        "Missing bytes are requested with Range and If-Range",
        .checks(
            "rfc9111.3.3.completed-by-range",
            "rfc9211.2.2.partial",
            "rfc9111.3.3.incomplete-not-complete"
        ),
        arguments: [
            (nil, "bytes=5-6"), ("bytes=3-5", "bytes=5-5"), ("bytes=5-8", "bytes=5-6"),
            ("bytes=-5", "bytes=5-6"),
            ("bytes=6-6", "bytes=6-6"), ("bytes=0-", "bytes=5-6"),
        ] as [(String?, String)]
    )
    func missing(asked: String?, sent: String) {
        let entry = Self.partial([range(0, 4), range(7, 9)])
        let asking = request(lines: asked.map { ["Range: \($0)"] } ?? [])
        for second in [10, 100] as [Int64] {
            let planned = CacheEngine().plan(asking, [entry], at: second)
            #expect(Outcome(planned) == .complete)
            #expect(planned.forwardReason == .partial)
            #expect(planned.sent?.headerFields == fields(["Range: \(sent)", "If-Range: \"v1\""]))
        }
    }

    @Test("Missing bytes up to the end are requested without the end")
    func missingEnd() {
        for length in [10, nil] as [Int64?] {
            let planned = CacheEngine().plan(request(), [Self.partial(of: length)], at: 10)
            #expect(planned.sent?.headerFields[.range] == "bytes=5-")
        }
    }

    @Test("The missing bytes must match a strong modification date")
    func missingByDate() {
        let date = "Wed, 31 Dec 2025 00:00:00 GMT"
        let entry = Self.partial(lines: ["Cache-Control: max-age=60", "Last-Modified: \(date)"])
        let planned = CacheEngine().plan(request(), [entry], at: 10)
        #expect(planned.sent?.headerFields == fields(["Range: bytes=5-", "If-Range: \(date)"]))
    }

    @Test(
        "Without a strong validator nothing is completed, and the request is forwarded unchanged",
        .checks("rfc9111.3.4.combined"),
        arguments: [
            [], ["ETag: W/\"v1\""], ["ETag: v1"], ["Last-Modified: Wed, 31 Dec 2025 23:59:59 GMT"],
            ["ETag: W/\"v1\"", "Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT"],
        ]
    )
    func noStrongValidator(lines: [String]) {
        let entry = Self.partial(lines: ["Cache-Control: max-age=60"] + lines)
        for asking in [request(), request("Range: bytes=3-7")] {
            let planned = CacheEngine().plan(asking, [entry], at: 10)
            #expect(Outcome(planned) == .forward)
            #expect(planned.sent == asking)
            #expect(planned.forwardReason == .partial)
        }
    }

    @Test("Several ranges of which some are missing are forwarded unchanged")
    func severalMissing() {
        let asking = request("Range: bytes=0-1,8-9")
        #expect(CacheEngine().plan(asking, [Self.partial()], at: 10).sent == asking)
    }

    @Test(
        "A part answers neither HEAD nor preconditions without a Range, nor a range beyond the end, §3.3",
        arguments: [("HEAD", []), ("GET", ["If-None-Match: \"v1\""]), ("GET", ["Range: bytes=50-"])]
            as [(String, [String])]
    )
    func otherThanRange(method: String, lines: [String]) {
        var asking = request(lines: lines)
        asking.method = method == "HEAD" ? .head : .get
        let planned = CacheEngine().plan(asking, [Self.partial()], at: 10)
        #expect(planned.reuse == nil)
        #expect(planned.forwardReason == .partial)
    }

    @Test(
        "A part answers preconditions with a range within it, §3.3",
        arguments: [("\"v1\"", Reuse.Part.notModified), ("\"v2\"", .range(range(0, 1), length: 10))]
    )
    func preconditionWithRange(tag: String, part: Reuse.Part) {
        let asking = request("Range: bytes=0-1", "If-None-Match: \(tag)")
        #expect(CacheEngine().plan(asking, [Self.partial()], at: 10).reuse?.part == part)
    }

    @Test("Neither policies nor only-if-cached return a part as a whole")
    func withoutNetwork() {
        let engine = CacheEngine()
        let only = request("Cache-Control: only-if-cached")
        #expect(Outcome(engine.plan(only, [Self.partial()], at: 10)) == .gatewayTimeout)
        let planned = engine.plan(
            request(),
            policy: .returnCacheDataDontLoad,
            stored: [Self.partial()],
            now: at(10)
        )
        #expect(Outcome(planned) == .unavailable)
    }

    @Test(
        "The tag of a part is sent only for ranges within it",
        .checks("rfc9111.4.3.2.partial-tag")
    )
    func tagOfPart() {
        let asking = request("Range: bytes=0-1")
        let planned = CacheEngine().plan(asking, [Self.partial()], at: 100)
        #expect(planned.sent?.headerFields == fields(["Range: bytes=0-1", "If-None-Match: \"v1\""]))
        let weak = Self.partial(lines: ["Cache-Control: max-age=60", "ETag: W/\"v1\""])
        #expect(CacheEngine().plan(request(), [weak], at: 100).sent == request())
    }

    // MARK: Completing

    struct Completing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var asked: [String] = []
        var status = 206
        var lines = [tag, "Content-Range: bytes 5-9/10"]
        let settled: Settled
        var isRemoved = false
        var isPut = false
    }

    @Test(
        "Received bytes are combined with stored ones only if they are the missing ones, and within what the caller wants",
        .checks("rfc9111.3.4.combined", "rfc9111.3.3.completed-by-range"),
        arguments: [
            Completing(testDescription: "they fit", settled: .completed(200), isPut: true),
            Completing(
                testDescription: "they fit a range",
                asked: ["Range: bytes=3-9"],
                settled: .completed(206),
                isPut: true
            ),
            Completing(
                testDescription: "no tag",
                lines: ["Content-Range: bytes 5-9/10"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(
                testDescription: "another tag",
                lines: ["ETag: \"v2\"", "Content-Range: bytes 5-9/10"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(
                testDescription: "another length",
                lines: [tag, "Content-Range: bytes 5-10/11"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(
                testDescription: "they overlap the stored ones",
                lines: [tag, "Content-Range: bytes 4-9/10"],
                settled: .completed(200),
                isPut: true
            ),
            Completing(
                testDescription: "they are all bytes",
                lines: [tag, "Content-Range: bytes 0-9/10"],
                settled: .completed(200),
                isPut: true
            ),
            Completing(
                testDescription: "they are the range",
                asked: ["Range: bytes=3-7"],
                lines: [tag, "Content-Range: bytes 3-7/10"],
                settled: .completed(206),
                isPut: true
            ),
            Completing(
                testDescription: "they begin before the range",
                asked: ["Range: bytes=3-7"],
                lines: [tag, "Content-Range: bytes 2-7/10"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(
                testDescription: "they end after the range",
                asked: ["Range: bytes=3-7"],
                lines: [tag, "Content-Range: bytes 5-8/10"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(
                testDescription: "one byte is missing",
                lines: [tag, "Content-Range: bytes 6-9/10"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(
                testDescription: "too few",
                lines: [tag, "Content-Range: bytes 5-8/10"],
                settled: .retry,
                isRemoved: true
            ),
            Completing(testDescription: "no place", lines: [tag], settled: .retry, isRemoved: true),
            Completing(testDescription: "416", status: 416, lines: [], settled: .retry),
            Completing(testDescription: "304", status: 304, lines: [tag], settled: .rejected),
            Completing(
                testDescription: "another representation",
                status: 200,
                lines: ["ETag: \"v2\""],
                settled: .origin(200),
                isPut: true
            ),
            Completing(testDescription: "an error", status: 503, lines: [], settled: .origin(503)),
            Completing(
                testDescription: "no-store",
                lines: [tag, "Content-Range: bytes 5-9/10", "Cache-Control: no-store"],
                settled: .completed(200),
                isRemoved: true
            ),
        ]
    )
    func completing(_ row: Completing) {
        let settlement = CacheEngine().exchange(
            request(lines: row.asked),
            [Self.partial()],
            at: 10,
            response(
                lines: (row.status == 503 ? [] : ["Cache-Control: max-age=60"]) + row.lines,
                status: row.status
            )
        )
        #expect(Settled(settlement) == row.settled)
        #expect(!settlement.removed.isEmpty == row.isRemoved)
        #expect((settlement.put != nil) == row.isPut)
    }

    @Test("A completed response has the fields of both, the newer ones first")
    func completedHead() {
        let settlement = CacheEngine().exchange(
            request(),
            [Self.partial([range(0, 4)], of: 10, "Cache-Control: max-age=60", Self.tag, "A: 1", "B: 1")],
            at: 10,
            response(Self.tag, "Content-Range: bytes 5-9/10", "B: 2", status: 206, date: 10)
        )
        guard case .completed(let completion) = settlement.answer else {
            Issue.record("not completed")
            return
        }
        let fields = completion.response.headerFields
        #expect(completion.pieces == [.stored(range(0, 4)), .arriving(range(5, 9))])
        #expect(fields[HTTPField.Name("A") ?? .age] == "1")
        #expect(fields[HTTPField.Name("B") ?? .age] == "2")
        #expect(fields[.contentLength] == "10")
        #expect(fields[.contentRange] == nil)
        #expect(fields[.age] == "0")
    }

    @Test("Of bytes that overlap stored ones the received ones are delivered")
    func overlapping() {
        let settlement = CacheEngine().exchange(
            request("Range: bytes=2-8"),
            [Self.partial([range(0, 4), range(8, 9)])],
            at: 10,
            response("Cache-Control: max-age=60", Self.tag, "Content-Range: bytes 4-7/10", status: 206)
        )
        guard case .completed(let completion) = settlement.answer else {
            Issue.record("not completed")
            return
        }
        #expect(completion.pieces == [.stored(range(2, 3)), .arriving(range(4, 7)), .stored(range(8, 8))])
        #expect(completion.response.headerFields[.contentRange] == "bytes 2-8/10")
    }

    @Test(
        "After a completion that does not match, the caller's request is sent again, and its response returned"
    )
    func again() {
        let planned = CacheEngine().plan(request(), [Self.partial()], at: 10)
        let retried = CacheEngine().retried(planned, sending: request())
        #expect(retried.sent == request())
        let reply = OriginReply.response(response(status: 404), requestTime: at(10), responseTime: at(10))
        #expect(Settled(CacheEngine().settle(retried, reply: reply)) == .origin(404))
    }

    @Test("A part does not replace an error if more than it contains is requested")
    func errors() {
        let entry = Self.partial(lines: ["Cache-Control: max-age=60, stale-if-error=600", "ETag: \"v1\""])
        let engine = CacheEngine()
        #expect(Settled(engine.exchange(request(), [entry], at: 100, response(status: 503))) == .origin(503))
        #expect(Settled(engine.failure(request(), [entry], at: 100)) == .unanswered)
        let asking = request("Range: bytes=0-1")
        let settled = Settled.stored(age: 100, isStale: true)
        #expect(Settled(engine.exchange(asking, [entry], at: 100, response(status: 503))) == settled)
        #expect(Settled(engine.failure(asking, [entry], at: 100)) == settled)
    }

    // MARK: Joining

    private enum Kind: Equatable {
        case replace, freshen, keep
        case combine(StoredParts?)

        init(_ joining: Joining) {
            switch joining {
            case .replace: self = .replace
            case .combine(let stored): self = .combine(stored.parts)
            case .freshen: self = .freshen
            case .keep: self = .keep
            }
        }
    }

    private static func joining(_ new: StoredResponse, _ old: StoredResponse?, isPrefix: Bool = false) -> Kind
    {
        Kind(CacheEngine().joining(new, to: old, isPrefix: isPrefix))
    }

    @Test(
        "Parts with one strong validator are combined, others are not",
        .checks("rfc9111.3.4.combined")
    )
    func joining() {
        let first = Self.partial()
        let last = Self.partial([range(5, 9)])
        #expect(Self.joining(last, nil) == .replace)
        #expect(Self.joining(last, first) == .combine(nil))
        let middle = Self.partial([range(3, 6)])
        #expect(Self.joining(middle, first) == .combine(StoredParts([range(0, 6)], completeLength: 10)))
        let apart = Self.partial([range(8, 9)])
        #expect(
            Self.joining(apart, first)
                == .combine(StoredParts([range(0, 4), range(8, 9)], completeLength: 10))
        )
        #expect(Self.joining(Self.partial([range(5, 9)], of: nil), first) == .combine(nil))
        #expect(Self.joining(Self.partial([range(5, 9)], of: 11), first) == .replace)
        let other = Self.partial([range(5, 9)], of: 10, "Cache-Control: max-age=60", "ETag: \"v2\"")
        #expect(Self.joining(other, first) == .replace)
        let weak = Self.partial([range(5, 9)], of: 10, "Cache-Control: max-age=60", "ETag: W/\"v1\"")
        #expect(Self.joining(weak, weak) == .replace)
    }

    @Test(
        "A part with bytes beyond the length that the other declares is not combined with it",
        .checks("rfc9111.3.4.combined"),
        arguments: [false, true]
    )
    func beyondTheEnd(isNewKnown: Bool) {
        let long = Self.partial([range(8, 12)], of: nil)
        let short = Self.partial(of: 10)
        let joining =
            isNewKnown
            ? CacheEngine().joining(short, to: long) : CacheEngine().joining(long, to: short)
        guard case .replace(let stored) = joining else {
            Issue.record("not replaced")
            return
        }
        #expect(stored.parts == (isNewKnown ? short : long).parts)
        #expect(stored.response.headerFields[.contentLength] == nil)
        let whole = CacheSemanticsTests.stored("Cache-Control: max-age=60", Self.tag).holding(
            contentLength: 10
        )
        #expect(Self.joining(long, whole) == .keep)
    }

    @Test(
        "What is combined has a Content-Length as soon as one of the parts has the complete length, §3.4",
        arguments: [
            (10, nil, false), (nil, 10, false), (10, 10, false), (10, nil, true), (nil, 10, true),
            (10, 10, true),
        ] as [(Int64?, Int64?, Bool)]
    )
    func lengthOfCombined(new: Int64?, old: Int64?, isPrefix: Bool) {
        let part = Self.partial(isPrefix ? [range(0, 4)] : [range(5, 9)], of: new)
        let held = Self.partial(isPrefix ? [range(5, 9)] : [range(0, 4)], of: old)
        guard case .combine(let combined) = CacheEngine().joining(part, to: held, isPrefix: isPrefix) else {
            Issue.record("not combined")
            return
        }
        #expect(combined.parts == nil)
        #expect(combined.response.headerFields[.contentLength] == "10")
    }

    @Test("A part replaces a whole only if that is known to be outdated")
    func joiningWhole() {
        let whole = stored("Cache-Control: max-age=60", Self.tag).holding(contentLength: 10)
        let part = Self.partial([range(5, 9)])
        #expect(Self.joining(part, whole) == .freshen)
        #expect(Self.joining(part, whole, isPrefix: true) == .keep)
        let other = Self.partial([range(5, 9)], of: 10, "ETag: \"v2\"")
        #expect(Self.joining(other, whole) == .replace)
        #expect(Self.joining(other, whole, isPrefix: true) == .keep)
        #expect(Self.joining(Self.partial([range(5, 9)], of: 10, "A: 1"), whole) == .keep)
    }
}
