import CacheClient
import MockOrigin

/// How the built-in client reaches the origin, with a loop of its own on which all its tasks run and which the thread that
/// takes the steps drives.
protocol SubjectLink: Sendable {
    /// The loop.
    var loop: ClientLoop { get }
    /// What carries the requests.
    var transport: any Transport { get }
    /// What goes on at this moment; `parked` are the client's ports whose exchange waits at the origin.
    func activity(parked: Set<UInt16>) -> Activity
}

/// libcurl over loopback.
///
/// Each scenario has a loop, and so connections, of its own: what one leaves open cannot change what another sees.
struct LoopbackLink: SubjectLink {
    let loop: ClientLoop
    let transport: any Transport

    init(over loop: ClientLoop, trust: TrustPolicy = TrustPolicy()) {
        self.loop = loop
        transport = CurlTransport(loop: loop, trust: trust)
    }

    func activity(parked: Set<UInt16>) -> Activity {
        let activity = loop.activity()
        if !activity.isBlocked { return .busy("the client's loop has work") }
        for exchange in activity.inFlight {
            if exchange.hasUnreadInput {
                return .busy(ActivityNote(port: exchange.localPort, "has bytes to read"))
            }
            if !exchange.isPaused, !parked.contains(exchange.localPort) {
                return .busy(ActivityNote(port: exchange.localPort, "waits for the origin"))
            }
        }
        return .quiet(
            waiting: activity.inFlight.map { ActivityNote(port: $0.localPort, "waits at the origin") }
        )
    }
}
