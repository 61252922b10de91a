import LocatedYAML
import Recording
import Testing

@Suite("HTTP archives, HAR 1.2")
struct HARTests {
    private func exchange(_ change: (inout CapturedExchange) -> Void = { _ in }) -> CapturedExchange {
        var exchange = CapturedExchange(
            origin: "https://example.com:8443",
            target: "/a?x=1&y=%20",
            response: .init(
                status: 200,
                reason: "OK",
                fields: [.init("Content-Type", "text/plain"), .init("X-A", "1"), .init("X-A", "2")],
                body: Array("hello \"you\"\n".utf8)
            ),
            at: .seconds(1_767_225_600.25)
        )
        exchange.requestFields = [.init("Accept", "*/*"), .init("Cookie", "a=1; b=2")]
        change(&exchange)
        return exchange
    }

    @Test("An exported archive is imported unchanged")
    func roundTrip() throws {
        let all = [
            exchange(), exchange { $0.response.body = [0, 255, 10, 13] },
            exchange { $0.requestBody = [0, 255, 10, 13] },
            exchange {
                $0.method = "POST"
                $0.requestBody = Array("a=1".utf8)
                $0.response = .init(status: 404, reason: "", fields: [], body: [])
            },
        ]
        let read = try HARFile.exchanges(
            HARFile.text(all, redaction: Redaction(isOn: false), version: "1"),
            file: "a.har"
        )
        #expect(read == all)
    }

    @Test("Content with a coding that cannot be removed is imported with the coding")
    func unknownCoding() throws {
        let brotli = exchange {
            $0.response.fields = [.init("Content-Encoding", "br"), .init("Content-Length", "5")]
            $0.response.body = [0x8B, 0x00, 0x80, 0x61, 0x03]
        }
        let text = HARFile.text([brotli], redaction: Redaction(isOn: false), version: "1")
        let read = try HARFile.exchanges(text, file: "a.har")
        #expect(read == [brotli])
    }

    @Test("Credentials and cookies are not exported, unless the redaction is off", arguments: [true, false])
    func redaction(isOn: Bool) {
        let secrets = exchange {
            $0.requestFields = [
                .init("Authorization", "Bearer s3cret"), .init("Cookie", "a=s3cret"),
                .init("Proxy-Authorization", "Basic s3cret"),
            ]
            $0.response.fields = [.init("Set-Cookie", "a=s3cret")]
        }
        let text =
            isOn
            ? HARFile.text([secrets], version: "1")
            : HARFile.text([secrets], redaction: Redaction(isOn: false), version: "1")
        #expect(text.contains("s3cret") != isOn)
        #expect(text.contains("REDACTED") == isOn)
    }

    @Test("Decoded content has neither the coding nor its length")
    func undoneCoding() throws {
        let text = """
            {"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "_own": 1,
              "request": {"method": "GET", "url": "http://a/", "headers": []},
              "response": {"status": 200, "statusText": "OK", "headers": [
                {"name": ":status", "value": "200"}, {"name": "content-encoding", "value": "br"},
                {"name": "content-length", "value": "3"}], "content": {"size": 5, "text": "hello"}}}]}}
            """
        let read = try HARFile.exchanges(text, file: "a.har")
        #expect(read.map(\.response.fields) == [[.init("content-length", "5")]])
        #expect(read.map(\.target) == ["/"])
        #expect(read.map(\.startedAt) == [.seconds(1_767_225_600)])
    }

    @Test(
        "A reason phrase that no status line can have is replaced by the standard one",
        arguments: ["a\\nb", "\\u0000"]
    )
    func reason(text: String) throws {
        let archive = """
            {"log": {"entries": [{"request": {"method": "GET", "url": "http://a/"},
              "response": {"status": 404, "statusText": "\(text)", "content": {"size": 1, "text": "x"}}}]}}
            """
        #expect(try HARFile.exchanges(archive, file: "a.har").map(\.response.reason) == ["Not Found"])
    }

    @Test(
        "An entry without a replayable response is omitted and reported",
        arguments: [
            #"{"request": {"method": "GET", "url": "http://a/"}, "response": {"status": 0}}"#,
            #"{"request": {"method": "G T", "url": "http://a/"}, "response": {"status": 200, "content": {"text": "x"}}}"#,
            #"{"request": {"method": "GET", "url": "data:x"}, "response": {"status": 200}}"#,
            #"{"request": {"method": "GET", "url": "http://a/"}, "response": {"status": 200, "content": {"size": 7}}}"#,
        ]
    )
    func leftOut(entry: String) throws {
        var messages: [String] = []
        let read = try HARFile.exchanges("{\"log\": {\"entries\": [\(entry)]}}", file: "a.har") {
            messages.append($0)
        }
        #expect(read.isEmpty)
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { $0.hasPrefix("a.har:1:22: ") })
    }

    @Test(
        "A file that is not an archive is refused with the position",
        arguments: [
            ("", "a.har:1:1:"), ("[]", "a.har:1:1:"), ("{\"log\": {}}", "a.har:1:1:"),
            ("{\"log\": ", "a.har:1:"),
            (#"{"log": {"entries": [1]}}"#, "a.har:1:22:"),
            (#"{"log": {"entries": [{"request": {"url": "x"}, "response": {}}]}}"#, "a.har:1:34:"),
            (Self.timed(#""time": 1e30"#), "a.har:1:22:"), (Self.timed(#""time": 1e308"#), "a.har:1:22:"),
            (Self.timed(#""timings": {"wait": 1e300}"#), "a.har:1:22:"),
        ]
    )
    func malformed(text: String, place: String) {
        let error = #expect(throws: YAMLProblems.self) { _ = try HARFile.exchanges(text, file: "a.har") }
        #expect(error?.description.hasPrefix(place) == true, "\(error?.description ?? "")")
    }

    /// Returns an archive with one entry, which has a member about time.
    private static func timed(_ member: String) -> String {
        #"{"log": {"entries": [{\#(member), "startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "GET", "url": "http://a/x", "headers": []}, "response": {"status": 200, "headers": []}}]}}"#
    }
}
