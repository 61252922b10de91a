import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Conditional requests, RFC 9111 §4.3.1")
struct ConditionalRequestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: [String]
        let ifNoneMatch: String?
        let ifModifiedSince: String?
    }

    private static let rfc850 = "Thursday, 01-Jan-26 00:00:00 GMT"

    static let rows = [
        Row(
            testDescription: "a strong entity tag",
            lines: ["ETag: \"v1\""],
            ifNoneMatch: "\"v1\"",
            ifModifiedSince: nil
        ),
        Row(
            testDescription: "a weak entity tag",
            lines: ["ETag: W/\"v1\""],
            ifNoneMatch: "W/\"v1\"",
            ifModifiedSince: nil
        ),
        Row(
            testDescription: "an entity tag without quotes",
            lines: ["ETag: v1"],
            ifNoneMatch: "v1",
            ifModifiedSince: nil
        ),
        Row(
            testDescription: "Last-Modified byte for byte",
            lines: ["Last-Modified: \(rfc850)"],
            ifNoneMatch: nil,
            ifModifiedSince: rfc850
        ),
        Row(
            testDescription: "both validators",
            lines: ["ETag: \"v1\"", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"],
            ifNoneMatch: "\"v1\"",
            ifModifiedSince: "Thu, 01 Jan 2026 00:00:00 GMT"
        ),
        Row(testDescription: "never Date", lines: [], ifNoneMatch: nil, ifModifiedSince: nil),
        Row(
            testDescription: "no date in Last-Modified",
            lines: ["Last-Modified: x"],
            ifNoneMatch: nil,
            ifModifiedSince: nil
        ),
        Row(testDescription: "no tag in ETag", lines: ["ETag: \"a"], ifNoneMatch: nil, ifModifiedSince: nil),
    ]

    @Test(
        "A validation sends the stored validators as they were received",
        .checks(
            "rfc9111.4.3.1.entity-tag",
            "rfc9111.4.3.1.last-modified",
            "rfc9111.4.3.1.no-validator",
            "rfc9111.4.3.1.keeps-request"
        ),
        arguments: rows
    )
    func validators(row: Row) throws {
        let put = try #require(
            CacheEngine().exchange(response(lines: row.lines + ["Cache-Control: max-age=60"])).put
        )
        let asking = request("Foo: 1")
        let planned = CacheEngine().plan(asking, [put], at: 99)
        var sent = try #require(planned.sent)
        #expect(sent.headerFields[values: .ifNoneMatch] == (row.ifNoneMatch.map { [$0] } ?? []))
        #expect(sent.headerFields[values: .ifModifiedSince] == (row.ifModifiedSince.map { [$0] } ?? []))
        let hasValidator = row.ifNoneMatch != nil || row.ifModifiedSince != nil
        #expect(Outcome(planned) == (hasValidator ? .validate : .forward))
        sent.headerFields[.ifNoneMatch] = nil
        sent.headerFields[.ifModifiedSince] = nil
        #expect(sent == asking)
        #expect(planned.forwardReason == .stale)
    }

    @Test("HEAD is validated with HEAD")
    func head() {
        let planned = CacheEngine().plan(request(method: "HEAD"), [stored("ETag: \"v1\"")], at: 10)
        #expect(planned.sent?.method == .head)
        #expect(planned.sent?.headerFields[.ifNoneMatch] == "\"v1\"")
    }

    @Test(
        "The tags of all variants are in one field, the selected one first",
        .checks("rfc9111.4.3.1.several-tags"),
        arguments: [("1", "\"1\", \"3\", \"2\""), ("2", "\"2\", \"3\", \"1\""), ("9", "\"3\", \"2\", \"1\"")]
    )
    func severalTags(value: String, list: String) {
        let variants = ["1", "2", "3"].map { number in
            stored(
                "Vary: Foo",
                "ETag: \"\(number)\"",
                "Cache-Control: max-age=60",
                date: Int64(number),
                asked: request("Foo: \(number)")
            )
        }
        let planned = CacheEngine().plan(request("Foo: \(value)"), variants, at: 99)
        #expect(planned.sent?.headerFields[values: .ifNoneMatch] == [list])
        #expect(planned.forwardReason == (value == "9" ? .varyMiss : .stale))
    }

    @Test("One tag is sent once, and a selected response without a tag is validated alone")
    func tagsOnce() {
        let one = stored("Vary: Foo", "ETag: \"v\"", asked: request("Foo: 1"))
        let two = stored("Vary: Foo", "ETag: \"v\"", asked: request("Foo: 2"))
        let plain = stored("Vary: Foo", asked: request("Foo: 3"))
        let both = CacheEngine().plan(request("Foo: 1"), [one, two], at: 10)
        #expect(both.sent?.headerFields[.ifNoneMatch] == "\"v\"")
        let alone = CacheEngine().plan(request("Foo: 3"), [one, two, plain], at: 10)
        #expect(Outcome(alone) == .forward)
        #expect(alone.sent == request("Foo: 3"))
    }

    @Test("The number of variants in a validation is limited")
    func limit() throws {
        let variants = (1...99).map { stored("Vary: Foo", "ETag: \"\($0)\"", asked: request("Foo: \($0)")) }
        let planned = CacheEngine().plan(request("Foo: x"), variants, at: 10)
        let sent = try #require(planned.sent)
        #expect(EntityTag.list(sent.headerFields[values: .ifNoneMatch]).count == 32)
    }

    /// The length of each variant's tag, the oldest variant first, and the variants whose tags are sent.
    struct Lengths: CustomTestStringConvertible {
        let lengths: [Int]
        let selected: Int?
        let sent: [Int]
        var testDescription: String { "\(lengths), selected \(selected.map { "\($0)" } ?? "none")" }
    }

    @Test(
        "The tags besides that of the selected response take at most 4 KiB, those of the most recent variants first",
        arguments: [
            Lengths(lengths: [1000, 1000, 1000, 1000, 1000], selected: nil, sent: [4, 3, 2, 1]),
            Lengths(lengths: [1000, 1000, 1000, 1000, 1000], selected: 0, sent: [0, 4, 3, 2, 1]),
            Lengths(lengths: [60_000, 60_000], selected: 0, sent: [0]),
            Lengths(lengths: [10, 60_000, 20], selected: nil, sent: [2, 0]),
            Lengths(lengths: [4096, 1], selected: nil, sent: [1]),
            Lengths(lengths: [1, 4095], selected: nil, sent: [1, 0]),
            Lengths(lengths: [60_000], selected: nil, sent: []),
        ]
    )
    func limitInBytes(row: Lengths) {
        let tags = row.lengths.enumerated().map { index, length in
            // Of this length with its quotes, and different.
            length < 3 ? "\(index)" : "\"\(index)" + String(repeating: "x", count: length - 3) + "\""
        }
        let variants = tags.enumerated().map { index, tag in
            stored("Vary: Foo", "ETag: \(tag)", date: Int64(index), asked: request("Foo: \(index)"))
        }
        let planned = CacheEngine().plan(request("Foo: \(row.selected ?? 99)"), variants, at: 10_000)
        let sent = row.sent.map { tags[$0] }.joined(separator: ", ")
        #expect(planned.sent?.headerFields[.ifNoneMatch] == (row.sent.isEmpty ? nil : sent))
    }
}

