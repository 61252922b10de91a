import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
import PublicSuite
import Scenarios
import Threads

/// Runs tests of the public suite against the built-in client, each in an environment of its own.
final class SuiteTestExecutor: Sendable {
    private let options: RunOptions
    private let server: SuiteServer
    private let stores: StorePool
    private let loops: LoopPool
    private let nextNumber = Lock(1)
    private static let target = "CDN-Cache-Control"

    init(_ options: RunOptions) throws(RunnerError) {
        self.options = options
        server = SuiteServer(dialect: options.dialect, clock: SystemClock())
        do throws(ServerError) {
            if options.transport == .loopback { try server.start() }
        } catch {
            throw RunnerError(description: "The origin cannot be started: \(error)")
        }
        do throws(SubjectError) {
            stores = try StorePool(wallSeconds: ScenarioExecutor.startWallSeconds)
        } catch {
            server.stop()
            throw RunnerError(description: "The subject cannot be started: \(error)")
        }
        loops = LoopPool()
    }

    func close() {
        loops.stop()
        stores.stop()
        server.stop()
    }

    /// Runs all items, on as many threads as there are jobs.
    func run(_ items: [SuitePlan.Item]) -> [SuiteOutcome] {
        let next = Lock(0)
        let outcomes = Lock([SuiteOutcome](repeating: SuiteOutcome(), count: items.count))
        let threads = (0..<min(max(1, options.jobs), max(1, items.count))).map { _ in
            SystemThread { [self] in
                while let place = Self.place(next, items.count) {
                    let outcome = run(items[place])
                    outcomes.withLock { $0[place] = outcome }
                }
            }
        }
        for thread in threads { thread.join() }
        return outcomes.withLock { $0 }
    }

    private static func place(_ next: Lock<Int>, _ count: Int) -> Int? {
        next.withLock { next in
            defer { next += 1 }
            return next < count ? next : nil
        }
    }

    private func run(_ item: SuitePlan.Item) -> SuiteOutcome {
        guard item.obstacle == nil else { return SuiteOutcome() }
        let realTime = SystemClock()
        let begin = realTime.elapsed
        var outcome = perform(item)
        outcome.seconds = (realTime.elapsed - begin).seconds
        return outcome
    }

    private func perform(_ item: SuitePlan.Item) -> SuiteOutcome {
        do throws(SubjectError) {
            let outcome = try attempt(item)
            guard !outcome.holds, let reason = server.breakdown else { return outcome }
            return SuiteOutcome(
                result: broken(item, reason),
                steps: outcome.steps,
                isSubjectLost: true
            )
        } catch {
            return SuiteOutcome(result: broken(item, "the test cannot be set up: \(error)"))
        }
    }

    private func broken(_ item: SuitePlan.Item, _ reason: String) -> SuiteResult? {
        var conversation = SuiteConversation(item.test, id: "", dialect: options.dialect)
        conversation.fail(reason)
        guard case .finish(let result) = conversation.next() else { return nil }
        return result
    }

    private func attempt(_ item: SuitePlan.Item) throws(SubjectError) -> SuiteOutcome {
        var settings = ClientSettings()
        settings.deviations = options.deviations
        settings.normalizesPercentEncoding = options.normalizesPercentEncoding
        // The suite assumes that a shared cache is one of a content delivery network (RFC 9213).
        if item.cacheKind == .shared { settings.targets = [Self.target] }
        settings.followsRedirects = item.test.requests.allSatisfy(\.followsRedirects)
        let opened = try stores.open(settings)
        let clock = opened.clock.current
        let id = nextID()
        let namespace = server.open(id: id, elements: item.test.requests.map(\.element), clock: clock)
        let origin = NamespaceOrigin(namespace, port: server.port)
        defer { origin.close() }
        let recorder = InterimRecorder()
        let subject = try BuiltinSubject(
            kind: item.cacheKind,
            settings: settings,
            opened: opened,
            stores: stores,
            loops: loops,
            connect: connector(to: origin, recorder)
        )
        defer { subject.close() }
        let driver = ClockDriver(of: subject, at: namespace, clock: clock, patience: options.patience)
        return SuiteTestEnvironment(
            test: item.test,
            id: id,
            dialect: options.dialect,
            origin: origin,
            subject: subject,
            interim: recorder,
            clock: clock,
            driver: driver,
            state: { [server] in server.state(of: id) }
        ).run()
    }

    private func connector(
        to origin: NamespaceOrigin,
        _ recorder: InterimRecorder
    ) -> @Sendable () throws(SubjectError) -> any SubjectLink {
        switch options.transport {
        case .direct:
            { [loops] () throws(SubjectError) in
                RecordingLink(base: DirectLink(to: origin, over: try loops.take()), recorder: recorder)
            }
        case .loopback:
            { [loops] () throws(SubjectError) in
                RecordingLink(base: LoopbackLink(over: try loops.take()), recorder: recorder)
            }
        }
    }

    /// Returns an id as long as a UUID: tests script the length of content that consists of the id.
    private func nextID() -> String {
        let number = nextNumber.withLock { number in
            defer { number += 1 }
            return String(number)
        }
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - number.count)) + number
    }
}
