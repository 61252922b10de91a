import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Synchronization

/// What all connections of a proxy share.
final class ProxyContext: Sendable {
    let configuration: FaultProxy.Configuration
    let injector: FaultInjector
    let connector: UpstreamConnector
    let clock: any TimeSource
    private let requests = Atomic(0)

    init(_ configuration: FaultProxy.Configuration, clock: any TimeSource) {
        self.configuration = configuration
        self.clock = clock
        connector = UpstreamConnector(configuration.upstream)
        injector = FaultInjector(
            configuration.faults,
            configuration.network,
            clock: clock,
            mostDecisions: 10_000,
            onDecision: configuration.onDecision
        )
    }

    // MARK: Faults

    /// Returns the faults of a connection before its first request.
    func connectionFaults(_ number: Int) -> [Fault] {
        injector.connectionFaults(.init(name: "connection#\(number)", number: number))
    }

    /// Counts a request, and returns it with its faults; `count` is its number on the connection.
    func exchange(_ request: RequestHead, connection: Int, _ count: Int) -> Exchange {
        let number = requests.add(1, ordering: .relaxed).newValue
        let name = "connection#\(connection) request#\(count)"
        let faults = injector.requestFaults(.init(name: name, path: request.path, number: number))
        return Exchange(
            number: number,
            name: name,
            request: request,
            requestFaults: faults.filter { $0.event == .requestBody },
            responseFaults: faults.filter { !$0.event.isBeforeAnswer },
            began: clock.elapsed
        )
    }

    // MARK: Heads

    /// Returns the head of a request as the upstream gets it.
    func forwarded(_ request: RequestHead, from peer: PeerAddress) -> [UInt8] {
        var head = request.raw
        let host = head.values(FieldName.host).first
        switch configuration.host {
        case .client: break
        case .upstream: head.set(FieldName.host, connector.upstream.authority)
        case .text(let text): head.set(FieldName.host, text)
        }
        guard configuration.addsForwardedFields else { return head.bytes }
        let chain = head.values("X-Forwarded-For") + [peer.host]
        head.set("X-Forwarded-For", chain.joined(separator: ", "))
        if let host { head.set("X-Forwarded-Host", host) }
        head.set("X-Forwarded-Proto", "http")
        return head.bytes
    }

    /// Returns the head of a response as it is changed by faults; `nil` where it is not.
    func changed(_ head: ResponseHead, _ exchange: Exchange) -> [UInt8]? {
        var raw = head.raw
        for fault in exchange.responseFaults {
            guard case .contentLength(let change) = fault.action,
                let length = raw.values(FieldName.contentLength).first.flatMap({ Int($0) })
            else { continue }
            raw.set(FieldName.contentLength, "\(max(0, length + change))")
        }
        return raw.bytes == head.raw.bytes ? nil : raw.bytes
    }

    // MARK: Outcomes

    /// Faults of a connection happened.
    func connectionFaulted(_ connection: Int, _ marks: [FaultTrack.Mark]) {}

    /// Faults of a request happened while it was passed on.
    func faulted(_ exchange: Exchange, _ marks: [FaultTrack.Mark]) {}

    /// A response was passed on, or a fault has ended it.
    func completed(_ exchange: Exchange, status: Int, _ marks: [FaultTrack.Mark]) {}

    /// The proxy has answered by itself; `cause` is why, where it is not a fault.
    func answered(_ exchange: Exchange, status: Int, cause: String? = nil, marks: [FaultTrack.Mark] = []) {}
}
