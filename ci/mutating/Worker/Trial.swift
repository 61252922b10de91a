import CacheSemantics
import Conformance
import Scenarios

/// The caches that run scenarios.
enum TrialSubject: String, CaseIterable {
    /// The client, whose requests have an observer.
    case client
    /// The client without an observer, which lets it take shorter ways.
    case unobserved
    /// `EngineCache` of the example: the engine applied to a store of its own.
    case engine
}

/// One scenario with one kind of cache.
struct Trial {
    let scenario: Scenario
    let suite: Suite
    let kind: CacheKind
    let subject: TrialSubject

    var name: String {
        let addition =
            switch subject {
            case .client: ""
            case .unobserved: " without observer"
            case .engine: " with EngineCache"
            }
        return "\(scenario.id) [\(kind.rawValue)]\(addition)"
    }

    /// Returns the trials of a suite; the engine alone is no subject for scenarios about anything but HTTP, nor if none
    /// of its mutants are there: many of its trials last until the time limit.
    static func all(of suite: Suite, mutates targets: [Substring]) -> [Trial] {
        let isForEngine = targets.contains("CacheSemantics") && suite.path.hasPrefix("http/")
        let subjects = TrialSubject.allCases.filter { $0 != .engine || isForEngine }
        return suite.scenarios.flatMap { scenario in
            scenario.cacheKinds.flatMap { kind in
                subjects.map { Trial(scenario: scenario, suite: suite, kind: kind, subject: $0) }
            }
        }
    }
}

/// What runs the trials, one for each subject; that of the engine also for each kind of cache.
struct TrialExecutors {
    private let observed: MutantExecutor
    private let unobserved: MutantExecutor
    private let privateEngine: MutantExecutor
    private let sharedEngine: MutantExecutor

    init(timeout: Duration) throws(RunnerError) {
        observed = try MutantExecutor(timeout: timeout)
        unobserved = try MutantExecutor(timeout: timeout, isObserved: false)
        privateEngine = try MutantExecutor(timeout: timeout, subject: .inProcess(Self.engine(.private)))
        sharedEngine = try MutantExecutor(timeout: timeout, subject: .inProcess(Self.engine(.shared)))
    }

    func executor(of trial: Trial) -> MutantExecutor {
        switch trial.subject {
        case .client: observed
        case .unobserved: unobserved
        case .engine: trial.kind == .private ? privateEngine : sharedEngine
        }
    }

    private static func engine(_ kind: CacheKind) -> InProcessSubject {
        InProcessSubject("EngineCache", kind: kind, capabilities: [.removesAll, .policies]) {
            EngineCache($0)
        }
    }
}
