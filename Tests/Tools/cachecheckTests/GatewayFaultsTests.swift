import TestSupport
import Testing

@Suite("Faults and a network between clients and the gateway", .timeLimit(.minutes(20)), .blocking)
struct GatewayFaultsTests {
    private static let cached = "/get?cache-control=max-age%3D60"

    @Test("A fault breaks a request of the client, and not the cache behind it")
    func faults() throws {
        let program = try Program()
        let origin = try program.start(["serve", "--port", "0"])
        let gateway = try program.start([
            "gateway", "--origin", "http://127.0.0.1:\(origin.port)", "--port", "0",
            "--fault", "status=503@before-head requests=2", "--fault", "close@body:4 requests=3",
        ])
        let client = try RawClient(port: gateway.port)
        try client.request("GET", Self.cached)
        #expect(try client.response().status == 200)
        try client.request("GET", Self.cached)
        #expect(try client.response().status == 503)
        try client.request("GET", Self.cached)
        let head = RawResponse(head: try client.read(through: "\r\n\r\n"))
        #expect(head["Cache-Status"]?.contains("hit") == true)
        #expect(try client.readToEnd().count == 4)
        #expect(gateway.end() == 0)
        #expect(origin.end() == 0)
    }

    @Test("A network profile delays hits, too, by its latency")
    func network() throws {
        let program = try Program()
        try program.folder.write("own.yaml", "profiles:\n  - {name: far, latency: 300ms}\n")
        let origin = try program.start(["serve", "--port", "0"])
        let gateway = try program.start([
            "gateway", "--origin", "http://127.0.0.1:\(origin.port)", "--port", "0",
            "--network", "far", "--profiles", program.folder.path + "/own.yaml",
        ])
        let client = try RawClient(port: gateway.port)
        for _ in 0..<2 {
            let time = try ContinuousClock().measure {
                try client.request("GET", Self.cached)
                #expect(try client.response().status == 200)
            }
            #expect(time >= .milliseconds(300))
        }
        #expect(gateway.end() == 0)
    }

    @Test("A file of faults that is not valid is refused with its position")
    func invalid() throws {
        let program = try Program()
        try program.folder.write("faults.yaml", "faults: [reset@nowhere]\n")
        let outcome = try program.run([
            "gateway", "--origin", "http://127.0.0.1:9", "--port", "0", "--faults", "faults.yaml",
        ])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("faults.yaml:1:"), "\(outcome.text)")
    }
}
