import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import MockOrigin
import OriginScript
import PublicSuite
import TestSupport
import Testing

@testable import Conformance

@Suite("Our runner compared with an independent client, Node's fetch", .timeLimit(.minutes(20)))
struct SuiteControlTests {
    private static let isThere = ProgramFiles.find("node") != nil

    @Test(
        "Without a cache every test of our own suite has the same result with both",
        .enabled(if: SuiteControlTests.isThere, "node is not installed"),
        arguments: ["members.json"]
    )
    func noCache(file: String) throws {
        let origin = try SuiteControlTests.origin()
        defer { origin.stop() }
        let url = origin.url
        try compare(file, proxy: url, origin: url)
    }

    @Test(
        "Through the gateway every test of our own suite has the same result with both",
        .enabled(if: SuiteControlTests.isThere, "node is not installed"),
        arguments: ["members.json"]
    )
    func gateway(file: String) throws {
        let origin = try SuiteControlTests.origin()
        defer { origin.stop() }
        let url = origin.url
        let clock = SystemClock()
        let configuration = Gateway.Configuration(mode: .reverse(origin: url))
        let gateway = Gateway(
            configuration,
            store: try CacheStore(CacheStore.Configuration(), clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        try gateway.start()
        defer { gateway.stop() }
        try compare(file, proxy: gateway.url, origin: url)
    }

    // MARK: Helping

    private static func origin() throws -> MockServer {
        var configuration = MockServer.Configuration()
        configuration.suite = .compatible
        let server = MockServer(configuration, clock: SystemClock())
        try server.start()
        return server
    }

    /// Runs a file of `fixtures/control` with our runner, then with the client, which compares.
    private func compare(_ file: String, proxy: String, origin: String) throws {
        let folder = packageFolder + "/fixtures/control"
        let path = "\(folder)/\(file)"
        let text = try #require(ProgramFiles.text(path))
        var options = RunOptions()
        options.subject = .proxy(proxy)
        options.suiteOrigin = origin
        options.jobs = 8
        // No test of these waits for a time limit, and a busy machine is no reason for another result.
        options.suiteTimeLimit = .seconds(600)
        let suite = try SuiteFile.decode(json: text, file: file)
        let summary = try Runner([], publicSuites: [suite], options: options, version: "1").run { _ in }
        let scratch = try ScratchFolder()
        let results = "\(scratch.path)/results.json"
        try ProgramFiles.write(summary.suiteResults.suiteResultsJSON, to: results)
        let client = "node --no-warnings '\(folder)/suite-client.mjs'"
        let output = ProgramFiles.output(
            of: "\(client) \(proxy) '\(path)' --compare '\(results)' --time-limit 600 2>&1"
        )
        #expect(output == "\(summary.suiteResults.count) tests, 0 with different results\n")
        #expect(!summary.suiteResults.isEmpty)
    }
}
