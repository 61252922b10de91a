import CacheSemantics
import Explanation
import HTTPTypes
import LocatedYAML
import Testing
import HTTPArchive

@Suite("Explanations of a cache's handling of a response")
struct ExplanationTests {
    /// 2026-01-01T12:00:00Z.
    private static let received = HTTPDate(secondsSinceEpoch: 1_767_268_800)

    private static func exchange(
        _ fields: HTTPFields,
        request: HTTPFields = [:],
        after: Int64 = 0
    ) -> ExplainedExchange {
        var all = fields
        if all[.date] == nil { all[.date] = received.text }
        var exchange = ExplainedExchange(
            request: HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "a.example",
                path: "/p",
                headerFields: request
            ),
            response: HTTPResponse(status: .ok, headerFields: all),
            at: received
        )
        exchange.after = .seconds(after)
        return exchange
    }

    private static func sentences(_ explanation: ExchangeExplanation, _ topic: Statement.Topic) -> [String] {
        explanation.statements.filter { $0.topic == topic }.map(\.sentence)
    }

    @Test(
        "Of the stored responses for equal queries, the one whose Vary matches is considered",
        arguments: ["a", "b"]
    )
    func equalQueries(value: String) throws {
        let foo = try #require(HTTPField.Name("Foo"))
        func request(_ number: Int, _ value: String) -> HTTPRequest {
            HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "example.com",
                path: "/a?x=\(number)",
                headerFields: [foo: value]
            )
        }
        let fields: HTTPFields = [.cacheControl: "max-age=60", .noVarySearch: "except=()", .vary: "Foo"]
        let start = HTTPDate(secondsSinceEpoch: 1_767_225_600)
        let stored = ["a", "b"].enumerated().map { number, value in
            StoredResponse(
                key: CacheEngine().key(for: request(number, value)),
                variant: Vary(of: fields).variant(of: [foo: value]),
                method: .get,
                selectingFields: [foo: value],
                response: HTTPResponse(status: .ok, headerFields: fields),
                requestTime: start,
                responseTime: start.advanced(by: Int64(number))
            )
        }
        let now = start.advanced(by: 5)
        let explanation = ExchangeExplanation(
            request(9, value),
            among: stored,
            engine: CacheEngine(),
            now: now
        )
        #expect(explanation.outcome == .served)
    }

    @Test("The age is shown as a sum")
    func age() {
        let explanation = ExchangeExplanation(
            Self.exchange([.cacheControl: "max-age=60", .age: "10"], after: 61)
        )
        #expect(explanation.age?.sum == 71)
        #expect(
            Self.sentences(explanation, .age).first
                == "Its age is 71 s: the larger of 0 s since Date and 10 s from Age and delay, plus 61 s in the store."
        )
        #expect(Self.sentences(explanation, .age).last == "It is stale by 11 s.")
    }

    @Test("The age of a response without Date is that of Age, RFC 9111 §4.2.3")
    func ageWithoutDate() {
        let exchange = Self.exchange([.cacheControl: "max-age=60", .age: "10"], after: 61)
        var undated = exchange
        undated.response.headerFields[.date] = nil
        #expect(
            Self.sentences(ExchangeExplanation(undated), .age).first
                == "Its age is 71 s: 10 s from Age and delay, plus 61 s in the store."
        )
    }

    @Test("The lifetime, the age and the time that is left are durations")
    func durations() {
        let explanation = ExchangeExplanation(
            Self.exchange([.cacheControl: "max-age=60", .age: "10"], after: 61)
        )
        #expect(explanation.freshnessLifetime == .seconds(60))
        #expect(explanation.currentAge == .seconds(71))
        #expect(explanation.remainingLifetime == .seconds(-11))
        let unstored = ExchangeExplanation(Self.exchange([.cacheControl: "no-store"], after: 61))
        #expect(!unstored.isStorable && unstored.freshnessLifetime == nil && unstored.currentAge == nil)
        #expect(unstored.remainingLifetime == nil && unstored.staleLimit(of: .unreachable) == .never)
    }

    @Test(
        "The request that the next one leads to is known, with the conditions that the cache adds",
        arguments: [
            ("max-age=60", Int64(59), nil), ("max-age=60", 60, "\"v1\""),
            ("max-age=60, stale-while-revalidate=10", 65, "\"v1\""),
        ] as [(String, Int64, String?)]
    )
    func sentRequest(control: String, after: Int64, tag: String?) {
        let fields: HTTPFields = [.cacheControl: control, .eTag: "\"v1\""]
        let sent = ExchangeExplanation(Self.exchange(fields, after: after)).sentRequest
        #expect(sent?.headerFields[.ifNoneMatch] == tag)
        #expect((sent == nil) == (tag == nil))
    }

    @Test(
        "Stale use has a limit by the directives: RFC 9111 §4.2.4, RFC 5861 §3 and §4",
        arguments: [
            (
                "max-age=60, stale-if-error=600", StaleUse.insteadOfError,
                StaleLimit.until(Self.received.advanced(by: 660))
            ),
            (
                "max-age=60, stale-while-revalidate=10", .whileValidated,
                .until(Self.received.advanced(by: 70))
            ),
            ("max-age=60", .whileValidated, .never), ("max-age=60", .unreachable, .unlimited),
            ("max-age=60, must-revalidate", .unreachable, .never),
        ]
    )
    func staleLimit(control: String, use: StaleUse, limit: StaleLimit) {
        let explanation = ExchangeExplanation(Self.exchange([.cacheControl: control], after: 0))
        #expect(explanation.staleLimit(of: use) == limit)
    }

    @Test(
        "The next request is served, validated or forwarded according to age and validators",
        arguments: [
            ("max-age=60", Int64(59), "\"v1\"", ExchangeExplanation.Outcome.served),
            ("max-age=60", 60, "\"v1\"", .validated),
            ("max-age=60", 60, nil, .forwarded),
            ("max-age=60, stale-while-revalidate=10", 65, "\"v1\"", .servedStale),
            ("no-cache", 0, "\"v1\"", .validated),
        ] as [(String, Int64, String?, ExchangeExplanation.Outcome)]
    )
    func outcome(control: String, after: Int64, tag: String?, outcome: ExchangeExplanation.Outcome) {
        var fields: HTTPFields = [.cacheControl: control]
        fields[.eTag] = tag
        #expect(ExchangeExplanation(Self.exchange(fields, after: after)).outcome == outcome)
    }

    @Test(
        "A complete response without Content-Length answers a range request, as far as its bytes exist, RFC 9110 §14.2",
        arguments: [
            (["Range": "bytes=0-1"], ExchangeExplanation.Outcome.served, true),
            (["Range": "bytes=0-1", "If-None-Match": "\"other\""], .served, true),
            (["Range": "bytes=-2", "If-Range": "\"v\""], .served, true), ([:], .served, false),
            (["Range": "bytes=-2", "If-Range": "\"other\""], .served, false),
            (["Range": "bytes=2000000000000-"], .served, true),
            (["Range": "bytes=0-1", "Cache-Control": "no-cache"], .validated, false),
        ] as [([String: String], ExchangeExplanation.Outcome, Bool)]
    )
    func unknownLength(asked: [String: String], outcome: ExchangeExplanation.Outcome, isOpen: Bool) throws {
        var exchange = Self.exchange([.cacheControl: "max-age=60", .eTag: "\"v\""], after: 0)
        exchange.next = exchange.request
        for (name, value) in asked {
            exchange.next?.headerFields[try #require(HTTPField.Name(name))] = value
        }
        let explanation = ExchangeExplanation(exchange)
        #expect(explanation.outcome == outcome)
        let remark = "Without a valid Content-Length it is open which of the requested bytes exist."
        #expect(Self.sentences(explanation, .use).contains(remark) == isOpen)
        #expect(!explanation.findings.contains { $0.detail.contains("1099511627776") })
    }

    @Test(
        "A 304 is not stored because it has no content, and only a part answers requests for its bytes, RFC 9111 §3.3, §4.3.4"
    )
    func withoutContent() throws {
        var exchange = Self.exchange([.cacheControl: "max-age=60", .eTag: "W/\"v\""], after: 0)
        exchange.request.headerFields[.ifNoneMatch] = "W/\"v\""
        exchange.response.status = .notModified
        let updates =
            "a 304 has no content; it updates the stored response that it identifies, and nothing is stored here"
        #expect(
            Self.sentences(ExchangeExplanation(exchange), .storing) == [
                "It may not be stored by a private cache: \(updates)."
            ]
        )
        exchange.request.headerFields[.ifNoneMatch] = nil
        #expect(
            Self.sentences(ExchangeExplanation(exchange), .storing) == [
                "It may not be stored by a private cache: The response is a 304 to a request without a precondition."
            ]
        )
        exchange.response = HTTPResponse(
            status: .partialContent,
            headerFields: [.cacheControl: "max-age=60", .eTag: "\"v\"", .contentRange: "bytes 0-1/10"]
        )
        exchange.request.headerFields[.range] = "bytes=0-1"
        let key = try #require(Self.sentences(ExchangeExplanation(exchange), .key).first)
        #expect(key.hasPrefix("Its bytes are found by GET requests for ranges of "))
    }

    @Test(
        "The parts of the stored response that answer the next request are named, with the reason",
        arguments: [
            (
                ["Range": "bytes=-2"], Int64(0),
                "with 206 from the store: age 0 s, lifetime 60 s from max-age."
            ),
            (["Range": "bytes=500-"], 0, "with 416 from the store: age 0 s, lifetime 60 s from max-age."),
            (["If-None-Match": "\"v\""], 0, "with 304 from the store: age 0 s, lifetime 60 s from max-age."),
            (
                ["Cache-Control": "max-stale=100", "If-None-Match": "\"v\""], 90,
                "with 304 from the store, although it is stale: stale for 30 s, max-stale 100 s."
            ),
            (
                [:], 65,
                "from the store, although it is stale: stale for 5 s, stale-while-revalidate 10 s."
            ),
            (
                ["Cache-Control": "only-if-cached"], 90,
                "with 504, because only-if-cached forbids forwarding it: age 90 s, lifetime 60 s from max-age."
            ),
        ] as [([String: String], Int64, String)]
    )
    func form(asked: [String: String], after: Int64, expected: String) throws {
        var exchange = Self.exchange(
            [
                .cacheControl: "max-age=60, stale-while-revalidate=10", .eTag: "\"v\"",
                .contentLength: "100",
            ],
            after: after
        )
        exchange.next = exchange.request
        for (name, value) in asked {
            exchange.next?.headerFields[try #require(HTTPField.Name(name))] = value
        }
        let sentence = try #require(Self.sentences(ExchangeExplanation(exchange), .use).first)
        #expect(sentence == "The next request is answered " + expected)
    }

    @Test("A field that Connection lists is reported as omitted, those of every connection are not")
    func omitted() throws {
        let custom = try #require(HTTPField.Name("X-Hop"))
        let keepAlive = try #require(HTTPField.Name("Keep-Alive"))
        let exchange = Self.exchange([
            .cacheControl: "max-age=60", .connection: "x-hop, keep-alive", custom: "1",
            keepAlive: "timeout=5",
        ])
        #expect(
            Self.sentences(ExchangeExplanation(exchange), .storing) == [
                "It may be stored by a private cache.", "X-Hop would not be stored with it.",
            ]
        )
    }

    @Test("No omission is reported for a part")
    func partKept() {
        var exchange = Self.exchange(
            [.cacheControl: "max-age=60", .contentRange: "bytes 0-9/100", .eTag: "\"v\""],
            request: [.range: "bytes=0-9"]
        )
        exchange.response.status = .partialContent
        #expect(
            Self.sentences(ExchangeExplanation(exchange), .storing) == [
                "It may be stored by a private cache."
            ]
        )
    }

    @Test("A response that may not be stored has the reason, and nothing about freshness")
    func unstorable() {
        let explanation = ExchangeExplanation(Self.exchange([.cacheControl: "no-store"]))
        #expect(!explanation.isStorable)
        #expect(
            explanation.statements.map(\.sentence)
                == ["It may not be stored by a private cache: the response has no-store."]
        )
        #expect(explanation.lifetime == nil)
    }

    @Test(
        "Clear-Site-Data is the reason where it is obeyed, and is said to be ignored where it is not",
        arguments: [
            (
                "https",
                [
                    "It may not be stored by a private cache: Clear-Site-Data removes the stored responses of "
                        + "https://a.example."
                ]
            ),
            (
                "http",
                [
                    "It may be stored by a private cache.",
                    "Clear-Site-Data is ignored, because the origin is not trustworthy: origin http://a.example.",
                ]
            ),
        ]
    )
    func clearedSite(scheme: String, sentences: [String]) throws {
        let name = try #require(HTTPField.Name("Clear-Site-Data"))
        var exchange = Self.exchange([.cacheControl: "max-age=60", name: "\"cache\""])
        exchange.request.scheme = scheme
        #expect(Self.sentences(ExchangeExplanation(exchange), .storing) == sentences)
    }

    @Test("A response to HEAD is not said to be unfit for storing, but to update what is stored for GET")
    func head() {
        var exchange = Self.exchange([.cacheControl: "max-age=60"])
        exchange.request.method = .head
        let sentence = ExchangeExplanation(exchange).statements.first?.sentence ?? ""
        #expect(sentence.contains("updates or invalidates what is stored for GET"), "\(sentence)")
    }

    @Test("A targeted field that the cache obeys replaces Cache-Control, RFC 9213 §2.2")
    func targeted() throws {
        let name = try #require(HTTPField.Name("CDN-Cache-Control"))
        var exchange = Self.exchange([.cacheControl: "max-age=60", name: "max-age=600"])
        #expect(ExchangeExplanation(exchange).lifetime?.seconds == 60)
        exchange.engine.targets = [name]
        let explanation = ExchangeExplanation(exchange)
        #expect(explanation.lifetime?.seconds == 600)
        #expect(
            Self.sentences(explanation, .lifetime).first
                == "CDN-Cache-Control applies instead of Cache-Control and Expires."
        )
    }

    @Test("A validation would send the entity tag and the modification date as received")
    func validation() {
        let date = "Wed, 31 Dec 2025 12:00:00 GMT"
        let explanation = ExchangeExplanation(
            Self.exchange([.cacheControl: "max-age=60", .eTag: "W/\"v1\"", .lastModified: date])
        )
        #expect(explanation.conditions.map(\.name) == [.ifNoneMatch, .ifModifiedSince])
        #expect(explanation.conditions.map(\.value) == ["W/\"v1\"", date])
    }

    @Test("must-revalidate is the reason against a stale use")
    func staleUse() {
        let explanation = ExchangeExplanation(Self.exchange([.cacheControl: "max-age=60, must-revalidate"]))
        #expect(
            Self.sentences(explanation, .staleUse).first
                == "It may never be used stale: must-revalidate forbids it."
        )
    }

    @Test("A miss names the field that excluded the stored response")
    func nearest() {
        var exchange = Self.exchange(
            [.cacheControl: "max-age=60", .vary: "Accept-Language, Accept-Encoding"],
            request: [.acceptLanguage: "de", .acceptEncoding: "gzip"]
        )
        exchange.next = exchange.request
        exchange.next?.headerFields[.acceptLanguage] = "en"
        let explanation = ExchangeExplanation(exchange)
        #expect(explanation.outcome == .forwarded)
        #expect(
            Self.sentences(explanation, .nearest)
                == ["The nearest stored response does not match: accept-language is \"en\", but was \"de\"."]
        )
        #expect(
            Self.sentences(explanation, .use)
                == ["The next request is forwarded to the origin: differs in accept-language."]
        )
    }

    @Test("A miss of another target names the part of the URI that excluded it")
    func nearestTarget() {
        var exchange = Self.exchange([.cacheControl: "max-age=60"])
        exchange.next = exchange.request
        exchange.next?.path = "/p?x=1"
        #expect(
            Self.sentences(ExchangeExplanation(exchange), .nearest)
                == ["The nearest stored response is for http://a.example/p; the query differs."]
        )
    }

    @Test("A GET that misses a response to QUERY is told that the method differs, not the query")
    func nearestMethod() {
        var exchange = Self.exchange([.cacheControl: "max-age=60"], request: [.contentType: "a/b"])
        exchange.next = exchange.request
        exchange.request.method = .query
        #expect(
            Self.sentences(ExchangeExplanation(exchange), .nearest)
                == ["The nearest stored response is for a QUERY, which answers no other method."]
        )
    }

    @Test("An empty store is reported as such")
    func nothing() {
        let explanation = ExchangeExplanation(
            Self.exchange([:]).request,
            among: [],
            engine: CacheEngine(),
            now: Self.received
        )
        #expect(explanation.statements.map(\.sentence) == ["No response is stored for http://a.example/p."])
    }
}

