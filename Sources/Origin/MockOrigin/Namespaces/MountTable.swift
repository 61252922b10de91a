/// The namespaces below `/-/`, by token: those of scenarios, and those of runs, which the control API opens.
struct MountTable: Sendable {
    private var mounts: [String: OriginNamespace] = [:]
    private var runNames: Set<String> = []
    /// The scenario whose faults affect connections before a request is read; `nil` if there is none.
    private(set) var gate: OriginNamespace?

    subscript(token: String) -> OriginNamespace? { mounts[token] }

    /// The namespaces of runs.
    var runs: [OriginNamespace] { runNames.compactMap { mounts[$0] } }

    /// Mounts the namespace of a scenario and replaces what had its token; returns the run that is replaced.
    ///
    /// `isGate` is whether its faults affect connections before a request is read.
    mutating func add(_ token: String, _ namespace: OriginNamespace, isGate: Bool) -> OriginNamespace? {
        let replaced = closeRun(token)
        if let earlier = mounts[token] { remove(token, earlier) }
        mounts[token] = namespace
        if isGate { gate = namespace }
        return replaced
    }

    /// Unmounts the namespace of a scenario, unless another has its token by now.
    mutating func remove(_ token: String, _ namespace: OriginNamespace) {
        guard mounts[token] === namespace else { return }
        mounts[token] = nil
        if gate === namespace { gate = nil }
    }

    /// Returns the namespace of a run; `nil` if there is none.
    func run(_ name: String) -> OriginNamespace? { runNames.contains(name) ? mounts[name] : nil }

    /// Mounts the namespace of a run; false if the name is in use.
    mutating func openRun(_ name: String, _ namespace: OriginNamespace) -> Bool {
        guard mounts[name] == nil else { return false }
        mounts[name] = namespace
        runNames.insert(name)
        return true
    }

    /// Unmounts and returns the namespace of a run; `nil` if there is none.
    mutating func closeRun(_ name: String) -> OriginNamespace? {
        runNames.remove(name).flatMap { mounts.removeValue(forKey: $0) }
    }
}
