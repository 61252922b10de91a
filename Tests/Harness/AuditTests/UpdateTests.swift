import CacheSemantics
import Testing

@testable import Audit

@Suite("Fields of a 304 or a 206 that contradict the 200, RFC 9110 §15.3.7 and §15.4.5")
struct UpdateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let whole: [String: String]
        let answer: [String: String]
        var found: [String] = []
    }

    /// 1,790,000,000 s after 1970, when the 200 is received; the other answer is received ten seconds later.
    private static let date = "Mon, 21 Sep 2026 14:13:20 GMT"
    private static let later = "Mon, 21 Sep 2026 14:13:30 GMT"

    static let rows = [
        Row(
            testDescription: "the same directives in other words",
            whole: ["Cache-Control": "public, max-age=300"],
            answer: ["Cache-Control": "Max-Age=300"]
        ),
        Row(
            testDescription: "a lifetime that counts down",
            whole: ["Cache-Control": "max-age=300"],
            answer: ["Cache-Control": "max-age=290"]
        ),
        Row(
            testDescription: "a lifetime that is shorter by more than the time since the 200",
            whole: ["Cache-Control": "max-age=300"],
            answer: ["Cache-Control": "max-age=280"],
            found: [
                "a shared cache keeps what the 304 updates (Cache-Control: max-age=280) for 280 s, "
                    + "and keeps the 200 alone for 5 min"
            ]
        ),
        Row(
            testDescription: "a longer lifetime for shared caches",
            whole: ["Cache-Control": "max-age=60"],
            answer: ["Cache-Control": "max-age=60, s-maxage=120"],
            found: [
                "a shared cache keeps what the 304 updates (Cache-Control: max-age=60, s-maxage=120) for 2 min, "
                    + "and keeps the 200 alone for 1 min"
            ]
        ),
        Row(
            testDescription: "no-cache",
            whole: ["Cache-Control": "max-age=60"],
            answer: ["Cache-Control": "no-cache"],
            found: [
                "a shared cache validates what the 304 updates (Cache-Control: no-cache) at each use, "
                    + "and keeps the 200 alone for 1 min"
            ]
        ),
        Row(
            testDescription: "private",
            whole: ["Cache-Control": "max-age=60"],
            answer: ["Cache-Control": "private, max-age=60"],
            found: [
                "a shared cache does not store what the 304 updates (Cache-Control: private, max-age=60), "
                    + "and keeps the 200 alone for 1 min"
            ]
        ),
        Row(
            testDescription: "another lifetime for delivery networks",
            whole: ["CDN-Cache-Control": "max-age=60", "Cache-Control": "no-store"],
            answer: ["CDN-Cache-Control": "max-age=90", "Cache-Control": "no-store"],
            found: [
                "a cache that obeys CDN-Cache-Control keeps what the 304 updates (CDN-Cache-Control: max-age=90) "
                    + "for 90 s, and keeps the 200 alone for 1 min"
            ]
        ),
        Row(
            testDescription: "an Expires at a fixed time",
            whole: ["Expires": "Mon, 21 Sep 2026 18:00:00 GMT"],
            answer: ["Expires": "Mon, 21 Sep 2026 18:00:00 GMT"]
        ),
        Row(
            testDescription: "an Expires that follows Date",
            whole: ["Expires": "Mon, 21 Sep 2026 15:13:20 GMT"],
            answer: ["Expires": "Mon, 21 Sep 2026 15:13:30 GMT"]
        ),
        Row(
            testDescription: "an Expires whose second began after that of Date",
            whole: ["Expires": "Mon, 21 Sep 2026 15:13:20 GMT"],
            answer: ["Expires": "Mon, 21 Sep 2026 15:13:31 GMT"]
        ),
        Row(
            testDescription: "an Expires of now, where the 200 has one of an hour later",
            whole: ["Expires": "Mon, 21 Sep 2026 15:13:20 GMT"],
            answer: ["Expires": later],
            found: [
                "a shared cache keeps what the 304 updates (Expires: \(later)) for 0 s, "
                    + "and keeps the 200 alone for 1 h"
            ]
        ),
        Row(
            testDescription: "a Vary in another order",
            whole: ["Vary": "Accept-Encoding, Origin"],
            answer: ["Vary": "origin,accept-encoding"]
        ),
        Row(
            testDescription: "a Vary with another field",
            whole: ["Vary": "Accept-Encoding"],
            answer: ["Vary": "Accept-Encoding, Origin"],
            found: ["the 304 has Vary: Accept-Encoding, Origin, the 200 Vary: Accept-Encoding"]
        ),
        Row(
            testDescription:
                "the same type without its parameter, and an Age, which is not of the representation",
            whole: ["Content-Type": "text/html; charset=utf-8"],
            answer: ["Content-Type": "text/html", "Age": "7"]
        ),
        Row(
            testDescription: "a coding that the stored content does not have",
            whole: [:],
            answer: ["Content-Encoding": "gzip"],
            found: ["the 304 has Content-Encoding: gzip, the 200 no Content-Encoding"]
        ),
        Row(
            testDescription: "a Last-Modified of now",
            whole: ["Last-Modified": date],
            answer: ["Last-Modified": later],
            found: ["the 304 has Last-Modified: \(later), the 200 Last-Modified: \(date)"]
        ),
    ]

    @Test(
        "What caches do differently, or describe differently, after an update is found, however it is written",
        arguments: rows
    )
    func differences(_ row: Row) {
        let whole = exchange("/file", row.whole)
        let found = Probe.differences(context(whole), whole, answer(row), "the 304")
        #expect(found == row.found)
    }

    @Test(
        "Directives are not compared where similar requests get different ones",
        arguments: ["repeat", "identity", "brotli", "zstd"]
    )
    func unsteady(probe: String) {
        let whole = exchange("/file", ["Cache-Control": "max-age=300"])
        var context = context(whole)
        context.answers[probe] = exchange("/file", ["Cache-Control": "max-age=200"])
        let row = Row(testDescription: "", whole: [:], answer: ["Cache-Control": "no-store"])
        #expect(Probe.differences(context, whole, answer(row), "the 304").isEmpty)
    }

    private func context(_ whole: AuditedExchange) -> ProbeContext {
        ProbeContext(
            first: whole,
            shared: CacheOutcome(whole.explained, in: .shared),
            browser: CacheOutcome(whole.explained, in: .browser),
            answers: ["repeat": whole],
            token: "test"
        )
    }

    private func answer(_ row: Row) -> AuditedExchange {
        var answer = exchange("/file", row.answer.merging(["Date": Self.later]) { $1 }, status: 304)
        let moment = answer.responseTime.advanced(by: 10)
        (answer.requestTime, answer.responseTime) = (moment, moment)
        return answer
    }
}
