import LocatedYAML
import Recording
import Testing

@Suite("Files of saved failures")
struct SavedFailureTests {
    private static var saved: SavedFailure {
        var saved = SavedFailure(
            scenario: "http/4.1-vary/vary/names",
            cache: "shared",
            file: "scenarios/http/4.1-vary/vary.yaml",
            text: "- id: names\n  title: \"é\"\n",
            verdict: "failed: step 2: status: expected 200, seen 304"
        )
        saved.transport = "direct"
        saved.seed = .max
        saved.deviations = ["content-language"]
        saved.trace.decisions = ["0 reset@body:10 at 0.5", "1 none"]
        saved.trace.clock = ["+1 s"]
        saved.trace.wire = "00ff"
        saved.versions = ["cachecheck 0.1.0", "libcurl 8"]
        saved.subject.choice = "proxy=http://127.0.0.1:8080"
        saved.subject.title = "nginx 1.22"
        saved.subject.originPort = 8001
        saved.subject.originAddress = "::1"
        saved.subject.time = "real"
        return saved
    }

    @Test("A file is read back as it was written")
    func roundTrip() throws {
        #expect(try SavedFailure(json: Self.saved.json, file: "a.json") == Self.saved)
    }

    @Test("A file without a subject is of the built-in client")
    func oldFile() throws {
        let text = """
            {"scenario": "a", "cache": "private", "transport": "loopback", "seed": "7", "verdict": "failed", "file": "f",
             "text": "t"}
            """
        let saved = try SavedFailure(json: text, file: "a.json")
        #expect(saved.subject == SavedFailure.Subject())
        #expect(saved.seed == 7)
        #expect(saved.trace == SavedFailure.Trace())
    }

    @Test("Every missing member and a seed that is no number are reported")
    func problems() {
        let text = "{\"scenario\": \"a\", \"cache\": 1, \"seed\": \"-1\", \"file\": \"f\", \"text\": \"t\"}"
        do {
            _ = try SavedFailure(json: text, file: "a.json")
            Issue.record("The file is accepted.")
        } catch {
            let text = "\(error)"
            for part in ["\"verdict\"", "\"transport\"", "\"-1\"", "expected a seed"] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(text.contains("a.json:1:1:"))
        }
    }

    @Test("The name of a file has the id and the kind of cache, in letters, digits and hyphens")
    func fileName() throws {
        let whole = try #require(SavedFailure.fileNames(of: [Self.saved]).first)
        #expect(whole.hasSuffix(SavedFailure.ending))
        let name = whole.dropLast(SavedFailure.ending.count)
        #expect(name.contains("names") && name.contains("shared"))
        #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) })
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var difference: String?
        var change: @Sendable (inout SavedFailure.Trace) -> Void
    }

    @Test(
        "The first difference of a repetition names the part, the line and both values",
        arguments: [
            Change(testDescription: "none", difference: nil) { _ in },
            Change(
                testDescription: "another decision",
                difference: "decisions line 2: found \"1 none\", this run has \"1 reset\""
            ) { $0.decisions[1] = "1 reset" },
            Change(
                testDescription: "a missing decision",
                difference: "decisions line 2: found \"1 none\", this run has \"nothing\""
            ) { $0.decisions.removeLast() },
            Change(
                testDescription: "a further move of the clock",
                difference: "clock line 2: found \"nothing\", this run has \"+2 s\""
            ) { $0.clock.append("+2 s") },
            Change(
                testDescription: "decisions before the clock",
                difference: "decisions line 1: found \"0 reset@body:10 at 0.5\", this run has \"x\""
            ) {
                $0.clock = []
                $0.decisions[0] = "x"
            },
            Change(
                testDescription: "other bytes",
                difference: "wire: found SHA-256 00ff, this run has 11"
            ) { $0.wire = "11" },
            Change(
                testDescription: "no bytes",
                difference: "wire: found SHA-256 00ff, this run has nothing"
            ) { $0.wire = "" },
        ]
    )
    func firstDifference(row: Change) {
        var other = Self.saved.trace
        row.change(&other)
        #expect(Self.saved.trace.firstDifference(from: other) == row.difference)
    }

    @Test("Bytes are only compared if they were recorded")
    func unrecordedBytes() {
        var old = Self.saved.trace
        old.wire = ""
        #expect(old.firstDifference(from: Self.saved.trace) == nil)
    }
}