@Suite("Responses to validations, RFC 9111 §4.3.3 and §4.3.4")
struct ValidationAnswerTests {
    static let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"", "Foo: old")

    @Test("After a 304 the stored response is freshened and used", .checks("rfc9111.4.3.3.not-modified"))
    func notModified() throws {
        let answer = response("ETag: \"v1\"", "Foo: new", status: 304, date: 70)
        let settlement = CacheEngine().exchange(request(), [Self.entry], at: 70, answer)
        #expect(Settled(settlement) == .validated(age: "0"))
        let updated = try #require(settlement.freshened.first)
        #expect(updated.response.status == .ok)
        #expect(updated.responseTime == at(70))
        #expect(Outcome(CacheEngine().plan(request(), [updated], at: 129)) == .fresh(age: 59))
        #expect(Outcome(CacheEngine().plan(request(), [updated], at: 130)) == .validate)
    }

    /// Returns two variants with one tag, after a 304 to the request of the second that adds a name to Vary.
    private func afterNewVary() -> [StoredResponse] {
        let asked = ["1", "2"].map { request("Foo: \($0)", "Bar: \($0)") }
        let entries = asked.map { stored("Cache-Control: max-age=60", "Vary: Foo", "ETag: \"v\"", asked: $0) }
        let answer = response(
            "Cache-Control: max-age=60",
            "Vary: Foo, Bar",
            "ETag: \"v\"",
            status: 304,
            date: 70
        )
        return CacheEngine().exchange(asked[1], entries, at: 70, answer).freshened
    }

    @Test(
        "A variant gets no selecting value of a request that it did not answer",
        .checks("rfc9111.4.1.match", "rfc9111.4.3.4.strong"),
        arguments: [
            (["Foo: 2", "Bar: 2"], Outcome.fresh(age: 0)), (["Foo: 2", "Bar: 1"], .validate),
            (["Foo: 2"], .validate), (["Foo: 1", "Bar: 2"], .validate), (["Foo: 1", "Bar: 1"], .validate),
            (["Foo: 1"], .validate),
        ]
    )
    func newVary(lines: [String], outcome: Outcome) {
        var asking = request()
        asking.headerFields = fields(lines)
        #expect(Outcome(CacheEngine().plan(asking, afterNewVary(), at: 70)) == outcome)
    }

    @Test(
        "A 304 to a request of another variant does not end an invalidation",
        .checks("rfc9111.4.4.validates")
    )
    func staysInvalidated() {
        let entry = stored("Vary: Foo", "ETag: \"v\"", asked: request("Foo: 1")).invalidated()
        let answer = response("Cache-Control: max-age=60", "ETag: \"v\"", status: 304)
        let other = CacheEngine().exchange(request("Foo: 2"), [entry], at: 0, answer)
        #expect(other.freshened.isEmpty && other.removed.isEmpty)
        let own = CacheEngine().exchange(request("Foo: 1"), [entry], at: 0, answer).freshened
        #expect(own.map(\.isInvalidated) == [false])
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The validators of the stored responses; they are variants by one field, and the first is selected.
        let candidates: [[String]]
        let answer: [String]
        /// The indexes of those that are freshened.
        let freshened: [Int]
        /// The index of the variant whose content the request gets without selecting it.
        let alias: Int?

        init(
            _ name: String,
            _ candidates: [[String]],
            _ answer: [String],
            _ freshened: [Int],
            alias: Int? = nil
        ) {
            testDescription = name
            self.candidates = candidates
            self.answer = answer
            self.freshened = freshened
            self.alias = alias
        }
    }

    private static let monday = "Last-Modified: Mon, 29 Dec 2025 00:00:00 GMT"
    private static let tuesday = "Last-Modified: Tue, 30 Dec 2025 00:00:00 GMT"

    static let rows = [
        Row("the same strong tag", [["ETag: \"a\""]], ["ETag: \"a\""], [0]),
        Row("another strong tag", [["ETag: \"a\""]], ["ETag: \"b\""], []),
        Row("a strong tag for a weak one", [["ETag: W/\"a\""]], ["ETag: \"a\""], []),
        Row("the same weak tag", [["ETag: W/\"a\""]], ["ETag: W/\"a\""], [0]),
        Row("a weak tag for a strong one", [["ETag: \"a\""]], ["ETag: W/\"a\""], [0]),
        Row("the second variant", [["ETag: \"a\""], ["ETag: \"b\""]], ["ETag: \"b\""], [], alias: 1),
        Row(
            "of two variants with the strong tag the one that could be selected",
            [["ETag: \"a\""], ["ETag: \"a\""]],
            ["ETag: \"a\""],
            [0]
        ),
        Row(
            "of two variants with the weak tag the one that could be selected, although it is older",
            [["ETag: W/\"a\""], ["ETag: W/\"a\""]],
            ["ETag: W/\"a\""],
            [0]
        ),
        Row(
            "a weak tag that another variant has",
            [["ETag: W/\"a\""], ["ETag: W/\"b\""]],
            ["ETag: W/\"b\""],
            []
        ),
        Row(
            "a weak tag for another's strong one",
            [["ETag: \"a\""], ["ETag: \"b\""]],
            ["ETag: W/\"b\""],
            []
        ),
        Row("a Last-Modified that another variant has", [[monday], [tuesday]], [tuesday], []),
        Row("the same Last-Modified", [[monday]], [monday], [0]),
        Row("another Last-Modified", [[monday]], [tuesday], []),
        Row(
            "a strong tag beside an equal Last-Modified",
            [["ETag: \"a\"", monday]],
            ["ETag: \"b\"", monday],
            []
        ),
        Row("no validator, one candidate", [[monday]], [], [0]),
        Row("no validator, one tagged candidate", [["ETag: \"a\""]], [], [0]),
        Row("no validator, two candidates", [["ETag: \"a\""], ["ETag: \"b\""]], [], []),
    ]

    @Test(
        "A 304 freshens the responses that its validators name; without any, the request is sent again unchanged",
        .checks(
            "rfc9111.4.3.4.strong",
            "rfc9111.4.3.4.weak",
            "rfc9111.4.3.4.only-candidate",
            "rfc9111.4.3.4.none",
            "rfc9110.8.8.3.2.strong",
            "rfc9110.8.8.3.2.weak"
        ),
        arguments: rows
    )
    func identified(row: Row) throws {
        let entries = row.candidates.enumerated().map { index, lines in
            let vary = ["Vary: Foo", "Cache-Control: max-age=9"]
            let planned = CacheEngine().plan(request("Foo: \(index)"), [], at: 0)
            let answer = response(lines: lines + vary, date: Int64(index))
            return CacheEngine()
                .settle(planned, reply: .response(answer, requestTime: at(0), responseTime: at(0))).put
        }
        let all = entries.compactMap { $0 }
        try #require(all.count == row.candidates.count)
        let answer = response(lines: row.answer, status: 304, date: 70)
        let settlement = CacheEngine().exchange(request("Foo: 0"), all, at: 70, answer)
        #expect(Set(settlement.freshened.map(\.variant)) == Set(row.freshened.map { all[$0].variant }))
        #expect(settlement.alias?.contentVariant == row.alias.map { all[$0].variant })
        if row.freshened.isEmpty && row.alias == nil {
            #expect(settlement.again == request("Foo: 0"))
        } else {
            #expect(Settled(settlement) == .validated(age: "0"))
        }
    }

    @Test("A full response is returned to the caller and stored", .checks("rfc9111.4.3.3.full"))
    func full() {
        let answer = response("ETag: \"v2\"", "Cache-Control: max-age=60", date: 70)
        let settlement = CacheEngine().exchange(request(), [Self.entry], at: 70, answer)
        #expect(Settled(settlement) == .origin(200))
        #expect(settlement.put?.entityTag?.text == "\"v2\"")
        #expect(settlement.freshened.isEmpty)
    }

    @Test(
        "An invalidated response can be used again once it has been validated",
        .checks("rfc9111.4.4.validates")
    )
    func invalidatedThenValidated() throws {
        let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"", isInvalidated: true)
        let answer = response("ETag: \"v1\"", status: 304, date: 10)
        let updated = try #require(CacheEngine().exchange(request(), [entry], at: 10, answer).freshened.first)
        #expect(Outcome(CacheEngine().plan(request(), [updated], at: 20)) == .fresh(age: 10))
    }

    @Test(
        "A request with no-store updates nothing, and an update with no-store removes",
        .checks("rfc9111.5.2.1.5.no-store")
    )
    func noStore() {
        let asking = request("Cache-Control: no-store")
        let plain = CacheEngine().exchange(
            asking,
            [Self.entry],
            at: 70,
            response("ETag: \"v1\"", status: 304)
        )
        #expect(Settled(plain) == .validated(age: "70"))
        #expect(plain.edits.isEmpty)
        let answer = response("ETag: \"v1\"", "Cache-Control: no-store", status: 304)
        #expect(CacheEngine().exchange(request(), [Self.entry], at: 70, answer).removed == [VariantKey()])
    }

    @Test(
        "A 304 to a request without a precondition is rejected, and nothing is stored",
        .checks("rfc9110.15.4.5.unsolicited"),
        arguments: [[], [entry], [stored("Cache-Control: max-age=0, stale-if-error=600")]]
    )
    func unsolicitedNotModified(stored: [StoredResponse]) {
        let asking = request("Cache-Control: no-cache")
        let settlement = CacheEngine().exchange(
            asking,
            stored,
            policy: .reloadIgnoringLocalCacheData,
            at: 10,
            response("ETag: \"v1\"", status: 304)
        )
        #expect(Settled(settlement) == .rejected)
        #expect(settlement.edits.isEmpty)
    }

    @Test("A response that is not valid HTTP is rejected despite stale-if-error")
    func rejected() {
        let entry = stored("Cache-Control: max-age=1, stale-if-error=600")
        let planned = CacheEngine().plan(request(), [entry], at: 10)
        let reply = OriginReply.rejected(requestTime: at(10), responseTime: at(10))
        #expect(Settled(CacheEngine().settle(planned, reply: reply)) == .rejected)
        let failure = OriginReply.failure(requestTime: at(10), responseTime: at(10))
        #expect(Settled(CacheEngine().settle(planned, reply: failure)) == .stored(age: 10, isStale: true))
    }
}

