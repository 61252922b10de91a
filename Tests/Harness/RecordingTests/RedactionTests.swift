import MockOrigin
import Recording
import Testing
import TestSupport

@Suite("Redaction of recordings")
struct RedactionTests {
    private func redacted(
        _ fields: [CapturedExchange.Field] = [],
        body: String = "",
        target: String = "/",
        by redaction: Redaction = Redaction()
    ) -> CapturedExchange {
        var exchange = CapturedExchange(
            origin: "http://a",
            target: target,
            response: .init(status: 200, fields: fields, body: Array(body.utf8)),
            at: .zero
        )
        exchange.requestFields = fields
        return redaction.applied(to: exchange)
    }

    @Test(
        "Credentials are removed, their kinds stay",
        arguments: [
            ("Authorization", "Bearer abc.def", "Bearer REDACTED"), ("Authorization", "abc", "REDACTED"),
            ("authorization", "Basic dXNlcjpwYXNz", "Basic REDACTED"), ("Cookie", "a=1; b=2", "REDACTED"),
            ("Set-Cookie", "sid=abc; Path=/; HttpOnly", "sid=REDACTED; Path=/; HttpOnly"),
            ("X-Api-Key", "abc", "REDACTED"), ("X-Auth-Token", "abc", "REDACTED"),
            ("X-CSRF-Token", "abc", "REDACTED"), ("Content-Type", "text/plain", "text/plain"),
            ("ETag", "\"token\"", "\"token\""), ("Cache-Control", "max-age=60", "max-age=60"),
            ("Location", "/cb?code=abc&state=1", "/cb?code=REDACTED&state=1"),
            ("Link", "</a?access_token=x>; rel=next", "</a?access_token=REDACTED>; rel=next"),
        ]
    )
    func fields(name: String, value: String, expected: String) {
        #expect(redacted([.init(name, value)]).response.fields == [.init(name, expected)])
        #expect(redacted([.init(name, value)]).requestFields == [.init(name, expected)])
    }

    @Test(
        "Secret parameters of a query lose their values",
        arguments: [
            ("/a?token=abc&x=1", "/a?token=REDACTED&x=1"), ("/a?x=1&api_key=abc", "/a?x=1&api_key=REDACTED"),
            ("/a?access_token=a%20b", "/a?access_token=REDACTED"), ("/a?q=token", "/a?q=token"),
            ("/token=1", "/token=1"), ("/a?TOKEN=", "/a?TOKEN=REDACTED"), ("/a?a=b=c", "/a?a=b=c"),
        ]
    )
    func queries(target: String, expected: String) {
        #expect(redacted(target: target).target == expected)
    }

