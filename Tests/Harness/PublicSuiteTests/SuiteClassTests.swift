@testable import PublicSuite
import Testing

@Suite("Classes of the public suite's results")
struct SuiteClassTests {
    @Test(
        "A result counts by its failure and by the kind of the test",
        arguments: [
            (nil as SuiteResult.Failure.Name?, SuiteTest.Kind.required, SuiteClass.pass),
            (nil, .optimal, .pass), (nil, .check, .yes),
            (.assertion, .required, .fail), (.assertion, .optimal, .optionalFail),
            (.assertion, .check, .no), (.noResponse, .required, .fail), (.noResponse, .check, .no),
            (.setup, .required, .setupFail), (.timeout, .optimal, .harnessFail),
            (.harness, .check, .harnessFail),
        ]
    )
    func classes(name: SuiteResult.Failure.Name?, kind: SuiteTest.Kind, expected: SuiteClass) {
        #expect(SuiteClass(result(name), kind: kind) == expected)
    }

    @Test("A failed preparation with the message retry is a retry, and a test that was not run is untested")
    func others() {
        #expect(SuiteClass(result(.setup, "retry"), kind: .required) == .retry)
        #expect(SuiteClass(nil, kind: .required) == .untested)
    }

    @Test("The results file has its keys sorted, and true or a name with a message for each")
    func json() {
        let results = ["b": SuiteResult.passed, "a-1": result(.setup, "no \"x\""), "a": .passed]
        #expect(
            results.suiteResultsJSON == """
                {
                  "a": true,
                  "a-1": ["Setup","no \\"x\\""],
                  "b": true
                }

                """
        )
    }

    private func result(_ name: SuiteResult.Failure.Name?, _ message: String = "m") -> SuiteResult {
        guard let name else { return .passed }
        return .failed(.init(name: name, message: message, request: 1, member: "", expected: "", seen: ""))
    }
}
