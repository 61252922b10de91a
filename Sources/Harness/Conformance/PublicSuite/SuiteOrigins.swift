import CacheClient
import Clocks
import Locks
import MockOrigin
import OriginScript
import PublicSuite
import Scenarios

/// The origin of the public suite's tests: our own, or another server that is used by the suite's wire protocol.
final class SuiteOrigins: Sendable {
    private let server: MockServer
    private let remote: RemoteSuiteServer?

    /// Creates access to `server`, or to the other server that the options name.
    init(_ options: RunOptions, _ server: MockServer, clock: SystemClock) throws(SubjectError) {
        self.server = server
        guard let base = options.suiteOrigin else {
            remote = nil
            return
        }
        remote = RemoteSuiteServer(caller: try .connecting(options.jobs, clock), base: base)
    }

    /// The reason why the origin can no longer be used; `nil` while it can.
    var breakdown: String? { remote.map(\.breakdown) ?? server.breakdown }

    /// Returns the origin of a test under an id; `clock` is the test's own if the origin is ours.
    func open(_ test: SuiteTest, id: String, clock: any TimeSource) -> SuiteOrigin {
        if let remote { return remote.open(test, id) }
        let namespace = server.open(test: id, elements: test.requests.map(\.element), clock: clock)
        let origin = NamespaceOrigin(namespace, port: server.port ?? 0)
        let state = { [server] () throws(HarnessProblem) in server.state(of: id) }
        return SuiteOrigin(origin: origin, configure: {}, state: state) { origin.close() }
    }
}

/// The origin of one test of the public suite.
struct SuiteOrigin {
    let origin: any SubjectOrigin
    /// Registers the test, before its first request.
    let configure: () throws(HarnessProblem) -> Void
    /// Returns the recorded requests; empty if there are none.
    let state: () throws(HarnessProblem) -> [StateEntry]
    /// Removes the test.
    let close: () -> Void
}

/// A test at another server, whose record of it is read only at its end.
private struct RemoteOrigin: SubjectOrigin {
    let base: String
    let authority: String
    let local: NamespaceOrigin? = nil

    func record(after count: Int) -> [OriginExchange] { [] }

    var hasOpenExchanges: Bool { false }
}

/// Another server, which is used by the suite's wire protocol.
private struct RemoteSuiteServer: Sendable {
    let caller: WireCaller
    let base: String

    var breakdown: String? {
        let target = SocketTarget(url: base)
        return target.isListening ? nil : "the origin at \(target.text) accepts no connections"
    }

    func open(_ test: SuiteTest, _ id: String) -> SuiteOrigin {
        SuiteOrigin(
            origin: RemoteOrigin(base: "/test/\(id)", authority: base),
            configure: { () throws(HarnessProblem) in try configure(test, id) },
            state: { () throws(HarnessProblem) in try state(of: id) },
            close: {}
        )
    }

    private func configure(_ test: SuiteTest, _ id: String) throws(HarnessProblem) {
        let body = "[" + test.requests.map(\.json).joined(separator: ",") + "]"
        let fields = [(SuiteFieldName.contentType, "application/json")]
        let status = try ask("PUT", "/config/\(id)", fields: fields, body: Array(body.utf8)).status
        if status != 201 {
            throw HarnessProblem("the origin answered the test's configuration with \(status)")
        }
    }

    private func state(of id: String) throws(HarnessProblem) -> [StateEntry] {
        let response = try ask("GET", "/state/\(id)", fields: [], body: nil)
        guard response.status == 200 else { return [] }
        do {
            return try StateEntry.decode(json: String(decoding: response.body, as: UTF8.self))
        } catch {
            throw HarnessProblem("the origin's state cannot be read: \(error)")
        }
    }

    private func ask(
        _ method: String,
        _ target: String,
        fields: [(name: String, value: String)],
        body: [UInt8]?
    ) throws(HarnessProblem) -> SuiteResponse {
        let request = WireRequest(method: method, url: base + target, fields: fields, body: body)
        let reply = waiting(on: caller.executor) { [caller] in
            await caller.send(request, within: SuiteConversation.usualTimeLimit)
        }
        switch reply {
        case .response(let response): return response
        case .timedOut: throw HarnessProblem("the origin does not answer \(method) \(target)")
        case .failed(let reason): throw HarnessProblem("the origin cannot be reached: \(reason)")
        }
    }
}
