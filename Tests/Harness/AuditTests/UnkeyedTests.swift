import Locks
import TestSupport
import Testing

@testable import Audit

@Suite("Fields outside the cache key, RFC 9110 §12.5.5", .timeLimit(.minutes(20)))
struct UnkeyedTests {
    @Test(
        "Other content is attributed to made-up fields only if no similar request gets other content by itself",
        arguments: ["none", "br", "zstd", "identity"]
    )
    func random(coding: String) async throws {
        let server = ScriptedServer { _, head in
            let isChanged =
                head.contains("X-Forwarded-Proto: https") || head.contains("Accept-Encoding: \(coding)\r\n")
            return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=600\r\n"
                + "Vary: Accept-Encoding\r\nContent-Length: 5\r\n\r\n" + (isChanged ? "other" : "hello")
        }
        defer { server.stop() }
        let settings = impatientSettings { $0.obeysRobots = false }
        let report = try await audit([server.url + "/file"], settings)
        let isFound = report.findings.contains { $0.rule == "unkeyed-field" }
        #expect(isFound == (coding == "none"))
    }

    @Test("Content that differs for the fields once, and not again, is not blamed on them")
    func once() async throws {
        let requests = Lock(0)
        let server = ScriptedServer { _, head in
            let isFirst =
                head.contains("X-Forwarded-Host")
                && requests.withLock { count in
                    count += 1
                    return count == 1
                }
            return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=600\r\n"
                + "Content-Length: 5\r\n\r\n" + (isFirst ? "other" : "hello")
        }
        defer { server.stop() }
        let settings = impatientSettings { $0.obeysRobots = false }
        let report = try await audit([server.url + "/file"], settings)
        #expect(requests.withLock { $0 } == 2)
        #expect(!report.findings.contains { $0.rule == "unkeyed-field" })
    }
}
