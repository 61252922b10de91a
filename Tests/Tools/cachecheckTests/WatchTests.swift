import CLibrary
import TestSupport
import Testing

@Suite("Runs that are repeated", .timeLimit(.minutes(20)), .blocking)
struct WatchTests {
    private func scenario(expecting source: String) -> String {
        """
        suite: Watched
        scenarios:
          - id: reuse
            title: t
            level: must
            rules: [rfc9111.4.2.fresh]
            cache: private
            origin: [{answer: {fields: {Cache-Control: max-age=60}}}]
            steps: [{request: {path: /}}, {request: {path: /}, expect: {source: \(source)}}]
        """
    }

    @Test(
        "--watch runs again when a scenario changes, also one that cannot be read, and when a file is added"
    )
    func changes() throws {
        let program = try Program()
        let file = try program.folder.write("own/a.yaml", scenario(expecting: "cache"))
        let report = program.folder.path + "/own/report.html"
        let arguments = ["run", program.folder.path + "/own", "--watch", "--report", "text"]
        let (process, output) = try program.spawn(arguments + ["--report", "html=" + report])
        let run = WatchedRun(process, output)
        #expect(run.text(until: "passed,").contains("1 passed, 0 failed"))
        try program.folder.write("own/a.yaml", scenario(expecting: "origin"))
        #expect(run.text(until: "passed,").contains("0 passed, 1 failed"))
        try program.folder.write("own/a.yaml", "suite: [")
        try program.folder.write("own/b.yaml", scenario(expecting: "cache"))
        // The first file may still be as it was when this run starts.
        unlink(file)
        #expect(run.text(until: "1 passed,").contains("1 passed, 0 failed"))
    }

    @Test("--watch without a file on disk is refused")
    func nothing() throws {
        let outcome = try Program().run(["run", "scenarios/http/4.2-freshness", "--watch"])
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("--watch: found no file to watch, expected scenario files"))
    }
}

/// A run that continues until it is ended.
private final class WatchedRun {
    private let process: pid_t
    private let output: Int32

    init(_ process: pid_t, _ output: Int32) {
        self.process = process
        self.output = output
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(output)
    }

    /// Reads to the end of the line with these words, or of the output.
    func text(until words: String) -> String {
        var text = ""
        var byte: UInt8 = 0
        while !(text.hasSuffix("\n") && text.contains(words)), read(output, &byte, 1) == 1 {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }
}
