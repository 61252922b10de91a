import CacheSemantics
import Clocks
import PublicSuite
import Scenarios

/// A subject that has been started, for all scenarios and tests of a run.
protocol SubjectHost: Sendable {
    /// The subject's abilities, which limit the scenarios that it can be tested with.
    var abilities: SubjectAbilities { get }
    /// The time limit of a step, in addition to the subject's own.
    var timeout: Duration { get }
    /// Prepares the subject for one scenario or test; blocks while it has no capacity.
    func prepare(_ needs: SubjectNeeds) throws(SubjectError) -> PreparedSubject
    /// Ends the subject.
    func close()
}

/// The requirements of one scenario, or of one test of the public suite, on its subject.
struct SubjectNeeds: Sendable {
    /// Private or shared; a subject outside the process has one of them only.
    var cacheKind: CacheKind
    /// The settings of its client.
    var client = ClientSettings()
    /// The decorators of the built-in client's parts.
    var decoration = Decoration()
    /// Whether a step inspects or changes the disk while the client runs.
    var asksAboutDisk = false
    /// Whether a step reads or changes the whole store, which no other scenario may then share.
    var needsOwnStore = false
    /// Whether its origin delays a response, and with it later requests.
    var isDelayed = false
    /// Whether time has to pass.
    var isTimed = false
    /// Whether its caller sees messages as they were sent: 1xx responses, fields of the connection, coded content, and
    /// field values as ISO-8859-1.
    var seesMessages = false
}

/// A subject that is prepared for one scenario or test and not yet connected to an origin.
struct PreparedSubject {
    /// The clock of the origin and of the scenario.
    let clock: any TimeSource
    /// Moves the clock of a subject outside the process and `clock`; `nil` if time only passes by itself.
    var advance: ((Duration) throws(SubjectError) -> Void)?
    /// Connects the subject to its origin; the caller closes the subject.
    let open: (OriginAccess) throws(SubjectError) -> OpenSubject
}

/// The origin of one scenario or test, as its subject uses it.
struct OriginAccess: Sendable {
    let origin: any SubjectOrigin
    /// The permits of the subject's requests.
    let permits: ScenarioPermits
    /// Ends waits when the whole run is cancelled.
    let cancellation: RunCancellation

    /// Returns a counter of the requests that reach the origin from now on.
    func arrivalsFromNow() -> @Sendable () -> [OriginExchange] {
        let count = origin.record(after: 0).count
        return { [origin] in origin.record(after: count) }
    }
}

/// A subject as one scenario or test uses it.
struct OpenSubject {
    let subject: any SubjectAdapter
    /// Scheme and authority of its requests; `nil` for the origin's own.
    var authority: String?
    /// The subject if it is the built-in client, whose clock only the harness moves.
    var builtin: BuiltinSubject?
}

extension SubjectNeeds {
    /// Creates the needs of a scenario.
    init(_ item: RunPlan.Item, _ options: RunOptions) {
        let scenario = item.scenario
        self.init(cacheKind: item.cacheKind)
        client = scenario.client
        client.add(options)
        decoration = item.decoration
        asksAboutDisk = scenario.asksAboutDisk
        needsOwnStore = scenario.needsOwnStore
        isDelayed = scenario.isDelayed
        isTimed = scenario.advancedTime > .zero
    }

    /// Creates the needs of a test of the public suite.
    init(_ item: SuitePlan.Item, _ options: RunOptions) {
        self.init(cacheKind: item.cacheKind)
        client.add(options)
        // The suite assumes that a shared cache is one of a content delivery network (RFC 9213).
        if item.cacheKind == .shared { client.targets = ["CDN-Cache-Control"] }
        client.followsRedirects = item.test.requests.allSatisfy(\.followsRedirects)
        seesMessages = true
    }
}

extension ClientSettings {
    /// Adds what a run's options set for every scenario.
    fileprivate mutating func add(_ options: RunOptions) {
        deviations.formUnion(options.deviations)
        if options.normalizesPercentEncoding { normalizesPercentEncoding = true }
    }
}
