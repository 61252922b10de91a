import Mutants
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("The scenarios of this repository")
struct RepositoryTests {
    @Test("Every rule has a check, no check names an unknown rule, and no pending rule has one")
    func everyRuleIsChecked() throws {
        let library = try ProjectScenarios.virtualTime.get()
        let record = try String(readingFile: packageFolder + "/scenarios/checked-by-tests.txt")
        let coverage = try RuleCoverage(
            ScenarioLanguage.withStack().catalogue,
            suites: library.suites,
            tests: CheckedByTests(text: record)
        )
        #expect(coverage.unchecked == [])
        #expect(coverage.pendingButChecked == [])
        #expect(coverage.unknown == [])
        #expect(coverage.overstated == [])
    }

    @Test(
        "Each rule of the documents that can be violated has a recorded violation, which names a file that it changes and a check that noticed it"
    )
    func violations() throws {
        let catalogue = try ScenarioLanguage.withStack().catalogue
        let library = try ProjectScenarios.virtualTime.get()
        let scenarios = Set(library.suites.flatMap(\.scenarios).map(\.id))
        let tests = try Self.functionsOfTests()
        let record = RuleViolations(
            text: try String(readingFile: packageFolder + "/scenarios/violations.txt")
        )
        let violable = catalogue.rules.filter { $0.verdict != nil && $0.isViolable }
        #expect(violable.map(\.id).filter { record.byRule[$0] == nil } == [])
        #expect(!record.byRule.isEmpty)
        for (rule, violation) in record.byRule {
            #expect(catalogue[rule]?.isViolable == true, "\(rule)")
            if let file = violation.file {
                #expect(throws: Never.self, "\(rule)") {
                    try String(readingFile: packageFolder + "/" + file)
                }
            } else {
                #expect(Mutant.all.contains { $0.id == violation.mutant }, "\(rule): \(violation.mutant)")
            }
            let scenario = String(violation.check.prefix { $0 != " " })
            let function = violation.check.split(separator: "/").last.map { String($0) }
            #expect(
                scenarios.contains(scenario) || function.map(tests.contains) == true,
                "\(rule): \(violation.check)"
            )
        }
    }

    /// Returns the names of all functions below Tests.
    private static func functionsOfTests() throws -> Set<String> {
        let lines = try files(below: packageFolder + "/Tests", suffix: ".swift").flatMap {
            try String(readingFile: packageFolder + "/Tests/" + $0).utf8.split(separator: UInt8(ascii: "\n"))
        }
        return Set(
            lines.compactMap { line in
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
                guard words.count > 1, words[0].elementsEqual("func".utf8) else { return nil }
                return String(Substring(words[1].prefix { isAlphanumeric($0) }))
            }
        )
    }

    @Test("Every rule that the engine or the client notes is among the findings that a scenario expects")
    func findings() throws {
        let library = try ProjectScenarios.virtualTime.get()
        let expected = library.suites.flatMap(\.scenarios).flatMap(\.steps).flatMap {
            expectedFindings($0.step)
        }
        let sources = try ["/Sources/Semantics/CacheSemantics/", "/Sources/Client/CacheClient/"].flatMap {
            folder in
            try files(below: packageFolder + folder, suffix: ".swift").filter { $0 != "Rule.swift" }.map {
                try String(readingFile: packageFolder + folder + $0)
            }
        }
        // The words after points; a regular expression takes seconds for them without optimization.
        let names = Set(
            sources.flatMap { $0.utf8.split(separator: UInt8(ascii: ".")).dropFirst() }.map { text in
                String(Substring(text.prefix { Self.isAlphanumeric($0) }))
            }
        )
        // Noted for requests of the gateway alone, whose callers see no findings.
        let ofGateway: Set<Rule> = [.keyHasMethodAndTarget, .queryNeedsContent]
        let noted = Rule.allCases.filter { names.contains("\($0)") && !ofGateway.contains($0) }
        #expect(noted.count > 100)
        #expect(noted.map(\.rawValue).filter { !expected.contains($0) } == [])
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private func expectedFindings(_ step: Step) -> [String] {
        switch step {
        case .request(let request): request.expectation.findings?.value.map(\.rule) ?? []
        case .parallel(let requests): requests.flatMap { expectedFindings(.request($0)) }
        case .repeat(_, let steps): steps.flatMap { expectedFindings($0.step) }
        default: []
        }
    }

    @Test(
        "No required scenario depends, even through others, on a recommended one or on one without a verdict"
    )
    func dependencies() throws {
        let library = try ProjectScenarios.virtualTime.get()
        let scenarios = library.suites.flatMap(\.scenarios)
        let byID = Dictionary(uniqueKeysWithValues: scenarios.map { ($0.id, $0) })
        let required = scenarios.filter { $0.level == .must }
        #expect(required.count > 1_000)
        let weaker = required.flatMap { scenario in
            dependencies(of: scenario, in: byID).filter { $0.level == .should || $0.level == .check }.map {
                "\(scenario.id) depends on \($0.id)"
            }
        }
        #expect(weaker == [])
    }

    /// Returns the scenarios that must pass first, with those on which they depend themselves.
    private func dependencies(of scenario: Scenario, in scenarios: [String: Scenario]) -> [Scenario] {
        scenario.dependencies.compactMap { scenarios[$0] }.flatMap {
            [$0] + dependencies(of: $0, in: scenarios)
        }
    }

    @Test("Every scenario also decodes with its real-time values")
    func realTime() throws {
        let library = try ProjectScenarios.realTime.get()
        #expect(library.suites.flatMap(\.scenarios).count >= 250)
    }

    @Test("At least four fifths of the scenarios of RFC 9111 can run where the clock cannot be moved")
    func shareInRealTime() throws {
        let scenarios = try ProjectScenarios.realTime.get().suites.flatMap(\.scenarios).filter {
            $0.id.hasPrefix("http/")
        }
        let able = scenarios.filter { $0.realTimeObstacle == nil }
        #expect(Double(able.count) >= 0.8 * Double(scenarios.count))
    }
}
