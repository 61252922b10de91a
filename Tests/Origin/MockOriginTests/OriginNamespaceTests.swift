import Clocks
import HTTPServing
import OriginScript
import Testing
import TestSupport

@testable import MockOrigin

@Suite("A scenario's namespace at the mock server", .timeLimit(.minutes(20)), .blocking)
struct OriginNamespaceTests {
    @Test("An answer is sent as scripted, with a Date of the scenario's clock and nothing else")
    func exactBytes() throws {
        let fixture = try MockServerFixture(
            .text("one") { $0.fields = [FieldLine("Cache-Control", .text("max-age=60"))] }
        )
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        let expected =
            "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nCache-Control: max-age=60\r\n"
            + "Content-Length: 3\r\n\r\none"
        #expect(try String(decoding: client.read(count: expected.utf8.count), as: UTF8.self) == expected)
    }

    @Test("Closing a namespace keeps the one that has replaced it with the same token")
    func replaced() throws {
        let fixture = try MockServerFixture(.text("one"))
        let next = fixture.server.open(
            token: "t",
            routes: [Route(label: "1", answers: [.text("two")])],
            clock: fixture.clock,
            startedAt: MockServerFixture.begin
        )
        for _ in 0..<2 { fixture.namespace.close() }
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        #expect(try client.response().text == "two")
        next.close()
        let other = try fixture.client()
        try other.request("GET", "/-/t/a")
        #expect(try other.response().status == 404)
    }

    @Test("Faults of connections end with their namespace, also if another one takes its token")
    func replacedGate() throws {
        let fixture = try MockServerFixture(.text("one"))
        let next = try MockServerFixture(.text("two")).namespace
        var table = MountTable()
        #expect(table.add("t", fixture.namespace, isGate: true) == nil)
        #expect(table.gate === fixture.namespace)
        #expect(table.add("t", next, isGate: false) == nil)
        #expect(table.gate == nil && table["t"] === next)
    }

    @Test("The n-th request gets the n-th answer and the last repeats")
    func answersInOrder() throws {
        let fixture = try MockServerFixture(.text("one"), .text("two"))
        let client = try fixture.client()
        let bodies = try (1...3).map { _ in
            try client.request("GET", "/-/t/a")
            return try client.response().text
        }
        #expect(bodies == ["one", "two", "two"])
    }

    @Test("Ordinary answers and a 304 leave the connection open for the next request")
    func keepAlive() throws {
        let fixture = try MockServerFixture(.text("one") { $0.entityTag = .literal("\"v1\"") })
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        #expect(try client.response().status == 200)
        try client.request("GET", "/-/t/a", ["If-None-Match: \"v1\""])
        let second = try client.response()
        #expect(second.status == 304)
        #expect(second["Content-Length"] == nil)
        try client.request("GET", "/-/t/b")
        #expect(try client.response().text == "one")
        let record = fixture.namespace.record()
        #expect(record.map(\.connection) == [1, 1, 1])
        #expect(record.map(\.isReused) == [false, true, true])
        #expect(record.map(\.path) == ["/a", "/a", "/b"])
    }

    @Test("A custom reason phrase, an empty value and a 103 reach the client")
    func bytesThatTheLibraryRefuses() throws {
        let fixture = try MockServerFixture(
            .text("") { answer in
                answer.status = 418
                answer.reason = "Short And Stout"
                answer.fields = [FieldLine("Vary", .text(""))]
                answer.interim = [InterimAnswer(status: 103, fields: [FieldLine("Link", .text("</a>"))])]
            }
        )
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        let interim = try client.response()
        #expect(interim.statusLine == "HTTP/1.1 103 Early Hints")
        #expect(interim["Link"] == "</a>")
        let final = try client.response()
        #expect(final.statusLine == "HTTP/1.1 418 Short And Stout")
        #expect(final["Vary"] == "")
    }

