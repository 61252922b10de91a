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

    /// The folder of the path or, without one, the path; reports group results by it.
    public var area: String { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? path }
}

/// An origin's script, steps, expectations, and the rules that they check.
public struct Scenario: Sendable {
    /// `<suite path>/<id in the file>`.
    public package(set) var id: String
    /// A sentence that can be false.
    public package(set) var title: String
    /// The level of the requirement.
    public package(set) var level: RuleLevel
    /// Ids of the rules it checks; never empty.
    package var rules: [String]
    /// The cache kinds it applies to; never empty.
    public var cacheKinds = CacheKind.allCases
    /// Full ids of the scenarios that must pass first.
    public package(set) var dependencies: [String] = []
    /// The degenerate clients that pass it nevertheless, each with the reason.
    package var passesFor: [DegenerateClient: String] = [:]
    /// Further sentences of specifications from which its level follows; mostly empty.
    package var grounds: [Citation] = []
    /// Settings of the built-in client.
    package var client = ClientSettings()
    /// Settings of extensions, by their keys.
    package var extensionSettings: [String: any Sendable] = [:]
    /// The origin's script: its routes, in order, by default one that answers every request with 200 and no content.
    public var routes = [Route.standard]
    /// Faults of connections and of every request, in addition to those of the answers.
    package var faults: [Fault] = []
    /// The network to the origin; `nil` is this machine's own.
    package var network: NetworkSchedule?
    /// The origin's TLS; `nil` is plain HTTP.
    package var tls: TLSCase?
    /// The steps, in order.
    package var steps: [LocatedStep] = []
    /// The way in which it runs if the clock cannot be moved.
    package var realTime = RealTime.asWritten
    /// The position of the scenario in its file.
    public package(set) var position: Position

    /// The rules it checks; never empty.
    public var ruleIDs: [RuleID] { rules.map { RuleID(rawValue: $0) } }

    /// Creates a scenario without steps, for caches of both kinds.
    package init(id: String, title: String, level: RuleLevel, rules: [String], position: Position) {
        self.id = id
        self.title = title
        self.level = level
        self.rules = rules
        self.position = position
    }
}

/// Settings of the built-in client; see scenarios/README.md §3 for the defaults.
package struct ClientSettings: Sendable, Hashable {
    /// Bytes of the memory tier; 0 disables it.
    package var memoryCapacity = 4 << 20
    /// Bytes of the disk tier; 0 disables it.
    package var diskCapacity = 20 << 20
    /// The share of the disk capacity that one response may take.
    package var largestShare = 0.05
    /// Whether heuristic freshness is used.
    package var usesHeuristics = true
    /// Whether incomplete responses are stored.
    package var keepsPartialContent = true
    /// The will-cache hook.
    package var hook: HookSetting?
    /// The cache's own expiry; `nil` if it has none.
    package var expirationInterval: Duration?
    /// The maximum number of connections to one host.
    package var connectionsPerHost = 6
    /// Whether redirects are followed.
    package var followsRedirects = true
    /// The policy of requests that do not set one.
    package var defaultPolicy = RequestCachePolicy.useProtocolCachePolicy
    /// The targeted fields that the cache obeys, in order of precedence.
    package var targets: [String] = []
    /// Departures from the RFCs that are switched on.
    package var deviations = Deviations()
    /// Whether a private cache is partitioned by credentials.
    package var partitions = false
    /// Whether percent-encoding is normalized, in requests and in keys.
    package var normalizesPercentEncoding = false
    /// The fields of proxies that a gateway forwards and includes in the key.
    package var passedFields: [String] = []
    /// The trust policy for TLS; `nil` is the one that the scenario's `tls` requires.
    package var trust: TrustSettings?

    /// Creates the default settings.
    package init() {}
}

/// The action of a scenario's will-cache hook.
package enum HookSetting: Sendable, Hashable {
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

/// A way in which a scenario runs if the clock cannot be moved.
package enum RealTime: Sendable, Hashable {
    /// With its steps unchanged.
    case asWritten
    /// With these texts replaced wherever they occur.
    case replacing([String: String])
    /// Not at all, for this reason.
    case never(reason: String)
}
