import LocatedYAML
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("Malformed scenario files")
struct MalformedFileTests {
    private static let folder = packageFolder + "/fixtures/malformed"

    @Test(
        "Every malformed file has exactly its recorded problems",
        arguments: try files(below: folder, suffix: ".yaml")
    )
    func problems(name: String) throws {
        let path = Self.folder + "/" + name
        let seen = Self.report(path).replacing(Self.folder + "/", with: "") + "\n"
        let golden = String(path.dropLast(5)) + ".expected"
        if isRecording { try seen.write(file: golden) }
        #expect(try String(readingFile: golden) == seen)
    }

    @Test("There are malformed files, and none without problems")
    func some() throws {
        let goldens = try files(below: Self.folder, suffix: ".expected")
        #expect(goldens.count >= 20)
        #expect(goldens.count == (try files(below: Self.folder, suffix: ".yaml").count))
        for name in goldens {
            #expect(try String(readingFile: Self.folder + "/" + name).contains(", expected "), "\(name)")
        }
    }

    private static func report(_ path: String) -> String {
        do throws(YAMLProblems) {
            _ = try ScenarioLibrary.load(paths: [path], language: .withStack())
            return "no problem"
        } catch {
            return error.description
        }
    }
}
