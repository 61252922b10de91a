import Clocks
import HTTPServing
import Locks
import MockOrigin
import PublicSuite
import Scenarios

/// Runs scenarios and tests of the public suite, each with its own origin and subject.
///
/// `Executor+Scenarios` and `Executor+Suite` run the one and the other; both use a subject through its host, whether it
/// runs in this process or outside.
final class Executor: Sendable {
    let options: RunOptions
    let clock = SystemClock()
    let servers: OriginServers
    let host: any SubjectHost
    let suiteOrigins: SuiteOrigins
    let cancellation: RunCancellation
    private let limiter: ScenarioLimiter
    private let prefix: String
    private let nextNumber = Lock(1)

    /// Starts the origin and the subject.
    ///
    /// `servesSuite` is whether the origin serves the public suite's tests. Throws what could not be started.
    init(
        _ options: RunOptions,
        servesSuite: Bool = false,
        cancellation: RunCancellation = RunCancellation()
    ) throws(RunnerError) {
        guard options.transport == .loopback || options.subject == .builtin else {
            throw RunnerError(
                description:
                    "The transport \"\(options.transport.rawValue)\" is for the built-in client only; "
                    + "\(options.subject.title(version: "")) needs \"\(RunOptions.Transport.loopback.rawValue)\"."
            )
        }
        self.options = options
        self.cancellation = cancellation
        limiter = ScenarioLimiter(jobs: options.jobs, clock: clock, cancellation)
        // A proxy may still hold responses that an earlier run stored under its tokens.
        var generator = SystemRandomNumberGenerator()
        prefix = String(generator.next(), radix: 36)
        let certificates = OriginCertificates()
        do throws(ServerError) {
            servers = try OriginServers(options, certificates, suite: servesSuite ? options.dialect : nil)
        } catch {
            throw RunnerError(description: "The origin cannot be started: \(error)")
        }
        do throws(SubjectError) {
            suiteOrigins = try SuiteOrigins(options, servers.shared, clock: clock)
            host = try options.startSubject(originPort: servers.shared.port ?? 0, certificates, clock: clock)
        } catch {
            servers.stop()
            throw RunnerError(description: "The subject cannot be started: \(error)")
        }
    }

    /// Ends the subject and the origin.
    func close() {
        host.close()
        servers.stop()
    }

    /// Returns a number that is used once, from 1.
    func number() -> Int {
        nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
    }

    /// Returns a token that no earlier run has used.
    func uniqueToken() -> String { "\(prefix)-\(number())" }

    /// Waits until a scenario may start; a permit is added to those of its requests.
    func admit(_ scenario: Scenario, _ prepared: PreparedSubject, _ permits: ScenarioPermits) {
        if host.abilities.isBuiltin || prepared.advance != nil { return }
        guard scenario.advancedTime == .zero else { return limiter.admitWaiting() }
        permits.add(limiter.admit())
    }

    /// Returns the driver of the clock of a subject and its origin.
    func driver(
        of open: OpenSubject,
        _ prepared: PreparedSubject,
        _ access: OriginAccess,
        timeout: Duration
    ) -> any ScenarioClockDriver {
        let namespace = access.origin.local?.namespace
        if let builtin = open.builtin, let namespace {
            var driver = ClockDriver(of: builtin, at: namespace, timeout: timeout)
            driver.isCancelled = { [cancellation] in cancellation.isCancelled }
            return driver
        }
        let signal = Signal()
        namespace?.onActivity { [weak namespace] in
            if namespace?.parked.isEmpty == false { access.permits.endAll() }
            signal.raise()
        }
        var driver = RealTimeDriver(
            clock: clock,
            signal: signal,
            timeout: max(timeout, host.timeout),
            isCancelled: { [cancellation] in cancellation.isCancelled }
        ) { namespace?.isAnswering == true }
        driver.advanceSubject = prepared.advance
        return driver
    }
}
