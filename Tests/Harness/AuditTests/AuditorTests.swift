import CacheClient
import Clocks
import LocatedYAML
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import Audit

@Suite("Auditors in other programs", .timeLimit(.minutes(20)))
struct AuditorTests {
    @Test(
        "An audit without sources requests the URLs of its policy, and judges them by it and by the baseline"
    )
    func policyAndBaseline() async throws {
        let answer = Answer.plainText("hello").field("Set-Cookie", "id=1").cacheControl("public, max-age=60")
        let server = try MockServer.started(routes: [.get("/", answer)])
        defer { server.stop() }
        let text = """
            site: \(server.url)
            urls: [/]
            rules: [{match: "/", expect: {private: revalidates}}]
            """
        let policy = try AuditPolicy(text: text, file: "policy.yaml")
        let baseline = try AuditBaseline(text: "shared-cookie \(server.url)/: known", file: "accepted")
        let auditor = try Auditor(bareSettings(), policy: policy)
        let report = try await auditor.report(accepting: baseline)
        let url = try #require(report.urls.first)
        #expect((report.urls.count, url.url, url.status) == (1, server.url + "/", 200))
        #expect(url.findings.first { $0.ruleID == "shared-cookie" }?.ignored == "known")
        #expect(report.findings.filter { $0.severity == .error }.map(\.ruleID) == ["policy"])
        #expect(!report.isSatisfied)
    }

    @Test("What cannot be audited has a reason, and its report is not satisfied")
    func failure() async throws {
        let auditor = try Auditor(bareSettings())
        let report = try await auditor.report(on: AuditSources(urls: ["ftp://a.example/"]))
        #expect(report.urls.map(\.failureReason) == ["it is not an absolute http or https URL"])
        #expect(!report.isSatisfied)
    }

    @Test(
        "An audit whose task is cancelled gives up the request that waits for an answer, and throws",
        arguments: [false, true]
    )
    func cancellation(obeyingRobots: Bool) async throws {
        let (asked, askedDone) = AsyncStream<Void>.makeStream()
        let (closed, closedDone) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            askedDone.finish()
            connection.waitForClose()
            closedDone.finish()
        }
        let auditor = try Auditor(bareSettings { $0.obeysRobots = obeyingRobots })
        let audit = Task { try await auditor.report(on: AuditSources(urls: [server.url + "/"])) }
        for await _ in asked {}
        audit.cancel()
        await #expect(throws: CancellationError.self) { try await audit.value }
        for await _ in closed {}
    }

    @Test("An audit whose task is cancelled no longer waits until its rate allows the next request")
    func cancelledWait() async throws {
        let server = try MockServer.started(routes: [.get("/**", .plainText("hello"))])
        defer { server.stop() }
        let settings = bareSettings { ($0.requestsPerSecond, $0.concurrentRequests) = (0.5, 1) }
        let transport = try CurlTransport(connectionsPerHost: 1)
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let auditor = Auditor(settings, transport: transport, clock: clock)
        let (noted, noteDone) = AsyncStream<String>.makeStream()
        let audit = Task {
            let sources = AuditSources(urls: ["/a", "/b"].map { server.url + $0 })
            return try await auditor.report(on: sources) { noteDone.yield($0.url) }
        }
        var notes = noted.makeAsyncIterator()
        #expect(await notes.next() == server.url + "/a")
        audit.cancel()
        await #expect(throws: CancellationError.self) { try await audit.value }
        #expect(server.journal().count == 1)
    }

    @Test("A rate of nothing or less is no limit", arguments: [nil, 0, -1])
    func rates(_ rate: Double?) async {
        let clock = VirtualClock(wallSeconds: 1_790_000_000)
        let limiter = AuditLimiter(impatientSettings { $0.requestsPerSecond = rate }, clock: clock)
        for _ in 1...3 { #expect(await limiter.admit("a.example") == nil) }
    }

    /// Returns the response of a server that compares the bytes of entity tags, which are not UTF-8 here.
    private static func response(to head: [UInt8], noting conditions: Lock<Set<String>>) -> [UInt8] {
        let tag: [UInt8] = [0x22, 0x76, 0xE9, 0x22]
        let content = Array("the content of a file that is long enough for ranges".utf8)
        let lines = head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
        func value(_ name: String) -> ArraySlice<UInt8>? {
            lines.first { $0.starts(with: "\(name): ".utf8) }?.dropFirst(name.utf8.count + 2)
        }
        var (status, part, range) = ("200 OK", content[...], "")
        if let asked = value("If-None-Match"),
            asked == [0x2A] || asked.reversed().starts(with: tag.reversed())
        {
            conditions.withLock { _ = $0.insert("If-None-Match") }
            status = "304 Not Modified"
        } else if let asked = value("Range"), value("If-Range").map({ $0.elementsEqual(tag) }) ?? true {
            if value("If-Range") != nil { conditions.withLock { _ = $0.insert("If-Range") } }
            let text = String(decoding: asked.drop { $0 != 0x3D }.dropFirst(), as: UTF8.self)
            let bounds = text.split(separator: "-").compactMap { Int($0) }
            guard bounds.count == 2, bounds[0] < content.count else {
                return Array(
                    "HTTP/1.1 416 No\r\nContent-Range: bytes */\(content.count)\r\nContent-Length: 0\r\n\r\n"
                        .utf8
                )
            }
            part = content[bounds[0]...min(bounds[1], content.count - 1)]
            status = "206 Partial Content"
            range = "Content-Range: bytes \(part.startIndex)-\(part.endIndex - 1)/\(content.count)\r\n"
        }
        let length = status.hasPrefix("304") ? "" : "Content-Length: \(part.count)\r\n"
        let fields = "Cache-Control: max-age=600\r\nAccept-Ranges: bytes\r\n\(range)\(length)ETag: "
        let hasContent = !status.hasPrefix("304") && !head.starts(with: "HEAD".utf8)
        return Array("HTTP/1.1 \(status)\r\n\(fields)".utf8) + tag + Array("\r\n\r\n".utf8)
            + (hasContent ? part : [])
    }

    @Test(
        "Probes send the bytes of an entity tag that is not UTF-8, and find nothing wrong with a server that compares them"
    )
    func tagBytes() async throws {
        let conditions = Lock(Set<String>())
        let server = ScriptedServer { connection in
            while let head = connection.readHeadBytes() {
                connection.send(Self.response(to: head, noting: conditions))
            }
        }
        defer { server.stop() }
        let report = try await audit([server.url + "/"], impatientSettings { $0.obeysRobots = false })
        #expect(conditions.withLock { $0 } == ["If-None-Match", "If-Range"])
        let ofTags = [
            "etag-not-validated", "weak-comparison", "etag-list", "etag-star", "304-other-etag",
            "if-range-refused",
        ]
        #expect(report.findings.map(\.rule).filter { ofTags.contains($0) } == [])
    }

    @Test("An archive that is none is a problem in its file")
    func badArchive() {
        var audit = ArchiveAudit()
        #expect(throws: YAMLProblems.self) { try audit.add(har: "[]", file: "a.har") }
        #expect(audit.report.urls.isEmpty)
    }
}
