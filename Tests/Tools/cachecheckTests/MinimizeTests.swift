import TestSupport
import Testing

@Suite("proxy --minimize, as a user runs it", .timeLimit(.minutes(20)), .blocking)
struct MinimizeTests {
    private static let faults = [
        "--fault", "status=503@before-head requests=2", "--fault", "delay=1ms@head",
        "--fault", "close@body:5 requests=3", "--fault", "reset@body:9 chance=50%",
    ]

    /// Minimizes the faults of a proxy in front of an origin, or with other `options` of another proxy; the command's `$1` is
    /// the origin's URL.
    private func minimize(_ command: String, _ faults: [String], options: [String]? = nil) throws -> (
        outcome: Program.Outcome, file: String?
    ) {
        let program = try Program()
        let origin = try program.start(["serve", "--port", "0"])
        let url = "http://127.0.0.1:\(origin.port)"
        let outcome = try program.run(
            ["proxy", "--port", "0"] + (options ?? ["--upstream", url]) + faults
                + ["--minimize", "--minimal", "minimal.yaml", "--", "sh", "-c", command, "sh", url]
        )
        return (outcome, program.folder.text("minimal.yaml"))
    }

    /// Three requests, of which the second must succeed.
    private static let second = """
        for i in 1 2 3; do curl -s -o /dev/null -w '%{http_code}\\n' "$CACHECHECK_PROXY/get"; done > "out.$$"
        line=$(sed -n 2p "out.$$"); rm "out.$$"; test "$line" = 200
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

    @Test(
        "The command finds a forward proxy in the variables that programs read, and its requests have their hosts"
    )
    func forward() throws {
        let command = """
            for i in 1 2; do curl -sf -o /dev/null "$1/get" || exit 1; done
            """
        let faults = ["--fault", "status=503@before-head requests=2", "--fault", "delay=1ms@head"]
        let options = ["--forward", "--allow", "127.0.0.0/8"]
        let (outcome, file) = try minimize(command, faults, options: options)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("cachecheck proxy --forward --rules minimal.yaml"), "\(outcome.text)")
        let lines = (file ?? "").split(separator: "\n")
        #expect(lines.count == 6, "\(file ?? "")")
        #expect(lines.contains { $0.hasPrefix("    fields: {Host: \"127.0.0.1:") }, "\(file ?? "")")
        #expect(lines.last == "    answer: \"status=503@before-head\"", "\(file ?? "")")
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
