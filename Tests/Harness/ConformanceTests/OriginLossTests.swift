import CacheSemantics
import CLibrary
import Clocks
import MockOrigin
import Scenarios
import TestSupport
import Testing

@testable import Conformance
@testable import HTTPServing

@Suite("An origin that is lost during a run", .timeLimit(.minutes(20)), .blocking)
struct OriginLossTests {
    /// A subject and its name; of those outside the process only installed ones.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let subject: RunOptions.Subject
    }
    static let rows =
        [Row(testDescription: "the built-in client", subject: .builtin)]
        + KnownProxy.all.filter(\.isInstalled).map {
            Row(testDescription: $0.name, subject: .known($0))
        }
        + [
            ("curl", try? Driver(greeting: BundledDrivers.command("curl"))),
            ("chromium", ChromiumTests.driver),
        ].compactMap { name, driver in
            driver.map { Row(testDescription: "the driver of \(name)", subject: .driver($0)) }
        }

    /// Every response ends its connection, so that the next request needs the listening socket.
    private static let text = """
        suite: s
        defaults: {level: must, rules: [rfc9111.4.2.fresh]}
        scenarios:
          - id: before
            title: t
            steps: [{request: {path: /a}, expect: {status: 200}}]
          - id: under-way
            title: t
            depends-on: [before]
            origin: [{answer: {fields: {Cache-Control: no-store}, framing: close}}]
            steps: [{repeat: {times: 5000, steps: [{request: {path: /a}, expect: {status: 200}}]}}]
          - id: after
            title: t
            depends-on: [before]
            origin: [{answer: {fields: {Cache-Control: no-store}, framing: close}}]
            steps: [{repeat: {times: 5000, steps: [{request: {path: /b}, expect: {status: 200}}]}}]
          - id: dependent
            title: t
            depends-on: [under-way]
            steps: [{request: {path: /a}, expect: {status: 200}}]
        """

    @Test("All current and later scenarios are harness errors, and the run ends with 69", arguments: rows)
    func gone(row: Row) throws {
        let port = try OwnPort.next()
        var options = RunOptions()
        options.subject = row.subject
        options.checksConnectivity = false
        options.selection.cacheKinds = row.subject == .builtin ? [.private] : []
        options.originServer.port = port
        let suite = try ScenarioDecoder.decode(text: Self.text, path: "f.yaml", realTime: true)
        var verdicts: [String: Verdict] = [:]
        let summary = try Runner([suite], options: options, version: "1").run { event in
            guard case .scenarioFinished(let result) = event else { return }
            verdicts[String(result.id.split(separator: "/").last ?? "")] = result.verdict
            if result.id.hasSuffix("before") { Self.shutDown(port) }
        }
        #expect(verdicts["before"] == .passed)
        let gone = Verdict.harnessError("the origin at port \(port) no longer listens")
        #expect(verdicts["under-way"] == gone)
        #expect(verdicts["after"] == gone)
        #expect(verdicts["dependent"] == .harnessError("f/under-way, on which it depends, was not judged"))
        #expect(summary.exitStatus == 69)
        #expect(summary.total.failed == summary.total[.broken])
    }

    @Test("A server that is made to refuse connections, or stopped, is not lost")
    func told() throws {
        let server = try MockServer.started()
        #expect(!server.isLost)
        try server.stopListening()
        #expect(!server.isLost)
        try server.startListening()
        Self.shutDown(server.port)
        #expect(server.isLost)
        server.stop()
        #expect(!server.isLost)
    }

    /// Shuts down this process's socket that listens on a port; its number is unique while the server runs.
    private static func shutDown(_ port: Int?) {
        for descriptor in TestFolder.names(in: "/proc/self/fd").compactMap({ CInt($0) })
        where Socket.isListening(descriptor) && Int(SocketAddress.local(of: descriptor).port) == port {
            shutdown(descriptor, CInt(SHUT_RDWR))
        }
    }
}
