import CacheSemantics
import Clocks
import Locks
import TestSupport
import Testing

@testable import Audit

@Suite("Answers of caches between audit and origin, RFC 9111 §4", .timeLimit(.minutes(20)))
struct StoredUseTests {
    /// The time between requests, as at the usual pace.
    private static let pause = Duration.milliseconds(500)

    @Test(
        "A Date that stays the same for two seconds or more is of a stored response, which must have Age",
        arguments: [(true, "", ["hit-without-age"]), (true, "Age: 5\r\n", []), (false, "", [])]
    )
    func unchangedDate(isStored: Bool, age: String, found: [String]) async throws {
        let clock = MovableClock(following: SystemClock())
        let date = { @Sendable in
            HTTPDate(secondsSinceEpoch: Int64(clock.timeSinceEpoch.components.seconds)).text
        }
        // That of the first request: on a busy machine it may come long after the start of the test.
        let stored = Lock(String?.none)
        let server = ScriptedServer { _, head in
            defer { clock.advance(by: Self.pause) }
            let first = stored.withLock { stored in
                let first = stored ?? date()
                stored = first
                return first
            }
            let content = head.hasPrefix("HEAD") ? "" : "hello"
            return "HTTP/1.1 200 OK\r\nDate: \(isStored ? first : date())\r\n\(age)"
                + "Content-Type: text/plain\r\nCache-Control: max-age=600\r\nContent-Length: 5\r\n\r\n"
                + content
        }
        defer { server.stop() }
        let settings = impatientSettings { $0.obeysRobots = false }
        let report = try await audit(AuditSources(urls: [server.url + "/file"]), settings, clock: clock)
        let findings = report.findings.filter { !["no-validator", "missing-page-kept"].contains($0.rule) }
        #expect(findings.map(\.rule) == found, "\(findings.map(\.message))")
    }
}
