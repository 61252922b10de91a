import TestSupport
import Testing

@Suite("proxy --minimize, as a user runs it", .timeLimit(.minutes(3)), .blocking)
struct MinimizeTests {
    private static let faults = [
        "--fault", "status=503@before-head requests=2", "--fault", "delay=1ms@head",
        "--fault", "close@body:5 requests=3", "--fault", "reset@body:9 chance=50%",
    ]

    private func minimize(_ command: String, _ faults: [String]) throws -> (
        outcome: Program.Outcome, file: String?
    ) {
        let program = try Program()
        let origin = try program.start(["serve", "--port", "0"])
        let arguments = ["proxy", "--upstream", "http://127.0.0.1:\(origin.port)", "--port", "0"] + faults
        let outcome = try program.run(
            arguments + ["--minimize", "--minimal", "minimal.yaml", "--", "sh", "-c", command]
        )
        return (outcome, program.folder.text("minimal.yaml"))
    }

    /// Three requests, of which the second must succeed.
    private static let second = """
        for i in 1 2 3; do curl -s -o /dev/null -w '%{http_code}\\n' "$CACHECHECK_PROXY/get"; done > "$0.$$"
        line=$(sed -n 2p "$0.$$"); rm "$0.$$"; test "$line" = 200
        """

    @Test("Of several faults the one remains without which the command succeeds")
    func one() throws {
        let (outcome, file) = try minimize(Self.second, Self.faults)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(
            file == """
                rules:
                  - method: "GET"
                    path: "/get"
                    requests: 2
                    answer: "status=503@before-head"

                """
        )
    }

    @Test("A command that fails without faults, or succeeds with them, ends it with status 1")
    func useless() throws {
        let failing = try minimize("exit 3", Self.faults).outcome
        #expect(failing.status == 1)
        #expect(failing.text.contains("fails without faults"), "\(failing.text)")
        let succeeding = try minimize("exit 0", Self.faults).outcome
        #expect(succeeding.status == 1)
        #expect(succeeding.text.contains("succeeds with these faults"), "\(succeeding.text)")
    }
}
