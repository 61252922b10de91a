import Conformance
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("Runs without sockets", .timeLimit(.minutes(20)))
struct DirectRunTests {
    /// The built-in client does this optional behaviour (RFC 9110 §4.2.3) only with a setting.
    private static let informs: Set<String> = [
        "http/4-constructing/key/escaped-unreserved", "http/4-constructing/key/escape-case",
    ]

    @Test("Each of the project's scenarios passes, or is skipped because it needs connections or bytes")
    func library() throws {
        let library = try ProjectScenarios.virtualTime.get()
        var options = RunOptions()
        options.transport = .direct
        let runner = Runner(library.suites, options: options, version: "1")
        let summary = try runner.run { event in
            guard case .scenarioFinished(let result) = event else { return }
            switch result.verdict {
            case .passed: break
            case .failed where Self.informs.contains(result.id): #expect(result.standing == .noted)
            case .skipped(let reason):
                let isAllowed =
                    reason.hasSuffix("do not exist without sockets.") || reason.hasSuffix("was skipped.")
                #expect(isAllowed, "\(result.name): \(reason)")
            default: Issue.record("\(result.name): \(result.verdict)")
            }
        }
        #expect(summary.total[.passed] > 2_500)
    }
}
