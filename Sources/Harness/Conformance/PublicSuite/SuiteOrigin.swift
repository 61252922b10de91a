import CacheClient
import CacheSemantics
import Clocks
import MockOrigin
import OriginScript
import PublicSuite

/// The origin of the public suite's tests, behind a subject outside the process.
protocol SuiteOrigin: Sendable {
    /// Its URL without a slash at the end.
    var url: String { get }
    /// Why the origin can no longer be used; `nil` while it can.
    var breakdown: String? { get }
    /// Registers a test under an id; throws a one-sentence problem.
    func configure(_ test: SuiteTest, id: String) async throws(HarnessProblem)
    /// Returns the recorded requests; empty if there are none.
    func state(of id: String) async throws(HarnessProblem) -> [StateEntry]
    /// Returns the known requests after the first `count`.
    func arrivals(of id: String, after count: Int) -> [OriginExchange]
    /// Removes a test.
    func close(id: String)
}

/// Our own origin, in this process.
final class OwnSuiteOrigin: SuiteOrigin {
    private let server: SuiteServer
    private let clock: any TimeSource
    private let open: NamespaceTable

    init(_ server: SuiteServer, clock: any TimeSource) {
        self.server = server
        self.clock = clock
        open = NamespaceTable()
    }

    var url: String { "http://127.0.0.1:\(server.port)" }

    var breakdown: String? { server.breakdown }

    func configure(_ test: SuiteTest, id: String) async throws(HarnessProblem) {
        let namespace = server.open(id: id, elements: test.requests.map(\.element), clock: clock)
        open[id] = NamespaceOrigin(namespace, port: server.port)
    }

    func state(of id: String) async throws(HarnessProblem) -> [StateEntry] { server.state(of: id) }

    func arrivals(of id: String, after count: Int) -> [OriginExchange] {
        open[id]?.record(after: count) ?? []
    }

    func close(id: String) {
        open[id]?.close()
        open[id] = nil
    }
}

/// Another server, which is used by the suite's wire protocol.
struct RemoteSuiteOrigin: SuiteOrigin {
    let caller: WireCaller
    let base: String

    var url: String { base }

    var breakdown: String? {
        let target = SocketTarget(url: base)
        return target.isListening ? nil : "the origin at \(target.text) accepts no connections"
    }

    func configure(_ test: SuiteTest, id: String) async throws(HarnessProblem) {
        let body = "[" + test.requests.map(\.json).joined(separator: ",") + "]"
        let fields = [(SuiteFieldName.contentType, "application/json")]
        let status = try await ask("PUT", "/config/\(id)", fields: fields, body: Array(body.utf8)).status
        if status != 201 {
            throw HarnessProblem("the origin answered the test's configuration with \(status)")
        }
    }

    func state(of id: String) async throws(HarnessProblem) -> [StateEntry] {
        let response = try await ask("GET", "/state/\(id)", fields: [], body: nil)
        guard response.status == 200 else { return [] }
        do {
            return try StateEntry.decode(json: String(decoding: response.body, as: UTF8.self))
        } catch {
            throw HarnessProblem("the origin's state cannot be read: \(error)")
        }
    }

    func arrivals(of id: String, after count: Int) -> [OriginExchange] { [] }

    func close(id: String) {}

    private func ask(
        _ method: String,
        _ target: String,
        fields: [(name: String, value: String)],
        body: [UInt8]?
    ) async throws(HarnessProblem) -> SuiteResponse {
        let request = WireRequest(method: method, url: base + target, fields: fields, body: body)
        switch await caller.send(request, within: SuiteConversation.patience) {
        case .response(let response): return response
        case .timedOut: throw HarnessProblem("the origin does not answer \(method) \(target)")
        case .failed(let reason): throw HarnessProblem("the origin cannot be reached: \(reason)")
        }
    }
}
