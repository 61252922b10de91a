import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios
import Testing
import TestSupport

@Suite("Scenarios in files")
struct ScenarioDecoderTests {
    @Test("A scenario is identified by folder, file and id, and has the defaults of the language")
    func defaults() throws {
        let text = suiteText(steps: "- request: {path: /a}")
        let suite = try ScenarioDecoder.decode(text: text, path: "x/scenarios/http/4.2/age.yaml")
        #expect(suite.path == "http/4.2/age")
        #expect(suite.area == "http/4.2")
        #expect(suite.title == "A suite")
        let scenario = suite.scenarios[0]
        #expect(scenario.id == "http/4.2/age/first")
        #expect(scenario.title == "Something holds")
        #expect(scenario.level == .must)
        #expect(scenario.rules == ["rfc9111.4.2.fresh"])
        #expect(scenario.cacheKinds == [.private, .shared])
        #expect(scenario.dependencies.isEmpty)
        #expect(scenario.client == ClientSettings())
        #expect(scenario.routes == [.standard])
        #expect(scenario.realTime == .asWritten)
        #expect(scenario.position.description == "x/scenarios/http/4.2/age.yaml:3:5")
        #expect(scenario.steps[0].position.line == 8)
    }

    @Test("A step of the networking stack has one problem, which names the language that has such steps")
    func stack() {
        let found = problems(suiteText(steps: "- stack: {start: {url: /a}}"))
        #expect(found.split(separator: "\n").count == 1)
        #expect(found.contains("ScenarioLanguage.withStack() of the product StackScenarios"))
    }

    @Test("Defaults replace missing keys of a scenario as a whole")
    func suiteDefaults() throws {
        let text = """
            suite: s
            defaults:
              level: should
              rules: [rfc9111.4.1.match]
              cache: [shared]
              client: {heuristics: false}
              origin: [{answer: {status: 404}}]
            scenarios:
              - {id: a, title: t, steps: [request: ]}
              - {id: b, title: t, level: must, cache: private, client: {disk-capacity: 0}, steps: [request: ]}
            """
        let scenarios = try ScenarioDecoder.decode(text: text, path: "f.yaml").scenarios
        #expect(scenarios.map(\.level) == [.should, .must])
        #expect(scenarios.map(\.rules) == [["rfc9111.4.1.match"], ["rfc9111.4.1.match"]])
        #expect(scenarios.map(\.cacheKinds) == [[.shared], [.private]])
        #expect(scenarios.map(\.client.usesHeuristics) == [false, true])
        #expect(scenarios.map(\.client.diskCapacity) == [20_971_520, 0])
        #expect(scenarios.map { $0.routes[0].answers[0].status } == [404, 404])
    }

    @Test("Client settings have a member for every key")
    func client() throws {
        let more = """
            client:
              memory-capacity: 1MiB
              disk-capacity: 100KiB
              largest-share: 0.5
              heuristics: false
              hook: {user-info: {k: v}}
              expiration-interval: 600s
              connections-per-host: 2
              follow-redirects: false
              default-policy: returnCacheDataDontLoad
            """
        var expected = ClientSettings()
        expected.memoryCapacity = 1_048_576
        expected.diskCapacity = 102_400
        expected.largestShare = 0.5
        expected.usesHeuristics = false
        expected.hook = .userInfo(["k": "v"])
        expected.expirationInterval = .seconds(600)
        expected.connectionsPerHost = 2
        expected.followsRedirects = false
        expected.defaultPolicy = .returnCacheDataDontLoad
        #expect(try scenario(suiteText(steps: "- idle", more: more)).client == expected)
    }

    @Test(
        "A hook is a word or one change",
        arguments: [
            ("pass", .pass), ("refuse", .refuse), ("memory-only", .memoryOnly), ("not-allowed", .notAllowed),
            ("{append: X}", .append("X")), ("{fields: {A: b}}", .fields(["A": "b"])),
        ] as [(String, HookSetting)]
    )
    func hooks(text: String, expected: HookSetting) throws {
        let scenario = try scenario(suiteText(steps: "- idle", more: "client: {hook: \(text)}"))
        #expect(scenario.client.hook == expected)
    }

    @Test(
        "real-time is a reason or a map of replacements",
        arguments: [
            ("no, the clock jumps", .never(reason: "the clock jumps")),
            ("the clock jumps", .never(reason: "the clock jumps")),
            ("{60s: 2s, max-age=60: max-age=2}", .replacing(["60s": "2s", "max-age=60": "max-age=2"])),
        ] as [(String, RealTime)]
    )
    func realTime(text: String, expected: RealTime) throws {
        #expect(try scenario(suiteText(steps: "- idle", more: "real-time: \(text)")).realTime == expected)
    }

