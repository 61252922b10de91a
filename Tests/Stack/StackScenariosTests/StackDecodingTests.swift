import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("Steps of the networking stack")
struct StackDecodingTests {
    private static func stack(_ text: String) throws -> [StackStep] {
        try steps(text).compactMap { if case .added(let step as StackStep, _) = $0 { step } else { nil } }
    }

    @Test("A chain has a property for every key")
    func chain() throws {
        let text = """
            - stack:
                chain:
                  order: dependent
                  limit: 3
                  profile: sjNetwork
                  cancel-after: 2s
                  requests:
                    - {name: login, path: '/login?x=1', method: POST, body: b, content-type: text/csv, fields: {A: b}}
                    - path: /items
                      parameters: {n: 5, t: '5', f: 1.5, b: true, z: null, l: [1, a], m: {k: v}, r: {from: login, at: '$.id'}}
                      base: /v2
                      host: other
                      policy: returnCacheDataElseLoad
                      timeout: 3s
                      priority: -1
                      load-cache: true
                      cache-for: 60s
                      serializer: compound
                      callback: false
                expect: {stopped-at: '2', at-once: {at-most: 1}, completions: 1, error: cancelled, log: [a, b]}
            """
        guard case .group(let chain) = try Self.stack(text)[0] else { return #expect(Bool(false)) }
        #expect(chain.kind == .chain(.dependent, limit: 3))
        #expect(chain.timing.profile == .sjNetwork)
        #expect(chain.timing.cancelAfter == .seconds(2))
        #expect(chain.requests.map(\.name) == ["login", "2"])
        let (login, items) = (chain.requests[0], chain.requests[1])
        #expect(login.path == "/login?x=1")
        #expect(login.method == "POST")
        #expect(login.body == .text("b"))
        #expect(login.contentType == "text/csv")
        #expect(login.fields == [FieldLine("A", .text("b"))])
        #expect(login.hasCallbacks)
        let place = try #require(JSONPath("$.id"))
        #expect(
            items.parameters == [
                "n": .integer(5), "t": .text("5"), "f": .number(1.5), "b": .bool(true), "z": .null,
                "l": .list([.integer(1), .text("a")]), "m": .map(["k": .text("v")]),
                "r": .result(of: "login", at: place),
            ]
        )
        #expect(items.base == "/v2")
        #expect(items.asksOtherHost)
        #expect(items.policy == .returnCacheDataElseLoad)
        #expect(items.timeout == .seconds(3))
        #expect(items.priority == -1)
        #expect(items.loadsCache)
        #expect(items.cacheFor == .seconds(60))
        #expect(items.serializer == .compound)
        #expect(!items.hasCallbacks)
        #expect(chain.expectation.stoppedAt?.value == "2")
        #expect(chain.expectation.atOnce?.value == .range(atLeast: nil, atMost: 1))
        #expect(chain.expectation.errorCodes?.value == [-999])
        #expect(chain.expectation.log?.value == ["a", "b"])
    }

    @Test("A batch has a failure rule, and a finish step has a started operation")
    func batch() throws {
        let text = """
            - stack: {batch: {failure: lets-rest-finish, requests: [{name: a}, {name: b, after: a}], start: both}}
            - stack: {reachability: wifi}
            - stack:
                finish: both
                expect: {order: [a, b], completed: 2}
            """
        let steps = try Self.stack(text)
        guard case .group(let batch) = steps[0], case .reachability(let network) = steps[1],
            case .finish(let finish) = steps[2], case .group(let expectation) = finish.expectation
        else { return #expect(Bool(false)) }
        #expect(batch.kind == .batch(continuesAfterFailure: true))
        #expect(batch.requests[1].dependencies == ["a"])
        #expect(batch.timing.start == "both")
        #expect(network == .wifi)
        #expect(finish.name == "both")
        #expect(expectation.order?.value == ["a", "b"])
    }

    @Test("A scenario with such steps has a private cache, and its settings are read")
    func settings() throws {
        let more = """
            stack:
              profile: afNetworking
              base: /v1/
              default-parameters: {v: '1.0'}
              default-fields: {Token: t}
              version: '1.0'
              body-form: json
              timeout: 5s
              limit: 2
              retry: {times: 3}
              cookies: true
              debug-log: true
            """
        let scenario = try scenario(
            suiteText(steps: "- stack: {chain: {requests: [{path: /a}]}}", more: more)
        )
        #expect(scenario.cacheKinds == [.private])
        var expected = StackSettings()
        expected.profile = .afNetworking
        expected.base = "/v1/"
        expected.defaultParameters = ["v": .text("1.0")]
        expected.defaultFields = [FieldLine("Token", .text("t"))]
        expected.version = "1.0"
        expected.sendsJSON = true
        expected.timeout = .seconds(5)
        expected.limit = 2
        expected.retry = RetrySetting(times: 3, delay: .seconds(1))
        expected.keepsCookies = true
        expected.writesLog = true
        #expect(scenario.extensionSettings["stack"] as? StackSettings == expected)
    }

    @Test("Settings of a step do not change the others")
    func over() {
        var (first, second) = (StackSettings(), StackSettings())
        first.profile = .sqFetch
        first.limit = 2
        second.limit = 3
        #expect(second.over(first).profile == .sqFetch)
        #expect(second.over(first).limit == 3)
    }
}
