/// The known links and default routes, from which the status follows.
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
            // When a link is set down, the kernel removes its IPv4 routes without a message. When only the
            // carrier is lost, the kernel keeps the routes and sends no message when the carrier is back.
            if !isUp { routes = routes.filter { $0.link != index } }
        case .linkGone(let index):
            links[index] = nil
            routes = routes.filter { $0.link != index }
        case .defaultRoute(let route): routes.insert(route)
        case .defaultRouteGone(let route): routes.remove(route)
        case .done, .failed: break
        }
    }

    /// Returns the status: a network exists if a default route uses a running link; the best route determines
    /// its kind.
    func status(kind: (String) -> NetworkStatus) -> NetworkStatus {
        let usable = routes.filter { route in
            // A multipath route names no link.
            guard let link = links[route.link] else { return route.link == 0 }
            return link.isRunning && !link.isLoopback
        }
        guard let best = usable.min(by: { ($0.metric, $0.link) < ($1.metric, $1.link) }) else {
            return .unreachable
        }
        return links[best.link].map { kind($0.name) } ?? .reachable
    }
}
