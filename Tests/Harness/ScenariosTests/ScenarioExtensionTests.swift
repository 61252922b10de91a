import CacheSemantics
import LocatedYAML
import Scenarios
import Testing
import TestSupport

/// Lamps that are switched on, for private caches only.
private struct Lamps: ScenarioExtension {
    struct Lit: ExtensionStep {
        let name: String
        let isExpected: Bool
        var title: String { "light \(name)" }
        var needsSockets: Bool { false }
    }
    let key = "lamps"
    let cacheKinds = [CacheKind.private]
    let rules = [CatalogueRule(id: "lamps.light", level: .must, source: "Lamps", sentence: "They light.")]

    func grammar(_ reading: ScenarioReading) -> ExtensionGrammar {
        let light = StepKind("light", "Lights one.", example: "name") { value, expect in
            Reader.text.read(value, reading.problems).map { Lit(name: $0, isExpected: expect != nil) }
        }
        let smash = StepKind("smash", "Ends one.", example: "name", takesExpectation: false) { value, _ in
            Reader.text.read(value, reading.problems).map { Lit(name: $0, isExpected: false) }
        }
        return ExtensionGrammar([light, smash]) { Reader.text.read($0, reading.problems) }
    }
}

@Suite("Extensions of the scenario language")
struct ScenarioExtensionTests {
    private static func scenario(_ steps: String, more: String = "") throws(YAMLProblems) -> Scenario? {
        let text = suiteText(steps: steps, more: more).replacing("rfc9111.4.2.fresh", with: "lamps.light")
        let language = ScenarioLanguage(extensions: [Lamps()])
        return try ScenarioDecoder.decode(text: text, path: "f.yaml", language: language).scenarios.first
    }

    @Test("Steps, settings and rules of an extension are decoded below its key")
    func steps() throws {
        let steps =
            "- lamps: {light: a}\n- repeat:\n    times: 2\n    steps: [{lamps: {light: b, expect: {}}}]"
        let scenario = try #require(try Self.scenario(steps, more: "lamps: bright"))
        #expect(scenario.extensionSettings["lamps"] as? String == "bright")
        #expect(scenario.rules == ["lamps.light"])
        #expect(scenario.cacheKinds == [.private])
        guard case .added(let first as Lamps.Lit, let owner) = scenario.steps[0].step,
            case .repeat(2, let inner) = scenario.steps[1].step,
            case .added(let second as Lamps.Lit, _) = inner[0].step
        else { return #expect(Bool(false)) }
        #expect(owner.key == "lamps")
        #expect(first.name == "a" && !first.isExpected)
        #expect(second.name == "b" && second.isExpected)
    }

    @Test("A scenario without such steps may have any kind of cache")
    func kinds() throws {
        #expect(try Self.scenario("- idle")?.cacheKinds == CacheKind.allCases)
    }

    @Test("The settings may be in the defaults")
    func defaults() throws {
        let text = suiteText(steps: "- idle").replacing(
            "scenarios:",
            with: "defaults: {lamps: dim}\nscenarios:"
        )
        let language = ScenarioLanguage(extensions: [Lamps()])
        let suite = try ScenarioDecoder.decode(text: text, path: "f.yaml", language: language)
        #expect(suite.scenarios[0].extensionSettings["lamps"] as? String == "dim")
    }

    @Test(
        "A mistake in a step is reported with its position and the expected value",
        arguments: [
            (
                "- light: a",
                "8:9: found \"light\" as a step, expected it below \"lamps\": {lamps: {light: name}}"
            ),
            (
                "- lamps: {lihgt: a}",
                "8:17: found unknown key \"lihgt\" in a step of \"lamps\", expected \"light\""
            ),
            (
                "- lamps: {light: a, smash: b}",
                "8:16: found \"light\" with \"smash\", expected one kind of step below \"lamps\", "
                    + "such as {light: name}"
            ),
            (
                "- lamps: {}",
                "8:16: found a map, expected one kind of step below \"lamps\", such as {light: name}"
            ),
            (
                "- lamps: {light: a}\n  expect: {}",
                "8:9: found \"lamps\" with \"expect\", expected \"lamps\" alone, with its expectations below it"
            ),
            (
                "- lamps: {smash: a, expect: 1}",
                "8:27: found \"expect\" with \"smash\", expected \"expect\" with \"light\""
            ),
            ("- lamps: {light: []}", "8:24: found a list, expected text"),
        ]
    )
    func mistakes(steps: String, problem: String) {
        var report = ""
        do throws(YAMLProblems) {
            _ = try Self.scenario(steps)
        } catch {
            report = error.description
        }
        #expect(report == "f.yaml:" + problem)
    }

    @Test("A kind of cache that the extension does not support is refused, except for other scenarios")
    func refusedKind() {
        var report = ""
        do throws(YAMLProblems) {
            _ = try Self.scenario("- lamps: {light: a}", more: "cache: [shared]")
        } catch {
            report = error.description
        }
        #expect(
            report == "f.yaml:7:12: found a shared cache with a step of \"lamps\", "
                + "expected private, which is the default for such steps"
        )
    }

    @Test("Without the extension its key is unknown")
    func absent() {
        #expect(problems(suiteText(steps: "- lamps: {light: a}")).contains("unknown key \"lamps\" in a step"))
    }
}
