import Testing
import TestSupport

@testable import FaultProxy

@Suite("How exchanges end in a proxy's journal", .timeLimit(.minutes(20)), .blocking)
struct JournalEndTests {
    @Test(
        "Pipelined requests that get no response end in the journal like their connection",
        arguments: [
            ("reset@body:2", "reset"), ("close@before-head", "close"), ("half-close@body:2", "half-close"),
        ]
    )
    func unanswered(fault: String, end: String) throws {
        let rules = "rules:\n  - {path: /big, answer: \(fault)}\n  - {path: /own, answer: {status: 503}}"
        let file = try ProxyRuleFile.decode(rules, path: "r.yaml")
        let stage = try ProxyStage(configure: { ($0.rules, $0.keepsJournal) = (file, true) }) { connection in
            // Only then all of them have been passed on.
            for _ in 0..<2 { _ = connection.readHead() }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        }
        defer { stage.stop() }
        let client = try stage.client()
        let paths = ["/big", "/big", "/own"]
        try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        _ = try? client.read(through: "\r\n\r\n")
        client.close()
        #expect(try ends(3, of: stage) == [end, end, end])
    }

    @Test("A request whose upstream ends without a response ends in the journal")
    func upstreamEnded() throws {
        let stage = try ProxyStage(configure: { $0.keepsJournal = true }) { _ = $0.readHead() }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.isAtEnd())
        client.close()
        #expect(try ends(1, of: stage) == ["upstream ended"])
    }

    @Test("A request whose client leaves before the response ends in the journal")
    func clientGone() throws {
        let stage = try ProxyStage(configure: { $0.keepsJournal = true }) { connection in
            while connection.readHead() != nil {}
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        // The request has arrived.
        let journal = try #require(stage.proxy.context.journal)
        let limit = ContinuousClock.now + .seconds(20)
        while journal.entries.entries.isEmpty, ContinuousClock.now < limit {}
        client.reset()
        #expect(try ends(1, of: stage) == ["client gone"])
    }

    /// Returns the ends of a journal's exchanges, once it has `count` and all have.
    private func ends(_ count: Int, of stage: ProxyStage) throws -> [String?] {
        let journal = try #require(stage.proxy.context.journal)
        let limit = ContinuousClock.now + .seconds(20)
        var ends: [String?] = []
        repeat {
            ends = journal.entries.entries.map(\.ended)
        } while (ends.count < count || ends.contains(nil))
            && ContinuousClock.now < limit
        return ends
    }
}
