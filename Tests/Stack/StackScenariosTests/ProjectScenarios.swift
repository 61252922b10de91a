import Scenarios
import StackScenarios
import TestSupport

/// The project's scenarios, decoded once for all tests, because that takes seconds without optimization.
enum ProjectScenarios {
    static let virtualTime = Result { try load(realTime: false) }
    static let realTime = Result { try load(realTime: true) }

    private static func load(realTime: Bool) throws -> ScenarioLibrary {
        try ScenarioLibrary.load(
            paths: [packageFolder + "/scenarios"],
            realTime: realTime,
            language: .withStack()
        )
    }
}