@Suite("Updating fields, RFC 9111 §3.2")
struct UpdatingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: [String]
        let update: [String]
        let after: [String]

        init(_ name: String, _ before: [String], _ update: [String], _ after: [String]) {
            testDescription = name
            self.before = before
            self.update = update
            self.after = after
        }
    }

    static let rows = [
        Row("a value is replaced", ["Foo: 1"], ["Foo: 2"], ["Foo: 2"]),
        Row("all lines are replaced", ["Foo: 1", "Foo: 2"], ["Foo: 3"], ["Foo: 3"]),
        Row("one line is replaced by two", ["Foo: 1"], ["Foo: 2", "Foo: 3"], ["Foo: 2", "Foo: 3"]),
        Row("a new field is added", [], ["Foo: 1"], ["Foo: 1"]),
        Row("a field that is not there stays", ["Foo: 1"], [], ["Foo: 1"]),
        Row("Content-Length stays", ["Content-Length: 5"], ["Content-Length: 0"], ["Content-Length: 5"]),
        Row("Content-Length is not added", [], ["Content-Length: 0"], []),
        Row(
            "Content-Encoding stays",
            ["Content-Encoding: gzip"],
            ["Content-Encoding: br"],
            ["Content-Encoding: gzip"]
        ),
        Row("Content-Range is not added", [], ["Content-Range: bytes 0-1/2"], []),
        Row(
            "Content-Type is replaced",
            ["Content-Type: text/plain"],
            ["Content-Type: text/css"],
            ["Content-Type: text/css"]
        ),
        Row("Content-Foo is replaced", ["Content-Foo: 1"], ["Content-Foo: 2"], ["Content-Foo: 2"]),
        Row(
            "connection fields are neither taken nor removed",
            ["Foo: 1"],
            ["Connection: Foo", "Foo: 2"],
            ["Foo: 1"]
        ),
        Row("hop-by-hop fields are not taken", [], ["Keep-Alive: 1", "Transfer-Encoding: chunked"], []),
        Row("proxy fields are not taken", [], ["Proxy-Authenticate: x"], []),
        Row("an old Age goes", ["Age: 30"], [], []),
        Row("a new Age stays", ["Age: 30"], ["Age: 5"], ["Age: 5"]),
    ]

    @Test(
        "An update replaces, adds and keeps fields, but not those that are excluded",
        .checks(
            "rfc9111.3.2.replaces-fields",
            "rfc9111.3.2.keeps-others",
            "rfc9111.3.2.content-length",
            "rfc9111.3.2.unstored-fields",
            "rfc9111.3.2.content-coding"
        ),
        arguments: rows
    )
    func updated(row: Row) throws {
        let put = try #require(CacheEngine().exchange(response(lines: row.before + ["ETag: \"v1\""])).put)
        let answer = response(lines: row.update + ["ETag: \"v1\""], status: 304, date: 70)
        let updated = try #require(CacheEngine().exchange(request(), [put], at: 70, answer).freshened.first)
        let expected = fields(row.after + ["ETag: \"v1\"", "Date: Thu, 01 Jan 2026 00:01:10 GMT"])
        #expect(updated.response.headerFields == expected)
    }

    @Test("An update without a Date has the time of its receipt", .checks("rfc9110.6.6.1.missing"))
    func withoutDate() throws {
        let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"")
        let answer = response("ETag: \"v1\"", status: 304, date: nil)
        let updated = try #require(CacheEngine().exchange(request(), [entry], at: 70, answer).freshened.first)
        #expect(updated.date == at(70))
    }

    @Test("A Vary in an update uses the values of the validating request")
    func newVary() throws {
        let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"")
        let answer = response("ETag: \"v1\"", "Vary: Foo", status: 304, date: 70)
        let updated = try #require(
            CacheEngine().exchange(request("Foo: 1"), [entry], at: 70, answer).freshened.first
        )
        #expect(Outcome(CacheEngine().plan(request("Foo: 1"), [updated], at: 80)) == .fresh(age: 10))
        #expect(Outcome(CacheEngine().plan(request("Foo: 2"), [updated], at: 80)) == .validate)
        #expect(updated.variant == entry.variant)
    }
}