    @Test(
        "Secret members of JSON lose their values, and every other byte stays",
        arguments: [
            (#"{"access_token":"abc", "n" : 1}"#, #"{"access_token":"REDACTED", "n" : 1}"#),
            (#"{"a":{"password" : "x\"y" , "b":[1, 2]}}"#, #"{"a":{"password" : "REDACTED" , "b":[1, 2]}}"#),
            (#"{"secret":{"a":[1,{"b":"}"}]},"c":2}"#, #"{"secret":"REDACTED","c":2}"#),
            (#"{"token":null,"x":["token"]}"#, #"{"token":null,"x":["token"]}"#),
            (#"{"pin":1234}"#, #"{"pin":"REDACTED"}"#), (#"{"token":"#, #"{"token":"#),
            (#"["token", "x"]"#, #"["token", "x"]"#), (#"{"token""#, #"{"token""#),
            (#"{"token":"abc"#, #"{"token":"REDACTED""#),
            (
                #"{"next" : "https://a.example/b?page=2&token=abc#c", "n":"a=b"}"#,
                #"{"next" : "https://a.example/b?page=2&token=REDACTED#c", "n":"a=b"}"#
            ),
            (
                #"["\u002Fa?x=1\u0026api_key\u003dabc", "\/b?x=1"]"#,
                #"["/a?x=1&api_key=REDACTED", "\/b?x=1"]"#
            ),
            (#"["/a?token=abc\q"]"#, #"["/a?token=abc\q"]"#),
        ]
    )
    func json(body: String, expected: String) {
        let fields = [
            CapturedExchange.Field("Content-Type", "application/json"),
            .init("Content-Length", "\(body.utf8.count)"),
        ]
        let response = redacted(fields, body: body).response
        #expect(String(decoding: response.body, as: UTF8.self) == expected)
        #expect(response.fields[1].value == "\(expected.utf8.count)")
    }

    @Test("Content that is nested too deeply is passed through without harm")
    func deep() {
        let body = "{\"token\":" + String(repeating: "[", count: 100_000)
        let fields = [CapturedExchange.Field("Content-Type", "application/json")]
        #expect(redacted(fields, body: body).response.body.count > 0)
    }

    /// Rules of a user's own.
    private let own = Redaction(
        fieldNames: ["X-Customer"],
        parameterNames: ["email"],
        memberNames: ["iban"]
    )

    @Test(
        "Names of one's own are redacted in their place, without regard to case, besides those that are known",
        arguments: [
            ("X-Customer", "Ann Smith", "REDACTED"), ("x-customer", "1?email=a", "REDACTED"),
            ("X-Customers", "Ann", "Ann"), ("Location", "/a?EMAIL=a@b&iban=1", "/a?EMAIL=REDACTED&iban=1"),
            ("Authorization", "Bearer abc", "Bearer REDACTED"),
            ("Set-Cookie", "a=1; Path=/", "a=REDACTED; Path=/"),
        ]
    )
    func ownFields(name: String, value: String, expected: String) {
        #expect(redacted([.init(name, value)], by: own).response.fields == [.init(name, expected)])
    }

    @Test(
        "Members and parameters of one's own are redacted in contents",
        arguments: [
            ("application/json", #"{"IBAN":"DE1","email":"a"}"#, #"{"IBAN":"REDACTED","email":"a"}"#),
            ("application/x-www-form-urlencoded", "iban=DE1&email=a", "iban=DE1&email=REDACTED"),
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\na\r\n--b--\r\n",
                "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\nREDACTED\r\n--b--\r\n"
            ),
        ]
    )
    func ownContents(type: String, body: String, expected: String) {
        let clean = redacted([.init("Content-Type", type)], body: body, by: own).response.body
        #expect(String(decoding: clean, as: UTF8.self) == expected)
    }

    @Test("When disabled, it removes nothing")
    func off() {
        var exchange = CapturedExchange(
            origin: "http://a",
            target: "/?token=1",
            response: .init(status: 200),
            at: .zero
        )
        exchange.requestFields = [.init("Authorization", "Bearer x")]
        #expect(Redaction(isOn: false).applied(to: exchange) == exchange)
    }

    private static let origin = """
        - path: /gzip
          answer: {content-type: application/json, body: '{"token": "abc", "n": 1}', gzip: always}
        - path: /asked
          answer: {content-type: application/json, body: {template: '{"secret": "${field.Accept-Encoding}"}'}}
        - path: /br
          answer: {fields: {Content-Type: application/json, Content-Encoding: br}, body: {base64: iwKAeyJ0b2tlbiI6ICJhYmMifQM=}}
        - path: /br-text
          answer: {fields: {Content-Type: text/html, Content-Encoding: br}, body: {base64: iwKAeyJ0b2tlbiI6ICJhYmMifQM=}}
        """

    @Test("Secrets within gzip are removed, and the replayed content is still coded")
    func coded() throws {
        let fixture = try ReplayFixture(Self.origin)
        let request = ReplayFixture.request("GET /gzip | Accept-Encoding: gzip")
        _ = try fixture.record([request], redaction: Redaction())
        #expect(fixture.problems == [])
        let exchange = try #require(fixture.exchanges.first)
        let clean = Redaction().applied(to: exchange)
        #expect(clean.response.body.starts(with: [0x1F, 0x8B]))
        #expect(HARFile.text([exchange], version: "1").contains(#"{\"token\": \"REDACTED\", \"n\": 1}"#))
        let answer = try #require(try fixture.replay([request]).first)
        #expect(answer.contains("Content-Encoding: gzip\r\n"))
        #expect(answer.contains("Content-Length: \(clean.response.body.count)\r\n"))
    }

    @Test(
        "Content that expands beyond 32 MiB is not recorded, unless nothing is searched in its type",
        arguments: [("application/json", true), ("text/plain", true), ("", true), ("image/png", false)]
    )
    func bomb(type: String, isRefused: Bool) {
        let exchange = CapturedExchange(
            origin: "http://a",
            target: "/",
            response: CapturedExchange.Response(
                status: 200,
                fields: [
                    CapturedExchange.Field("Content-Type", type),
                    CapturedExchange.Field("Content-Encoding", "gzip"),
                ],
                body: Gzip.compress([UInt8](repeating: 0x20, count: 33 << 20), .gzip)
            ),
            at: .zero
        )
        #expect((Redaction().obstacle(in: exchange) != nil) == isRefused)
    }

    @Test("JSON in an unknown coding is not recorded, with the reason reported; other content is")
    func unknownCoding() throws {
        let fixture = try ReplayFixture(Self.origin)
        let requests = ["GET /br", "GET /br-text"].map(ReplayFixture.request)
        _ = try fixture.record(requests, redaction: Redaction())
        #expect(fixture.problems.count == 1)
        #expect(
            fixture.problems[0].hasSuffix(
                "/br: the content of its response, coded as br, cannot be searched for secrets"
            )
        )
        #expect(fixture.folder.text("routes/br.yaml") == nil)
        #expect(fixture.folder.text("routes/br-text.yaml") != nil)
    }

    @Test(
        "An origin is asked for codings that can be decoded, if that is configured",
        arguments: [
            ("gzip, deflate, br, zstd", "gzip, deflate"), ("br;q=1.0, gzip;q=0.5", "gzip;q=0.5"),
            ("br", "identity"),
            ("*", "identity"), ("", "identity"),
        ]
    )
    func acceptedCodings(asked: String, sent: String) throws {
        let fixture = try ReplayFixture(Self.origin)
        let request = ReplayFixture.request("GET /asked | Accept-Encoding: \(asked)")
        let seen = try fixture.record([request]) { $0.asksForReadableCodings = true }
        #expect(seen[0].hasSuffix(#"{"secret": "\#(sent)"}"#))
        #expect(fixture.exchanges[0].requestFields.contains(.init("Accept-Encoding", asked)))
        let untouched = try ReplayFixture(Self.origin)
        #expect(try untouched.record([request])[0].hasSuffix(#"{"secret": "\#(asked)"}"#))
    }

    @Test("Secret parts of a multipart form lose their content, and every other byte stays")
    func multipart() {
        let type = "multipart/form-data; boundary=\"b\""
        let body = [
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhidden\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nann\r\n--b--\r\n",
        ].joined()
        var exchange = CapturedExchange(
            method: "POST",
            origin: "http://a",
            target: "/",
            response: .init(status: 200),
            at: .zero
        )
        exchange.requestFields = [.init("Content-Type", type)]
        exchange.requestBody = Array(body.utf8)
        let clean = String(decoding: Redaction().applied(to: exchange).requestBody, as: UTF8.self)
        #expect(clean == body.replacing("hidden", with: "REDACTED"))
    }

    @Test("JSON with the type of text, or without a type, is redacted; other text is not")
    func unnamedJSON() {
        for (type, body, expected) in [
            ("text/plain", #" {"token":"abc"}"#, #" {"token":"REDACTED"}"#),
            ("", #"[{"token":"abc"}]"#, #"[{"token":"REDACTED"}]"#),
            ("text/plain", #"say {"token":"abc"}"#, #"say {"token":"abc"}"#),
        ] {
            let fields = type.isEmpty ? [] : [CapturedExchange.Field("Content-Type", type)]
            #expect(redacted(fields, body: body).response.body == Array(expected.utf8))
        }
    }
}
