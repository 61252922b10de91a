import CacheSemantics
import Clocks
import Conformance
import HTTPServing
import MockOrigin
import OriginScript
import PublicSuite
import Scenarios
import TestSupport
import Testing

@Suite("Runs of the public suite's tests", .timeLimit(.minutes(20)))
struct SuiteRunTests {
    @Test(
        "The built-in client passes the expected tests in virtual time, with sockets and without",
        arguments: RunOptions.Transport.allCases
    )
    func builtin(transport: RunOptions.Transport) throws {
        let begin = SystemClock().elapsed
        let classes = try classes(Self.suite) { $0.transport = transport }
        #expect(
            classes == [
                "fresh [private]": .pass, "fresh [shared]": .pass, "stale [private]": .pass,
                "stale [shared]": .pass, "no-store [private]": .pass, "no-store [shared]": .pass,
                "interim [private]": .untested, "interim [shared]": .pass, "late [private]": .yes,
                "late [shared]": .yes, "wrong [private]": .optionalFail, "wrong [shared]": .optionalFail,
                "after-wrong [private]": .dependencyFail, "after-wrong [shared]": .dependencyFail,
                "unprepared [private]": .setupFail, "unprepared [shared]": .setupFail,
                "too-slow [private]": .harnessFail, "too-slow [shared]": .harnessFail,
                "cdn [private]": .untested, "cdn [shared]": .pass, "browser [private]": .untested,
                "browser [shared]": .untested, "long [private]": .pass, "long [shared]": .pass,
            ]
        )
        // The 200 pauses of "long" last 10 minutes.
        #expect(SystemClock().elapsed - begin < .seconds(240))
    }

    @Test("A selected test is run with its dependencies, and one in another file is ignored")
    func dependencies() throws {
        let classes = try classes(Self.suite) { options in
            options.selection.filters = [GlobPattern("after-wrong")]
            options.selection.cacheKinds = [.shared]
        }
        #expect(classes == ["wrong [shared]": .optionalFail, "after-wrong [shared]": .dependencyFail])
        let one = #"{"id":"s","tests":[{"id":"t","depends_on":["elsewhere"],"requests":[{}]}]}"#
        #expect(try self.classes(one) { $0.selection.cacheKinds = [.shared] } == ["t [shared]": .pass])
    }

    @Test("Failed required tests fail the run, failed optimal ones do not")
    func exitStatus() throws {
        let json = { (kind: String) in
            #"{"id":"s","tests":[{"id":"t","kind":"\#(kind)","requests":[{"expected_type":"cached"}]}]}"#
        }
        #expect(try summary(json("required")).exitStatus == 1)
        #expect(try summary(json("optimal")).exitStatus == 0)
        #expect(try summary(json("check")).exitStatus == 0)
        #expect(try summary(json("optimal")).suiteResults.keys.sorted() == ["t"])
    }

    @Test("A proxy that does not cache is tested in real time, with concurrent tests")
    func proxy() throws {
        let json = """
            {"id":"s","tests":[
              {"id":"pass","requests":[{"response_pause":0.2},{"expected_type":"not_cached"}]},
              {"id":"fail","requests":[{"response_pause":0.2},{"expected_type":"cached"}]},
              {"id":"moved","requests":[{"magic_locations":true,"response_status":[302,"Found"],
                "response_headers":[["Location","/test/x"]],"redirect":"manual","expected_status":302}]}
            ]}
            """
        let port = try OwnPort.next()
        let classes = try classes(json) { options in
            options.subject = .proxy("http://127.0.0.1:\(port)")
            options.originServer.port = port
            options.jobs = 8
        }
        #expect(classes == ["pass [shared]": .pass, "fail [shared]": .fail, "moved [shared]": .pass])
    }

    @Test("Scenarios and the suite's tests of one run share the origin that a proxy forwards to")
    func sharedOrigin() throws {
        let yaml = """
            suite: s
            scenarios:
              - id: passed
                title: It is passed
                level: must
                rules: [rfc9110.7.7.target]
                steps: [{request: {path: /a}, expect: {status: 200}}]
            """
        let suite = try ScenarioDecoder.decode(text: yaml, path: "f.yaml", realTime: true)
        let file = try SuiteFile.decode(
            json: #"{"id":"s","tests":[{"id":"t","requests":[{}]}]}"#,
            file: "f.json"
        )
        let port = try OwnPort.next()
        var options = RunOptions()
        options.subject = .proxy("http://127.0.0.1:\(port)")
        options.originServer.port = port
        var verdicts: [String: Verdict] = [:]
        _ = try Runner([suite], publicSuites: [file], options: options, version: "1").run { event in
            if case .scenarioFinished(let result) = event { verdicts[result.id] = result.verdict }
        }
        #expect(verdicts == ["f/passed": .passed, "t": .passed])
    }

    @Test("Another server with the suite's protocol can be the origin")
    func remoteOrigin() throws {
        var configuration = MockServer.Configuration()
        configuration.suite = .compatible
        let server = MockServer(configuration, clock: SystemClock())
        try server.start()
        defer { server.stop() }
        let json = """
            {"id":"s","tests":[{"id":"t","requests":[
              {"response_headers":[["ETag","\\"v\\""]]},
              {"request_headers":[["If-None-Match","\\"v\\""]],"expected_type":"etag_validated","expected_status":304}
            ]}]}
            """
        let url = server.url
        let classes = try classes(json) { options in
            options.subject = .proxy(url)
            options.suiteOrigin = url
        }
        #expect(classes == ["t [shared]": .pass])
    }

    // MARK: Helping

    private func summary(_ json: String, _ change: (inout RunOptions) -> Void = { _ in }) throws -> RunSummary
    {
        var options = RunOptions()
        options.selection.cacheKinds = [.shared]
        change(&options)
        let file = try SuiteFile.decode(json: json, file: "f.json")
        return try Runner([], publicSuites: [file], options: options, version: "1").run { _ in }
    }

    private func classes(
        _ json: String,
        _ change: (inout RunOptions) -> Void
    ) throws -> [String: SuiteClass] {
        var options = RunOptions()
        change(&options)
        let file = try SuiteFile.decode(json: json, file: "f.json")
        var classes: [String: SuiteClass] = [:]
        _ = try Runner([], publicSuites: [file], options: options, version: "1").run { event in
            if case .scenarioFinished(let result) = event { classes[result.name] = result.suiteClass }
        }
        return classes
    }

    private static let suite = """
        {"id":"s","name":"Ours","tests":[
          {"id":"fresh","requests":[
            {"response_headers":[["Cache-Control","max-age=60"],["Date",0]],"setup":true,"pause_after":true},
            {"expected_type":"cached","expected_response_headers":[["Age",">",2],["Date",0]]}]},
          {"id":"stale","depends_on":["fresh"],"requests":[
            {"response_headers":[["Cache-Control","max-age=2"],["ETag","\\"v\\""]],"setup":true,"pause_after":true},
            {"expected_type":"etag_validated"}]},
          {"id":"no-store","requests":[
            {"response_headers":[["Cache-Control","no-store, max-age=60"]],"setup":true},
            {"expected_type":"not_cached"}]},
          {"id":"interim","browser_skip":true,"requests":[
            {"interim_responses":[[103,[["link","</a>"]]]],"expected_interim_responses":[[103,[["link","</a>"]]]]}]},
          {"id":"late","kind":"check","requests":[
            {"response_headers":[["Cache-Control","max-age=2"]],"pause_after":true,"setup":true},
            {"response_pause":5,"expected_type":"not_cached"}]},
          {"id":"wrong","kind":"optimal","requests":[{"expected_type":"cached"}]},
          {"id":"after-wrong","depends_on":["wrong"],"requests":[{}]},
          {"id":"unprepared","requests":[{"expected_type":"cached","setup":true}]},
          {"id":"too-slow","requests":[{"response_pause":11}]},
          {"id":"cdn","cdn_only":true,"requests":[{}]},
          {"id":"browser","browser_only":true,"requests":[{}]},
          {"id":"long","requests":[\(pauses.joined(separator: ","))]}
        ]}
        """

    private static let pauses = [String](repeating: #"{"pause_after":true}"#, count: 200)
}
