import Clocks
import HTTPServing
import MockOrigin
import OriginScript
import Testing

@Suite("The origin without a socket", .timeLimit(.minutes(20)))
struct DirectExchangeTests {
    private func response(_ reply: DirectReply) -> DirectResponse? {
        if case .response(let response) = reply { response } else { nil }
    }

    @Test("The same script answers, with or without the prefix")
    func sameScript() async throws {
        let fixture = try MockServerFixture(.text("one") { $0.entityTag = .literal("\"v1\"") })
        let first = await fixture.namespace.answer(DirectRequest(method: "GET", target: "/a?x=1"))
        #expect(response(first)?.body == Array("one".utf8))
        let match = [ServedField("If-None-Match", "\"v1\"")]
        let second = await fixture.namespace.answer(
            DirectRequest(method: "GET", target: "/-/t/a", fields: match)
        )
        #expect(response(second)?.head.status == 304)
        let record = fixture.namespace.record()
        #expect(record.map(\.path) == ["/a", "/a"])
        #expect(record.map(\.query) == ["x=1", nil])
        #expect(record.map(\.status) == [200, 304])
        #expect(record.allSatisfy { $0.isEnded && !$0.isAborted && !$0.isReused })
    }

    @Test(
        "A target longer than a server accepts is refused before the script",
        arguments: [(4096, 200), (4097, 414)]
    )
    func longTarget(length: Int, status: Int) async throws {
        let fixture = try MockServerFixture(.text("one"))
        let target = "/" + String(repeating: "a", count: length - 1)
        let reply = await fixture.namespace.answer(DirectRequest(method: "GET", target: target))
        #expect(response(reply)?.head.status == status)
        #expect(fixture.namespace.record().map(\.status) == [status])
    }

    @Test("A delay passes on the scenario's clock and counts as parked")
    func delay() async throws {
        let fixture = try MockServerFixture(.text("one") { $0.delay = .seconds(60) })
        let reply = Task { await fixture.namespace.answer(DirectRequest(method: "GET", target: "/a")) }
        await fixture.wait { fixture.namespace.directExchanges.parked == 1 }
        await fixture.clock.waitForSleeper()
        fixture.clock.advanceToNextDeadline()
        #expect(response(await reply.value)?.body == Array("one".utf8))
        #expect(fixture.namespace.directExchanges == (0, 0))
    }

    @Test("A cancelled task aborts the exchange")
    func cancel() async throws {
        let fixture = try MockServerFixture(.with { $0.faults = [Fault(.stall(.forever), at: .beforeHead)] })
        let reply = Task { await fixture.namespace.answer(DirectRequest(method: "GET", target: "/a")) }
        await fixture.wait { fixture.namespace.directExchanges.parked == 1 }
        reply.cancel()
        guard case .none(.cancelled) = await reply.value else {
            Issue.record("expected no response")
            return
        }
        #expect(fixture.namespace.record()[0].isAborted)
    }

    @Test(
        "Faults end the exchange as they would end a connection",
        arguments: [
            (Fault(.close, at: .head), DirectEnd.closed), (Fault(.reset, at: .head, byte: 9), .reset),
            (Fault(.close, at: .body, byte: 2), .closed), (Fault(.reset, at: .body, byte: 2), .reset),
        ]
    )
    func faults(fault: Fault, end: DirectEnd) async throws {
        let fixture = try MockServerFixture(.text("one") { $0.faults = [fault] })
        switch await fixture.namespace.answer(DirectRequest(method: "GET", target: "/a")) {
        case .none(let seen): #expect(seen == end)
        case .response(let response):
            #expect(response.end == end)
            #expect(response.body == Array("on".utf8))
        }
    }
}
