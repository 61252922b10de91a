/// The namespaces and runs that are mounted below `/-/`, by token.
struct MountTable: Sendable {
    /// The owner of the requests with a token.
    enum Mount: Sendable {
        /// The namespace of a scenario.
        case scenario(OriginNamespace)
        /// The stage of a run, opened by the control API.
        case run(SiteInstance)
    }
    private var mounts: [String: Mount] = [:]
    private var scenarioCount = 0
    private var pacingCount = 0
    /// The scenario whose faults affect connections before a request is read; `nil` for none.
    private(set) var gate: OriginNamespace?

    subscript(token: String) -> Mount? { mounts[token] }

    /// Whether scenarios are mounted.
    var hasScenarios: Bool { scenarioCount > 0 }

    /// The stages of runs.
    var stages: [SiteInstance] {
        mounts.values.compactMap { if case .run(let stage) = $0 { stage } else { nil } }
    }

    /// Whether the reading of requests may be affected by faults or a network.
    var pacesRequests: Bool { pacingCount > 0 || stages.contains(where: \.injector.harmsReading) }

    /// Mounts the namespace of a scenario; returns the stage of a run that it replaces.
    mutating func add(_ token: String, _ namespace: OriginNamespace) -> SiteInstance? {
        let replaced = close(token)
        if case .scenario(let earlier) = mounts[token] { remove(token, earlier) }
        mounts[token] = .scenario(namespace)
        scenarioCount += 1
        if namespace.pacesRequests { pacingCount += 1 }
        if namespace.harmsConnections { gate = namespace }
        return replaced
    }

    /// Mounts the stage of a run; false if the token is in use.
    mutating func open(_ token: String, _ stage: SiteInstance) -> Bool {
        guard mounts[token] == nil else { return false }
        mounts[token] = .run(stage)
        return true
    }

    /// Unmounts and returns the stage of a run; `nil` if there is none.
    mutating func close(_ token: String) -> SiteInstance? {
        guard case .run(let stage) = mounts[token] else { return nil }
        mounts[token] = nil
        return stage
    }

    /// Unmounts the namespace of a scenario, unless another has its token by now.
    mutating func remove(_ token: String, _ namespace: OriginNamespace) {
        guard case .scenario(let mounted) = mounts[token], mounted === namespace else { return }
        mounts[token] = nil
        scenarioCount -= 1
        if namespace.pacesRequests { pacingCount -= 1 }
        if gate === namespace { gate = nil }
    }
}
