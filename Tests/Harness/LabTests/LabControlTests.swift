import TestSupport
import Testing

@testable import Lab

@Suite("The lab's API", .timeLimit(.minutes(20)), .blocking)
struct LabControlTests {
    private let lab: LabUnderTest

    init() throws { lab = try LabUnderTest() }

    @Test("Without the page's token nothing is done or shown")
    func token() throws {
        for (method, path) in [
            ("GET", "/state"), ("POST", "/actions"), ("POST", "/reset"), ("GET", "/lessons"),
        ] {
            #expect(try lab.ask(method, path, token: "another-token").status == 401)
        }
    }

    @Test(
        "The page, which has the token, is only for requests to this machine's loopback names",
        arguments: [
            ("127.0.0.1:8100", 200), ("localhost:8100", 200), ("[::1]:8100", 200), ("LOCALHOST", 200),
            ("attacker.example:8100", 421), ("127.0.0.1.attacker.example", 421), ("", 421),
        ]
    )
    func host(host: String, status: Int) throws {
        let client = try RawClient(port: lab.control.port)
        try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let answer = try client.response()
        #expect(answer.status == status)
        #expect(answer.text.contains(lab.control.token) == (status == 200))
    }

    @Test("The page loads nothing from elsewhere and never writes markup")
    func files() throws {
        for path in ["/", "/lab.css", "/lab.js"] {
            let client = try RawClient(port: lab.control.port)
            try client.request("GET", path, [])
            let answer = try client.response()
            #expect(answer.status == 200)
            #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
            for forbidden in ["innerHTML", "src=\"http", "href=\"http", "@import", "url(http"] {
                #expect(!answer.text.contains(forbidden), "\(forbidden) in \(path)")
            }
        }
    }

    @Test("A wrong action is refused, and nothing happens")
    func wrongAction() throws {
        let answer = try lab.ask("POST", "/actions", #"{"action": "jump"}"#)
        #expect(answer.status == 422)
        #expect(answer.text.contains(#""found":"\"jump\"""#))
        #expect(try lab.ask("POST", "/actions", "{}").status == 422)
        #expect(try lab.ask("POST", "/lessons/none").status == 422)
        #expect(try lab.ask("POST", "/lessons/vary/steps/9").status == 422)
        #expect(try lab.ask("POST", "/lessons/vary/steps/0").status == 422)
    }

    @Test("A reset empties the caches, restores the origin and takes its settings")
    func reset() async throws {
        _ = try await lab.perform("respond etag | Cache-Control: max-age=60", "get ada", "change", "down")
        let answer = try lab.ask("POST", "/reset", #"{"respond": "ranges | Cache-Control: no-cache"}"#)
        #expect(answer.text.contains(#""up":true,"version":1"#))
        #expect(answer.text.contains(#""respond":"ranges | Cache-Control: no-cache""#))
        #expect(!answer.text.contains("lifetime"))
    }

    @Test("Actions that arrive at the same time are performed one after another, each with its own events")
    func concurrency() async throws {
        _ = try await lab.perform("respond no-store: x", "respond Cache-Control: no-store")
        let lab = lab.lab
        let counts = await withTaskGroup(of: Int.self) { group in
            for name in ["ada", "ben", "ada", "ben"] {
                group.addTask {
                    guard let action = try? LabAction("get \(name)") else { return 0 }
                    return await lab.perform(action).originRequests
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [1, 1, 1, 1])
    }
}
