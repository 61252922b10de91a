import Clocks
import HTTPServing
import Locks
import LocatedYAML
import OriginScript

/// The tests of the public suite at an origin: answers requests of the suite's client, and of the cache in front of it.
final class SuiteTests: Sendable {
    private struct Test {
        let namespace: OriginNamespace
        let script: SuiteScript
        var lastUse: Duration
    }
    private struct State {
        var tests: [String: Test] = [:]
        var lastSweep = Duration.zero
    }
    /// The time for which a test is kept after its last use.
    static let lifetime = Duration.seconds(3600)
    private static let sweepInterval = Duration.seconds(60)
    private static let testLimit = 20_000
    private let dialect: SuiteDialect
    private let clock: any TimeSource
    private let contents: ContentStore
    private let state = Lock(State())

    init(dialect: SuiteDialect, contents: ContentStore, clock: any TimeSource) {
        self.dialect = dialect
        self.contents = contents
        self.clock = clock
        state.withLock { $0.lastSweep = clock.elapsed }
    }

    // MARK: Tests

    func open(id: String, elements: [ElementScript], clock: any TimeSource) -> OriginNamespace {
        let script = SuiteScript(id: id, elements: elements, dialect: dialect, clock: clock)
        var setup = OriginNamespace.Setup(
            injector: FaultInjector(FaultPlan(), clock: clock),
            contents: contents
        )
        (setup.base, setup.suite) = ("/test/" + id, script)
        setup.onClose = { [weak self] in self?.forget(id, $0) }
        let namespace = OriginNamespace(setup)
        let test = Test(namespace: namespace, script: script, lastUse: self.clock.elapsed)
        state.withLock { $0.tests[id] = test }
        return namespace
    }

    func state(of id: String) -> [StateEntry] { test(id)?.script.recorded ?? [] }

    private func forget(_ id: String, _ namespace: OriginNamespace) {
        state.withLock { if $0.tests[id]?.namespace === namespace { $0.tests[id] = nil } }
    }

    private func test(_ id: String) -> Test? {
        let now = clock.elapsed
        return state.withLock { state in
            state.tests[id]?.lastUse = now
            return state.tests[id]
        }
    }

    /// Removes unused tests periodically.
    private func sweep() {
        let now = clock.elapsed
        state.withLock { state in
            guard now - state.lastSweep >= Self.sweepInterval else { return }
            state.lastSweep = now
            state.tests = state.tests.filter { now - $0.value.lastUse < Self.lifetime }
        }
    }

    // MARK: Requests

    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
        var reply = notice(problem.status, problem.explanation, to: request)
        reply.ending = .drainAndClose
        return reply
    }

    func reply(to request: ServedRequest) -> RawReply {
        sweep()
        let parts = TargetParts(request.target).path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].isEmpty, let kind = Resource(rawValue: String(parts[1])) else {
            return notice(404, "Not found; this server has /config, /test and /state.", to: request)
        }
        guard parts.count > 2, !parts[2].isEmpty else {
            return notice(404, "The path has no id.", to: request)
        }
        let id = String(parts[2])
        return switch kind {
        case .config: configure(id, request)
        case .test:
            test(id)?.namespace.reply(to: request) ?? notice(409, "No test has the id \(id).", to: request)
        case .state: stateReply(id, request)
        }
    }

    private enum Resource: String {
        case config, test, state
    }

    private func configure(_ id: String, _ request: ServedRequest) -> RawReply {
        guard request.method == "PUT" else { return notice(405, "Only PUT is allowed.", to: request) }
        if let problem = obstacle(to: id) { return notice(409, problem, to: request) }
        guard let text = String(validating: request.body, as: UTF8.self) else {
            return notice(400, "The content is not UTF-8.", to: request)
        }
        do throws(YAMLProblems) {
            _ = open(id: id, elements: try ElementScript.decode(json: text), clock: clock)
            return notice(201, "OK", to: request)
        } catch {
            return notice(400, error.problems.map(\.description).joined(separator: "; "), to: request)
        }
    }

    private func obstacle(to id: String) -> String? {
        state.withLock { state in
            if state.tests[id] != nil { return "The id \(id) is in use." }
            return state.tests.count < Self.testLimit
                ? nil : "There are too many tests; they expire in an hour."
        }
    }

    private func stateReply(_ id: String, _ request: ServedRequest) -> RawReply {
        let entries = state(of: id)
        if entries.isEmpty { return notice(404, "Nothing is recorded for \(id).", to: request) }
        return notice(200, entries.json, to: request)
    }

    private func notice(_ status: Int, _ text: String, to request: ServedRequest) -> RawReply {
        let reply = ComposedReply.suiteNotice(status, text, to: request)
        return RawReply(reply.rendered(), ending: reply.ending, clock: clock)
    }
}
