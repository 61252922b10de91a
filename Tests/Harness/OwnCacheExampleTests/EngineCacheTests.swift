import Conformance
import Testing

// docs/adopting-the-engine.md shows EngineCache.

@Suite("Example: the engine in a cache of yours", .timeLimit(.minutes(20)))
struct EngineCacheTests {
    @Test("It passes every required scenario for HTTP that it can be asked", arguments: CacheKind.allCases)
    func required(_ kind: CacheKind) async throws {
        let scenarios = try Scenario.load("scenarios/http", level: .must, for: kind)
        let subject = InProcessSubject("EngineCache", kind: kind, capabilities: .all) { EngineCache($0) }
        var options = RunOptions(subject: .inProcess(subject))
        // Its background tasks share the threads of two thousand other tests.
        options.stepTimeout = .seconds(240)
        var passed = 0
        for try await event in Runner(scenarios, options: options).events {
            guard case .scenarioFinished(let result) = event else { continue }
            #expect(result.conforms, "\(result.explanation)")
            if case .passed = result.verdict { passed += 1 }
        }
        // The others need what this cache does not offer, such as restarts and following redirects.
        #expect(passed * 3 > scenarios.count * 2, "Only \(passed) of \(scenarios.count) scenarios were run.")
    }
}

extension InProcessSubject.Capabilities {
    fileprivate static let all: Self = [.removesAll, .policies]
}
