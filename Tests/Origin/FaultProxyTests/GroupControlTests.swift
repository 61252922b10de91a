import ControlServing
import TestSupport
import Testing

@testable import FaultProxy

@Suite("The control API of the proxies of a file", .timeLimit(.minutes(20)), .blocking)
struct GroupControlTests {
    private static let token = "proxying-token"
    private let origin: ScriptedServer
    private let folder: TestFolder
    private let group: ProxyGroup
    private let control: ProxyControl

    init() throws {
        origin = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let upstream = "http://127.0.0.1:\(origin.port)"
        let text = """
            proxies:
              - {name: a, listen: 0, upstream: '\(upstream)'}
              - {name: b, listen: 0, upstream: '\(upstream)'}
              - {name: c, listen: 0, forward: true}
            """
        folder = try TestFolder()
        let path = try folder.write("proxies.yaml", text)
        var own = ProxyGroup.Configuration()
        own.keepsJournal = true
        group = ProxyGroup(path: path, own)
        try group.start(try ProxyFile.decode(text, path: path), text: text)
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken(Self.token))
        control = try #require(ProxyControl(of: group, configuration))
        try control.start()
    }

    private func end() {
        control.stop()
        group.stop()
        origin.stop()
    }

    private func ask(_ method: String, _ path: String, _ body: String = "") throws -> RawResponse {
        let client = try RawClient(port: control.port)
        try client.request(method, path, ["Authorization: Bearer \(Self.token)"], body: body)
        return try client.response()
    }

    private func status(_ name: String) throws -> Int {
        let running = try #require(group.running.first { $0.name == name })
        let client = try RawClient(port: running.address.port)
        try client.request("GET", "/x")
        return try client.response().status
    }

    @Test("An operation below a name concerns that proxy only")
    func separate() throws {
        defer { end() }
        let faults = #"{"faults": "status=503@before-head"}"#
        #expect(try ask("PUT", "/proxies/b/faults", faults).status == 200)
        #expect(try [status("a"), status("b")] == [200, 503])
        #expect(try ask("GET", "/proxies/a/faults").text.contains(#""faults":[]"#))
        let journal = try ask("GET", "/proxies/b/journal").text
        #expect(journal.contains(#""injected":["status=503@before-head"]"#), "\(journal)")
        #expect(try ask("POST", "/proxies/b/reset").status == 204)
        #expect(try status("b") == 200)
    }

    @Test("The proxies are listed, and one that is not there is 404")
    func lists() throws {
        defer { end() }
        let list = try ask("GET", "/proxies").text
        for running in group.running {
            #expect(list.contains(#""name":"\#(running.name)","listen":"\#(running.address)""#), "\(list)")
        }
        #expect(list.contains(#""upstream":"http://127.0.0.1:\#(origin.port)""#), "\(list)")
        #expect(list.contains(#""upstream":null"#), "\(list)")
        let other = try ask("GET", "/proxies/other/journal")
        #expect(other.status == 404)
        #expect(other.text.contains("There is no proxy"), "\(other.text)")
        #expect(try ask("GET", "/journal").status == 404)
    }
}
