import Scenarios
import Testing
import TestSupport

@Suite("The rules that the Swift tests check")
struct CheckedByTestsTests {
    @Test("Ids are taken from traits, one or several, on one line or more, and not from comments")
    func traits() {
        var record = CheckedByTests()
        let source = """
            /// With `.checks("comment")`.
            @Test("x", .checks("a.b"), arguments: [1])
            @Test(
                "y",
                .checks(
                    "c", "d"))
            static func checks(_ ids: String...) -> Self { Self("no") }
            """
        record.add(source: source, file: "Tests/B.swift")
        record.add(source: "@Test(.checks(\"c\"), .checks(\"c\"))", file: "Tests/A.swift")
        #expect(
            record.files == [
                "a.b": ["Tests/B.swift"], "c": ["Tests/A.swift", "Tests/B.swift"], "d": ["Tests/B.swift"],
            ]
        )
        #expect(CheckedByTests(text: record.text) == record)
    }

    @Test("scenarios/checked-by-tests.txt is up to date")
    func upToDate() throws {
        var record = CheckedByTests()
        let own = "Harness/ScenariosTests/CheckedByTestsTests.swift"
        for name in try files(below: packageFolder + "/Tests", suffix: ".swift") where name != own {
            record.add(
                source: try String(readingFile: packageFolder + "/Tests/" + name),
                file: "Tests/" + name
            )
        }
        let path = packageFolder + "/scenarios/checked-by-tests.txt"
        if isRecording { try record.text.write(file: path) }
        #expect(try String(readingFile: path) == record.text, "RECORD=1 swift test writes it anew")
    }
}
