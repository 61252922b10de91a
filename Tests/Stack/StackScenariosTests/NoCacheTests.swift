import CacheSemantics
import Conformance
import HTTPServing
import Scenarios
import StackScenarios
import Testing
import TestSupport

@Suite("The project's scenarios and a subject without a cache", .timeLimit(.minutes(20)))
struct NoCacheTests {
    @Test("A subject without a cache violates no required rule, because nothing requires caching")
    func noCache() throws {
        let port = try OwnPort.next()
        var options = RunOptions()
        // The origin itself, as if a proxy forwarded everything to it.
        options.subject = .proxy("http://127.0.0.1:\(port)")
        options.originServer.port = port
        options.jobs = 32
        options.selection.levels = [.must]
        let library = try ProjectScenarios.realTime.get()
        var broken: [String] = []
        let runner = Runner(
            library.suites,
            dependencies: library.dependencies,
            options: options,
            version: "1"
        )
        let summary = try runner.run { event in
            guard case .scenarioFinished(let result) = event else { return }
            // A proxy would respond when the origin closes the connection; the origin itself cannot.
            if result.rules.contains("rfc9111.5.2.2.2.gateway-timeout") { return }
            if result.standing.failsRun { broken.append("\(result.name): \(result.verdict.reason)") }
        }
        #expect(broken == [])
        // What it passes says nothing of a cache.
        #expect(summary.unstored == summary.total[.passed])
        #expect(summary.unstored > 0)
    }
}
