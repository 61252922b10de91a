import Clocks
import MockOrigin
import OriginScript
import Testing
import WireTesting

@Suite("Control API: journal, events, namespaces", .timeLimit(.minutes(1)))
struct ControlJournalTests {
    @Test("Exchanges are found by path, method, fields and content, and counted")
    func search() throws {
        let server = try ControlledServer()
        _ = try server.get("/get", ["X-Id: 1"])
        _ = try server.get("/get?a=b", ["X-Id: 2"])
        _ = try server.get("/post", ["Content-Type: application/json"], method: "POST", body: #"{"n":1}"#)
        func count(_ filter: String) throws -> String {
            String(try server.ask("POST", "/journal/search", filter).text.prefix { $0 != "," })
        }
        #expect(try count("{}") == "{\"count\":3")
        #expect(try count(#"{"path":"/get"}"#) == "{\"count\":2")
        #expect(try count(#"{"path":"/get","query":{"a":"b"}}"#) == "{\"count\":1")
        #expect(try count(#"{"fields":{"X-Id":{"matches":"[0-9]"}}}"#) == "{\"count\":2")
        #expect(try count(#"{"method":"POST","body":{"json":{"$.n":1}}}"#) == "{\"count\":1")
        #expect(try count(#"{"status":404}"#) == "{\"count\":0")
        #expect(try server.ask("DELETE", "/journal").status == 204)
        #expect(try count("{}") == "{\"count\":0")
    }

    @Test("Who waits hears as soon as so many requests came")
    func waiting() throws {
        let server = try ControlledServer()
        let waiting = try RawClient(port: server.control.port)
        let token = ["Authorization: Bearer \(server.control.token)"]
        try waiting.request("POST", "/journal/wait", token, body: #"{"path":"/get","count":2,"limit":0}"#)
        _ = try server.get("/get")
        _ = try server.get("/get")
        #expect(try waiting.response().text == "{\"count\":2,\"exchanges\":[],\"met\":true}\n")
    }

    @Test("A wait ends without its requests when its time on the clock is over")
    func timeout() async throws {
        let server = try ControlledServer()
        let waiting = try RawClient(port: server.control.port)
        let token = ["Authorization: Bearer \(server.control.token)"]
        try waiting.request("POST", "/journal/wait", token, body: #"{"timeout":"1h"}"#)
        while server.clock.nextDeadline == nil { await Task.yield() }
        server.clock.advance(by: .seconds(3600))
        #expect(try waiting.response().text == "{\"count\":0,\"exchanges\":[],\"met\":false}\n")
    }

    @Test("Exchanges and moves of the clock are told while they happen")
    func events() throws {
        let server = try ControlledServer()
        let following = try RawClient(port: server.control.port)
        try following.request("GET", "/events?since=0", ["Authorization: Bearer \(server.control.token)"])
        #expect(try following.read(through: "\r\n\r\n").contains("Content-Type: text/event-stream"))
        _ = try server.get("/get?a=1")
        _ = try following.read(through: "event: exchange\ndata: {\"number\":1,")
        _ = try following.read(through: "\"target\":\"/get?a=1\"")
        _ = try server.ask("POST", "/clock/advance", #"{"by":"1s"}"#)
        _ = try following.read(through: "event: clock\ndata: {\"now\":\"Thu, 01 Jan 2026 00:00:01 GMT\"")
    }

    /// Opens a namespace and returns its token.
    private func open(_ server: ControlledServer, _ body: String) throws -> String {
        let answer = try server.ask("POST", "/namespaces", body)
        #expect(answer.status == 201, "\(answer.text)")
        let start = try #require(answer.text.firstRange(of: "\"token\":\""))
        return String(answer.text[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test("Two runs have routes, journals and clocks of their own, and no hold on the server")
    func namespaces() throws {
        let server = try ControlledServer()
        let one = try open(server, #"{"name":"one","routes":[{"path":"/a","answer":{"body":"${base} 1"}}]}"#)
        let two = try open(server, #"{"name":"two","routes":[{"path":"/a","answer":{"body":"2"}}]}"#)
        #expect(try server.get("/-/two/a").text == "2")
        #expect(try server.get("/a").status == 404)
        let search = #"{"path":"/a"}"#
        #expect(try server.ask("POST", "/journal/search", search, token: one).text.hasPrefix("{\"count\":0"))
        #expect(try server.ask("POST", "/journal/search", search, token: two).text.hasPrefix("{\"count\":1"))
        #expect(try server.ask("POST", "/clock/advance", #"{"by":"1h"}"#, token: two).status == 200)
        #expect(try server.get("/-/two/a")["Date"] == "Thu, 01 Jan 2026 01:00:00 GMT")
        #expect(try server.get("/-/one/a")["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
        #expect(try server.ask("GET", "/namespaces", token: one).status == 403)
        #expect(try server.ask("DELETE", "/namespaces/two", token: one).status == 403)
        #expect(try server.ask("POST", "/namespaces", #"{"name":"one"}"#).status == 409)
        #expect(try server.ask("DELETE", "/namespaces/two").status == 204)
        #expect(try server.get("/-/two/a").status == 404)
        #expect(try server.ask("GET", "/routes", token: two).status == 401)
    }

    @Test("A namespace ends when its time is over, counted from its last use of the API")
    func expiry() throws {
        let server = try ControlledServer()
        let token = try open(server, #"{"name":"run","expires-after":"10m"}"#)
        server.clock.advance(by: .seconds(500))
        #expect(try server.ask("GET", "/routes", token: token).status == 200)
        server.clock.advance(by: .seconds(500))
        #expect(try server.ask("GET", "/routes", token: token).status == 200)
        server.clock.advance(by: .seconds(601))
        #expect(try server.ask("GET", "/routes", token: token).status == 401)
        #expect(try server.ask("GET", "/namespaces").text == "{\"namespaces\":[]}\n")
    }
}
