import LocatedYAML
import OriginScript
import Scenarios

extension Scenario {
    /// Whether it needs a server that no other scenario uses: its origin refuses or harms connections.
    var needsOwnServer: Bool { stopsOrigin || faults.contains(where: \.needsOwnListener) }

    /// Whether it expects anything of the disk, or does anything to it, while the client goes on.
    var asksAboutDisk: Bool {
        steps.contains { step in
            step.contains { step in
                switch step {
                case .usage, .cache(.resize), .cache(.damage): true
                case .request(let request): request.expectsDisk
                case .parallel(let requests): requests.contains(where: \.expectsDisk)
                default: false
                }
            }
        }
    }

    /// Whether it shows bytes or connections, of which there are none without sockets.
    var needsSockets: Bool {
        tls != nil || asksAboutConnections || asksGateway || extensionNeedsSockets || emulatedNetwork != nil
            || faults.contains(where: \.needsSocket)
            || routes.flatMap(\.answers).contains {
                $0.framesItself || $0.faults.contains(where: \.needsSocket)
            }
    }

    /// The network that it begins with, where it names one or changes it; `nil` is this machine's own.
    var emulatedNetwork: NetworkSchedule? {
        if let network { return network }
        let changes = steps.contains { step in
            step.contains { if case .networkProfile = $0 { true } else { false } }
        }
        return changes ? NetworkSchedule(.init(NetworkProfile(name: "none"))) : nil
    }

    /// Whether the origin refuses connections in one of its steps.
    private var stopsOrigin: Bool {
        steps.contains { step in
            step.contains { if case .origin(.stop) = $0 { true } else { false } }
        }
    }

    /// Whether it sends bytes to a gateway.
    private var asksGateway: Bool {
        steps.contains { step in
            step.contains { if case .gateway = $0 { true } else { false } }
        }
    }

    /// Whether a step of an extension depends on sockets.
    private var extensionNeedsSockets: Bool {
        steps.contains { step in
            step.contains { if case .added(let step, _) = $0 { step.needsSockets } else { false } }
        }
    }

    /// Whether it expects anything of the connections that requests come on.
    var asksAboutConnections: Bool {
        steps.contains { step in
            step.contains {
                if case .originSaw(let expectation) = $0 { expectation.isAboutConnections } else { false }
            }
        }
    }
}

extension LocatedStep {
    /// Whether the step, or one that it repeats, is such.
    fileprivate func contains(_ isSuch: (Step) -> Bool) -> Bool {
        if case .repeat(_, let steps) = step { return steps.contains { $0.contains(isSuch) } }
        return isSuch(step)
    }
}

extension Answer {
    /// Whether its body includes the framing, which only a reader of bytes removes again.
    fileprivate var framesItself: Bool {
        fields.contains { $0.name.lowercased() == "transfer-encoding" }
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
