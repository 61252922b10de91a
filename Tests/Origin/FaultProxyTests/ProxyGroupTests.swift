import Clocks
import HTTPServing
import LocatedYAML
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Proxies that follow a file", .blocking)
struct ProxyGroupTests {
    /// A file, the proxies that follow it, and an origin that answers `200` with the request's target.
    private final class Stage: Sendable {
        let origin: ScriptedServer
        let folder: TestFolder
        let group: ProxyGroup
        let events: AsyncStream<ProxyFileEvent>
        var path: String { folder.path + "/proxies.yaml" }

        init() throws {
            origin = ScriptedServer { connection in
                while connection.readHead() != nil {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
            folder = try TestFolder()
            let (events, continuation) = AsyncStream.makeStream(of: ProxyFileEvent.self)
            self.events = events
            var configuration = ProxyGroup.Configuration()
            configuration.onChange = { continuation.yield($0) }
            group = ProxyGroup(path: folder.path + "/proxies.yaml", configuration)
        }

        func text(_ proxies: [(name: String, rest: String)]) -> String {
            "proxies:\n"
                + proxies.map { name, rest in
                    "  - name: \(name)\n    listen: 0\n    upstream: http://127.0.0.1:\(origin.port)\n\(rest)"
                }.joined()
        }

        func start(_ text: String) throws {
            try folder.write("proxies.yaml", text)
            try group.start(try ProxyFile.decode(text, path: path), text: text)
        }

        func port(_ name: String) throws -> Int {
            try #require(group.running.first { $0.name == name }?.address.port)
        }

        func status(_ client: RawClient) throws -> Int {
            try client.request("GET", "/")
            return try client.response().status
        }

        func status(_ name: String) throws -> Int { try status(RawClient(port: port(name))) }

        func stop() {
            group.stop()
            origin.stop()
        }
    }

    @Test("Each proxy has its own rules")
    func separate() throws {
        let stage = try Stage()
        defer { stage.stop() }
        try stage.start(
            stage.text([
                ("a", "    rules: [{answer: {status: 501}}]\n"),
                ("b", "    faults: status=503@before-head\n"),
                ("c", ""),
            ])
        )
        #expect(try [stage.status("a"), stage.status("b"), stage.status("c")] == [501, 503, 200])
    }

    @Test(
        "A forward proxy connects to the allowed servers that requests name, and its rules and faults apply"
    )
    func forwards() throws {
        let stage = try Stage()
        defer { stage.stop() }
        try stage.start(
            """
            proxies:
              - name: all
                listen: 0
                forward: true
                allow: 127.0.0.0/8
                rules: [{path: /a, answer: {status: 501}}]
                faults: status=503@before-head path=/b
              - {name: public, listen: 0, forward: true}
            """
        )
        func status(_ name: String, _ path: String) throws -> Int {
            let client = try RawClient(port: stage.port(name))
            try client.request("GET", "http://127.0.0.1:\(stage.origin.port)\(path)")
            return try client.response().status
        }
        #expect(try ["/a", "/b", "/c"].map { try status("all", $0) } == [501, 503, 200])
        #expect(try status("public", "/c") == 403)
    }

    @Test("A forward proxy of a file terminates the TLS of its hosts by the authority of the program")
    func intercepts() async throws {
        let origin = try TLSOrigin { connection in
            if connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            }
        }
        defer { origin.stop() }
        var configuration = ProxyGroup.Configuration()
        configuration.interception = { Interception(of: $0, authority: origin.authority) }
        let text = """
            proxies:
              - name: all
                listen: 0
                forward: true
                allow: 127.0.0.0/8
                intercept: localhost
                upstream-ca: \(origin.trust)
                rules: [{path: /a, answer: {pass: {status: 500}}}]
            """
        let path = try origin.folder.write("proxies.yaml", text)
        let group = ProxyGroup(path: path, configuration)
        try group.start(try ProxyFile.decode(text, path: path), text: text)
        defer { group.stop() }
        let client = TunnelClient(
            proxy: try #require(group.running.first).address.port,
            authority: "localhost:\(origin.front.port ?? 0)",
            trust: origin.trust
        )
        let answer = try await client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 500 "), "\(answer)")
        #expect(answer.hasSuffix("\r\n\r\nok"), "\(answer)")
    }

