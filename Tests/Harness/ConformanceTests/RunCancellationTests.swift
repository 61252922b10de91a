import CacheClient
import Clocks
import TestSupport
import Testing
import Threads

@testable import Conformance

/// A subject that answers nothing until its task is cancelled.
private struct WaitingSubject: Subject {
    let context: SubjectContext
    let asked: AsyncStream<String>.Continuation
    let ended: AsyncStream<Void>.Continuation

    func respond(to request: SubjectRequest) async throws -> SubjectResponse {
        await waitForCancellation()
        return try await context.send(request)
    }

    func restart() async { await waitForCancellation() }

    private func waitForCancellation() async {
        asked.yield(context.origin)
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        ended.finish()
    }
}

@Suite("Cancelling a run", .timeLimit(.minutes(20)))
struct RunCancellationTests {
    private let asked: AsyncStream<String>
    private let askedDone: AsyncStream<String>.Continuation
    private let ended: AsyncStream<Void>
    private let endedDone: AsyncStream<Void>.Continuation

    init() {
        (asked, askedDone) = AsyncStream.makeStream()
        (ended, endedDone) = AsyncStream.makeStream()
    }

    private var subject: InProcessSubject {
        InProcessSubject("S 1", capabilities: [.restarts]) { [askedDone, endedDone] in
            WaitingSubject(context: $0, asked: askedDone, ended: endedDone)
        }
    }

    private var options: RunOptions {
        var options = RunOptions()
        options.subject = .inProcess(subject)
        (options.checksConnectivity, options.stepTimeout) = (false, .seconds(86_400))
        return options
    }

    /// Cancels a task once the subject has been asked, and returns its error and the origin's URL.
    private func cancelled(
        _ run: @escaping @Sendable () async throws(RunnerError) -> Void
    ) async -> (error: RunnerError?, origin: String?) {
        let task = Task { () -> RunnerError? in
            do throws(RunnerError) {
                try await run()
                return nil
            } catch {
                return error
            }
        }
        var places = asked.makeAsyncIterator()
        let origin = await places.next()
        task.cancel()
        return (await task.value, origin)
    }

    @Test(
        "A run whose task is cancelled stops the subject's call and its origin, and throws a cancellation",
        arguments: ["{request: {path: /a}}", "{client: restart}"]
    )
    func run(_ steps: String) async throws {
        var options = options
        options.originServer.port = try OwnPort.next()
        let runner = Runner([try oneScenario(steps)], options: options)
        let (error, origin) = await cancelled { () throws(RunnerError) in _ = try await runner.run() }
        #expect(error?.isCancellation == true)
        for await _ in ended {}
        let url = try #require(origin)
        let refused = await #expect(throws: ClientError.self) { try await CachingClient.shared.get(url) }
        #expect(refused?.code == .cannotConnect)
    }

    @Test("A wait for real time to pass ends when the run is cancelled")
    func waiting() {
        let (cancellation, signal) = (RunCancellation(), Signal())
        let driver = RealTimeDriver(
            clock: SystemClock(),
            signal: signal,
            timeout: .seconds(86_400),
            isCancelled: { cancellation.isCancelled }
        ) { false }
        cancellation.raising(signal) {
            let thread = SystemThread { cancellation.cancel() }
            #expect(throws: HarnessProblem.runCancelled) { try driver.advance(by: .seconds(86_400)) }
            #expect(throws: HarnessProblem.runCancelled) { try driver.wait(for: "nothing") { false } }
            thread.join()
        }
    }

    @Test("A scenario alone throws a cancellation when its task is cancelled")
    func scenario() async throws {
        let (scenario, subject) = (try oneScenario("{request: {path: /a}}"), self.subject)
        let (error, _) = await cancelled { () throws(RunnerError) in _ = try await scenario.run(subject) }
        #expect(error?.isCancellation == true)
        for await _ in ended {}
    }

    @Test("A consumer of events that stops early ends the run")
    func events() async throws {
        for try await event in Runner([try oneScenario("{request: {path: /a}}")], options: options).events {
            guard case .runStarted = event else { continue }
            var places = asked.makeAsyncIterator()
            _ = await places.next()
            break
        }
        for await _ in ended {}
    }
}
