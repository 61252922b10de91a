import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios

extension Scenario {
    /// Why a proxy cannot be put through the scenario; `nil` where it can.
    var proxyObstacle: String? {
        if let realTimeObstacle { return realTimeObstacle }
        if let obstacle = client.proxyObstacle { return obstacle }
        if asksAboutConnections { return "it asks about connections, which are the proxy's own" }
        if !faults.isEmpty, faults.contains(where: \.event.isOfConnection) {
            return "its faults are those of connections, which are the proxy's own"
        }
        if let wait = longestFault, wait > Self.longestFault {
            return "its faults last \(wait.components.seconds) s"
        }
        if let delay = routes.flatMap(\.answers).map(\.delay).max(), delay > Self.longestFault {
            return "its origin takes \(delay.components.seconds) s"
        }
        if clearsSite { return "it clears the origin's site, which other scenarios use" }
        if tls != nil { return "its origin speaks TLS, and the proxy asks a plain one" }
        if network != nil { return "its network's delays are for virtual time" }
        return Self.obstacle(in: steps)
    }

    private static let longestFault = Duration.seconds(5)

    /// How long the longest of its stalls and delays takes.
    private var longestFault: Duration? {
        (faults + routes.flatMap(\.answers).flatMap(\.faults)).compactMap(\.action.longest).max()
    }

    /// Whether an answer has what is stored of the whole origin removed.
    private var clearsSite: Bool {
        routes.flatMap(\.answers).flatMap(\.fields).contains { $0.name.lowercased() == Self.clearSiteData }
    }

    private static let clearSiteData = "clear-site-data"

    private static func obstacle(in steps: [LocatedStep]) -> String? {
        for located in steps {
            if let obstacle = located.step.proxyObstacle { return obstacle }
            if case .repeat(_, let inner) = located.step, let obstacle = obstacle(in: inner) {
                return obstacle
            }
        }
        return nil
    }
}

extension FaultAction {
    /// How long it takes at most; `nil` where that is not said in advance.
    fileprivate var longest: Duration? {
        switch self {
        case .delay(let span), .stall(.time(let span)): span.high
        default: nil
        }
    }
}

extension Step {
    fileprivate var proxyObstacle: String? {
        switch self {
        case .request(let request): request.proxyObstacle
        case .parallel(let requests): requests.lazy.compactMap(\.proxyObstacle).first
        case .restartClient: "it restarts the client"
        case .cache, .store: "it changes the store from outside"
        case .lookup, .usage: "it looks into the store"
        case .network: "it takes the client off the network"
        case .networkProfile: "it changes the network, whose delays are for virtual time"
        case .origin(.stop), .origin(.start): "it stops the origin, which other scenarios use"
        case .jumpWall: "it sets the wall clock"
        case .repeat, .advance, .release, .origin(.use), .originSaw, .idle: nil
        }
    }
}

extension RequestStep {
    fileprivate var proxyObstacle: String? {
        if policy != nil { return "it uses a request policy of the client" }
        if asksOtherHost { return "it asks a second host, and the proxy has one origin" }
        if cancelAfter != nil { return "its caller cancels" }
        if let code = expectation.errorCode?.value, code != 0 { return "it expects an error of the client" }
        if expectation.userInfo != nil { return "it looks into the store" }
        return nil
    }
}

extension ClientSettings {
    /// Settings that no proxy has: all but the following of redirects, which its caller does.
    fileprivate var proxyObstacle: String? {
        var usual = ClientSettings()
        usual.followsRedirects = followsRedirects
        return self == usual ? nil : "it sets up the client in its own way"
    }
}
