import LocatedYAML
import OriginScript
import Scenarios

extension Scenario {
    /// Whether it needs a separate server, because its origin refuses or breaks connections.
    var needsOwnServer: Bool { stopsOrigin || faults.contains(where: \.needsOwnListener) }

    /// Whether it inspects or changes the disk while the client runs.
    var asksAboutDisk: Bool {
        requestSteps.contains(where: \.expectsDisk)
            || allSteps.contains { step in
                switch step {
                case .usage, .cache(.resize), .cache(.damage): true
                default: false
                }
            }
    }

    /// Whether it is about bytes or connections, which exist only with sockets.
    var needsSockets: Bool {
        tls != nil || asksAboutConnections || asksGateway || extensionNeedsSockets || emulatedNetwork != nil
            || faults.contains(where: \.needsSocket)
            || answers.contains {
                $0.framesItself || $0.isIncremental || $0.faults.contains(where: \.needsSocket)
            }
    }

    /// The network at its beginning, if it sets or changes one; `nil` is this machine's own.
    var emulatedNetwork: NetworkSchedule? {
        if let network { return network }
        let changes = allSteps.contains { if case .networkProfile = $0 { true } else { false } }
        return changes ? NetworkSchedule(.init(NetworkProfile(name: "none"))) : nil
    }

    /// Whether the origin refuses connections in one of its steps.
    private var stopsOrigin: Bool {
        allSteps.contains { if case .origin(.stop) = $0 { true } else { false } }
    }

    /// Whether it sends bytes to a gateway.
    private var asksGateway: Bool {
        allSteps.contains { if case .gateway = $0 { true } else { false } }
    }

    /// Whether a step of an extension depends on sockets.
    private var extensionNeedsSockets: Bool {
        allSteps.contains { if case .added(let step, _) = $0 { step.needsSockets } else { false } }
    }

    /// Whether it has an expectation about the connections that requests arrive on.
    var asksAboutConnections: Bool {
        allSteps.contains {
            if case .originSaw(let expectation) = $0 { expectation.isAboutConnections } else { false }
        }
    }
}

extension Answer {
    /// Whether its body includes the framing, which only a parser of the bytes removes again.
    fileprivate var framesItself: Bool {
        fields.contains { $0.name.lowercased() == "transfer-encoding" }
    }

    /// Whether it is about content that is used as it arrives; without sockets all of it arrives at once.
    fileprivate var isIncremental: Bool {
        fields.contains { $0.name.lowercased() == "incremental" }
    }
}

extension RequestStep {
    fileprivate var expectsDisk: Bool { expectation.sources?.value.contains(.disk) ?? false }
}

extension OriginExpectation {
    fileprivate var isAboutConnections: Bool {
        connections != nil || requestExpectations.contains { $0.value.isReusedConnection != nil }
    }
}
