import LocatedYAML
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("The language's reference")
struct ReferenceTests {
    @Test("Every example of scenarios/README.md decodes")
    func examples() throws {
        let text = try #require(try? String(readingFile: packageFolder + "/scenarios/README.md"))
        let blocks = text.split(separator: "```yaml").dropFirst().map { rest in
            String(rest.prefix(upTo: rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex))
        }
        #expect(blocks.count == 31)
        for block in blocks {
            let kind = block.prefix { !$0.isNewline }.drop { $0 == " " }
            let content = String(block.drop { !$0.isNewline })
            #expect(problems(suite(of: content, kind: String(kind))) == "none", "\(content)")
        }
    }

    @Test("scenarios/README.md lists every kind of step of the stack with an example that decodes")
    func kinds() throws {
        let text = try String(readingFile: packageFolder + "/scenarios/README.md")
        let kinds = try ScenarioLanguage.withStack().kinds(below: "stack")
        #expect(kinds.count == 13)
        for kind in kinds {
            #expect(text.contains("| `\(kind.key)` | \(kind.summary) | `\(kind.example)` |"), "\(kind.key)")
            let step = "- stack: {\(kind.key): \(kind.example)}"
            let begin = kind.key == "finish" ? "- stack: {image: {path: /a, start: name}}\n" : ""
            #expect(problems(suiteText(steps: begin + step)) == "none", "\(step)")
        }
    }

    private func suite(of content: String, kind: String) -> String {
        switch kind {
        case "steps":
            let origin = "- {label: slow, path: /slow, answer: {}}\n- {label: page, answers: [{}, {}]}"
            return suiteText(steps: content, origin: origin)
        case "origin": return suiteText(steps: "- idle", origin: content)
        default: return content
        }
    }
}
