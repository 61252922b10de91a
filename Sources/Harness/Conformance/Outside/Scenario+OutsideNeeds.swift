import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios

extension Scenario {
    /// Returns why a subject outside the process cannot be tested with the scenario; `nil` if it can.
    func obstacle(for abilities: SubjectAbilities) -> String? {
        if abilities.leaps {
            if case .never(let reason) = realTime { return reason }
            if jumpsWallClock { return "it sets the wall clock" }
        } else if let realTimeObstacle {
            return realTimeObstacle
        }
        if isSlow { return "its origin takes longer than 5 s" }
        if let obstacle = client.outsideObstacle(abilities) { return obstacle }
        if asksAboutConnections { return "it asks about connections, which are the subject's own" }
        if !faults.isEmpty, faults.contains(where: \.event.isOfConnection) {
            return "its faults are those of connections, which are the subject's own"
        }
        if !abilities.isClient, clearsSite { return "it clears the origin's site, which other scenarios use" }
        if tls != nil { return "its origin speaks TLS, and the subject asks a plain one" }
        if network != nil { return "its network's delays are for virtual time" }
        if abilities.refuses.obsoleteText, hasObsoleteText {
            return "the subject makes nothing of field values beyond ASCII"
        }
        return Self.obstacle(in: steps, abilities)
    }

    /// Whether its origin delays a response longer than the harness waits in real time.
    private var isSlow: Bool {
        let faults = (faults + routes.flatMap(\.answers).flatMap(\.faults)).compactMap(\.action.longest)
        let delays = routes.flatMap(\.answers).map(\.delay)
        return (faults + delays).contains { $0 > .seconds(5) } || Self.isSlow(steps)
    }

    /// Whether its origin delays a response, and with it later requests.
    var isDelayed: Bool {
        routes.flatMap(\.answers).contains { $0.delay > .zero || $0.chunkDelay > .zero || !$0.faults.isEmpty }
            || !faults.isEmpty
    }

    /// Whether its origin sends a field value with bytes beyond ASCII.
    private var hasObsoleteText: Bool {
        routes.flatMap(\.answers).flatMap(\.fields).contains { line in
            if case .text(let text) = line.value { return !text.utf8.allSatisfy { $0 < 0x80 } }
            return false
        }
    }

    /// Whether a response removes everything stored of the whole origin.
    private var clearsSite: Bool {
        routes.flatMap(\.answers).flatMap(\.fields).contains { $0.name.lowercased() == "clear-site-data" }
    }

    private static func isSlow(_ steps: [LocatedStep]) -> Bool {
        steps.contains { located in
            switch located.step {
            case .request(let request): request.isSlow
            case .parallel(let requests): requests.contains(where: \.isSlow)
            case .repeat(_, let inner): isSlow(inner)
            default: false
            }
        }
    }

    /// Whether its steps or its responses change or read the whole store, so that it cannot share one.
    var needsOwnStore: Bool {
        let isSweeping = routes.flatMap(\.answers).flatMap(\.fields).contains { line in
            ["clear-site-data", "cache-groups", "cache-group-invalidation"].contains(line.name.lowercased())
        }
        return isSweeping || Self.touchesStore(steps)
    }

    private static func touchesStore(_ steps: [LocatedStep]) -> Bool {
        steps.contains { located in
            switch located.step {
            case .restartClient, .cache, .lookup, .usage, .store: true
            case .repeat(_, let inner): touchesStore(inner)
            default: false
            }
        }
    }

    private static func obstacle(in steps: [LocatedStep], _ abilities: SubjectAbilities) -> String? {
        for located in steps {
            if let obstacle = located.step.outsideObstacle(abilities) { return obstacle }
            if case .repeat(_, let inner) = located.step, let obstacle = obstacle(in: inner, abilities) {
                return obstacle
            }
        }
        return nil
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
    fileprivate func outsideObstacle(_ abilities: SubjectAbilities) -> String? {
        switch self {
        case .request(let request): return request.outsideObstacle(abilities)
        case .parallel(let requests):
            if requests.count > 1, !abilities.isParallel { return "the subject takes one request at a time" }
            return requests.lazy.compactMap { $0.outsideObstacle(abilities) }.first
        case .restartClient: return abilities.restarts ? nil : "it restarts the client"
        case .cache(.clear): return abilities.clears ? nil : "it changes the store from outside"
        case .cache, .store: return "it changes the store from outside"
        case .lookup: return abilities.dumps ? nil : "it looks into the store"
        case .usage: return "it looks into the store"
        case .network: return "it takes the client off the network"
        case .networkProfile: return "it changes the network, whose delays are for virtual time"
        case .origin(.stop), .origin(.start): return "it stops the origin, which other scenarios use"
        case .jumpWall: return "it sets the wall clock"
        case .added(_, let owner):
            let reason = (owner as? any RunnableExtension)?.skipReason
            return reason ?? "it has steps of \"\(owner.key)\", which nothing here can take"
        case .gateway: return "it asks a gateway of its own"
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
        if policy != nil, !abilities.obeysPolicies { return "it uses a request policy of the client" }
        if let policy, abilities.refuses.policies.contains(policy) {
            return "the subject has no equal of \(policy.rawValue)"
        }
        if asksOtherHost, !abilities.isClient { return "it asks a second host, and the proxy has one origin" }
        if cancelAfter != nil { return "its caller cancels" }
        if timeout != nil, !abilities.obeysTimeouts {
            return "it sets a timeout, which the subject does not obey"
        }
        if let code = expectation.errorCode?.value, code != 0, !abilities.tellsErrors {
            return "it expects an error of the client"
        }
        if expectation.userInfo != nil { return "it looks into the store" }
        return refusal(by: abilities)
    }

    /// Returns why the subject cannot even send the request.
    private func refusal(by abilities: SubjectAbilities) -> String? {
        let refuses = abilities.refuses
        if refuses.methods.contains(method) { return "the subject makes no \(method) requests" }
        if body != nil, refuses.content.contains(method) {
            return "the subject sends no content with \(method)"
        }
        if let field = fields.first(where: { refuses.fields.contains($0.name.lowercased()) }) {
            return "the subject's caller cannot set \(field.name)"
        }
        let expected = expectation.fields.map(\.value.name)
        if let name = expected.first(where: { refuses.hides.contains($0.lowercased()) }) {
            return "the subject does not show \(name)"
        }
        return nil
    }
}

extension ClientSettings {
    /// Returns a reason for settings that no other subject has: all but the following of redirects.
    fileprivate func outsideObstacle(_ abilities: SubjectAbilities) -> String? {
        if !followsRedirects, !abilities.leavesRedirects {
            return "the subject follows redirects in any case"
        }
        var usual = ClientSettings()
        usual.followsRedirects = followsRedirects
        return self == usual ? nil : "it sets up the client in its own way"
    }
}
