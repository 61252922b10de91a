/// What a subject outside the process can be put through.
struct SubjectAbilities: Sendable, Hashable {
    /// Whether it is a client, which asks the origin itself, and not a cache between a client and the origin.
    var isClient = false
    /// Whether there is a cache in it at all.
    var hasCache = true
    /// Whether it takes several requests at a time.
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
    var tellsErrors = false
    /// Whether its clock can be moved.
    var leaps = false
    /// What its requests cannot have, and what it does not show of responses.
    var refuses = DriverCapabilities.Refusals()
}