@Suite("Freshening with HEAD, RFC 9111 §4.3.5")
struct HeadTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: [String]
        let status: Int
        /// Whether the stored response is invalidated; `nil` if it does not change.
        let invalidates: Bool?

        init(_ lines: [String], status: Int = 200, invalidates: Bool?) {
            testDescription = "\(status) \(lines)"
            self.lines = lines
            self.status = status
            self.invalidates = invalidates
        }
    }

    static let rows = [
        Row(["ETag: \"v1\"", "Content-Length: 5"], invalidates: false),
        Row(["ETag: \"v1\""], invalidates: false), Row([], invalidates: false),
        Row(["ETag: \"v2\"", "Content-Length: 5"], invalidates: true),
        Row(["ETag: \"v1\"", "Content-Length: 6"], invalidates: true),
        Row(["Last-Modified: Mon, 29 Dec 2025 00:00:00 GMT"], invalidates: true),
        Row(["ETag: \"v2\""], status: 404, invalidates: nil),
        Row(["ETag: \"v2\""], status: 204, invalidates: nil),
    ]

    @Test(
        "A 200 to HEAD updates the stored response to GET or makes it stale",
        .checks("rfc9111.4.3.5.updates", "rfc9111.4.3.5.mismatch"),
        arguments: rows
    )
    func head(row: Row) {
        let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"", "Content-Length: 5")
        let answer = response(lines: row.lines + ["Foo: new"], status: row.status, date: 70)
        let settlement = CacheEngine().exchange(request(method: "HEAD"), [entry], at: 70, answer)
        #expect(Settled(settlement) == .origin(row.status))
        #expect(settlement.put == nil)
        #expect(settlement.freshened.map(\.isInvalidated) == (row.invalidates.map { [$0] } ?? []))
        guard let updated = settlement.freshened.first else { return }
        #expect(
            Outcome(CacheEngine().plan(request(), [updated], at: 71))
                == (updated.isInvalidated ? .validate : .fresh(age: 1))
        )
    }
}
