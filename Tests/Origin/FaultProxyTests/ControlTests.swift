import ControlServing
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("The proxy's control API", .blocking)
struct ControlTests {
    private static let token = "proxying-token"
    private let stage: ProxyStage
    private let control: ProxyControl

    init() throws {
        stage = try ProxyStage(
            "stall@before-head path=/held",
            configure: {
                $0.keepsJournal = true
                $0.faults.seed = 7
            }
        ) { connection in
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
            }
        }
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken(Self.token))
        control = ProxyControl(of: stage.proxy, configuration)
        try control.start()
    }

    private func ask(_ method: String, _ path: String, _ body: String = "", token: String = token) throws
        -> RawResponse
    {
        let client = try RawClient(port: control.port)
        try client.request(method, path, ["Authorization: Bearer \(token)"], body: body)
        return try client.response()
    }

    private func status(_ path: String) throws -> Int {
        let client = try stage.client()
        try client.request("GET", path)
        return try client.response().status
    }

    private func end() {
        control.stop()
        stage.stop()
    }

    @Test(
        "The journal has the status that the client has received, and none where a fault has cut the head off",
        arguments: [
            ("reset@before-head", #""upstreamStatus":200,"injected":["reset@before-head"],"ended":"reset""#),
            ("close@head:9", #""upstreamStatus":200,"injected":["close@head:9"],"ended":"close""#),
            ("close@head:100%", #""status":200,"injected":["close@head:38"],"ended":"close""#),
            ("close@body", #""status":200,"injected":["close@body"],"ended":"close""#),
        ]
    )
    func statuses(_ fault: String, _ expected: String) throws {
        defer { end() }
        _ = try ask("PUT", "/faults", #"{"faults": "\#(fault)"}"#)
        let client = try stage.client()
        try client.request("GET", "/")
        _ = try? client.readToEnd()
        let journal = try ask("GET", "/journal").text
        #expect(journal.contains(expected), "\(journal)")
        #expect(journal.contains(#""status":"#) == expected.hasPrefix(#""status""#))
    }

    @Test("Without the token nothing is shown")
    func token() throws {
        defer { end() }
        #expect(try ask("GET", "/journal", token: "another-token").status == 401)
    }

    @Test("Faults, network and rules are replaced, shown and removed")
    func replaces() throws {
        defer { end() }
        #expect(try ask("PUT", "/faults", #"{"faults": "status=503@before-head"}"#).status == 200)
        #expect(try status("/") == 503)
        #expect(try ask("GET", "/faults").text.contains(#""seed":7,"faults":["status=503@before-head"]"#))
        #expect(try ask("PUT", "/faults", #"{"faults": []}"#).status == 200)
        #expect(try status("/") == 200)
        #expect(try ask("DELETE", "/faults").status == 204)
        #expect(
            try ask("PUT", "/rules", #"{"rules": [{"path": "/a", "answer": {"status": 404}}]}"#).status == 200
        )
        #expect(try [status("/a"), status("/b")] == [404, 200])
        #expect(
            try ask("GET", "/rules").text
                == #"{"rules":[{"label":"1","path":"/a","methods":[],"priority":0,"requests":1,"#
                + #""rule":{"path":"/a","answer":{"status":404}}}],"states":{}}"# + "\n"
        )
        #expect(try ask("DELETE", "/rules").status == 204)
        #expect(try status("/a") == 200)
        #expect(try ask("PUT", "/network", #"{"network": "apple:wifi"}"#).status == 200)
        let profiles = try ask("GET", "/network/profiles").text.dropFirst()
        #expect(try ask("GET", "/network").text == #"{"network":"apple:wifi","# + profiles)
        #expect(try ask("DELETE", "/network").status == 204)
    }

    @Test(
        "A rule is added before the others, replaced in its place and removed, while others keep their counts"
    )
    func singleRules() throws {
        defer { end() }
        #expect(
            try ask(
                "PUT",
                "/rules",
                #"{"rules": [{"path": "/a", "answers": [{"status": 404}, {"status": 410}]}]}"#
            ).status
                == 200
        )
        #expect(try status("/a") == 404)
        let added = try ask("POST", "/rules", #"{"path": "/a", "requests": 1, "answer": {"status": 503}}"#)
        #expect(added.status == 201)
        #expect(added.text == #"{"labels":["2"]}"# + "\n")
        #expect(try status("/a") == 503)
        #expect(try ask("PUT", "/rules/2", #"{"path": "/b", "answer": {"status": 418}}"#).status == 200)
        #expect(try [status("/a"), status("/b")] == [410, 418])
        #expect(try ask("DELETE", "/rules/2").status == 204)
        #expect(try [status("/a"), status("/b")] == [410, 200])
        #expect(try ask("DELETE", "/rules/2").status == 404)
        #expect(try ask("POST", "/rules", #"{"label": "1", "answer": "pass"}"#).status == 422)
        #expect(try ask("POST", "/rules", #"{"answer": "nothing@all"}"#).status == 422)
    }

    @Test("Events are exchanges as they begin and change, and changes of rules, faults and network")
    func events() throws {
        defer { end() }
        let client = try RawClient(port: control.port)
        try client.request("GET", "/events?since=0", ["Authorization: Bearer \(Self.token)"])
        _ = try client.read(through: "\r\n\r\n")
        #expect(try status("/a") == 200)
        let exchange = try client.read(through: #""ended":"complete""#)
        #expect(exchange.contains("event: exchange\ndata: {\"id\":1,\"number\":1,"))
        #expect(try ask("PUT", "/faults", #"{"faults": "status=503@before-head"}"#).status == 200)
        _ = try client.read(through: "event: faults\n")
        #expect(try ask("DELETE", "/rules").status == 204)
        _ = try client.read(through: "event: rules\n")
        #expect(try ask("POST", "/reset").status == 204)
        _ = try client.read(through: "event: reset\n")
    }

    @Test("The archive of the journal has the heads, and what was injected, as its own field and in words")
    func archive() throws {
        defer { end() }
        #expect(try ask("PUT", "/faults", #"{"faults": "close@body:2 path=/cut"}"#).status == 200)
        let client = try stage.client()
        try client.request(
            "POST",
            "/cut?a=b+%21",
            ["X-A: 1", "Content-Type: text/plain", "Cookie: c=1; d=2"],
            body: "sent"
        )
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.ending(after: 2).isReset == false)
        while try !ask("GET", "/journal").text.contains("ended") {}
        let text = try ask("GET", "/journal/har").text
        #expect(text.contains(#""_cachecheck":{"injected":["close@body:2"],"ended":"close"}"#))
        #expect(text.contains(#""comment":"close@body:2; ended: close""#))
        #expect(text.contains(#""url":"http://127.0.0.1:\#(stage.origin.port)/cut?a=b+%21""#))
        #expect(text.contains(#"{"name":"X-A","value":"1"}"#))
        #expect(text.contains(#"{"name":"Content-Length","value":"4"}"#))
        #expect(text.contains(#""queryString":[{"name":"a","value":"b !"}]"#))
        #expect(text.contains(#""cookies":[{"name":"c","value":"1"},{"name":"d","value":"2"}]"#))
        #expect(text.contains(#""bodySize":4,"postData":{"mimeType":"text/plain","text":"sent"}"#), "\(text)")
        #expect(text.contains(#""content":{"size":2,"mimeType":"","text":"bo"}"#), "\(text)")
    }

    @Test("The archive has the content of answers in place of the upstream's, and of their requests")
    func localContents() throws {
        defer { end() }
        let rules = #"{"rules": [{"answer": {"status": 201, "body": "\u00e9!"}}]}"#
        #expect(try ask("PUT", "/rules", rules).status == 200)
        let client = try stage.client()
        try client.request("PUT", "/", body: "sent")
        #expect(try client.response().status == 201)
        while try !ask("GET", "/journal").text.contains("ended") {}
        let text = try ask("GET", "/journal/har").text
        #expect(text.contains(#""bodySize":4,"postData":{"#), "\(text)")
        #expect(text.contains(#""content":{"size":3,"#), "\(text)")
        #expect(text.contains(#""text":"é!"}"#), "\(text)")
    }

    @Test("Wrong rules are refused with their place, and the present ones stay")
    func refuses() throws {
        defer { end() }
        #expect(try ask("PUT", "/rules", #"{"rules": [{"answer": {"status": 404}}]}"#).status == 200)
        let refusal = try ask("PUT", "/rules", #"{"rules": [{"answer": {"stauts": 404}}]}"#)
        #expect(refusal.status == 422)
        #expect(refusal.text.contains(#""place":"body:1:24""#))
        #expect(try status("/") == 404)
    }

    @Test("A held response is released, and the journal says that it was held")
    func releases() throws {
        defer { end() }
        let client = try stage.client()
        try client.request("GET", "/held")
        while try !ask("GET", "/journal").text.contains(#""injected":["stall@before-head"]"#) {}
        #expect(try !ask("GET", "/journal").text.contains("ended"))
        while try ask("POST", "/release").text == #"{"released":0}"# + "\n" {}
        #expect(try client.response().text == "body")
        while try !ask("GET", "/journal").text.contains(#""ended":"complete""#) {}
    }

    @Test("A reset clears the journal and restores the faults of the start")
    func resets() throws {
        defer { end() }
        _ = try ask("PUT", "/faults", #"{"faults": "status=503@before-head", "seed": 9}"#)
        #expect(try status("/") == 503)
        #expect(try ask("POST", "/reset").status == 204)
        #expect(try ask("GET", "/journal").text == #"{"entries":[],"dropped":0}"# + "\n")
        #expect(
            try ask("GET", "/faults").text.contains(#"{"seed":7,"faults":["stall@before-head path=/held"]"#)
        )
        #expect(try status("/") == 200)
    }
}
