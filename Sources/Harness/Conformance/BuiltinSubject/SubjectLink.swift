import CacheClient
import MockOrigin

/// The built-in client's access to the origin, with a loop that runs all of its tasks and that the thread of the steps
/// drives.
protocol SubjectLink: Sendable {
    /// The loop that runs the client's tasks.
    var loop: ClientLoop { get }
    /// The transport of the requests.
    var transport: any Transport { get }
    /// Returns the current activity; `parked` contains the client's ports whose exchange waits at the origin.
    func activity(parked: Set<UInt16>) -> Activity
}

/// libcurl over loopback.
///
/// Each scenario has its own loop and therefore its own connections, so those it leaves open affect no other.
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
