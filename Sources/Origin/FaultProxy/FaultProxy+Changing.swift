import MockOrigin
public import OriginScript

// Changes of a proxy that runs.
extension FaultProxy {
    /// The URL of its root without a slash at the end; with port 0 while it does not listen.
    public var url: String {
        let (scheme, address) = (
            context.configuration.tls == nil ? "http" : "https", context.configuration.address
        )
        return "\(scheme)://\(address.contains(":") ? "[\(address)]" : address):\(port ?? 0)"
    }

    /// Returns the URL of a path: `proxy.url("/users?page=2")`.
    public func url(_ path: String) -> String { url + (path.hasPrefix("/") ? path : "/" + path) }

    /// The last exchanges, at most 10,000, in the order in which their requests were read; empty unless the configuration's
    /// `keepsJournal` is set.
    public var journal: [JournalEntry] { context.journal?.entries.entries ?? [] }

    /// Replaces the faults of all connections and requests, and the seed of their random choices.
    ///
    /// `requests=` counts from the start of the proxy or its last reset, with the requests before this call; `from=` and
    /// `every=` count from this call.
    public func use(faults: [Fault], seed: UInt64 = 0) {
        var plan = context.injector.faults.plan
        (plan.faults, plan.seed) = (faults, seed)
        context.use(plan)
    }

    /// Replaces the emulated network; `nil` ends the emulation.
    public func use(network: NetworkSchedule?) { context.use(network: network) }

    /// Replaces the rules; equal rules keep their progress.
    public func use(rules: ProxyRuleFile) { context.use(rules) }

    /// Releases the held responses of the rule with a label, or of all; returns the number of released responses.
    @discardableResult
    public func release(label: String? = nil) -> Int { context.injector.release(label: label) }
}
