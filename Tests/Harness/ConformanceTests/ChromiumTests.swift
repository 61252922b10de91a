import CacheSemantics
import Scenarios
import Testing

@testable import Conformance

@Suite("Driver of Chromium", .timeLimit(.minutes(20)))
struct ChromiumTests {
    /// The driver; `nil` if chromium or node is missing.
    static let driver: Driver? = {
        do throws(SubjectError) {
            return try Driver(greeting: BundledDrivers.command("chromium"))
        } catch {
            return nil
        }
    }()

    private static let text = """
        suite: s
        defaults: {level: optimal, rules: [rfc9111.4.2.fresh]}
        scenarios:
          - id: fresh
            title: A fresh response is used
            origin:
              - answers: [{fields: {Cache-Control: max-age=60}, body: one}]
            steps:
              - {request: {path: /a}, expect: {source: origin, body: one}}
              - {request: {path: /a}, expect: {source: cache, body: one}}
          - id: cookie
            title: A caller sets Cookie
            origin:
              - answers: [{body: one}]
            steps:
              - request: {path: /a, fields: {Cookie: a=1}}
        """

    @Test(
        "Chromium reuses fresh responses, and what fetch cannot send is skipped with its reason",
        .enabled(if: ChromiumTests.driver != nil, "chromium or node is not installed")
    )
    func run() throws {
        let suite = try ScenarioDecoder.decode(text: Self.text, path: "f.yaml", realTime: true)
        var options = RunOptions()
        options.subject = .driver(try #require(Self.driver))
        var verdicts: [String: Verdict] = [:]
        _ = try Runner([suite], options: options, version: "1").run { event in
            if case .scenarioFinished(let result) = event {
                verdicts[String(result.id.split(separator: "/").last ?? "")] = result.verdict
            }
        }
        #expect(verdicts["fresh"] == .passed)
        #expect(verdicts["cookie"] == .skipped(reason: "The subject does not allow setting Cookie."))
    }

    @Test("A driver's refusals are decoded, with names of fields in lower case")
    func refuses() throws {
        let line =
            #"{"id":1,"protocol":1,"name":"n","version":"1","kind":"private","capabilities":[],"#
            + #""refuses":{"fields":["Host"],"methods":["TRACE"],"content":["GET"],"hides":["Set-Cookie"]}}"#
        let refuses = try #require(try DriverReply.decode(Array(line.utf8), file: "r").hello?.refuses)
        #expect(refuses.fields == ["host"])
        #expect(refuses.methods == ["TRACE"])
        #expect(refuses.content == ["GET"])
        #expect(refuses.hides == ["set-cookie"])
    }
}