    @Test(
        "A changed file replaces rules, faults and proxies, and keeps connections and counts of what is as before"
    )
    func follows() async throws {
        let stage = try Stage()
        defer { stage.stop() }
        let counted = "    rules: [{label: n, answers: [{status: 501}, {status: 502}]}"
        try stage.start(stage.text([("a", counted + "]\n"), ("b", "")]))
        var next = stage.events.makeAsyncIterator()
        let client = try RawClient(port: stage.port("a"))
        let port = try stage.port("a")
        #expect(try stage.status(client) == 501)
        try stage.folder.write(
            "proxies.yaml",
            stage.text([
                ("a", counted + ", {label: m, answer: pass}]\n"),
                ("c", "    faults: status=504@before-head\n"),
            ])
        )
        guard case .loaded? = await next.next() else {
            Issue.record("not loaded")
            return
        }
        #expect(stage.group.running.map(\.name) == ["a", "c"])
        #expect(try stage.port("a") == port)
        #expect(try stage.status(client) == 502)
        #expect(try stage.status("c") == 504)
    }

    @Test(
        "The faults of a changed file take the place of those that had replaced the file's",
        arguments: [
            ("", "reset@body:1", "", []),
            ("truncate@body:7", "reset@body:1", "truncate@body:9", ["truncate@body:9"]),
            ("truncate@body:7", "", "truncate@body:7", ["truncate@body:7"]),
            ("truncate@body:7", "reset@body:1", "", []),
        ] as [(String, String, String, [String])]
    )
    func restoresFaults(file: String, replacement: String, changed: String, expected: [String]) async throws {
        let stage = try Stage()
        defer { stage.stop() }
        func text(_ faults: String) -> String {
            stage.text([("a", faults.isEmpty ? "" : "    faults: \(faults)\n")])
        }
        try stage.start(text(file))
        var next = stage.events.makeAsyncIterator()
        let proxy = try #require(stage.group.proxy("a"))
        proxy.use(faults: replacement.isEmpty ? [] : try Fault.list(text: replacement))
        try stage.folder.write("proxies.yaml", text(changed) + "# changed\n")
        guard case .loaded? = await next.next() else {
            Issue.record("not loaded")
            return
        }
        #expect(proxy.context.injector.faults.plan.faults.map(\.description) == expected)
    }

    @Test("A file with problems leaves the proxies as they were, and says where the problem is")
    func refuses() async throws {
        let stage = try Stage()
        defer { stage.stop() }
        try stage.start(stage.text([("a", "    faults: status=503@before-head\n")]))
        var next = stage.events.makeAsyncIterator()
        try stage.folder.write("proxies.yaml", stage.text([("a", "    faults: status@before-head\n")]))
        guard case .refused(let problems)? = await next.next() else {
            Issue.record("not refused")
            return
        }
        #expect(problems.description.hasPrefix("\(stage.path):5:13: found "), "\(problems)")
        #expect(try stage.status("a") == 503)
    }

    @Test(
        "A proxy that cannot listen is reported by its name; at the start none listens then, later the others do"
    )
    func fails() async throws {
        let stage = try Stage()
        defer { stage.stop() }
        let taken = stage.text([("a", ""), ("b", "")])
            .replacing("name: b\n    listen: 0", with: "name: b\n    listen: \(stage.origin.port)")
        do {
            try stage.start(taken)
            Issue.record("it has started")
        } catch let error as ProxyStartError {
            #expect(error.name == "b")
            #expect(error.description.hasPrefix("proxy b: cannot listen on 127.0.0.1:\(stage.origin.port)"))
        }
        #expect(stage.group.running.isEmpty)
        try stage.start(stage.text([("a", "")]))
        var next = stage.events.makeAsyncIterator()
        try stage.folder.write("proxies.yaml", taken)
        guard case .failed("b", .portInUse(_, stage.origin.port))? = await next.next() else {
            Issue.record("not reported")
            return
        }
        #expect(try stage.status("a") == 200)
        // The next event is that of the next change: a file of which a proxy failed is not reported as loaded.
        try stage.folder.write("proxies.yaml", "proxies: 1\n")
        guard case .refused? = await next.next() else {
            Issue.record("reported as loaded")
            return
        }
    }
}
