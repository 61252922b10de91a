import HTTPServing
import OriginScript

/// TLS with the client.
extension ProxyConnection {
    /// Performs the handshake, unless there are no credentials for one, and the faults before it; false if the connection
    /// is over.
    func startsTLS(_ credentials: TLSCredentials?, _ faults: [Fault]) async -> Bool {
        guard let credentials else { return true }
        for fault in Self.ordered(faults) {
            guard await receivesHello(upTo: fault.point) else { return refuse(Self.late) }
            guard await passes([fault], at: .tlsHandshake) else { return false }
        }
        let result = await client.perform(within: Self.handshakeLimit, by: context.clock) {
            await client.startTLS(credentials)
        }
        guard let problem = result ?? Self.late else { return true }
        return refuse(problem)
    }

    /// The time limit of a handshake, and of its hello before each fault; delays by faults do not count.
    static let handshakeLimit = Duration.seconds(30)
    private static let late = "no handshake within \(handshakeLimit)"

    private func refuse(_ problem: String) -> Bool {
        let interception = context.configuration.forwarding?.interception
        (context.configuration.tls?.onFailure ?? interception?.onFailure)?(problem)
        return false
    }

    private func receivesHello(upTo point: Fault.Point) async -> Bool {
        await client.perform(within: Self.handshakeLimit, by: context.clock) {
            switch point {
            case .byte(let span): await client.waitForHello(count: span.low)
            case .share(let span): await client.waitForHello(share: span.low)
            }
        } != nil
    }

    /// Shares depend on the size of the hello, and come last.
    private static func ordered(_ faults: [Fault]) -> [Fault] {
        func place(_ fault: Fault) -> Int { if case .byte(let span) = fault.point { span.low } else { .max } }
        return faults.filter { $0.event == .tlsHandshake }.sorted { place($0) < place($1) }
    }
}
