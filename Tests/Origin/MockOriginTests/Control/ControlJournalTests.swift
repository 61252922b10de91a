import Clocks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Control API: journal, events, namespaces", .timeLimit(.minutes(20)), .blocking)
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

    @Test(
        "Exchanges are selected by route, status and number; all are counted, and the last are shown",
        arguments: [
            (#"{"route":"a"}"#, 2, [1, 3]), (#"{"route":"b"}"#, 0, []), (#"{"status":404}"#, 1, [2]),
            (#"{"status":200}"#, 2, [1, 3]), (#"{"after":1}"#, 2, [2, 3]), (#"{"after":3}"#, 0, []),
            (#"{"limit":1}"#, 3, [3]), (#"{"limit":0}"#, 3, []), (#"{"route":"a","after":1}"#, 1, [3]),
        ] as [(String, Int, [Int])]
    )
    func selection(filter: String, count: Int, shown: [Int]) throws {
        let server = try ControlledServer([Route(label: "a", path: .exact("/a"), answers: [.text("1")])])
        for target in ["/a", "/none", "/a"] { _ = try server.get(target) }
        let text = try server.ask("POST", "/journal/search", filter).text
        #expect(text.hasPrefix("{\"count\":\(count),"))
        let numbers = text.split(separator: "\"number\":").dropFirst().map { $0.prefix { $0 != "," } }
        #expect(numbers.map { Int($0) } == shown)
    }

    @Test("An exchange that matches no route lists near misses, and no other does")
    func nearMisses() throws {
        let server = try ControlledServer([Route(label: "a", path: .exact("/a"), answers: [.text("1")])])
        for target in ["/a", "/b"] { _ = try server.get(target) }
        let entries = try server.ask("POST", "/journal/search", "{}").text.split(separator: "\"number\":")
        #expect(entries.dropFirst().map { $0.contains("\"nearMisses\":") } == [false, true])
    }

    @Test("Waiting without a number is for one exchange")
    func waitForOne() throws {
        let server = try ControlledServer()
        _ = try server.get("/get")
        let text = try server.ask("POST", "/journal/wait", #"{"path":"/get","limit":0}"#).text
        #expect(text == "{\"count\":1,\"exchanges\":[],\"met\":true}\n")
    }

    @Test("A number of requests is verified in one call")
    func times() throws {
        let server = try ControlledServer()
        _ = try server.get("/get", ["X-Id: 1"])
        _ = try server.get("/get", ["X-Id: 1"])
        func met(_ filter: String) throws -> Bool {
            try server.ask("POST", "/journal/search", filter).text.hasSuffix("\"met\":true}\n")
        }
        #expect(try met(#"{"path":"/get","fields":{"X-Id":"1"},"times":2}"#))
        #expect(try !met(#"{"path":"/get","fields":{"X-Id":"1"},"times":1}"#))
        #expect(try met(#"{"path":"/get","fields":{"X-Id":"2"},"times":0}"#))
    }

    @Test("An exchange has both heads, and the outcome of its conditions")
    func conditions() throws {
        let server = try ControlledServer()
        #expect(try server.ask("PUT", "/pages", #"{"/get":{"etag":"\"v1\""}}"#).status == 200)
        #expect(try server.get("/get")["ETag"] == "\"v1\"")
        #expect(try server.get("/get", ["If-None-Match: \"v1\""]).status == 304)
        #expect(try server.get("/get", ["If-None-Match: \"v0\"", "If-Modified-Since: x"]).status == 200)
        #expect(try server.get("/get", ["If-Match: \"v0\"", "Range: bytes=0-1"]).status == 412)
        let journal = try server.ask("GET", "/journal").text
        #expect(
            journal.contains(#""answerFields":[["Date","Thu, 01 Jan 2026 00:00:00 GMT"],["ETag","\"v1\""]]"#)
        )
        func came(_ field: String, _ value: String, _ outcome: String) -> Bool {
            journal.contains(
                #"{"field":"\#(field)","value":"\#(value)","outcome":"\#(outcome)"}"#
            )
        }
        #expect(came("If-None-Match", #"\"v1\""#, "matches: not modified"))
        #expect(came("If-None-Match", #"\"v0\""#, "does not match: the current response is sent"))
        #expect(came("If-Modified-Since", "x", "not evaluated, because of If-None-Match"))
        #expect(came("If-Match", #"\"v0\""#, "failed"))
    }

    @Test("A form is reported by its names, one that is repeated with a list")
    func form() throws {
        let server = try ControlledServer()
        let type = "Content-Type: application/x-www-form-urlencoded"
        _ = try server.get("/post", [type], method: "POST", body: "a=1&a=2&b=3")
        let journal = try server.ask("GET", "/journal").text
        #expect(journal.contains(#""form":{"a":["1","2"],"b":"3"}"#), "\(journal)")
    }

    @Test("The head of a prepared response is reported, too")
    func prepared() throws {
        let server = try ControlledServer()
        _ = try server.get("/get")
        let journal = try server.ask("GET", "/journal").text
        #expect(journal.contains(#"["Content-Type","application/json"]"#), "\(journal)")
    }

    @Test("A wait ends as soon as the requests have arrived")
    func waiting() throws {
        let server = try ControlledServer()
        let waiting = try RawClient(port: server.control.port)
        let token = ["Authorization: Bearer \(server.control.token)"]
        try waiting.request("POST", "/journal/wait", token, body: #"{"path":"/get","count":2,"limit":0}"#)
        _ = try server.get("/get")
        _ = try server.get("/get")
        #expect(try waiting.response().text == "{\"count\":2,\"exchanges\":[],\"met\":true}\n")
    }

    @Test("A wait ends without its requests when its time on the clock has passed")
    func timeout() async throws {
        let server = try ControlledServer()
        let waiting = try RawClient(port: server.control.port)
        let token = ["Authorization: Bearer \(server.control.token)"]
        try waiting.request("POST", "/journal/wait", token, body: #"{"timeout":"1h"}"#)
        await server.clock.waitForSleeper()
        server.clock.advance(by: .seconds(3600))
        #expect(try waiting.response().text == "{\"count\":0,\"exchanges\":[],\"met\":false}\n")
    }

    @Test("Exchanges and moves of the clock are reported as they happen")
    func events() throws {
        let server = try ControlledServer()
        let following = try RawClient(port: server.control.port)
        try following.request("GET", "/events?since=0", ["Authorization: Bearer \(server.control.token)"])
        #expect(try following.read(through: "\r\n\r\n").contains("Content-Type: text/event-stream"))
        _ = try server.get("/get?a=1")
        _ = try following.read(through: "event: exchange\ndata: {\"number\":1,")
        _ = try following.read(through: "\"target\":\"/get?a=1\"")
        // An event's data is one line, regardless of the lines of the JSON that was sent.
        let body = "{\n\"n\": 1.50\n}"
        _ = try server.get("/post", ["Content-Type: application/json"], method: "POST", body: body)
        _ = try following.read(through: "\"json\":{\"n\":1.50},")
        _ = try server.ask("POST", "/clock/advance", #"{"by":"1s"}"#)
        _ = try following.read(through: "event: clock\ndata: {\"now\":\"Thu, 01 Jan 2026 00:00:01 GMT\"")
    }

    @Test(
        "Changes of the faults are reported, and exchanges from the one after that which a client has seen last"
    )
    func missedEvents() throws {
        let server = try ControlledServer()
        for number in 1...3 { _ = try server.get("/get?a=\(number)") }
        let following = try RawClient(port: server.control.port)
        try following.request("GET", "/events?since=0", ["Authorization: Bearer \(server.control.token)"])
        for number in 1...3 { _ = try following.read(through: "\"target\":\"/get?a=\(number)\"") }
        _ = try server.ask("PUT", "/faults", #"{"faults":["status=503@before-head"]}"#)
        _ = try following.read(through: "event: faults\ndata: {\"faults\":1}")
    }

    /// Opens a namespace and returns its token.
    private func open(_ server: ControlledServer, _ body: String) throws -> String {
        let answer = try server.ask("POST", "/namespaces", body)
        #expect(answer.status == 201, "\(answer.text)")
        let start = try #require(answer.text.firstRange(of: "\"token\":\""))
        return String(answer.text[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test("Two runs have separate routes, journals and clocks, and no access to the server's")
    func namespaces() throws {
        let server = try ControlledServer()
        let one = try open(server, #"{"name":"one","routes":[{"path":"/a","answer":{"body":"${base} 1"}}]}"#)
        let two = try open(server, #"{"name":"two","routes":[{"path":"/a","answer":{"body":"2"}}]}"#)
        #expect(try server.get("/-/two/a").text == "2")
        #expect(try server.get("/a").status == 404)
        let routes = try server.ask("GET", "/routes", token: two).text
        #expect(routes.contains(#""route":{"path":"/a","answer":{"body":"2"}}"#), "\(routes)")
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

    @Test("A namespace starts with its states, network and faults, even after a reset")
    func opening() throws {
        let server = try ControlledServer()
        let token = try open(
            server,
            #"""
            {"name":"run","states":{"session":"open"},"network":{"name":"slow","delay":"1s"},
             "faults":"status=503@before-head requests=2",
             "routes":[{"path":"/a","when":{"session":"open"},"then":{"session":"over"},"answer":{"body":"in"}}]}
            """#
        )
        #expect(try server.get("/get").status == 200)
        #expect(try server.ask("GET", "/network", token: token).text.hasPrefix(#"{"network":"slow""#))
        #expect(try server.ask("GET", "/network").text.hasPrefix(#"{"network":null"#))
        #expect(try server.ask("DELETE", "/network", token: token).status == 204)
        #expect(try server.get("/-/run/a").text == "in")
        #expect(try server.get("/-/run/a").status == 503)
        #expect(try server.get("/-/run/a").status == 404)
        #expect(try server.ask("POST", "/reset", token: token).status == 204)
        #expect(try server.ask("GET", "/network", token: token).text.hasPrefix(#"{"network":"slow""#))
        #expect(try server.ask("DELETE", "/network", token: token).status == 204)
        #expect(try server.get("/-/run/a").text == "in")
        let faults = #"{"faults":"reset@accept"}"#
        #expect(try server.ask("PUT", "/faults", faults, token: token).text.contains("the whole server"))
    }

    @Test("A namespace expires, counted from its last use of the API")
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

    @Test("Moving the server's clock ends no namespace, and stopping it does not keep one")
    func expiryOfMovedClock() throws {
        let server = try ControlledServer(serverClock: { MovableClock(following: $0) })
        let token = try open(server, #"{"name":"run","expires-after":"10m"}"#)
        #expect(try server.ask("POST", "/clock/advance", #"{"by":"2h"}"#).status == 200)
        #expect(try server.ask("GET", "/routes", token: token).status == 200)
        #expect(try server.ask("PUT", "/clock", #"{"running":false}"#).status == 200)
        server.clock.advance(by: .seconds(601))
        #expect(try server.ask("GET", "/routes", token: token).status == 401)
    }

    @Test("A path below /-/ is one of the site, unless a namespace of its name is open")
    func siteBelowNamespaces() throws {
        let route = Route(label: "health", path: .exact("/-/health"), answers: [.text("well")])
        let server = try ControlledServer([route])
        #expect(try server.get("/-/health").text == "well")
        _ = try open(server, #"{"name":"health","routes":[{"path":"/","answer":{"body":"run"}}]}"#)
        #expect(try server.get("/-/health/").text == "run")
        #expect(try server.ask("DELETE", "/namespaces/health").status == 204)
        #expect(try server.get("/-/health").text == "well")
    }

    @Test("The journal is an HTTP archive with what was sent and injected, without the responses' content")
    func archive() throws {
        let route = Route(
            label: "r",
            path: .exact("/a"),
            answers: [.text("hello").fault(.close, at: .body, byte: 2)]
        )
        let server = try ControlledServer([route])
        let client = try RawClient(port: server.server.port)
        try client.request("POST", "/a", ["X-Id: 7", "Content-Type: text/plain"], body: "sent")
        _ = try client.read(through: "\r\n\r\nhe")
        _ = try server.get("/none")
        let text = try server.ask("GET", "/journal/har").text
        #expect(text.hasPrefix(#"{"log":{"version":"1.2""#), "\(text)")
        let parts = [
            #""method":"POST","url":"\#(server.server.url)/a""#, #""text":"sent""#,
            #"{"name":"X-Id","value":"7"}"#, #""comment":"The journal does not store response content.""#,
            #""_cachecheck":{"injected":["close@body:2"]"#, #""rule":"r""#,
            #""status":200,"statusText":"OK""#,
            #""bodySize":-1"#, #""status":404,"statusText":"Not Found""#,
            #""url":"\#(server.server.url)/none""#,
        ]
        for part in parts { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test("The parts of a form are reported with their names and types, text with its value")
    func parts() throws {
        let server = try ControlledServer()
        let body =
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--B\r\n"
            + "Content-Disposition: form-data; name=f; filename=x.txt\r\nContent-Type: text/plain\r\n\r\n12\r\n--B--"
        let type = "Content-Type: multipart/form-data; boundary=B"
        _ = try server.get("/post", [type], method: "POST", body: body)
        let journal = try server.ask("GET", "/journal").text
        let expected =
            #""parts":[{"name":"a","bytes":3,"value":"one"},{"name":"f","fileName":"x.txt","contentType":"text/plain","bytes":2}]"#
        #expect(journal.contains(expected), "\(journal)")
    }

    @Test("Exchanges from before are reported since a revision, and by default only those from now on")
    func since() async throws {
        let server = try ControlledServer()
        _ = try server.get("/get?a=1")
        // The end of an exchange is a change of it.
        _ = try await server.server.waitForRequests(1) { $0.isEnded }
        func follow(_ query: String) throws -> RawClient {
            let client = try RawClient(port: server.control.port)
            try client.request("GET", "/events" + query, ["Authorization: Bearer \(server.control.token)"])
            _ = try client.read(through: "\r\n\r\n")
            return client
        }
        let (all, new) = (try follow("?since=0"), try follow(""))
        #expect(try all.read(through: "\"target\":").contains("\"number\":1,"))
        _ = try server.get("/get?a=2")
        #expect(try new.read(through: "\"target\":").contains("\"number\":2,"))
    }

    @Test(
        "Each change is reported with what it is",
        arguments: [
            ("PUT", "/faults", #"{"faults":"close@body"}"#, "faults", #"{"faults":1}"#),
            ("POST", "/routes", #"{"path":"/a","answer":{}}"#, "routes", #"{"routes":1}"#),
            ("PUT", "/states", #"{"m":"on"}"#, "states", #"{"m":"on"}"#),
            ("PUT", "/network", #"{"network":"wpt:4g"}"#, "network", #"{"profiles":["wpt:4g"]}"#),
            ("POST", "/reset", "", "reset", "{}"), ("DELETE", "/journal", "", "journal", "{}"),
        ]
    )
    func changes(method: String, path: String, body: String, name: String, value: String) throws {
        let server = try ControlledServer()
        let following = try RawClient(port: server.control.port)
        try following.request("GET", "/events", ["Authorization: Bearer \(server.control.token)"])
        _ = try following.read(through: "\r\n\r\n")
        #expect((200..<300).contains(try server.ask(method, path, body).status))
        // A reset first reports the faults and the network that it restores.
        _ = try following.read(through: "event: \(name)\ndata: \(value)\n")
    }
}
