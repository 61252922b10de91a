import TestSupport
import Testing

@Suite("Recordings of the proxy, as a user makes them", .timeLimit(.minutes(20)), .blocking)
struct ProxyRecordingTests {
    private static let faults = [
        "--fault", "reset@body:7 chance=50%", "--fault", "status=503@before-head chance=20%",
    ]
    private static let target = "/get?cache-control=max-age%3D60&etag=%22v1%22"

    /// Returns, for each of several requests on separate connections, the status and the bytes of content.
    private func outcomes(of proxy: Server) throws -> [String] {
        try (0..<12).map { _ in
            let client = try RawClient(port: proxy.port)
            try client.request("GET", Self.target, ["Connection: close"])
            let head = RawResponse(head: try client.read(through: "\r\n\r\n"))
            let content = (try? client.readToEnd())?.count
            return "\(head.status) \(head["ETag"] ?? "") \(content ?? -1)"
        }
    }

    @Test("A recording in the upstream's place, with the log of decisions, repeats every failure")
    func replay() throws {
        let program = try Program()
        let (site, log) = (program.folder.path + "/site", program.folder.path + "/log")
        let origin = try program.start(["serve", "--port", "0"])
        let proxy = try program.start(
            [
                "proxy", "--upstream", "http://127.0.0.1:\(origin.port)", "--port", "0", "--seed", "3",
                "--record", site, "--decisions", log,
            ] + Self.faults
        )
        let first = try outcomes(of: proxy)
        #expect(proxy.end() == 0)
        #expect(origin.end() == 0)
        let replay = try program.start(["serve", site, "--port", "0"])
        let second = try program.start(
            [
                "proxy", "--upstream", "http://127.0.0.1:\(replay.port)", "--port", "0",
                "--replay-decisions", log,
            ] + Self.faults
        )
        #expect(try outcomes(of: second) == first)
        #expect(Set(first).count >= 3, "every kind of outcome occurs: \(first)")
        #expect(second.end() == 0)
    }

    @Test("A recording of a forward proxy answers in place of all servers that requests name")
    func forward() throws {
        let program = try Program()
        let site = program.folder.path + "/site"
        let origin = try program.start(["serve", "--port", "0"])
        let proxy = try program.start([
            "proxy", "--forward", "--allow", "127.0.0.0/8", "--port", "0", "--record", site,
        ])
        let url = "http://127.0.0.1:\(origin.port)\(Self.target)"
        func answer(of server: Server) throws -> String {
            let client = try RawClient(port: server.port)
            try client.request("GET", url, ["Connection: close"])
            let head = RawResponse(head: try client.read(through: "\r\n\r\n"))
            return
                "\(head.status) \(head["ETag"] ?? "") \(String(decoding: try client.readToEnd(), as: UTF8.self))"
        }
        let first = try answer(of: proxy)
        #expect(first.hasPrefix("200 \"v1\" "), "\(first)")
        #expect(proxy.end() == 0)
        #expect(origin.end() == 0)
        let replay = try program.start(["serve", site, "--port", "0"])
        let second = try program.start([
            "proxy", "--forward", "--upstream", "http://127.0.0.1:\(replay.port)", "--port", "0",
        ])
        #expect(try answer(of: second) == first)
        #expect(second.end() == 0)
    }

    @Test("Each proxy of a file records a site of its own, and one that is added later does, too")
    func several() async throws {
        let program = try Program()
        let origins = try (0..<2).map { _ in try program.start(["serve", "--port", "0"]) }
        func line(_ name: String, _ place: Int) -> String {
            "  - {name: \(name), listen: 0, upstream: \"http://127.0.0.1:\(origins[place].port)\"}\n"
        }
        let other = "  - {name: bytes, listen: 0, upstream: \"tcp://127.0.0.1:\(origins[0].port)\"}\n"
        let first = "proxies:\n" + line("shop", 0) + other
        let path = try program.folder.write("proxies.yaml", first)
        let site = program.folder.path + "/sites"
        let (process, output) = try program.spawn(["proxy", "--config", path, "--record", site])
        let proxy = try Server(process, output: output, through: "Ctrl-C stops")
        _ = try answer(of: proxy.port)
        try program.folder.write("proxies.yaml", first + line("../users", 1))
        while !program.folder.files.contains("sites/..%2Fusers") { await Task.yield() }
        #expect(proxy.end() == 0)
        let sites = program.folder.files.filter {
            $0.hasPrefix("sites/") && $0.split(separator: "/").count == 2
        }
        #expect(sites == ["sites/..%2Fusers", "sites/shop"])
        let replay = try program.start(["serve", site + "/shop", "--port", "0"])
        #expect(try answer(of: replay.port).hasPrefix("200 \"v1\" "))
    }

    @Test("Only proxies of bytes, in a file, have nothing that could be recorded, which is an error")
    func bytes() throws {
        let program = try Program()
        try program.folder.write(
            "proxies.yaml",
            "proxies: [{name: db, listen: 0, upstream: \"tcp://127.0.0.1:9\"}]\n"
        )
        let outcome = try program.run(["proxy", "--config", "proxies.yaml", "--record", "d"])
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("--record: found only proxies for tcp:// in proxies.yaml"))
    }

    /// Returns the status, the tag and the content of the response to a request.
    private func answer(of port: Int) throws -> String {
        let client = try RawClient(port: port)
        try client.request("GET", Self.target, ["Connection: close"])
        let head = RawResponse(head: try client.read(through: "\r\n\r\n"))
        let content = String(decoding: try client.readToEnd(), as: UTF8.self)
        return "\(head.status) \(head["ETag"] ?? "") \(content)"
    }

    @Test("A folder that already has a site is refused")
    func taken() throws {
        let program = try Program()
        try program.folder.write("site/site.yaml", "routes: []\n")
        let outcome = try program.run([
            "proxy", "--upstream", "http://127.0.0.1:9", "--port", "0", "--record", "site",
        ])
        #expect(outcome.status == 69)
        #expect(outcome.text.contains("site already contains a site"), "\(outcome.text)")
    }
}
