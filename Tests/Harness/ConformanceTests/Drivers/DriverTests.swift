import CacheSemantics
import Clocks
import Locks
import Scenarios
import TestSupport
import Testing

@testable import Conformance

@Suite("Driver protocol", .timeLimit(.minutes(20)), .blocking)
struct DriverTests {
    // MARK: Messages

    @Test("A command is one line of JSON with the parts of the request")
    func command() {
        var request = SubjectRequest(
            method: "POST",
            url: "http://h/a",
            fields: [("A", "1"), ("A", "caf\u{E9}")]
        )
        request.body = [0xFF, 0x00]
        request.policy = .returnCacheDataDontLoad
        request.timeout = .milliseconds(1500)
        request.followsRedirects = false
        let line = DriverCommand.request(request).line(id: 7)
        #expect(
            line
                == #"{"id":7,"op":"request","method":"POST","url":"http://h/a","fields":[["A","1"],["A","café"]],"#
                + #""body":{"base64":"/wA="},"policy":"returnCacheDataDontLoad","timeout":1500,"redirects":false}"#
        )
        #expect(
            DriverCommand.advance(.seconds(61)).line(id: 1)
                == #"{"id":1,"op":"advance","milliseconds":61000}"#
        )
    }

    @Test("A reply is decoded, with one byte per character in its field values")
    func reply() throws {
        let line =
            #"{"id":3,"response":{"status":200,"fields":[["X","caf\u00e9"]],"body":{"text":"one"},"source":"cache","age":5,"stale":null}}"#
        let reply = try DriverReply.decode(Array(line.utf8), file: "r")
        #expect(reply.id == 3)
        #expect(reply.response?.status == 200)
        #expect(reply.response?.fields.first?.value == "caf\u{E9}")
        #expect(reply.response?.body == Array("one".utf8))
        #expect(reply.response?.source == .cache)
        #expect(reply.response?.age == 5)
        #expect(reply.response?.isStale == nil)
    }

    @Test("Names and errors of a driver are one line of printable text")
    func printable() throws {
        let name =
            #"{"id":1,"protocol":1,"name":"\u001b[31m\n# x","version":"\u0000","kind":"none","capabilities":[]}"#
        let hello = try DriverReply.decode(Array(name.utf8), file: "r").hello
        #expect(hello?.name == #"\u{1b}[31m\u{a}# x"#)
        #expect(hello?.version == #"\u{0}"#)
        let error = #"{"id":1,"error":{"kind":"unknown","text":"bad \u001b\n"}}"#
        #expect(try DriverReply.decode(Array(error.utf8), file: "r").failure?.text == #"bad \u{1b}\u{a}"#)
    }

    @Test("A response with a status above 599, which a cache can receive, is reported (RFC 9110 §15)")
    func invalidStatus() throws {
        let line = #"{"id":1,"response":{"status":999,"fields":[]}}"#
        #expect(try DriverReply.decode(Array(line.utf8), file: "r").response?.status == 999)
    }

    @Test(
        "A malformed reply is refused with the problem and its position",
        arguments: [
            ("nonsense", "r:1:1: found \"nonsense\", expected a value"),
            ("[]", "expected a reply, as a map"),
            (#"{"id":1,"answer":{}}"#, #"unknown key "answer" in a reply"#),
            (#"{"response":{"status":200,"fields":[]}}"#, #"found a reply without "id""#),
            (#"{"id":1,"response":{"status":99,"fields":[]}}"#, "expected a whole number from 100 to 999"),
            (#"{"id":1,"response":{"status":200}}"#, #"found a response without "fields""#),
            (#"{"id":1,"response":{"status":200,"fields":[["A"]]}}"#, #"expected ["name", "value"]"#),
            (#"{"id":1,"response":{"status":200,"fields":[["A","\u2603"]]}}"#, "one for each byte"),
            (#"{"id":1,"response":{"status":200,"fields":[],"body":{"base64":"?"}}}"#, "expected base64"),
            (#"{"id":1,"error":{"kind":"sad","text":""}}"#, "found \"sad\""),
            (
                #"{"id":1,"protocol":2,"name":"n","version":"1","kind":"private","capabilities":[]}"#,
                "from 1 to 1"
            ),
            (#"{"id":1,"protocol":1,"name":"n","version":"1","kind":"best","capabilities":[]}"#, "private"),
        ]
    )
    func refused(line: String, problem: String) {
        let error = #expect(throws: (any Error).self) {
            _ = try DriverReply.decode(Array(line.utf8), file: "r")
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains(problem.hasPrefix("r:") ? "r:1:1: found" : problem))
    }

    @Test("Bytes that are not UTF-8 are refused")
    func notText() {
        #expect(throws: (any Error).self) { _ = try DriverReply.decode([0x7B, 0xFF, 0x7D], file: "r") }
    }

    @Test("Messages are split at their ends, and one that is too long ends reading")
    func messages() {
        var reader = MessageReader(terminator: 10, limit: 4)
        #expect(reader.messages(adding: Array("ab\nc".utf8)) == [Array("ab".utf8)])
        #expect(reader.messages(adding: Array("d\n\n".utf8)) == [Array("cd".utf8), []])
        #expect(reader.messages(adding: Array("12345".utf8)).isEmpty)
        #expect(reader.isOverLimit)
        #expect(reader.messages(adding: Array("\nab\n".utf8)).isEmpty)
    }

    // MARK: Drivers that go wrong

    static let hello =
        #"read l; echo '{"id":1,"protocol":1,"name":"t","version":"1","kind":"private","capabilities":[]}'; "#
        + #"read l; echo '{"id":2}'; read l; "#

    @Test(
        "A driver that misbehaves during a run gives harness errors and exit status 69, and no failure of a rule",
        arguments: [
            ("it ends", "exit 3", "exited with status 3"),
            ("it is killed", "kill -9 $$", "was ended by signal 9"),
            ("it writes garbage", "echo garbage; read l", "found"),
            (
                "it answers what was not asked", #"echo '{"id":99}'; read l"#,
                "which is not waiting for a reply"
            ),
            ("it floods", #"while :; do echo '{"id":98}'; done"#, "which is not waiting for a reply"),
            ("it writes a line without end", "exec cat /dev/zero", "a line of more than 4194304 bytes"),
            ("it closes its output", "exec >&-; read l", "closed its standard output"),
        ]
    )
    func goesWrong(name: String, script: String, reason: String) throws {
        let (results, summary) = try Self.run(Self.hello + script)
        #expect(results.count == 2)
        for result in results {
            #expect(result.verdict.name == "harness-error", "\(name): \(result.verdict.reason)")
        }
        #expect(results.contains { $0.verdict.reason.contains(reason) }, "\(results.map(\.verdict.reason))")
        #expect(summary.exitStatus == 69)
        #expect(summary.total.failed == summary.total[.broken])
    }

    @Test("A driver that hangs is given up")
    func hangs() throws {
        let link = try DriverLink(["/bin/sh", "-c", "sleep 1000"], clock: SystemClock())
        let error = #expect(throws: SubjectError.self) { _ = try link.ask(.hello, within: .milliseconds(50)) }
        #expect(error?.description.contains("it did not answer hello within 0.05 s") == true)
        link.close()
    }

    @Test("A driver that does not read does not block its caller, and ends with the link")
    func doesNotRead() throws {
        let link = try DriverLink(["/bin/sh", "-c", "sleep 1000"], clock: SystemClock())
        let request = SubjectRequest(
            method: "POST",
            url: "http://h/",
            body: [UInt8](repeating: 65, count: 3 << 20)
        )
        #expect(throws: SubjectError.self) {
            _ = try link.ask(.request(request), within: .milliseconds(50))
        }
        link.close()
        #expect(link.breakdown != nil)
    }

    @Test("A driver's output on standard error is part of the reason")
    func complaints() throws {
        let error = #expect(throws: SubjectError.self) {
            _ = try Driver(greeting: ["/bin/sh", "-c", "echo no such module >&2; exit 1"])
        }
        #expect(error?.description.contains("no such module") == true)
        #expect(error?.description.contains("exited with status 1") == true)
    }

    @Test(
        "The check names what a driver gets wrong that hands on coded content and invents sources and redirects"
    )
    func check() throws {
        let script = #"""
            read l
            echo '{"id":1,"protocol":1,"name":"t","version":"1","kind":"private","capabilities":["redirects"]}'
            while read -r l; do
                id=${l#*:}
                echo "{\"id\":${id%%,*},\"response\":{\"status\":302,\"fields\":[],\"body\":{\"base64\":\"H4sI\"},\"source\":\"origin\"}}"
            done
            """#
        var problems: [String: String] = [:]
        let isRight = try DriverCheck(["/bin/sh", "-c", script]).run { step in
            problems[step.title] = step.problem
        }
        #expect(!isRight)
        let expected = [
            ("it decodes content that is coded with gzip", "body: expected plain"),
            (
                "it reports the source of a response as it is, or not at all",
                "source where the origin saw 0 requests: expected memory or disk or cache, seen origin"
            ),
            ("it follows a redirect if asked to", "status: expected 200, seen 302"),
        ]
        for (title, problem) in expected {
            #expect(problems[title]?.contains(problem) == true, "\(title): \(problems[title] ?? "right")")
        }
        #expect(problems["it does not follow a redirect if asked not to"] == nil)
    }

    @Test("A missing program is named")
    func noProgram() throws {
        let error = #expect(throws: SubjectError.self) {
            _ = try Driver(greeting: BundledDrivers.shell("no-such-driver"))
        }
        #expect(error?.description.contains("no-such-driver") == true)
    }

    @Test("All processes that a program has started end with it")
    func processGroup() throws {
        let output = try PipeEnds()
        let child = try ChildProcess(
            ["/bin/sh", "-c", "sleep 1000 & echo started; wait"],
            streams: .init(output: output.writing)
        )
        output.closeWriting()
        let lines = Lock<[String]>([])
        let ended = Signal()
        let input = try PipeEnds()
        let errors = try PipeEnds()
        let channel = try LineChannel(
            input: input.writing,
            output: output.reading,
            errors: errors.reading,
            receiver: .init(
                line: { line in
                    lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
                    ended.raise()
                },
                end: { _ in ended.raise() }
            )
        )
        _ = ended.wait(after: 0)
        #expect(lines.withLock { $0 } == ["started"])
        // The grandchild holds the other end of the output, which ends only with it.
        let seen = ended.count
        child.end()
        _ = ended.wait(after: seen)
        #expect(child.ending != nil)
        channel.close()
        channel.join()
        input.closeReading()
        errors.closeWriting()
    }

    /// Runs two scenarios against a shell script.
    static func run(_ script: String) throws -> ([ScenarioResult], RunSummary) {
        let scenarios = (1...2).map { number in
            "  - {id: s\(number), title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [{request: {path: /a}}]}\n"
        }
        let suite = try ScenarioDecoder.decode(
            text: "suite: s\nscenarios:\n" + scenarios.joined(),
            path: "f.yaml",
            realTime: true
        )
        var options = RunOptions()
        let hello = DriverCapabilities(name: "t", version: "1", kind: .private, capabilities: [])
        options.subject = .driver(Driver(command: ["/bin/sh", "-c", script], hello: hello))
        options.checksConnectivity = false
        var results: [ScenarioResult] = []
        let summary = try Runner([suite], options: options, version: "1").run { event in
            if case .scenarioFinished(let result) = event { results.append(result) }
        }
        return (results, summary)
    }
}
