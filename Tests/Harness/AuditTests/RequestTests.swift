import CacheClient
import Clocks
import HTTPServing
import HTTPTypes
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import Audit

@Suite("Requests of an audit", .timeLimit(.minutes(20)))
struct RequestTests {
    @Test("Requests to one host begin half a second apart")
    func rate() async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let limiter = AuditLimiter(AuditSettings(), clock: clock)
        let all = Task {
            for _ in 0..<5 { _ = await limiter.admit("a.example") }
            return clock.elapsed
        }
        for _ in 0..<4 {
            await clock.waitForSleeper()
            clock.advanceToNextDeadline()
        }
        #expect(await all.value == .seconds(2))
    }

    @Test("A URL is requested once, and its host is one, however they are written (RFC 9110 §4.2.3)")
    func equivalent() async throws {
        let server = try MockServer.started(routes: [Route("/a", Answer(body: "a"))])
        defer { server.stop() }
        let url = server.url.replacing("127.0.0.1", with: "localhost")
        let shouted = url.replacing("localhost", with: "LocalHost")
        let urls = [url + "/a", shouted + "/a", url + "/b/../a", url + "/a#part", url, shouted + "/"]
        let report = try await audit(urls, impatientSettings { $0.makesProbes = false })
        #expect(report.urls.map(\.url) == [url + "/a", url + "/"])
        #expect(server.journal().map(\.request.target).sorted() == ["/", "/a", "/robots.txt"])
    }

    @Test("Another host does not wait")
    func otherHost() async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let limiter = AuditLimiter(AuditSettings(), clock: clock)
        _ = await limiter.admit("a.example")
        _ = await limiter.admit("b.example")
        #expect(clock.elapsed == .zero)
    }

    @Test("Neither more requests nor more time than the limits are used")
    func limits() async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let limiter = AuditLimiter(impatientSettings { $0.requestLimit = 1 }, clock: clock)
        #expect(await limiter.admit("a.example") == nil)
        #expect(await limiter.admit("a.example") == "the limit of 1 request has been reached")
        let late = AuditLimiter(impatientSettings(), clock: clock)
        clock.advance(by: .seconds(300))
        #expect(await late.admit("a.example") == "the limit of 300 s has been reached")
    }

    /// Returns the answer to a probe in HTTP/1.0, or to any other request.
    private static func answer(_ head: String, old: String, new: String) -> String {
        let isOld = head.contains(" HTTP/1.0\r\n")
        guard !head.contains("robots"), !head.contains("/cachecheck-") else {
            return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        }
        return "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Type: text/plain\r\n" + (isOld ? old : new)
    }

    @Test(
        "What HTTP/1.0 gets is compared with what HTTP/1.1 gets",
        arguments: [
            (
                "Cache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                ["chunks-for-1.0"]
            ),
            ("Cache-Control: no-store\r\nContent-Length: 1\r\n\r\nx", ["version-changes-policy"]),
            (
                "Cache-Control: max-age=60\r\nVary: Via\r\nContent-Length: 1\r\n\r\nx",
                ["version-changes-policy"]
            ),
            ("Cache-Control: max-age=60\r\nContent-Length: 1\r\n\r\nx", []),
        ]
    )
    func oldVersion(_ old: String, rules: [String]) async throws {
        let new = "Cache-Control: max-age=60\r\nContent-Length: 1\r\n\r\nx"
        let server = ScriptedServer(answer: { _, head in Self.answer(head, old: old, new: new) })
        let report = try await audit([server.url + "/a"])
        let found = report.findings.map(\.rule).filter { AuditRule.ofTargets.map(\.id).contains($0) }
        #expect(found == rules)
        let page = try #require(report.urls.first { !$0.isMadeUp })
        #expect(page.answers["http-1.0"]?.status == 200)
    }

    @Test("robots.txt decides which URLs are requested")
    func robots() async throws {
        let server = try MockServer.started(routes: [
            Route("/robots.txt", Answer(body: "User-agent: *\nDisallow: /private\n")),
            Route("/private/a", Answer(body: "secret")),
        ])
        defer { server.stop() }
        let report = try await audit([server.url + "/private/a"])
        #expect(report.urls.first.flatMap(\.failure).map { "\($0)".contains("robots.txt disallows") } == true)
        #expect(server.journal().allSatisfy { $0.request.target == "/robots.txt" })
    }

    struct RobotsAnswerRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The answer to /robots.txt.
        let answer: String
        /// Why /private is not requested; `nil` if it is.
        let reason: String?
    }

    private static func content(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    private static func redirect(_ target: String) -> String {
        "HTTP/1.1 301 Moved Permanently\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n"
    }

    static let robotsAnswers = [
        RobotsAnswerRow(
            testDescription: "404",
            answer: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            reason: nil
        ),
        RobotsAnswerRow(
            testDescription: "503",
            answer: "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
            reason: "answered 503, which forbids all requests"
        ),
        RobotsAnswerRow(
            testDescription: "malformed",
            answer: "nonsense\r\n\r\n",
            reason: "cannot be read, which forbids all requests"
        ),
        RobotsAnswerRow(
            testDescription: "moved",
            answer: redirect("/rules"),
            reason: "robots.txt disallows the URL"
        ),
        RobotsAnswerRow(testDescription: "moved for ever", answer: redirect("/robots.txt"), reason: nil),
    ]

    @Test(
        "What robots.txt says counts behind redirects, and if it cannot be read nothing is requested (RFC 9309 §2.3.1)",
        arguments: robotsAnswers
    )
    func robotsAnswer(_ row: RobotsAnswerRow) async throws {
        let server = ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            switch head.split(separator: " ").dropFirst().first {
            case "/robots.txt": connection.send(row.answer)
            case "/rules": connection.send(Self.content("User-agent: *\nDisallow: /private\n"))
            default: connection.send(Self.content("x"))
            }
        }
        let report = try await audit([server.url + "/private"], impatientSettings { $0.makesProbes = false })
        let reason = report.urls.first?.failure.map { "\($0)" }
        guard let expected = row.reason else {
            #expect(reason == nil)
            return
        }
        #expect(reason?.contains(expected) == true, "\(reason ?? "none")")
    }

    struct RobotsRow: Sendable, CustomTestStringConvertible {
        let text: String
        let target: String
        let isAllowed: Bool
        var testDescription: String { "\(text.split(separator: "\n")) \(target)" }
    }

    static let robotsRows: [RobotsRow] = [
        RobotsRow(text: "", target: "/", isAllowed: true),
        RobotsRow(text: "User-agent: *\nDisallow:", target: "/a", isAllowed: true),
        RobotsRow(text: "User-agent: *\nDisallow: /", target: "/a", isAllowed: false),
        RobotsRow(text: "User-agent: other\nDisallow: /", target: "/a", isAllowed: true),
        RobotsRow(
            text: "User-agent: *\nDisallow: /\nUser-agent: cachecheck-audit\nAllow: /",
            target: "/a",
            isAllowed: true
        ),
        RobotsRow(text: "User-agent: *\nDisallow: /a\nAllow: /a/b", target: "/a/b/c", isAllowed: true),
        RobotsRow(text: "User-agent: *\nDisallow: /*.php$", target: "/x/a.php", isAllowed: false),
        RobotsRow(text: "User-agent: *\nDisallow: /*.php$", target: "/x/a.php?b", isAllowed: true),
        RobotsRow(
            text: "User-agent: a\nUser-agent: *\nDisallow: /x # all of it",
            target: "/xy",
            isAllowed: false
        ),
        RobotsRow(text: "\u{FEFF}User-agent: *\nDisallow: /", target: "/a", isAllowed: false),
        RobotsRow(text: "User-agent: *\nDisallow: /%7ea%2fb", target: "/~a%2Fb", isAllowed: false),
        RobotsRow(text: "User-agent: *\nDisallow: /a/b", target: "/a%2Fb", isAllowed: true),
        RobotsRow(text: "User-agent: *\nDisallow: /~a", target: "/%7Ea/b", isAllowed: false),
        RobotsRow(text: "User-agent: *\nDisallow: /ä", target: "/%C3%A4/b", isAllowed: false),
        RobotsRow(text: "User-agent: *\nDisallow: /100%", target: "/100%/b", isAllowed: false),
    ]

    @Test("The longest rule of the group decides (RFC 9309 §2.2.2)", arguments: robotsRows)
    func robotsRules(_ row: RobotsRow) {
        #expect(RobotsFile(row.text, for: "cachecheck-audit").allows(row.target) == row.isAllowed)
    }
}
