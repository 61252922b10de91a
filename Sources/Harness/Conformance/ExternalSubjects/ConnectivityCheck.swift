import CacheSemantics
import LocatedYAML
import OriginScript
import PublicSuite
import Scenarios

/// One exchange before the scenarios and tests: whether a subject outside the process reaches our origin and returns its response
/// unchanged.
///
/// Otherwise every one would fail for the same reason, and each would blame a rule for it.
struct ConnectivityCheck {
    /// The subject's name in reports.
    let subject: String
    /// Whether it asks the origin itself, at the URL that it is given.
    let isClient: Bool
    /// The place of the origin, with a preposition.
    let place: String

    private static let path = "/connectivity"
    private static let (fieldName, fieldValue) = ("X-Test", "connectivity")
    private static let body = "This is the origin's response to the connectivity check."

    /// Returns the exchange as a scenario without expectations.
    static func item(_ kind: CacheKind) throws(YAMLProblems) -> RunPlan.Item {
        let text = """
            suite: Connectivity check
            scenarios:
              - id: exchange
                title: The subject reaches the origin and returns its response unchanged
                level: must
                rules: [rfc9110.7.7.target]
                origin:
                  - path: \(path)
                    answer: {fields: {Cache-Control: no-store, \(fieldName): \(fieldValue)}, body: "\(body)"}
                steps: [{request: {path: \(path)}}]
            """
        let suite = try ScenarioDecoder.decode(text: text, path: "connectivity.yaml", realTime: true)
        return RunPlan.Item(scenario: suite.scenarios[0], suite: suite, cacheKind: kind)
    }

    /// Returns the exchange as a test of the public suite, for a server that is used by the suite's wire protocol.
    static func test(_ kind: CacheKind) throws(YAMLProblems) -> SuitePlan.Item {
        let json = """
            {"id": "connectivity", "name": "Connectivity check", "tests": [{"id": "connectivity", "requests": [{
              "response_headers": [["Cache-Control", "no-store"], ["\(fieldName)", "\(fieldValue)"]],
              "expected_status": 200, "expected_response_headers": [["\(fieldName)", "\(fieldValue)"]]
            }]}]}
            """
        let suite = try SuiteFile.decode(json: json, file: "connectivity.json").suites[0]
        return SuitePlan.Item(
            test: suite.tests[0],
            file: "connectivity.json",
            area: suite.id,
            cacheKind: kind,
            obstacle: nil
        )
    }

    /// Returns the reason why nothing can be tested with the subject at another server; `nil` if all is well.
    func problem(in result: SuiteResult?) -> String? {
        guard case .failed(let failure) = result else { return nil }
        return
            "\(subject) fails the simplest test of the origin \(place) (\(failure.message)); \(likelyCause)"
    }

    /// Returns the reason why nothing can be tested with the subject, in one sentence with the likely cause; `nil` if all
    /// is well.
    func problem(in result: ScenarioResult) -> String? {
        guard let seen = result.steps.first?.exchanges.first?.seen else {
            return "\(subject) could not be checked: \(result.verdict.reason)"
        }
        let arrivals = result.steps.flatMap(\.arrivals)
        if arrivals.isEmpty {
            return
                "\(subject) \(Self.summary(of: seen)): no request reached the origin \(place); \(likelyCause(of: result))"
        }
        if let change = Self.change(in: arrivals[0].request) ?? Self.change(in: seen) {
            return
                "\(subject) does not pass messages on unchanged, so no scenario can be judged: \(change)"
        }
        return nil
    }

    private var likelyCause: String {
        isClient
            ? "does it request the URL that it is given?"
            : "does the proxy forward there, with the path unchanged?"
    }

    private func likelyCause(of result: ScenarioResult) -> String {
        result.isSubjectLost && !isClient ? "is the proxy running, at this address?" : likelyCause
    }

    private static func summary(of seen: CallerObservation) -> String {
        if let error = seen.error { return "did not answer (\(error.text))" }
        return "answered \(seen.status.map(String.init) ?? "nothing")"
    }

    /// Returns the change of the request; `nil` if there is none that matters.
    private static func change(in request: OriginObservation) -> String? {
        if request.method == "GET", request.path == path, request.query == nil { return nil }
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        return "it was sent GET \(path), and the origin received \(request.method) \(target)"
    }

    /// Returns the change of the response; `nil` if there is none that matters.
    private static func change(in seen: CallerObservation) -> String? {
        guard seen.error == nil, seen.status == 200 else {
            return "the origin answered 200, and it \(summary(of: seen))"
        }
        let lines = seen.fields.filter { $0.name.lowercased() == fieldName.lowercased() }.map(\.value)
        if lines != [fieldValue] {
            let found = lines.isEmpty ? "without it" : "with \(lines.joined(separator: ", "))"
            return "the origin sent \(fieldName): \(fieldValue), and the response came \(found)"
        }
        guard seen.body != Array(body.utf8) else { return nil }
        let text = Transcript.printable(String(decoding: seen.body.prefix(80), as: UTF8.self))
        return
            "the origin sent the content \"\(body)\", and \(seen.body.count) bytes came that begin with \"\(text)\""
    }
}
