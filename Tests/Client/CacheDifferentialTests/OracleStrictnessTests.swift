import CacheOracle
import Testing

/// A second request after one whose response was stored, and what a cache may and must not deliver for it.
struct SecondRequest: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var stored: OracleResponse
    var fields: [(String, String)] = []
    /// The request that is forwarded 10 s later, and the response of the origin; `nil` if the cache asks nothing.
    var forwarded: (fields: [(String, String)], response: OracleResponse?)?
    var right: Delivery
    var wrong: Delivery

    static func response(_ status: Int, _ fields: [(String, String)], _ content: String = "")
        -> OracleResponse
    {
        let date = ("Date", "Fri, 15 Jan 2027 08:00:00 GMT")
        return OracleResponse(
            status: status,
            fields: FieldSection([date] + fields),
            content: Array(content.utf8)
        )
    }

    static let all: [SecondRequest] = [
        SecondRequest(
            testDescription: "A fresh no-cache response in place of an error, §5.2.2.4",
            stored: response(200, [("Cache-Control", "no-cache, max-age=60"), ("ETag", "\"1\"")], "one"),
            forwarded: ([("If-None-Match", "\"1\"")], nil),
            right: .failure,
            wrong: .response(
                response(
                    200,
                    [("Cache-Control", "no-cache, max-age=60"), ("ETag", "\"1\""), ("Age", "10")],
                    "one"
                )
            )
        ),
        SecondRequest(
            testDescription:
                "A stale response in place of an error that is no response to a validation, §4.2.4",
            stored: response(200, [("Cache-Control", "max-age=5")], "one"),
            forwarded: ([], response(503, [])),
            right: .response(response(503, [])),
            wrong: .response(response(200, [("Cache-Control", "max-age=5"), ("Age", "10")], "one"))
        ),
        SecondRequest(
            testDescription: "A stale response in place of one that the cache has waited for, §4.3.3",
            stored: response(
                200,
                [("Cache-Control", "max-age=5, stale-while-revalidate=60"), ("ETag", "\"1\"")],
                "one"
            ),
            forwarded: ([("If-None-Match", "\"1\"")], response(200, [("ETag", "\"2\"")], "two")),
            right: .response(response(200, [("ETag", "\"2\"")], "two")),
            wrong: .response(
                response(
                    200,
                    [
                        ("Cache-Control", "max-age=5, stale-while-revalidate=60"), ("ETag", "\"1\""),
                        ("Age", "10"),
                    ],
                    "one"
                )
            )
        ),
        SecondRequest(
            testDescription: "A stored Proxy-Authenticate, §3.1",
            stored: response(
                200,
                [("Cache-Control", "max-age=60"), ("Proxy-Authenticate", "Basic realm=\"a\"")],
                "one"
            ),
            right: .response(response(200, [("Cache-Control", "max-age=60"), ("Age", "10")], "one")),
            wrong: .response(
                response(
                    200,
                    [
                        ("Cache-Control", "max-age=60"), ("Age", "10"),
                        ("Proxy-Authenticate", "Basic realm=\"a\""),
                    ],
                    "one"
                )
            )
        ),
        SecondRequest(
            testDescription: "A 304 for a date that was not asked about, RFC 9110 §13.1.3",
            stored: response(200, [("ETag", "\"1\"")], "one"),
            fields: [("If-Modified-Since", "Fri, 15 Jan 2027 07:00:00 GMT")],
            forwarded: ([("If-None-Match", "\"1\"")], response(304, [("ETag", "\"1\"")])),
            right: .response(response(200, [("ETag", "\"1\"")], "one")),
            wrong: .response(response(304, [("ETag", "\"1\"")]))
        ),
        SecondRequest(
            testDescription: "The rest of a range as if it were the range, RFC 9110 §14.2",
            stored: response(206, [("ETag", "\"1\""), ("Content-Range", "bytes 0-2/6")], "abc"),
            fields: [("Range", "bytes=0-5")],
            forwarded: (
                [("Range", "bytes=3-5"), ("If-Range", "\"1\"")],
                response(206, [("ETag", "\"1\""), ("Content-Range", "bytes 3-5/6")], "def")
            ),
            right: .response(response(206, [("ETag", "\"1\""), ("Content-Range", "bytes 0-5/6")], "abcdef")),
            wrong: .response(response(206, [("ETag", "\"1\""), ("Content-Range", "bytes 3-5/6")], "def"))
        ),
        SecondRequest(
            testDescription: "An Age at which the response is stale, §4.2",
            stored: response(200, [("Cache-Control", "max-age=60"), ("Age", "40")], "one"),
            right: .response(response(200, [("Cache-Control", "max-age=60"), ("Age", "50")], "one")),
            wrong: .response(response(200, [("Cache-Control", "max-age=60"), ("Age", "60")], "one"))
        ),
        SecondRequest(
            testDescription: "A 304 with a field that private excludes, §5.2.2.7",
            stored: response(
                200,
                [("Cache-Control", "max-age=60, private=\"a\""), ("ETag", "\"1\""), ("A", "1")],
                "one"
            ),
            fields: [("If-None-Match", "\"1\"")],
            right: .response(
                response(
                    304,
                    [("Cache-Control", "max-age=60, private=\"a\""), ("ETag", "\"1\""), ("Age", "10")]
                )
            ),
            wrong: .response(
                response(
                    304,
                    [
                        ("Cache-Control", "max-age=60, private=\"a\""), ("ETag", "\"1\""), ("Age", "10"),
                        ("A", "1"),
                    ]
                )
            )
        ),
    ]

    /// Returns the objections of the oracle.
    func objections(_ delivery: Delivery) -> [String] {
        let start = ExchangeSequence.start
        var oracle = CacheOracle(OracleConfiguration(isShared: true))
        let range = stored.status == 206 ? [("Range", "bytes=0-2")] : []
        oracle.arrive(1, request(range), at: start)
        var objections = oracle.forward(1, cause: 1, request(range), at: start)
        oracle.answer(1, stored, at: start)
        objections += oracle.deliver(1, .response(stored), at: start)
        oracle.arrive(2, request(fields), at: start + 10)
        if let forwarded {
            objections += oracle.forward(2, cause: 2, request(forwarded.fields), at: start + 10)
            oracle.answer(2, forwarded.response, at: start + 10, held: true)
        }
        return objections + oracle.deliver(2, delivery, at: start + 10)
    }

    private func request(_ fields: [(String, String)]) -> OracleRequest {
        OracleRequest(method: "GET", target: "http://origin.test/a", fields: FieldSection(fields))
    }
}

@Suite("What the oracle forbids")
struct OracleStrictnessTests {
    @Test("It objects to the wrong response and not to the right one", arguments: SecondRequest.all)
    func delivery(_ second: SecondRequest) {
        #expect(second.objections(second.right) == [])
        #expect(!second.objections(second.wrong).isEmpty)
    }
}
