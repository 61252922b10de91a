import MockOrigin
import Recording
import Testing
import TestSupport

@Suite("Recording and replaying", .timeLimit(.minutes(20)), .blocking)
struct ReplayTests {
    /// The origin that is recorded, in the language of site files.
    private static let origin = """
        - path: /json
          answer: {content-type: application/json, cache-control: max-age=60, body: '{"a": 1}', etag: '"v1"'}
        - path: /validated
          answer:
            {fields: {Content-Type: text/plain, Expires: {date: +60s}}, etag: '"v1"', last-modified: -10d, body: validated}
        - path: /gzip
          answer: {content-type: text/plain, body: {size: 3000}, gzip: true, etag: '"g"'}
        - path: /ranges
          answer: {content-type: text/plain, body: {size: 100}, ranges: true, etag: '"r"'}
        - path: /repeated
          answer: {fields: [[X-One, a], [Set-Cookie, a=1], [X-One, b], [Set-Cookie, b=2], [x-one, '']], body: x}
        - path: /chunked
          answer: {content-type: text/plain, body: {size: 5000}, framing: chunked}
        - path: /binary
          answer: {content-type: application/octet-stream, body: {base64: AAEC/f7/DQoNCgA=}}
        - path: /vary
          fields: {Accept-Language: de}
          answer: {vary: Accept-Language, body: deutsch}
        - path: /vary
          fields: {Accept-Language: absent}
          answer: {vary: Accept-Language, body: nothing asked}
        - path: /vary
          answer: {vary: Accept-Language, body: english}
        - path: /changes
          answers: [{body: one, etag: '"1"'}, {body: one, etag: '"1"'}, {status: 503, fields: {Retry-After: 1}}, {body: two}]
        - path: /search
          query: {q: a b}
          answer: {body: found}
        - path: /search
          answer: {body: nothing}
        - path: /form
          method: POST
          body: {form: {name: ann}}
          answer: {status: 201, fields: {Location: /form/1}, body: ann}
        - path: /form
          method: POST
          answer: {status: 201, body: somebody}
        - path: /old
          answer: {redirect: /new, status: 301}
        - path: /odd
          answer: {status: 299, reason: Odd Indeed, fields: {X-Dollar: 'costs $5 {x}', X-Quote: "it's \\"this\\""}, body: odd}
        - path: /nothing
          answer: {status: 204}
        - path: /late
          answer: {date: -30s, fields: {Age: 12, Expires: {date: -10s}, X-Last: 'yes'}, body: late}
        - path: /undated
          answer: {date: none, body: undated}
        - path: /in-between
          answer: {fields: [[Content-Length, '5'], [X-After, b], [Date, {date: +0s}], [ETag, '"e"'], [X-Z, c]], body: 12345}
        - path: /empty
          answer: {}
        - path: /hints
          answer: {interim: [{status: 103, fields: {Link: </a>}}], body: hinted}
        """

    private static func request(
        _ target: String,
        _ lines: String...,
        method: String = "GET",
        body: String = ""
    )
        -> String
    {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return (["\(method) \(target) HTTP/1.1", "Host: localhost"] + lines + length).joined(
            separator: "\r\n"
        )
            + "\r\n\r\n" + body
    }

    private static let requests = [
        request("/json"), request("/json", "If-None-Match: \"v1\""), request("/json", method: "HEAD"),
        request("/validated"), request("/validated", "If-None-Match: \"v1\""),
        request("/validated", "If-Modified-Since: Mon, 22 Dec 2025 00:00:00 GMT"),
        request("/validated", "If-None-Match: \"old\""),
        request("/gzip", "Accept-Encoding: gzip"), request("/gzip"),
        request("/gzip", "Accept-Encoding: gzip", "If-None-Match: \"g-gzip\""),
        request("/ranges"), request("/ranges", "Range: bytes=0-9"), request("/ranges", "Range: bytes=500-"),
        request("/ranges", "Range: bytes=0-1,5-6"),
        request("/ranges", "Range: bytes=0-9", "If-Range: \"old\""),
        request("/repeated"), request("/chunked"), request("/binary"),
        request("/vary", "Accept-Language: de"), request("/vary", "Accept-Language: en"), request("/vary"),
        request("/changes"), request("/changes"), request("/changes"), request("/changes"),
        request("/changes"),
        request("/search?q=a%20b"), request("/search?q=c"), request("/search"),
        request("/form", "Content-Type: application/x-www-form-urlencoded", method: "POST", body: "name=ann"),
        request("/form", "Content-Type: application/x-www-form-urlencoded", method: "POST", body: "name=bob"),
        request("/old"), request("/odd"), request("/nothing"), request("/late"), request("/undated"),
        request("/in-between"), request("/empty"), request("/hints"),
        request("/json", "If-None-Match: \"v1\"", method: "HEAD"),
    ]

