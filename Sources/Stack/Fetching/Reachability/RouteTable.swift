/// What is known of links and default routes, and what follows for reachability.
struct RouteTable: Sendable {
    private struct Link {
        var name: String
        var isRunning: Bool
        var isLoopback: Bool
    }
    private var links: [Int32: Link] = [:]
    private var routes: Set<RouteMessage.DefaultRoute> = []

    mutating func apply(_ message: RouteMessage) {
        switch message {
        case .link(let index, let name, let isUp, let isRunning, let isLoopback):
            links[index] = Link(name: name, isRunning: isRunning, isLoopback: isLoopback)
            // The kernel takes IPv4 routes away without a word when a link is put down, and keeps them, without a word
            // when it is back, when only the carrier goes.
            if !isUp { routes = routes.filter { $0.link != index } }
        case .linkGone(let index):
            links[index] = nil
            routes = routes.filter { $0.link != index }
        case .defaultRoute(let route): routes.insert(route)
        case .defaultRouteGone(let route): routes.remove(route)
        case .done, .failed: break
        }
    }

    /// The status: there is a network where a default route goes over a link that runs; the best route says of what
    /// kind.
    func status(kind: (String) -> NetworkStatus) -> NetworkStatus {
        let usable = routes.filter { route in
            // A route over several links names none.
            guard let link = links[route.link] else { return route.link == 0 }
            return link.isRunning && !link.isLoopback
        }
        guard let best = usable.min(by: { ($0.metric, $0.link) < ($1.metric, $1.link) }) else {
            return .unreachable
        }
        return links[best.link].map { kind($0.name) } ?? .reachable
    }
}