    @Test("The head has been sent when the content stalls")
    func headBeforeStall() async throws {
        let fixture = try MockServerFixture(.text("late") { $0.hold = .body })
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        let head = try client.read(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let port = client.port
        await fixture.wait { fixture.namespace.parked == [port] }
        fixture.namespace.release(label: "1")
        #expect(try client.read(count: 4) == Array("late".utf8))
        #expect(fixture.namespace.parked.isEmpty)
    }

    @Test("A delay passes on the scenario's clock")
    func delay() async throws {
        let fixture = try MockServerFixture(.text("one") { $0.delay = .seconds(3600) })
        let client = try fixture.client()
        let port = client.port
        try client.request("GET", "/-/t/a")
        await fixture.wait { fixture.namespace.parked == [port] }
        #expect(fixture.clock.nextDeadline == .seconds(3600))
        fixture.clock.advanceToNextDeadline()
        #expect(try client.response().text == "one")
        #expect(fixture.namespace.parked.isEmpty)
    }

    @Test("A rate sends the last byte when the whole content's time has passed")
    func rate() async throws {
        let fixture = try MockServerFixture(
            .with { answer in
                answer.body = .generated(size: 1000)
                answer.rate = 100
            }
        )
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        let namespace = fixture.namespace
        while namespace.record().first?.isEnded != true {
            await fixture.wait { !namespace.parked.isEmpty || namespace.record().first?.isEnded == true }
            fixture.clock.advanceToNextDeadline()
        }
        #expect(fixture.clock.elapsed == .seconds(10))
        #expect(try client.response().body.count == 1000)
    }

    @Test("A client that disconnects while its response is held is recorded at once")
    func abort() async throws {
        let fixture = try MockServerFixture(
            .text("one") { $0.faults = [Fault(.stall(.forever), at: .beforeHead)] }
        )
        let client = try fixture.client()
        let port = client.port
        try client.request("GET", "/-/t/a")
        await fixture.wait { fixture.namespace.parked == [port] }
        client.close()
        await fixture.wait { fixture.namespace.record()[0].isAborted }
        #expect(fixture.namespace.record()[0].isEnded)
        #expect(fixture.namespace.parked.isEmpty)
    }

    @Test(
        "A failure ends the connection at the scripted position",
        arguments: [
            (Fault(.close, at: .head), 0), (Fault(.close, at: .body), 0),
            (Fault(.close, at: .body, byte: 4), 4),
            (Fault(.close, at: .body, byte: 99), 10),
        ]
    )
    func closing(fault: Fault, contentCount: Int) throws {
        let fixture = try MockServerFixture(.text("0123456789") { $0.faults = [fault] })
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        let all = try String(decoding: client.readToEnd(), as: UTF8.self)
        if fault.event == .head {
            #expect(all.isEmpty)
        } else {
            #expect(all.hasSuffix("\r\n\r\n" + "0123456789".prefix(contentCount)))
            #expect(all.contains("Content-Length: 10\r\n"))
        }
    }

    @Test("A reset reaches the client as a reset", arguments: [0, 40, 4_000])
    func reset(byte: Int) throws {
        let fixture = try MockServerFixture(
            .text("0123456789") { $0.faults = [Fault(.reset, at: .head, byte: byte)] }
        )
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        #expect {
            _ = try client.readToEnd()
        } throws: { error in
            // ECONNRESET
            (error as? RawClient.Failure)?.code == 104
        }
    }

    @Test("Refusing connections closes open ones, and accepting again uses the same port")
    func outage() throws {
        let fixture = try MockServerFixture(.text("one"))
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        _ = try client.response()
        try fixture.server.stopListening()
        #expect(try client.isAtEnd())
        // ECONNREFUSED
        #expect {
            _ = try fixture.client()
        } throws: { error in
            (error as? RawClient.Failure)?.code == 111
        }
        try fixture.server.startListening()
        let again = try fixture.client()
        try again.request("GET", "/-/t/a")
        #expect(try again.response().text == "one")
    }

    @Test("A route's pinned answer is given from then on")
    func pinned() throws {
        let fixture = try MockServerFixture(.text("one"), .text("two"))
        let client = try fixture.client()
        fixture.namespace.use(answer: 2, label: "1")
        try client.request("GET", "/-/t/a")
        #expect(try client.response().text == "two")
        fixture.namespace.use(answer: 1, label: "1")
        try client.request("GET", "/-/t/a")
        #expect(try client.response().text == "one")
    }

    @Test("Variables in field values are replaced by the namespace, the other host and the current time")
    func variables() throws {
        let fixture = try MockServerFixture(
            .text("") { answer in
                answer.fields = [
                    FieldLine("Location", .text("${base}/b")), FieldLine("X-Other", .text("${other}/c")),
                    FieldLine("X-Now", .text("${now}")), FieldLine("X-Plain", .text("$5 ${none}")),
                ]
            }
        )
        let client = try fixture.client()
        try client.request("GET", "/-/t/a")
        let response = try client.response()
        #expect(response["Location"] == "/-/t/b")
        #expect(response["X-Other"] == "http://localhost:\(fixture.server.port ?? 0)/-/t/c")
        #expect(response["X-Now"] == "Thu, 01 Jan 2026 00:00:00 GMT")
        #expect(response["X-Plain"] == "$5 ${none}")
    }

    @Test("Closing a namespace ends its exchanges")
    func closeNamespace() async throws {
        let fixture = try MockServerFixture(
            .text("one") { $0.faults = [Fault(.stall(.forever), at: .beforeHead)] }
        )
        let client = try fixture.client()
        let port = client.port
        try client.request("GET", "/-/t/a")
        await fixture.wait { fixture.namespace.parked == [port] }
        fixture.namespace.close()
        #expect(try client.isAtEnd())
        #expect(fixture.namespace.record()[0].isAborted == false)
    }
}
