import MockOrigin
import Recording
import Testing
import TestSupport

@Suite("Recording and replaying a large variety of responses", .timeLimit(.minutes(20)))
struct ReplayVarietyTests {
    /// Field values that a decoder of route files could misread.
    static let values = [
        "yes", "NO", "on", "null", "~", "1", "0x1F", "1e3", "2026-01-01", "12:30:00", "'", "\"", "''a'",
        "a'b",
        "# no comment", "a # b", "a: b", "- a", "? a", "{a: b}", "[a, b]", "*a", "&a", "!a", "%a", "@a",
        "`a`", "|",
        ">", "|-", "a\\nb", "a\\", "${path}", "$5 ${", "${dollar}", "}{", "=", ":", ",", ".", "-", "--",
        "---", "...",
        "present", "absent", "caf\u{E9}", "\u{1F600}", "a\tb", "a  b", "<a&b>", "date: +0s", "{date: +0s}",
    ]

    /// Answers as sent, except `Date`, by path.
    static let origin =
        """
        - path: /500
          answer: {status: 500, fields: {Content-Type: text/html}, body: '<h1>Oops</h1>'}
        - path: /410
          answer: {status: 410, fields: {Cache-Control: max-age=60}}
        - path: /303
          answer: {status: 303, fields: {Location: '/500?a=1&b=%20#c'}}
        - path: /308
          answer: {status: 308, fields: {Location: 'http://other.example/x'}, body: moved}
        - path: /item
          method: PUT
          answer: {status: 204, etag: '"put"'}
        - path: /item
          method: DELETE
          answer: {status: 202, body: later}
        - path: /item
          method: OPTIONS
          answer: {fields: {Allow: 'GET, PUT'}}
        - path: /json
          method: POST
          body: {json: {$.a: '1'}}
          answer: {body: {json: {one: true}}}
        - path: /json
          method: POST
          answer: {body: {json: {other: true}}}
        - path: /a%2Fb
          answer: {body: escaped slash}
        - path: /a/b
          answer: {body: slash}
        - path: /a//b
          answer: {body: two slashes}
        - path: {exact: '/star*'}
          answer: {body: star}
        - path: {exact: '/all/**'}
          answer: {body: all}
        - path: /caf%C3%A9
          answer: {body: coffee}
        - path: /query
          query: a=1&a=2&b
          answer: {body: repeated}
        - path: /query
          query: 'b&a=2&a=1'
          answer: {body: other order}
        - path: /query
          query: absent
          answer: {body: none}
        - path: /query
          query: 'absent'
          answer: {body: the word}
        - path: /query
          query: ''
          answer: {body: empty}
        - path: /query
          query: {'?': ''}
          answer: {body: question mark}
        - path: /query
          query: {'??a': '1'}
          answer: {body: question marks}
        - path: /query
          answer: {body: any other}
        - path: /journal
          answer: {body: own journal}
        - path: /long
          answer: {fields: {X-Long: \(String(repeating: "0123456789", count: 300))}, body: long}
        - path: /many
          answer: {fields: [\((1...60).map { "[X-\($0), v\($0)]" }.joined(separator: ", "))], body: many}
        - path: /large
          answer: {body: {size: 3MiB}}
        - path: /large-chunked
          answer: {body: {size: 300KiB}, framing: chunked}
        - path: /gzip-chunked
          answer: {content-type: text/html, body: {size: 20000}, gzip: always, framing: chunked}
        - path: /close
          answer: {body: until the end, framing: close}
        - path: /head
          method: HEAD
          answer: {fields: {X-Head: only, Content-Length: '1234'}}
        - path: /expires
          answer: {fields: [[Expires, '0'], [Expires, '-1'], [Age, '1'], [age, '2']]}
        - path: /dates
          answer: {fields: [[Expires, {date: +1h, form: rfc850}], [X-Date, {date: +1h}], [Retry-After, {date: +2m, form: asctime}]]}
        - path: /never-expires
          answer: {fields: [[Expires, 'Fri, 31 Dec 9999 23:59:59 GMT'], [Retry-After, 'Fri, 31 Dec 9999 23:59:59 GMT']]}
        - path: /cookies
          answer: {fields: [[Set-Cookie, 'a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Path=/'], [set-cookie, 'b="x, y"; HttpOnly'], [Set-Cookie, '=c']]}
        - path: /vary-two
          answer: {fields: {Vary: 'accept-language,Accept , X-None'}, body: {template: '${field.Accept} ${field.Accept-Language}'}}
        - path: /vary-later
          answers: [{status: 503, body: not yet}, {fields: {Vary: Accept}, body: first}, {body: without}, {fields: {Vary: Accept}, body: other}]
        - path: /vary-star
          answers: [{fields: {Vary: '*'}, body: first}, {fields: {Vary: '*'}, body: second}]
        - path: /interim
          answer: {interim: [{status: 102}, {status: 103, fields: [[Link, </a>], [Link, </b>]]}, {status: 199}], body: after}
        - path: /no-reason
          answer: {reason: '', body: x}
        - path: /999
          answer: {status: 999, reason: Ünusual, body: x}
        - path: /lines
          answer: {body: "\\r\\n\\r\\na: b\\n---\\n${x}\\n\\0end\\r\\n"}
        - path: /turns
          answers: [{body: one, status: 201}, {body: two}, {status: 304, etag: '"x"'}, {body: two}, {body: three}]
        - path: /parts
          answer: {content-type: text/plain, body: {size: 500}, ranges: true, etag: '"p"', last-modified: -1d}
        - path: /weak
          answer: {body: weak, etag: W/"w"}
        - path: /bad-validators
          answer: {fields: {ETag: bad, Last-Modified: file}, body: bad}
        - path: /empty-validators
          answer: {fields: {ETag: '', Last-Modified: -1d}, body: empty}
        - path: /no-etag
          answer: {body: dated, last-modified: -1d}

        """
        + values.enumerated().map { index, value in
            """
            - path: /value/\(index)
              answer: {reason: \(literal(value)), fields: {X-Value: \(quoted(value))}, body: \(quoted(value))}
            - path: /interim/\(index)
              answer: {interim: [{status: 103, fields: {X-Value: \(quoted(value))}}], body: last}

            """
        }.joined()

