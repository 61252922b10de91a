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

@Suite("Requests of an audit", .timeLimit(.minutes(5)))
struct RequestTests {
    @Test("Requests to one host begin half a second apart")
    func rate() async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let gate = RequestGate(AuditSettings(), clock: clock)
        let all = Task {
            for _ in 0..<5 { _ = await gate.admit("a.example") }
            return clock.elapsed
        }
        for _ in 0..<4 {
            await clock.waitForSleeper()
            clock.advanceToNextDeadline()
        }
        #expect(await all.value == .seconds(2))
    }

    @Test("Another host does not wait")
    func otherHost() async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let gate = RequestGate(AuditSettings(), clock: clock)
        _ = await gate.admit("a.example")
        _ = await gate.admit("b.example")
        #expect(clock.elapsed == .zero)
    }

    @Test("Neither more requests nor more time than the limits are used")
    func limits() async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let gate = RequestGate(impatientSettings { $0.requests = 1 }, clock: clock)
        #expect(await gate.admit("a.example") == nil)
        #expect(await gate.admit("a.example") == "the limit of 1 request is reached")
        let late = RequestGate(impatientSettings(), clock: clock)
        clock.advance(by: .seconds(300))
        #expect(await late.admit("a.example") == "the limit of 300 s is reached")
    }

    @Test("A server that never answers is reported when the time of the request is over")
    func silent() async throws {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let transport = SilentTransport()
        let fetcher = Fetcher(transport: transport, clock: clock, contentBytes: 1000)
        let request = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/")
        async let result = fetcher.fetch(request, addresses: nil, within: .seconds(30))
        await clock.waitForSleeper()
        clock.advance(by: .seconds(30))
        guard case .failure(let failure) = await result else {
            Issue.record("a response came")
            return
        }
        #expect("\(failure)" == "no complete response within 30 s")
    }

    @Test("Endless content is read up to the limit, and judged by its head")
    func endless() async throws {
        let server = try MockServer.started(routes: [
            Route(
                "/endless",
                Answer(
                    fields: ["Cache-Control": "max-age=60"],
                    body: .text(String(repeating: "x", count: 100_000))
                )
            )
        ])
        defer { server.stop() }
        let report = try await audit(
            [server.url + "/endless"],
            impatientSettings {
                $0.contentBytes = 1000
                $0.probes = false
            }
        )
        #expect(report.failures == 0)
        #expect(report.urls.first?.exchange?.receivedBytes == 1000)
        #expect(report.urls.first?.exchange?.hasWholeContent == false)
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

    @Test("A malformed response is reported, and the audit goes on")
    func malformed() async throws {
        let server = ScriptedServer(answer: { _, _ in "nonsense\r\n\r\n" })
        let report = try await audit([server.url + "/"])
        #expect(report.failures == 1)
        #expect(report.exitStatus == 69)
    }

    @Test("A server that asks to wait for long gets no further request")
    func rateLimiting() async throws {
        let heads = Lock(0)
        let server = ScriptedServer(answer: { _, head in
            if !head.contains("robots") { heads.withLock { $0 += 1 } }
            return "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n"
        })
        let report = try await audit(
            [server.url + "/a", server.url + "/b"],
            impatientSettings { $0.obeysRobots = false }
        )
        #expect(heads.withLock { $0 } <= 2)
        #expect(report.failures == 2)
        #expect(report.urls.first.flatMap(\.failure).map { "\($0)".contains("asks to wait 120 s") } == true)
    }

    @Test("A redirect from a public host to a private address is not followed")
    func privateAddress() {
        var trail = RedirectTrail(["http://public.example/"], limit: 5)
        let target = trail.take()[0]
        var source = AuditedURL(url: target.url)
        source.exchange = exchange("/", ["Location": "http://10.0.0.1/"], status: 302)
        trail.add(source, of: target, isPrivate: false)
        let next = trail.take()
        #expect(next.map(\.mayBePrivate) == [false])
        var refused = AuditedURL(url: "http://10.0.0.1/")
        refused.failure = .privateAddress("10.0.0.1 is not a public address")
        trail.add(refused, of: next[0], isPrivate: false)
        #expect(trail.results.map(\.url) == ["http://public.example/"])
        #expect(trail.results[0].findings.map(\.rule) == ["redirect-to-private"])
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
    ]

    @Test("The longest rule of the group decides (RFC 9309 §2.2.2)", arguments: robotsRows)
    func robotsRules(_ row: RobotsRow) {
        #expect(RobotsFile(row.text, for: "cachecheck-audit").allows(row.target) == row.isAllowed)
    }
}

/// Never answers.
private final class SilentTransport: Transport {
    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        SilentExchange()
    }
}

private final class SilentExchange: TransportExchange {
    func resume() {}
    func cancel() {}
}
