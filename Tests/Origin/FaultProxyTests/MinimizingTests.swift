import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("The minimal set of faults that makes a command fail", .timeLimit(.minutes(20)), .blocking)
struct MinimizingTests {
    /// A set of elements that fail together.
    struct Row: Sendable, CustomTestStringConvertible {
        let count: Int
        let culprits: Set<Int>
        var testDescription: String { "\(culprits.sorted()) of \(count)" }
    }

    @Test(
        "Of a list the elements that fail together remain, in its order",
        arguments: [
            Row(count: 1, culprits: [0]), Row(count: 8, culprits: [5]), Row(count: 8, culprits: [0, 7]),
            Row(count: 10, culprits: [2, 3, 8]), Row(count: 7, culprits: [0, 1, 2, 3, 4, 5, 6]),
            Row(count: 100, culprits: [17, 18, 63, 99]),
        ]
    )
    func minimal(row: Row) throws {
        var tried: Set<[Int]> = []
        let minimal = try DeltaDebugging.minimal(Array(0..<row.count)) { part in
            #expect(tried.insert(part).inserted, "no list is tried twice")
            #expect(!part.isEmpty)
            return row.culprits.isSubset(of: part)
        }
        #expect(minimal == row.culprits.sorted())
    }

    @Test(
        "Each fault that a fault with chances has injected is one of a request, and happens again as a rule"
    )
    func injected() throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"
        let faults = "status=503@before-head chance=50%; close@body:2 path=/b requests=4"
        let stage = try ProxyStage(
            faults,
            configure: {
                $0.keepsJournal = true
                $0.faults.seed = 5
            }
        ) { connection in
            while connection.readHead() != nil { connection.send(answer) }
        }
        defer { stage.stop() }
        let targets = ["/a", "/b?x=1", "/a?y", "/b", "/a", "/b"]
        func outcomes() throws -> [String] {
            try targets.map { target in
                let client = try stage.client()
                try client.request("GET", target, ["Connection: close"])
                let head = RawResponse(head: try client.read(through: "\r\n\r\n"))
                return "\(head.status) \(head.status == 200 ? (try? client.read(count: 4).count) ?? -1 : 0)"
            }
        }
        let first = try outcomes()
        let injected = try stage.proxy.injectedFaults()
        #expect(injected.count >= 2)
        #expect(injected.count < targets.count)
        stage.proxy.use(faults: [])
        stage.proxy.use(rules: try ProxyRuleFile.decode(injected.ruleFile, path: "rules.yaml"))
        #expect(try outcomes() == first)
    }

    @Test("At a forward proxy the requests of each host are counted on their own")
    func hosts() throws {
        let origin = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { origin.stop() }
        let stage = try ForwardStage("status=503@before-head requests=3")
        defer { stage.proxy.stop() }
        func outcomes(_ hosts: [String]) throws -> [Int] {
            try hosts.map { host in
                let client = try stage.client()
                let server = "\(host):\(origin.port)"
                try client.send("GET http://\(server)/a HTTP/1.1\r\nHost: \(server)\r\n\r\n")
                return try client.response().status
            }
        }
        #expect(try outcomes(["127.0.0.1", "localhost", "127.0.0.1"]) == [200, 200, 503])
        let injected = try stage.proxy.injectedFaults()
        stage.proxy.use(faults: [])
        stage.proxy.use(rules: try ProxyRuleFile.decode(injected.ruleFile, path: "rules.yaml"))
        #expect(try outcomes(["localhost", "localhost", "127.0.0.1", "127.0.0.1"]) == [200, 200, 200, 503])
    }

    @Test(
        "One fault of a path is a rule with its request's number, several are a list, and those of connections stand apart"
    )
    func text() throws {
        func fault(_ text: String, _ place: InjectedFault.Place) throws -> InjectedFault {
            InjectedFault(place: place, fault: try Fault(text: text))
        }
        let faults = [
            try fault("reset@body:20000", .request(.init(method: "GET", path: "/big.bin"), number: 3)),
            try fault("status=503@before-head", .request(.init(method: "POST", path: "/a*"), number: 1)),
            try fault("delay=1s@head", .request(.init(method: "POST", path: "/a*"), number: 3)),
            try fault("close@end", .request(.init(method: "POST", path: "/a*"), number: 3)),
            try fault(
                "close@end",
                .request(.init(method: "CONNECT", path: nil, host: "example.com:443"), number: 2)
            ),
            try fault("reset@accept", .connection(2)),
        ]
        #expect(
            faults.ruleFile == """
                rules:
                  - method: "GET"
                    path: "/big.bin"
                    requests: 3
                    answer: "reset@body:20000"
                  - method: "POST"
                    path: {exact: "/a*"}
                    answers:
                      - "status=503@before-head"
                      - pass
                      - "delay=1s@head; close@end"
                      - pass
                  - method: "CONNECT"
                    fields: {Host: "example.com:443"}
                    requests: 2
                    answer: "close@end"
                faults:
                  - "reset@accept requests=2"

                """
        )
        #expect(try ProxyRuleFile.decode(faults.ruleFile, path: "rules.yaml").count == 3)
        #expect(try ProxyRuleFile.decode([InjectedFault]().ruleFile, path: "rules.yaml").count == 0)
    }

    @Test(
        "Simpler faults happen at the first byte, or take half of the time",
        arguments: [
            ("reset@body:20000", ["reset@body"]), ("delay=2s@head:7", ["delay=2s@head", "delay=1s@head:7"]),
            ("stall=500ms@body", ["stall=250ms@body"]), ("delay=1ms@head", []), ("reset@body", []),
        ]
    )
    func simpler(text: String, simpler: [String]) throws {
        let fault = InjectedFault(place: .connection(1), fault: try Fault(text: text))
        #expect(fault.simpler.map(\.fault.description) == simpler)
    }

    @Test("A change of a message by a rule is not a fault that can be minimized, and is reported")
    func changes() throws {
        let stage = try ProxyStage(configure: { $0.keepsJournal = true }) { connection in
            while connection.readHead() != nil { connection.send("HTTP/1.1 204 No Content\r\n\r\n") }
        }
        defer { stage.stop() }
        stage.proxy.use(
            rules: try ProxyRuleFile.decode(
                "rules: [{path: /, answer: {pass: {status: 500}}}]",
                path: "rules.yaml"
            )
        )
        let client = try stage.client()
        try client.request("GET", "/")
        _ = try client.read(through: "\r\n\r\n")
        #expect(throws: MinimizingProblem.self) { try stage.proxy.injectedFaults() }
    }
}