    private static func quoted(_ text: String) -> String {
        // Without variables of the origin's own language.
        literal(text.replacing("${", with: "${dollar}{"))
    }

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
            + "\""
    }

    private static let requests =
        [
            "GET /500", "GET /410", "GET /303", "GET /308", "PUT /item | body=x", "DELETE /item",
            "OPTIONS /item",
            "POST /json | Content-Type: application/json | body={\"a\": 1}",
            "POST /json | Content-Type: application/json | body={\"a\": 2}",
            "GET /a%2Fb", "GET /a/b", "GET /a//b", "GET /star*", "GET /starfish", "GET /all/**", "GET /all/x",
            "GET /caf%C3%A9", "GET /query?a=1&a=2&b", "GET /query?b&a=2&a=1", "GET /query", "GET /query?",
            "GET /query?absent", "GET /query??", "GET /query???a=1", "GET /journal", "HEAD /journal",
            "GET /query?q=%3F%26", "GET /long", "GET /many", "GET /large", "GET /large-chunked",
            "GET /gzip-chunked",
            "HEAD /gzip-chunked", "GET /close", "HEAD /close", "HEAD /head", "GET /expires", "GET /dates",
            "GET /never-expires", "GET /cookies",
            "GET /vary-two | Accept: a | Accept-Language: de", "GET /vary-two | Accept: b",
            "GET /vary-two | Accept: a | X-None: 1", "GET /vary-two | Accept: present",
            "GET /vary-later | Accept: a", "GET /vary-later | Accept: a",
            "GET /vary-later | Accept: a", "GET /vary-later | Accept: b", "GET /vary-star",
            "GET /vary-star",
            "GET /interim", "GET /no-reason", "GET /999", "GET /lines", "GET /turns", "GET /turns",
            "GET /turns",
            "GET /turns", "GET /turns", "GET /turns",
            "GET /parts", "GET /parts | Range: bytes=-5", "GET /parts | Range: bytes=0-0,-1",
            "GET /parts | Range: lines=1-2",
            "GET /parts | Range: bytes=0-9 | If-Range: \"p\"", "GET /parts | If-Match: \"x\"",
            "GET /parts | If-Unmodified-Since: Mon, 22 Dec 2025 00:00:00 GMT",
            "HEAD /parts | If-None-Match: *",
            "GET /weak | If-None-Match: \"w\"", "GET /weak",
            "GET /no-etag | If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT",
            "GET /bad-validators", "GET /empty-validators", "GET /no-etag", "GET /missing",
            "PATCH /item | body=\u{0}\u{1}",
        ] + values.indices.flatMap { ["GET /value/\($0)", "GET /interim/\($0)"] }

    @Test("Every response is replayed byte for byte, in the original order")
    func variety() throws {
        let requests = Self.requests.map(ReplayFixture.request)
        let fixture = try ReplayFixture(Self.origin)
        let expected = try fixture.direct(requests)
        let passed = try fixture.record(requests)
        #expect(fixture.problems == [])
        let replayed = try fixture.replay(requests)
        for (index, request) in Self.requests.enumerated() {
            // A proxy generates the framing of content.
            #expect(
                Self.unframed(passed[index]) == Self.unframed(expected[index]),
                "through the recorder: \(request)"
            )
            #expect(replayed[index] == expected[index], "\(request)")
        }
    }

    private static func unframed(_ answer: String) -> String {
        answer.replacing("Transfer-Encoding: chunked\r\n", with: "")
    }

    @Test("An archive of the same exchanges is replayed with the same content and fields")
    func archive() throws {
        let requests = Self.requests.map(ReplayFixture.request)
        let fixture = try ReplayFixture(Self.origin)
        _ = try fixture.record(requests)
        let text = HARFile.text(fixture.exchanges, redaction: Redaction(isOn: false), version: "1")
        let site = try Site.replaying(try HARFile.exchanges(text, file: "a.har"))
        let replayed = try ReplayFixture.answers(requests, of: site)
        let direct = try ReplayFixture.answers(requests, of: try Site.replaying(fixture.exchanges))
        #expect(try direct == fixture.direct(requests))
        // An archive has content without its coding, and no interim responses.
        for (index, request) in Self.requests.enumerated()
        where !request.contains("gzip") && !request.contains("/interim") {
            #expect(replayed[index] == direct[index], "\(request)")
        }
    }
}