    @Test("In real time whole words are replaced in origin, client and steps, and nowhere else")
    func replacement() throws {
        let text = suiteText(
            steps: """
                - request: {path: /60s, fields: {A: "160s 60s, 61s x60s"}}
                - advance: 61s
                - advance: 60s
                """,
            origin: "- answer: {fields: {Cache-Control: \"max-age=60, s-maxage=600\"}, delay: 60s}",
            more: "client: {expiration-interval: 60s}\nreal-time: {60s: 2s, 61s: 60s, max-age=60: max-age=2}"
        )
        let written = try scenario(text)
        #expect(written.steps.map(\.step.advanced) == [nil, .seconds(61), .seconds(60)])
        let scenario = try scenario(text, realTime: true)
        #expect(scenario.steps.map(\.step.advanced) == [nil, .seconds(60), .seconds(2)])
        #expect(
            scenario.routes[0].answers[0].fields[0].value == .text("max-age=2, s-maxage=600")
        )
        #expect(scenario.routes[0].answers[0].delay == .seconds(2))
        #expect(scenario.client.expirationInterval == .seconds(2))
        guard case .request(let request) = scenario.steps[0].step else { return #expect(Bool(false)) }
        #expect(request.path == "/2s")
        #expect(request.fields[0].value == .text("160s 2s, 60s x60s"))
    }

    @Test("Steps that are repeated are listed once, in place of their repetition")
    func allSteps() throws {
        let text = suiteText(
            steps: """
                - request: {path: /1}
                - repeat: {times: 3, steps: [advance: 2s, parallel: [request: {path: /2}, request: {path: /3}]]}
                - request: {path: /4}
                """
        )
        #expect(try scenario(text).allSteps.map(\.advanced) == [nil, .seconds(2), nil, nil])
        #expect(try scenario(text).requestSteps.map(\.path) == ["/1", "/2", "/3", "/4"])
    }

    @Test("Advances are added up, including repetitions")
    func advancedTime() throws {
        let text = suiteText(
            steps: """
                - advance: 1s
                - repeat: {times: 3, steps: [advance: 2s, advance: {by: 500ms}]}
                - advance: {wall: -1h}
                """
        )
        #expect(try scenario(text).advancedTime == .milliseconds(8500))
        #expect(try scenario(text).jumpsWallClock)
        #expect(try !scenario(suiteText(steps: "- advance: 1s")).jumpsWallClock)
    }

    @Test("All problems of a file are reported at once, in the order of their positions")
    func allAtOnce() {
        let text = """
            suite: s
            scenarioz: []
            scenarios:
              - id: A b
                level: most
                rules: [rfc9111.4.2.frsh]
                origin: [{anser: {}}]
                steps:
                  - reqest: {path: /a}
                  - advance: 5
              - {}
            """
        #expect(
            problems(text) == """
                f.yaml:2:1: found unknown key "scenarioz" in a suite, expected "scenarios"
                f.yaml:4:5: found a scenario without "title", expected "title"
                f.yaml:4:9: found "A b", expected lower-case words joined by "-"
                f.yaml:5:12: found "most", expected "must"
                f.yaml:6:13: found undefined rule "rfc9111.4.2.frsh", expected "rfc9111.4.2.fresh"
                f.yaml:7:14: found a route without an answer, expected one of "answer" and "answers"
                f.yaml:7:15: found unknown key "anser" in a route, expected "answer"
                f.yaml:9:9: found unknown key "reqest" in a step, expected "request"
                f.yaml:10:18: found "5", expected a duration such as 61s, 200ms, 2m, 1h or 100d
                f.yaml:11:5: found a scenario without "id", expected "id"
                f.yaml:11:5: found a scenario without "level", expected "level"
                f.yaml:11:5: found a scenario without "rules", expected "rules"
                f.yaml:11:5: found a scenario without "steps", expected "steps"
                f.yaml:11:5: found a scenario without "title", expected "title"
                """
        )
    }
}

extension Step {
    /// The duration of an advance; `nil` for other steps.
    fileprivate var advanced: Duration? {
        if case .advance(let duration) = self { duration } else { nil }
    }
}

@Suite("Scenarios when the clock cannot be moved")
struct RealTimeObstacleTests {
    @Test(
        "A scenario runs unless it forbids it, sets the wall clock or waits more than 5 s",
        arguments: [
            ("- advance: 5s", "", nil),
            ("- advance: 5001ms", "", "The scenario would have to wait 5 s."),
            ("- advance: 61s", "real-time: {61s: 2s}", nil),
            ("- repeat: {times: 3, steps: [{advance: 2s}]}", "", "The scenario would have to wait 6 s."),
            ("- advance: {wall: -1h}", "", "The scenario sets the wall clock."),
            ("- idle", "real-time: it takes a year", "it takes a year"),
        ] as [(String, String, String?)]
    )
    func obstacle(steps: String, more: String, expected: String?) throws {
        #expect(
            try scenario(suiteText(steps: steps, more: more), realTime: true).realTimeObstacle == expected
        )
    }
}
