import Recording
import Testing

@Suite("What is taken out of a recording")
struct RedactionTests {
    private func redacted(_ fields: [CapturedExchange.Field] = [], body: String = "", target: String = "/")
        -> CapturedExchange
    {
        let exchange = CapturedExchange(
            origin: "http://a",
            target: target,
            requestFields: fields,
            response: .init(status: 200, fields: fields, body: Array(body.utf8)),
            at: 0
        )
        return Redaction().applied(to: exchange)
    }

    @Test(
        "Credentials go, what they are stays",
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

    @Test("What is deeper than any document is passed through without harm")
    func deep() {
        let body = "{\"token\":" + String(repeating: "[", count: 100_000)
        let fields = [CapturedExchange.Field("Content-Type", "application/json")]
        #expect(redacted(fields, body: body).response.body.count > 0)
    }

    @Test("Switched off, it takes out nothing")
    func off() {
        let exchange = CapturedExchange(
            origin: "http://a",
            target: "/?token=1",
            requestFields: [.init("Authorization", "Bearer x")],
            response: .init(status: 200),
            at: 0
        )
        #expect(Redaction(isOn: false).applied(to: exchange) == exchange)
    }
}
