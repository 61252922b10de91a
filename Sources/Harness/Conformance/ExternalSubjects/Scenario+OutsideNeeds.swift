import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios

extension Scenario {
    /// Returns the reason why a subject cannot be tested with the scenario; `nil` if it can.
    func obstacle(for abilities: SubjectAbilities, _ transport: RunOptions.Transport) -> String? {
        if abilities.isBuiltin {
            return transport == .direct && needsSockets
                ? "The scenario checks connections or bytes, which do not exist without sockets." : nil
        }
        return obstacle(outside: abilities)
    }

    /// Returns the reason why a subject outside the process cannot be tested with the scenario; `nil` if it can.
    func obstacle(outside abilities: SubjectAbilities) -> String? {
        if abilities.advancesClock {
            if case .never(let reason) = realTime { return reason }
            if jumpsWallClock { return "The scenario sets the wall clock." }
        } else if let realTimeObstacle {
            return realTimeObstacle
        }
        if let reason = abilities.failsByConfiguration[id] { return reason }
        if isOfEventsOnly {
            return "The scenario checks the events of a load, which this subject does not report."
        }
        if isSlow { return "The origin takes longer than 5 s." }
        if let obstacle = client.outsideObstacle(abilities) { return obstacle }
        if asksAboutConnections {
            return "The scenario checks connections, which the subject manages itself."
        }
        if !faults.isEmpty, faults.contains(where: \.event.isOfConnection) {
            return "The scenario has faults of connections, which the subject manages itself."
        }
        if !abilities.isClient, clearsSite {
            return "The scenario clears the origin's site, which other scenarios use."
        }
        if tls != nil { return "The scenario needs an origin with TLS, but the subject uses one without." }
        if network != nil { return "The scenario needs a virtual clock for the delays of its network." }
        let limits = DriverCapabilities.Limit.allCases.filter(abilities.refuses.limits.contains)
        if let limit = limits.first(where: exceeds) { return limit.skipReason }
        return allSteps.lazy.compactMap { $0.outsideObstacle(abilities) }.first
    }

    /// Whether its origin delays a response longer than the harness waits in real time.
    private var isSlow: Bool {
        let delays = allFaults.compactMap(\.action.longest) + answers.map(\.delay)
        return delays.contains { $0 > .seconds(5) } || requestSteps.contains(where: \.isSlow)
    }

    /// Whether its origin delays a response, and with it later requests.
    var isDelayed: Bool {
        !allFaults.isEmpty || answers.contains { $0.delay > .zero || $0.chunkDelay > .zero }
    }

    /// Whether a response removes everything stored of the whole origin.
    private var clearsSite: Bool {
        answerFields.contains { $0.name.lowercased() == "clear-site-data" }
    }

    /// Whether its steps or its responses change or read the whole store, so that it cannot share one.
    var needsOwnStore: Bool {
        let isSweeping = answerFields.contains { line in
            ["clear-site-data", "cache-groups", "cache-group-invalidation"].contains(line.name.lowercased())
        }
        return isSweeping || allSteps.contains(where: \.touchesStore)
    }
}

extension FaultAction {
    /// The maximum duration; `nil` if it is not known in advance.
    var longest: Duration? {
        switch self {
        case .delay(let span), .stall(.time(let span)): span.high
        default: nil
        }
    }
}

extension Step {
    fileprivate var touchesStore: Bool {
        switch self {
        case .restartClient, .cache, .lookup, .usage, .store: true
        default: false
        }
    }

    fileprivate func outsideObstacle(_ abilities: SubjectAbilities) -> String? {
        switch self {
        case .request(let request): return request.outsideObstacle(abilities)
        case .parallel(let requests):
            if requests.count > 1, !abilities.isParallel {
                return "The subject handles only one request at a time."
            }
            return requests.lazy.compactMap { $0.outsideObstacle(abilities) }.first
        case .restartClient:
            return abilities.restarts
                ? nil : "The scenario restarts the client, which this subject does not support."
        case .cache(.clear):
            return abilities.clears
                ? nil : "The scenario changes the store directly, which this subject does not support."
        case .cache, .store:
            return "The scenario changes the store directly, which this subject does not support."
        case .lookup:
            return abilities.dumps
                ? nil : "The scenario inspects the store, which this subject does not support."
        case .usage: return "The scenario inspects the store, which this subject does not support."
        case .network:
            return
                "The scenario disconnects the client from the network, which this subject does not support."
        case .networkProfile: return "The scenario needs a virtual clock for the delays of the network."
        case .origin(.stop), .origin(.start):
            return "The scenario stops the origin, which other scenarios use."
        case .jumpWall: return "The scenario sets the wall clock."
        case .added(_, let owner):
            let reason = (owner as? any RunnableExtension)?.skipReason
            return reason
                ?? "The scenario has steps of \"\(owner.key)\", which this subject does not support."
        case .gateway: return "The scenario uses its own gateway."
        case .repeat, .advance, .release, .origin(.use), .originSaw, .idle: return nil
        }
    }
}

extension RequestStep {
    fileprivate var isSlow: Bool {
        if case .equal(let seconds)? = expectation.took?.value, seconds > 5 { return true }
        if case .range(let atLeast?, _)? = expectation.took?.value, atLeast > 5 { return true }
        return timeout.map { $0 > .seconds(15) } ?? false
    }

    fileprivate func outsideObstacle(_ abilities: SubjectAbilities) -> String? {
        if policy != nil, !abilities.obeysPolicies {
            return "The scenario uses a cache policy, which this subject does not support."
        }
        if let policy, abilities.refuses.policies.contains(policy) {
            return "The subject has no equivalent of \(policy.rawValue)."
        }
        if asksOtherHost, !abilities.isClient {
            return "The scenario uses a second host, but the proxy has only one origin."
        }
        if cancelAfter != nil { return "The scenario cancels a request." }
        if timeout != nil, !abilities.obeysTimeouts {
            return "The scenario sets a timeout, which this subject does not support."
        }
        if let codes = expectation.errorCodes?.value, !codes.contains(0), !abilities.reportsErrors {
            return "The scenario expects an error, which this subject does not report."
        }
        if expectation.userInfo != nil {
            return "The scenario inspects the store, which this subject does not support."
        }
        return refusal(by: abilities)
    }

    /// Returns the reason why the subject cannot even send the request; `nil` if it can.
    private func refusal(by abilities: SubjectAbilities) -> String? {
        let refuses = abilities.refuses
        if refuses.methods.contains(method) { return "The subject does not send \(method) requests." }
        if body != nil, refuses.content.contains(method) {
            return "The subject does not send content with \(method)."
        }
        if let field = fields.first(where: { refuses.fields.contains($0.name.lowercased()) }) {
            return "The subject does not allow setting \(field.name)."
        }
        let expected = expectation.fields.map(\.value.name)
        if let name = expected.first(where: { refuses.hides.contains($0.lowercased()) }) {
            return "The subject does not expose \(name)."
        }
        return nil
    }
}

extension ClientSettings {
    /// Returns a reason for settings that no other subject has: all but the following of redirects.
    fileprivate func outsideObstacle(_ abilities: SubjectAbilities) -> String? {
        if !followsRedirects, !abilities.leavesRedirects {
            return "The subject always follows redirects."
        }
        var usual = ClientSettings()
        usual.followsRedirects = followsRedirects
        return self == usual ? nil : "The scenario changes settings of the built-in client."
    }
}
