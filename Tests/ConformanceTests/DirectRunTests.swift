import Conformance
import Scenarios
import Testing
import TestSupport

@Suite("Runs without sockets", .timeLimit(.minutes(5)))
struct DirectRunTests {
    @Test("Of the project's scenarios each one passes, or is skipped as it is about connections or bytes")
    func library() throws {
        let library = try ScenarioLibrary.load(paths: [packageFolder + "/scenarios"])
        var options = RunOptions()
        options.transport = .direct
        let runner = Runner(library.suites, options: options, version: "1")
        let summary = try runner.run { event in
            guard case .scenarioFinished(let result) = event else { return }
            switch result.verdict {
            case .passed: break
            case .skipped(let reason):
                let isAllowed =
                    reason.hasSuffix("there are none without sockets") || reason.hasSuffix("was skipped")
                #expect(isAllowed, "\(result.name): \(reason)")
            default: Issue.record("\(result.name): \(result.verdict)")
            }
        }
        #expect(summary.total[.passed] > 2_500)
    }
}
