import HTTPServing
import OriginScript

/// TLS with the client.
extension ProxyConnection {
    /// Performs the handshake, where the proxy is one of TLS, and the faults before it; false where the connection is
    /// over.
    func startsTLS(_ faults: [Fault]) async -> Bool {
        guard let credentials = context.credentials.client else { return true }
        for fault in Self.ordered(faults) {
            switch fault.point {
            case .byte(let span): await client.waitForHello(count: span.low)
            case .share(let span): await client.waitForHello(share: span.low)
            }
            guard await passes([fault], at: .tlsHandshake) else { return false }
        }
        guard let problem = await client.startTLS(credentials) else { return true }
        context.configuration.tls?.onFailure?(problem)
        return false
    }

    /// Shares depend on the size of the hello, and come last.
    private static func ordered(_ faults: [Fault]) -> [Fault] {
        func place(_ fault: Fault) -> Int { if case .byte(let span) = fault.point { span.low } else { .max } }
        return faults.filter { $0.event == .tlsHandshake }.sorted { place($0) < place($1) }
    }
}
