public import CacheSemantics
public import LocatedYAML
public import OriginScript

/// One file of scenarios.
public struct Suite: Sendable {
    /// Path below the scenarios folder, without `.yaml`: `http/4.2.1-freshness-lifetime/sources`.
    public var path: String
    /// The topic of the file.
    public var title: String
    /// The scenarios in the order of the file.
    public var scenarios: [Scenario]

    /// Creates a suite.
    public init(path: String, title: String, scenarios: [Scenario]) {
        self.path = path
        self.title = title
        self.scenarios = scenarios
    }

    /// The folder of the path, by which reports group results.
    public var area: String { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "" }
}

/// An origin's script, steps, expectations, and the rules that they check.
public struct Scenario: Sendable {
    /// `<suite path>/<id in the file>`.
    public var id: String
    /// A sentence that can be false.
    public var title: String
    /// Its level.
    public var level: RuleLevel
    /// Ids of the rules it checks; never empty.
    public var rules: [String]
    /// The cache kinds it applies to; never empty.
    public var cacheKinds = CacheKind.allCases
    /// Full ids of the scenarios that must pass first.
    public var dependencies: [String] = []
    /// The degenerate clients that pass it all the same, each with the reason.
    public var passesFor: [DegenerateClient: String] = [:]
    /// Further sentences of specifications from which its level follows; mostly empty.
    public var grounds: [Citation] = []
    /// Settings of the built-in client.
    public var client = ClientSettings()
    /// Settings of extensions, by their keys.
    public var extensionSettings: [String: any Sendable] = [:]
    /// The origin's script.
    public var routes = [Route.standard]
    /// Faults of connections and of every request, in addition to those of the answers.
    public var faults: [Fault] = []
    /// The network to the origin; `nil` is this machine's own.
    public var network: NetworkSchedule?
    /// How the origin speaks TLS; `nil` is plain HTTP.
    public var tls: TLSCase?
    /// The steps, in order.
    public var steps: [LocatedStep] = []
    /// How it runs if the clock cannot be moved.
    public var realTime = RealTime.asWritten
    /// The position of the scenario in its file.
    public var position: Position

    /// Creates a scenario without steps, for caches of both kinds.
    public init(id: String, title: String, level: RuleLevel, rules: [String], position: Position) {
        self.id = id
        self.title = title
        self.level = level
        self.rules = rules
        self.position = position
    }
}

/// Settings of the built-in client; see scenarios/README.md §3 for the defaults.
public struct ClientSettings: Sendable, Hashable {
    /// Bytes of the memory tier; 0 disables it.
    public var memoryCapacity = 4 << 20
    /// Bytes of the disk tier; 0 disables it.
    public var diskCapacity = 20 << 20
    /// The share of the disk capacity that one response may take.
    public var largestShare = 0.05
    /// Whether heuristic freshness is used.
    public var usesHeuristics = true
    /// Whether incomplete responses are stored.
    public var keepsPartialContent = true
    /// The will-cache hook.
    public var hook: HookSetting?
    /// The cache's own expiry; `nil` for none.
    public var expirationInterval: Duration?
    /// The maximum number of connections to one host.
    public var connectionsPerHost = 6
    /// Whether redirects are followed.
    public var followsRedirects = true
    /// The policy of requests that do not set one.
    public var defaultPolicy = RequestCachePolicy.useProtocolCachePolicy
    /// The targeted fields that the cache obeys, in order of precedence.
    public var targets: [String] = []
    /// Departures from the RFCs that are switched on.
    public var deviations = Deviations()
    /// Whether a private cache is partitioned by credentials.
    public var partitions = false
    /// Whether percent-encoding is normalized, in requests and in keys.
    public var normalizesPercentEncoding = false
    /// The fields of proxies that a gateway forwards and includes in the key.
    public var passedFields: [String] = []
    /// The trust policy for TLS; `nil` is the one that the scenario's `tls` requires.
    public var trust: TrustSettings?

    /// Creates the default settings.
    public init() {}
}

/// The action of a scenario's will-cache hook.
public enum HookSetting: Sendable, Hashable {
    /// Returns the proposed entry.
    case pass
    /// Returns nothing.
    case refuse
    /// Returns the entry for the memory tier only.
    case memoryOnly
    /// Returns the entry with the storage policy "not allowed".
    case notAllowed
    /// Appends text to the content.
    case append(String)
    /// Sets user info.
    case userInfo([String: String])
    /// Sets header fields.
    case fields([String: String])
}

/// How a scenario runs if the clock cannot be moved.
public enum RealTime: Sendable, Hashable {
    /// With its steps unchanged.
    case asWritten
    /// With these texts replaced wherever they occur.
    case replacing([String: String])
    /// Not at all, for this reason.
    case never(reason: String)
}
