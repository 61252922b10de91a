import CacheClient
import Clocks
import HTTPTypes
import Locks
import Testing

@testable import Audit

@Suite("Redirects to private addresses")
struct PrivateAddressTests {
    private func audit(_ urls: String..., on network: RedirectingNetwork) async -> AuditReport {
        let auditor = Auditor(bareSettings(), transport: network, clock: SystemClock())
        return await auditor.audit(AuditSources(urls: urls))
    }

    @Test("A redirect from a public host to a private address is a finding, and nothing is sent there")
    func publicToPrivate() async {
        let network = RedirectingNetwork()
        let report = await audit("http://public.example/", on: network)
        #expect(report.urls.map(\.url) == ["http://public.example/"])
        #expect(report.findings.map(\.rule).contains("redirect-to-private"))
        #expect(network.answered.withLock { $0 } == ["public.example"])
    }

    @Test("Each redirect to one private address is a finding of its own")
    func severalToPrivate() async {
        let report = await audit("http://a.example/", "http://b.example/", on: RedirectingNetwork())
        let found = report.findings.filter { $0.rule == "redirect-to-private" }
        #expect(found.map(\.url) == ["http://a.example/", "http://b.example/"])
    }

    @Test("A private host that the user names is audited, and so is where it redirects to")
    func privateToPrivate() async {
        let network = RedirectingNetwork()
        let report = await audit("http://10.0.0.2/", on: network)
        #expect(report.urls.map(\.url) == ["http://10.0.0.2/", "http://10.0.0.1/"])
        #expect(report.failures == 0)
    }

    @Test("The robots.txt of a public host does not lead to a private address, either")
    func robots() async {
        let network = RedirectingNetwork()
        let auditor = Auditor(
            bareSettings { $0.obeysRobots = true },
            transport: network,
            clock: SystemClock()
        )
        let report = await auditor.audit(AuditSources(urls: ["http://public.example/"]))
        #expect(report.findings.map(\.rule).contains("redirect-to-private"))
        #expect(network.answered.withLock { $0 } == ["public.example", "public.example"])
    }
}

/// Hosts that redirect to `10.0.0.1`, which answers; addresses that begin with `10.` are private.
private final class RedirectingNetwork: Transport {
    /// The hosts that got a request.
    let answered = Lock<[String]>([])

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        let host = request.head.authority ?? ""
        guard !host.hasPrefix("10.") || request.addresses == nil else {
            receiver.receive(
                end: .failure(TransportError(.addressRefused, "\(host) is not a public address."))
            )
            return EndedExchange()
        }
        answered.withLock { $0.append(host) }
        var response = HTTPResponse(status: host == "10.0.0.1" ? .ok : .found)
        response.headerFields[.location] = host == "10.0.0.1" ? nil : "http://10.0.0.1/"
        receiver.receive(head: response)
        receiver.receive(end: .success(TransportEnd()))
        return EndedExchange()
    }
}
