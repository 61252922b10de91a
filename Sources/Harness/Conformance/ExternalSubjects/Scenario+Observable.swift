import Scenarios

/// The reports that the rules of a scenario require of a subject outside the process.
extension Scenario {
    /// The rules about the events of a load alone.
    static let rulesOfEvents: Set<String> = [
        "urlcache.events-cached", "urlcache.events-failure", "urlcache.events-network",
        "urlcache.replay-single-chunk", "urlcache.willsend-returns-request", "willcache.not-on-hit",
        "willcache.timing",
    ]
    /// The rules about the tier of the store that is used.
    static let rulesOfTiers: Set<String> = ["urlcache.replay-comes-from-memory", "urlcache.two-tier"]

    /// Whether it checks nothing but the events of a load.
    var isOfEventsOnly: Bool { !rules.isEmpty && rules.allSatisfy(Self.rulesOfEvents.contains) }

    /// Whether a rule is about the tier of the store that a response comes from.
    var namesTiers: Bool { rules.contains(where: Self.rulesOfTiers.contains) }
}