    @Test("A response that a client has received completely is recorded, even if the client closes first")
    func quickClients() throws {
        let fixture = try ReplayFixture(Self.origin)
        _ = try fixture.record(Array(repeating: Self.request("/json"), count: 100), closingAtLength: true)
        #expect(fixture.problems == [])
    }

    @Test("A recording is replayed byte for byte, request by request")
    func roundTrip() throws {
        let fixture = try ReplayFixture(Self.origin)
        let expected = try fixture.direct(Self.requests)
        let passed = try fixture.record(Self.requests)
        #expect(fixture.problems == [])
        let replayed = try fixture.replay(Self.requests)
        for (index, request) in Self.requests.enumerated() {
            #expect(replayed[index] == expected[index], "\(request)")
            #expect(passed[index] == expected[index], "through the recorder: \(request)")
        }
    }

    @Test("Date and Expires are replayed relative to the current time, and Age unchanged")
    func timesMove() throws {
        let fixture = try ReplayFixture(Self.origin)
        _ = try fixture.record(Self.requests, redaction: Redaction())
        let text = try #require(try fixture.replay([ReplayFixture.request("GET /late")], after: 86_400).first)
        #expect(text.contains("Date: Thu, 01 Jan 2026 23:59:30 GMT\r\n"))
        #expect(text.contains("Expires: Thu, 01 Jan 2026 23:59:50 GMT\r\n"))
        #expect(text.contains("Age: 12\r\n"))
    }

    @Test("A replayed resource evaluates conditions and ranges that were never recorded")
    func otherConditions() throws {
        let folder = try TestFolder()
        let writer = try FixtureWriter(folder: folder.path)
        let response = CapturedExchange.Response(
            status: 200,
            reason: "OK",
            fields: [.init("ETag", "\"v1\""), .init("Content-Length", "3")],
            body: Array("abc".utf8)
        )
        try writer.add(
            CapturedExchange(
                origin: "http://a",
                target: "/a",
                response: response,
                at: .seconds(ReplayFixture.start)
            )
        )
        let replay = try ReplayFixture.replay(folder.path, at: ReplayFixture.start)
        defer { replay.stop() }
        let client = try RawClient(port: replay.port)
        try client.request("GET", "/a", ["If-None-Match: \"v1\"", "Connection: close"])
        #expect(Wire.text(try client.readToEnd()).hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
    }

    @Test("The fixture of a plain resource looks as if written by hand")
    func isReadable() throws {
        let folder = try TestFolder()
        let writer = try FixtureWriter(folder: folder.path)
        let response = CapturedExchange.Response(
            status: 200,
            reason: "OK",
            fields: [
                .init("Date", "Thu, 01 Jan 2026 00:00:00 GMT"), .init("Content-Type", "application/json"),
                .init("Cache-Control", "max-age=60"), .init("Expires", "Thu, 01 Jan 2026 00:01:00 GMT"),
                .init("ETag", "\"v1\""), .init("Content-Length", "8"),
            ],
            body: Array("{\"a\": 1}".utf8)
        )
        try writer.add(
            CapturedExchange(
                origin: "http://a",
                target: "/users/1",
                response: response,
                at: .seconds(ReplayFixture.start)
            )
        )
        #expect(
            folder.text("routes/users-1.yaml") == """
                - path: /users/1
                  method: [GET, HEAD]
                  answer:
                    fields:
                      Content-Type: application/json
                      Cache-Control: max-age=60
                      Expires: {date: +60s}
                    etag: '"v1"'
                    body: {file: bodies/users-1.json}

                """
        )
        #expect(folder.text("bodies/users-1.json") == "{\"a\": 1}")
    }
}
