import CLibrary
import LocatedYAML
import Testing
import TestSupport

@testable import Conformance

/// The commands of one example as a CI service runs them: those of a shard, and those that merge the shards.
struct CIExample: CustomTestStringConvertible {
    let testDescription: String
    /// The environment that the service gives the commands of a shard, by its number.
    let environment: (Int) -> String
    /// The placeholder for the number of a shard in a command.
    let placeholder: String
    let shard: [String]
    let whole: [String]
    /// The subject that the example names, and the paths that its other steps read.
    let subject: String?
    let paths: [String]

    static func text(_ name: String) throws -> String {
        try #require(ProgramFiles.text("\(packageFolder)/ci/examples/\(name)"), "\(name)")
    }

    static func gitHub() throws -> CIExample {
        let file = try YAMLNode.parse(try text("github.yml"), file: "github.yml")
        let jobs = try #require(file.value(of: "jobs"))
        let (shard, whole) = (try #require(jobs.value(of: "shard")), try #require(jobs.value(of: "whole")))
        #expect(whole.value(of: "needs")?.scalarText == "shard")
        let matrix = shard.value(of: "strategy")?.value(of: "matrix")?.value(of: "shard")?.elements ?? []
        #expect(matrix.compactMap(\.scalarText) == ["1", "2", "3", "4"])
        let sarif = steps(of: whole).compactMap { $0.value(of: "with")?.value(of: "sarif_file")?.scalarText }
        return CIExample(
            testDescription: "GitHub",
            environment: { "GITHUB_STEP_SUMMARY=summary-\($0).md" },
            placeholder: "${{ matrix.shard }}",
            shard: steps(of: shard).compactMap { $0.value(of: "run")?.scalarText },
            whole: steps(of: whole).compactMap { $0.value(of: "run")?.scalarText },
            subject: shard.value(of: "env")?.value(of: "SUBJECT")?.scalarText,
            paths: sarif + ["summary-1.md", "build/conformance/shard-1.annotations"]
        )
    }

    private static func steps(of job: YAMLNode) -> [YAMLNode] { job.value(of: "steps")?.elements ?? [] }

    static func gitLab() throws -> CIExample {
        let file = try YAMLNode.parse(try text("gitlab.yml"), file: "gitlab.yml")
        let (shard, whole) = (try #require(file.value(of: "shard")), try #require(file.value(of: "whole")))
        #expect(shard.value(of: "parallel")?.scalarText == "4")
        let script: (YAMLNode) -> [String] = {
            $0.value(of: "script")?.elements?.compactMap(\.scalarText) ?? []
        }
        let report = shard.value(of: "artifacts")?.value(of: "reports")?.value(of: "junit")?.scalarText
        return CIExample(
            testDescription: "GitLab",
            environment: { "CI_NODE_INDEX=\($0) CI_NODE_TOTAL=4" },
            placeholder: "no placeholder",
            shard: script(shard),
            whole: script(whole),
            subject: shard.value(of: "variables")?.value(of: "SUBJECT")?.scalarText,
            paths: [try #require(report)]
        )
    }

    static func jenkins() throws -> CIExample {
        let lines = try text("Jenkinsfile").split(separator: "\n").map { $0.drop { $0 == " " } }
        let commands = lines.filter { $0.hasPrefix("sh ") }.map { String($0.dropFirst(4).dropLast()) }
        #expect(lines.contains { $0.contains("(1..4).collectEntries { number") })
        let report = try #require(lines.first { $0.hasPrefix("junit ") })
        return CIExample(
            testDescription: "Jenkins",
            environment: { _ in "" },
            placeholder: "${number}",
            shard: commands.filter { $0.contains("${number}") },
            whole: commands.filter { !$0.contains("${number}") },
            subject: nil,
            paths: [String(report.dropFirst(7).dropLast()).replacing("${number}", with: "1")]
        )
    }
}

@Suite("CI examples", .timeLimit(.minutes(20)), .blocking)
struct CIExampleTests {
    private static let program = packageFolder + "/.build/debug/cachecheck"
    private static let isBuilt = access(program, X_OK) == 0

    @Test(
        "Each example's commands give the files that its other steps read, and the whole run's results",
        .enabled(if: isBuilt, "cachecheck is not built"),
        arguments: ["GitHub", "GitLab", "Jenkins"]
    )
    func example(name: String) throws {
        let example = try [
            "GitHub": CIExample.gitHub, "GitLab": CIExample.gitLab, "Jenkins": CIExample.jenkins,
        ][name]?()
        try run(try #require(example))
    }

    private func run(_ example: CIExample) throws {
        #expect(!example.shard.isEmpty && !example.whole.isEmpty)
        let folder = try ScratchFolder(holdsPrograms: true)
        let scenarios = "\(folder.path)/scenarios/http/controls"
        shell("mkdir -p \(scenarios) && ln -s \(packageFolder)/ci \(folder.path)/ci", "")
        shell("cp \(packageFolder)/scenarios/http/controls/reuse.yaml \(scenarios)", "")
        for number in 1...4 {
            for command in example.shard {
                let command = command.replacing(example.placeholder, with: "\(number)")
                try take(command, example.environment(number), folder.path, example.subject)
            }
        }
        for command in example.whole { try take(command, "", folder.path, nil) }
        for path in example.paths {
            #expect(shell("cd \(folder.path) && ls \(path)", "").hasSuffix("exit 0"), "\(path)")
        }
        // The shards have as many results as a run that is not divided.
        let count = "grep -h scenario-finished build/conformance/shard-*.json | wc -l"
        let whole =
            "cachecheck run scenarios --report json=whole.json >/dev/null; grep -c scenario-finished whole.json"
        let counts = [count, whole].map {
            shell("cd \(folder.path) && \($0)", "").split(separator: "\n").first
        }
        #expect(counts[0] == counts[1])
    }

    /// Runs one command, which must succeed; the subject that the example names is installed by other means.
    private func take(_ command: String, _ environment: String, _ folder: String, _ subject: String?) throws {
        if command.contains("apt-get install") {
            let proxy = try #require(subject.flatMap(KnownProxy.init(named:)))
            return #expect(command.hasSuffix(proxy.package))
        }
        if let subject {
            let check = shell("cd \(folder) && cachecheck run --check --subject \(subject) scenarios", "")
            #expect(check.hasSuffix("exit 0"), "\(check)")
        }
        let output = shell("cd \(folder) && \(command)", environment + " SUBJECT=builtin")
        #expect(output.hasSuffix("exit 0"), "\(command): \(output)")
    }

    /// Returns a command's output, with its exit status at the end.
    @discardableResult
    private func shell(_ command: String, _ environment: String) -> String {
        let path = packageFolder + "/.build/debug"
        let whole =
            "export PATH=\(path):$PATH; export \(environment) CACHECHECK=cachecheck; { \(command); } 2>&1"
        let output = ProgramFiles.output(of: "( \(whole) ); printf 'exit %s' $?")
        return output ?? "nothing"
    }

    @Test("If a shard fails, so does the whole, with the reports written", .enabled(if: isBuilt))
    func failing() throws {
        let folder = try ScratchFolder(holdsPrograms: true)
        let yaml = """
            suite: s
            scenarios:
              - {id: a, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [{origin-saw: {requests: 1}}]}
            """
        shell("mkdir -p \(folder.path)/scenarios/http && ln -s \(packageFolder)/ci \(folder.path)/ci", "")
        try ProgramFiles.write(yaml, to: folder.path + "/scenarios/http/s.yaml")
        #expect(shell("cd \(folder.path) && sh ci/examples/shard.sh 1 1", "").hasSuffix("exit 1"))
        #expect(shell("cd \(folder.path) && sh ci/examples/whole.sh", "").hasSuffix("exit 1"))
        #expect(shell("cd \(folder.path)/build/conformance && ls conformance.sarif", "").hasSuffix("exit 0"))
    }
}
