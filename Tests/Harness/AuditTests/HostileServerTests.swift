import Clocks
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import Audit

/// The clock is the tests' own; servers wait for it, not for time.
@Suite("Slow, endless, malformed and redirecting servers", .timeLimit(.minutes(20)))
struct HostileServerTests {
    private static let start = 1_790_000_000.0

    // MARK: Slow

    struct StallRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
    }

    static let stalls = [
        StallRow(testDescription: "before the head", sent: ""),
        StallRow(testDescription: "within the head", sent: "HTTP/1.1 200 OK\r\nContent-Le"),
        StallRow(testDescription: "after an interim response", sent: "HTTP/1.1 103 Early Hints\r\n\r\n"),
        StallRow(
            testDescription: "within the content",
            sent: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
        ),
        StallRow(
            testDescription: "within a chunk",
            sent: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
        ),
    ]

    @Test("A server that stalls is reported and left when the time of the request is over", arguments: stalls)
    func stall(_ row: StallRow) async throws {
        let clock = VirtualClock(wallSeconds: Self.start)
        let (stalled, closed) = (Lock(false), Lock(false))
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(row.sent)
            set(stalled)
            connection.waitForClose()
            set(closed)
        }
        async let report = audit(AuditSources(urls: [server.url + "/"]), bareSettings(), clock: clock)
        await news.wait { stalled.withLock { $0 } }
        clock.advance(by: .seconds(30))
        let failure = try await report.urls.first?.failure
        #expect(failure == .timedOut(.seconds(30)))
        #expect(try await report.exitStatus == 69)
        await news.wait { closed.withLock { $0 } }
    }

    @Test("Content that arrives a byte a second does not extend the time of the request")
    func drip() async throws {
        let clock = VirtualClock(wallSeconds: Self.start)
        let (began, second) = (Lock(false), Wake())
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            set(began)
            repeat { second.wait() } while connection.send([120]) == 1
        }
        async let report = audit(AuditSources(urls: [server.url + "/"]), bareSettings(), clock: clock)
        await news.wait { began.withLock { $0 } }
        for _ in 0..<30 {
            second.post()
            clock.advance(by: .seconds(1))
        }
        let failure = try await report.urls.first?.failure
        #expect(failure == .timedOut(.seconds(30)))
        // One byte more than the closed connection takes ends the server's thread.
        for _ in 0..<1000 { second.post() }
    }

    @Test("Many slow URLs take no longer than the whole audit may")
    func total() async throws {
        let clock = VirtualClock(wallSeconds: Self.start)
        let requests = Lock(0)
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            requests.withLock { $0 += 1 }
            news.signal()
            connection.waitForClose()
        }
        let urls = (1...40).map { "\(server.url)/\($0)" }
        let result = Lock<AuditReport?>(nil)
        let task = Task {
            let report = try await audit(AuditSources(urls: urls), bareSettings(), clock: clock)
            result.withLock { $0 = report }
            news.signal()
        }
        var seen = 0
        while result.withLock({ $0 == nil }) {
            await news.wait { requests.withLock { $0 } > seen || result.withLock { $0 != nil } }
            seen = requests.withLock { $0 }
            clock.advance(by: .seconds(30))
        }
        try await task.value
        let report = try #require(result.withLock { $0 })
        #expect(report.failures == 40)
        #expect(requests.withLock { $0 } <= 22)
        #expect(clock.elapsed <= .seconds(360))
        let last = report.urls.last?.failure.map { "\($0)" }
        #expect(last == "the limit of 300 s has been reached")
    }

    // MARK: Endless

    @Test("Endless content is read up to the limit, and judged by its head")
    func endlessContent() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\n")
            let piece = [UInt8](repeating: 120, count: 16_384)
            while connection.send(piece) == piece.count {}
        }
        let report = try await audit([server.url + "/"], bareSettings { $0.contentLimit = .bytes(100_000) })
        #expect(report.failures == 0)
        let page = try #require(report.urls.first)
        #expect(page.exchange?.receivedBytes == 100_000)
        #expect(page.exchange?.hasWholeContent == false)
        #expect((1...60).contains(page.outcomes.first?.useSeconds ?? 0))
        let text = AuditReportKind.text.text(of: report, source: "")
        #expect(text.contains("/  200  more than 100.0 kB, which were read\n"), "\(text)")
    }

    @Test("Ranges of content that is longer than what is read are not judged by what was read of it")
    func longContent() async throws {
        var answer = Answer.plainText(String(repeating: "x", count: 300_000)).field("ETag", "\"v1\"")
        answer.ranges = .offered
        let server = try MockServer.started(routes: [.get("/", answer)])
        defer { server.stop() }
        let settings = impatientSettings {
            $0.obeysRobots = false
            $0.contentLimit = .bytes(100_000)
        }
        let report = try await audit([server.url + "/"], settings)
        let rules = report.urls.flatMap(\.findings).map(\.rule)
        #expect(Set(rules).isDisjoint(with: ["unsatisfiable-range", "wrong-range", "416-lacks-length"]))
        let text = AuditReportKind.text.text(of: report, source: "")
        #expect(text.contains("300.0 kB  of which 100.0 kB were read"), "\(text)")
    }

    @Test("An endless head is refused")
    func endlessHead() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n")
            let line = Array("X-Line: \(String(repeating: "a", count: 1000))\r\n".utf8)
            while connection.send(line) == line.count {}
        }
        let report = try await audit([server.url + "/"], bareSettings())
        let reason = report.urls.first?.failure.map { "\($0)" } ?? ""
        #expect(reason.contains("too large a head"), "\(reason)")
    }

    @Test("Endless interim responses end with the time of the request")
    func endlessInterim() async throws {
        let clock = VirtualClock(wallSeconds: Self.start)
        let sent = Lock(0)
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            let interim = Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8)
            // Fewer than libcurl takes for too large a head, however late the clock is moved.
            for _ in 0..<2000 where connection.send(interim) == interim.count {
                sent.withLock { $0 += 1 }
                news.signal()
            }
            _ = connection.readHead()
        }
        async let report = audit(AuditSources(urls: [server.url + "/"]), bareSettings(), clock: clock)
        await news.wait { sent.withLock { $0 } > 1000 }
        clock.advance(by: .seconds(30))
        let failure = try await report.urls.first?.failure
        #expect(failure == .timedOut(.seconds(30)))
    }

    @Test("Redirects without end are followed five times, and are a finding")
    func endlessRedirects() async throws {
        let server = ScriptedServer(answer: { number, _ in
            "HTTP/1.1 302 Found\r\nLocation: /\(number)\r\nContent-Length: 0\r\n\r\n"
        })
        let report = try await audit([server.url + "/"], bareSettings())
        #expect(report.urls.count == 6)
        #expect(report.findings.map(\.rule).contains("redirect-chain"))
    }

    @Test("A cycle of redirects is found once, also if each of its URLs was asked for")
    func loopOfKnownURLs() async throws {
        let server = ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            let next = ["/a": "/b", "/b": "/c", "/c": "/b"]
            let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            connection.send(
                "HTTP/1.1 302 Found\r\nLocation: \(next[target] ?? "/a")\r\nContent-Length: 0\r\n\r\n"
            )
        }
        let report = try await audit(["/a", "/b", "/c"].map { server.url + $0 }, bareSettings())
        #expect(report.findings.map(\.rule).filter { $0 == "redirect-loop" } == ["redirect-loop"])
        #expect(report.urls.count == 3)
        #expect(report.exitStatus == 1)
    }

    // MARK: Malformed

    struct MalformedRow: Sendable, CustomTestStringConvertible {
        let answer: String
        var testDescription: String { answer.replacing("\r\n", with: " ") }
    }

    static let malformedAnswers = [
        "", "nonsense\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno field\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut off",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ].map { MalformedRow(answer: $0) }

    @Test(
        "A malformed response is reported, and other URLs of the server are audited",
        arguments: malformedAnswers
    )
    func malformed(_ row: MalformedRow) async throws {
        let server = ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            let good = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx"
            connection.send(head.hasPrefix("GET /good ") ? good : row.answer)
        }
        let report = try await audit([server.url + "/bad", server.url + "/good"], bareSettings())
        #expect(report.urls.map { $0.failure == nil } == [false, true])
        #expect(report.urls.first?.failure.map { "\($0)".isEmpty } == false)
        #expect(report.exitStatus == 69)
    }

    // MARK: Rate limits

    struct WaitRow: Sendable, CustomTestStringConvertible {
        let head: String
        let seconds: Int
        var testDescription: String { head }
    }

    static let waits = [
        WaitRow(head: "429 Too Many Requests\r\nRetry-After: 2", seconds: 2),
        WaitRow(head: "503 Service Unavailable\r\nRetry-After: 10", seconds: 10),
        // The clock shows 14:13:20.
        WaitRow(head: "429 Too Many Requests\r\nRetry-After: Mon, 21 Sep 2026 14:13:25 GMT", seconds: 5),
        WaitRow(head: "429 Too Many Requests", seconds: 1),
        WaitRow(head: "429 Too Many Requests\r\nRetry-After: soon", seconds: 1),
    ]

    @Test("A short Retry-After is obeyed once (RFC 9110 §10.2.3)", arguments: waits)
    func shortWait(_ row: WaitRow) async throws {
        let clock = VirtualClock(wallSeconds: Self.start)
        let server = ScriptedServer(answer: { number, _ in
            number == 1
                ? "HTTP/1.1 \(row.head)\r\nContent-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        })
        async let report = audit(AuditSources(urls: [server.url + "/"]), bareSettings(), clock: clock)
        while clock.nextDeadline != .seconds(row.seconds) { await Task.yield() }
        clock.advance(by: .seconds(row.seconds))
        #expect(try await report.urls.first?.exchange?.status == 200)
        #expect(try await report.requests == 2)
        #expect(clock.elapsed == .seconds(row.seconds))
    }

    @Test("A server that asks to wait for long gets no further request, and other servers do")
    func longWait() async throws {
        let requests = Lock(0)
        let limited = ScriptedServer(answer: { _, _ in
            requests.withLock { $0 += 1 }
            return "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n"
        })
        let other = ScriptedServer(answer: { _, _ in "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" })
        let urls = [limited.url + "/a", limited.url + "/b", limited.url + "/c", other.url + "/"]
        let report = try await audit(urls, bareSettings { $0.concurrentRequests = 1 })
        #expect(requests.withLock { $0 } == 1)
        #expect(report.urls.map { $0.failure == nil } == [false, false, false, true])
        let reason = report.urls[2].failure.map { "\($0)" } ?? ""
        #expect(reason.contains("answered 429 and asks to wait 120 s"), "\(reason)")
    }

    @Test("A limit that is reached between the probes leaves the verdict on the first response, and says why")
    func limitedProbes() async throws {
        let server = ScriptedServer(answer: { number, _ in
            number <= 3
                ? "HTTP/1.1 200 OK\r\nCache-Control: maxage=60\r\nContent-Length: 1\r\n\r\nx"
                : "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n"
        })
        let report = try await audit([server.url + "/"], impatientSettings { $0.obeysRobots = false })
        let page = try #require(report.urls.first)
        #expect(page.findings.map(\.rule).contains("misspelt-directive"))
        #expect(page.probes == ["repeat"])
        #expect(page.skipped.contains { $0.reason.contains("asks to wait 600 s") })
    }
}

private func set(_ flag: Lock<Bool>) {
    flag.withLock { $0 = true }
    news.signal()
}