@Suite("Heads and archives")
struct RawHeadTests {
    @Test("A head is parsed with CRLF, with LF, and as curl -v prints it")
    func forms() throws {
        for text in [
            "GET /a HTTP/1.1\r\nHost: h.example\r\nAccept: b\r\n\r\nbody",
            "GET /a HTTP/1.1\nHost: h.example\nAccept: b",
            "> GET /a HTTP/1.1\n> Host: h.example\n> Accept: b\n>",
        ] {
            let request = try RawHead.request(text, file: "f")
            #expect(request.authority == "h.example")
            #expect(request.path == "/a")
            #expect(request.headerFields == [.accept: "b"])
        }
    }

    @Test(
        "A malformed head is refused with its position",
        arguments: [
            ("", "f:1:1: found nothing, expected a status line such as HTTP/1.1 200 OK"),
            ("HTTP/1.1 abc", "f:1:1: found \"HTTP/1.1 abc\", expected a status line such as HTTP/1.1 200 OK"),
            (
                "HTTP/1.1 200 OK\nno field",
                "f:2:1: found \"no field\", expected a field line such as Cache-Control: max-age=60"
            ),
        ]
    )
    func refused(text: String, problem: String) {
        #expect {
            try RawHead.response(text, file: "f")
        } throws: { error in
            "\(error)" == problem
        }
    }

    @Test("A request and a response in one text are distinguished, and positions stay correct")
    func split() throws {
        let text = "GET /a HTTP/1.1\nHost: h\n\nHTTP/1.1 404 Not Found\nbroken\n"
        let parts = try #require(RawHead.exchanges(in: text).first)
        #expect(try RawHead.request(try #require(parts.request), file: "f").authority == "h")
        #expect {
            try RawHead.response(parts.response, file: "f")
        } throws: { error in
            "\(error)".hasPrefix("f:5:1: found \"broken\"")
        }
    }

    @Test(
        "Each response of a text is an exchange with the request before it; content, interim responses and comments are not",
        arguments: [
            ("HTTP/1.1 301\nLocation: /b\n\nHTTP/1.1 200\n\n", ["- 301", "- 200"]),
            // With a byte order mark.
            ("\u{FEFF}HTTP/1.1 301\r\nLocation: /b\r\n\r\nHTTP/1.1 200\r\n\r\n", ["- 301", "- 200"]),
            ("\u{FEFF}GET /a HTTP/1.1\n\nHTTP/1.1 200\n\n", ["/a 200"]),
            ("HTTP/1.1 200\r\n\r\nHTTP/1.1 404\r\n\r\nGET /\n\nbody", ["- 200", "- 404"]),
            ("GET /a HTTP/1.1\n\nHTTP/1.1 200\n\nGET /b HTTP/1.1\n\nHTTP/1.1 404\n", ["/a 200", "/b 404"]),
            ("HTTP/1.1 103\nLink: x\n\nHTTP/1.1 200\n", ["- 200"]), ("HTTP/1.1 101\n\n", ["- 101"]),
            (
                "> GET /a HTTP/1.1\n> \n* sent\n< HTTP/1.1 200 OK\n* Added cookie\n< X: y\n< \n{ [5 bytes]\n",
                ["/a 200"]
            ),
            ("HTTP/1.1 200\n\nan HTTP/1.1 404\nHTTP/1.1 404\n", ["- 200"]),
        ]
    )
    func several(text: String, expected: [String]) throws {
        let found = try RawHead.exchanges(in: text).map { parts in
            let path = try parts.request.map { try RawHead.request($0, file: "f").path ?? "" } ?? "-"
            return "\(path) \(try RawHead.response(parts.response, file: "f").status.code)"
        }
        #expect(found == expected)
    }

    @Test("A last request without a response is refused, not ignored")
    func unanswered() throws {
        let parts = RawHead.exchanges(in: "HTTP/1.1 200\n\nGET /b HTTP/1.1\n")
        #expect(parts.count == 2)
        #expect(throws: YAMLProblems.self) { try RawHead.response(parts[1].response, file: "f") }
    }

    @Test("An archive's times determine the delay, and its time zone is respected")
    func archive() throws {
        let json = try #require(Corpus.text("browser.har"))
        let entries = try HTTPArchive(json: json, file: "browser.har").entries
        #expect(entries.count == 2)
        let exchange = try ExplainedExchange(entries[0])
        #expect(exchange.requestTime.text == "Thu, 01 Jan 2026 12:00:00 GMT")
        #expect(exchange.responseTime.text == "Thu, 01 Jan 2026 12:00:02 GMT")
        #expect(exchange.request.path == "/a?x=1")
        let explanation = ExchangeExplanation(exchange)
        // Age 10 s and 2 s of delay are more than the 1 s since Date.
        #expect(explanation.age?.sum == 12)
        #expect(try ExplainedExchange(entries[1]).request.method == .post)
    }

    @Test("An archive without entries is refused with its position")
    func noArchive() {
        #expect {
            try HTTPArchive(json: "{\"log\": {}}", file: "x.har")
        } throws: { error in
            "\(error)" == "x.har:1:1: found a map, expected an object with log.entries"
        }
    }
}
