/// The features of a subject that decide which scenarios apply to it.
struct SubjectAbilities: Sendable, Hashable {
    /// Those of the built-in client, to which every scenario applies.
    static let builtin = {
        var abilities = SubjectAbilities()
        (abilities.isBuiltin, abilities.isClient) = (true, true)
        return abilities
    }()
    /// Whether it is the built-in client, in virtual time.
    private(set) var isBuiltin = false
    /// Whether it runs in this process, so that an error that it throws counts as its failure.
    var isInProcess = false
    /// Whether it is a client, which requests from the origin itself, and not a cache between a client and the origin.
    var isClient = false
    /// Whether it has a cache.
    var hasCache = true
    /// Whether it takes several concurrent requests.
    var isParallel = true
    /// Whether it can drop its memory and open its store again.
    var restarts = false
    /// Whether its store can be emptied for one scenario.
    var clears = false
    /// Whether it reports what is stored.
    var dumps = false
    /// Whether it obeys request policies.
    var obeysPolicies = false
    /// Whether it obeys timeouts.
    var obeysTimeouts = true
    /// Whether it can leave redirects to its caller.
    var leavesRedirects = true
    /// Whether it distinguishes kinds of errors.
    var reportsErrors = false
    /// Whether its clock can be moved.
    var advancesClock = false
    /// Limits of the subject's requests and responses that do not depend on its cache.
    var refuses = DriverCapabilities.Refusals()
    /// Ids of scenarios that fail because of the subject's configuration and not because of its cache, with the reasons.
    var failsByConfiguration: [String: String] = [:]
}
