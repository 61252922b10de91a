import Addresses
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Synchronization

/// The state that all connections of a proxy share.
final class ProxyContext: InjectionTarget {
    let configuration: FaultProxy.Configuration
    let injector: FaultInjector
    let credentials = ProxyCredentials()
    /// The certificates of the hosts whose TLS is terminated; `nil` if there are none.
    let certificates: InterceptionCertificates?
    /// `nil` for a forward proxy, which resolves the host of each request when it connects.
    private let connector: UpstreamConnector?
    let clock: any TimeSource
    let rules: RuleTable
    /// `nil` if nothing can request it.
    let journal: ProxyJournal?
    /// Events that are not exchanges.
    let notices = ControlEvents()
    /// When the proxy was made, in seconds since 1970.
    private let startedAt: Double
    private let requests = Atomic(0)
    // The numbers of the last connection and of the last request before the last reset.
    private let connectionsBefore = Atomic(0)
    private let requestsBefore = Atomic(0)
    private let latestConnection = Atomic(0)

    init(_ configuration: FaultProxy.Configuration, clock: any TimeSource) {
        self.configuration = configuration
        self.clock = clock
        connector = (configuration.upstream ?? configuration.forwarding?.replacement).map { [credentials] in
            UpstreamConnector($0, credentials, clock: clock)
        }
        certificates = configuration.forwarding?.interception.map {
            InterceptionCertificates($0.authority, clock: clock)
        }
        rules = RuleTable(configuration.rules, clock: clock)
        journal = configuration.keepsJournal ? ProxyJournal() : nil
        startedAt = clock.wallSeconds
        var plan = configuration.faults
        plan.faults += configuration.rules.faults
        injector = FaultInjector(
            plan,
            configuration.network,
            clock: clock,
            maximumDecisions: 10_000,
            onDecision: configuration.onDecision
        )
    }

    // MARK: Upstreams

    /// Scheme and authority that archives show for targets without them.
    var origin: String {
        guard let upstream = configuration.upstream else { return "http://127.0.0.1" }
        return "\(upstream.isTLS ? "https" : "http")://\(upstream)"
    }

    /// Returns scheme and authority of a server whose TLS is terminated.
    private static func origin(of server: Upstream) -> String {
        "https://\(server.port == 443 ? server.host : server.authority)"
    }

    /// Returns the connector to a server, or to the server that replaces all others.
    func connector(to server: Upstream) -> UpstreamConnector {
        if let connector { return connector }
        let rule = AddressRule(allowing: configuration.forwarding?.allowedAddresses ?? [])
        return UpstreamConnector(server, credentials, rule: rule, clock: clock)
    }

    /// Whether the proxy is a forward proxy.
    var forwards: Bool { configuration.forwarding != nil }

    /// Returns the server whose TLS a CONNECT begins that is terminated; `nil` if TLS passes through.
    func intercepted(_ request: ProxiedRequestHead) -> Upstream? {
        guard request.method == "CONNECT", let interception = configuration.forwarding?.interception,
            let server = Upstream(authority: request.target), interception.covers(server)
        else { return nil }
        return server.overTLS
    }

    /// Returns the credentials with which the proxy presents itself as a server.
    func credentials(for server: Upstream) throws(ServerError) -> TLSCredentials {
        guard let certificates else { throw .tls(reason: "no interception") }
        return try certificates.credentials(for: server.host)
    }

    // MARK: Faults

    /// Returns a connection's number since the start or the last reset, so that one seed then gives the same faults again.
    func number(ofAccepted number: Int) -> Int {
        _ = latestConnection.max(number, ordering: .relaxed)
        return number - connectionsBefore.load(ordering: .relaxed)
    }

    /// Returns the faults of a connection before its first request.
    func connectionFaults(_ number: Int) -> [Fault] {
        injector.connectionFaults(.init(name: "connection#\(number)", number: number))
    }

    /// Returns the faults of the bytes of one direction of a connection that passes any protocol.
    func byteFaults(_ number: Int, at events: [FaultEvent]) -> [Fault] {
        guard configuration.mode == .bytes else { return [] }
        let faults = injector.faults.plan.ofRequests.filter { events.contains($0.event) }
        return injector.faults(faults, .init(name: "connection#\(number)", number: number))
    }

    /// Counts a request, and returns the decisions of rules and faults on it; `count` is its number on the connection.
    ///
    /// `server` is the one whose TLS is terminated.
    func exchange(
        _ request: ProxiedRequestHead,
        connection: Int,
        _ count: Int,
        in server: Upstream?
    ) -> ProxiedExchange {
        let number = requests.add(1, ordering: .relaxed).newValue
        var request = request
        let requested = configuration.allowsRequestFaults ? RequestedFaults(takenFrom: &request.raw) : nil
        let identity = ProxiedExchange.Identity(
            number: number,
            connection: connection,
            count: count,
            origin: server.map(Self.origin) ?? "",
            started: (clock.elapsed, clock.wallSeconds)
        )
        let exchange = ProxiedExchange(
            request,
            identity,
            decision(on: request, identity, requested),
            capture: capture(of: request, in: server),
            contents: journal == nil ? nil : ExchangeContents()
        )
        journal?.add(JournalEntry(exchange))
        return exchange
    }

    private func decision(
        on request: ProxiedRequestHead,
        _ identity: ProxiedExchange.Identity,
        _ requested: RequestedFaults?
    ) -> ProxiedExchange.Decision {
        let since = identity.number - requestsBefore.load(ordering: .relaxed)
        let choice = rules.choose(request) { rule in
            injector.isDrawn(rule.chance, .init(name: identity.name, number: since, rule: rule.route.label))
        }
        let planned = injector.requestFaults(.init(name: identity.name, path: request.path, number: since))
        let asked = requested?.faults ?? []
        return ProxiedExchange.Decision(
            choice: choice,
            problem: requested?.problem,
            proxyFaults: planned
                + injector.faults(asked, .init(name: identity.name, number: since, rule: "request")),
            ruleFaults: choice.map { ruleFaults($0, identity.name) } ?? []
        )
    }

    private func capture(of request: ProxiedRequestHead, in server: Upstream?) -> ExchangeCapture? {
        guard let report = configuration.onExchange else { return nil }
        // A forward proxy refuses a target that names no server.
        let named = CapturedTarget(
            of: request,
            otherwise: server.map(Self.origin) ?? (forwards ? "" : origin)
        )
        var exchange = CapturedExchange(
            method: request.method,
            origin: named.origin,
            target: named.target,
            response: CapturedExchange.Response(status: 0),
            at: clock.timeSinceEpoch
        )
        exchange.requestFields = CapturedExchange.Field.all(of: readdressed(request, in: server))
        return ExchangeCapture(exchange, clock: clock, report: report)
    }

    /// Returns the head of a request as the server gets it, also if the client has sent one for a proxy.
    private func readdressed(_ request: ProxiedRequestHead, in server: Upstream?) -> HeadBytes {
        guard forwards, server == nil, let destination = try? RequestDestination(request),
            let target = destination.target
        else { return request.raw }
        var head = request.raw
        head.readdress(to: destination.server, target: target)
        return head
    }

    private func ruleFaults(_ choice: RuleTable.Choice, _ name: String) -> [Fault] {
        let passage = FaultInjector.Passage(name: name, number: choice.selection.count, rule: choice.label)
        return injector.faults(choice.answer?.faults ?? [], passage)
    }

    /// Returns the answer of the proxy itself to a request; `nil` if it is passed on.
    func localAnswer(to exchange: ProxiedExchange) -> LocalAnswer? {
        let closes = exchange.request.waitsForResponse || exchange.request.wantsClose
        if let problem = exchange.problem {
            let response = LocalResponse(status: 400, text: "cachecheck proxy: \(problem)\n")
            return LocalAnswer(response, to: exchange, closes: closes)
        }
        if let response = LocalResponse(exchange) {
            return LocalAnswer(response, to: exchange, closes: closes)
        }
        guard let choice = exchange.choice, let answer = choice.answer, answer.passing == nil else {
            return nil
        }
        let faults = exchange.faults(of: nil)
        let inputs = ComposedAnswer.Inputs(
            wallSeconds: exchange.started.wallSeconds,
            startedAt: startedAt,
            elapsedSeconds: rules.elapsed.seconds,
            folder: rules.file.folder,
            stall: Hold()
        )
        let composed = ComposedAnswer(
            answer,
            to: exchange.request.served,
            choice.selection,
            faults: faults,
            inputs
        )
        return LocalAnswer(composed, faults: faults, closes: closes)
    }

    // MARK: Heads

    /// Returns the head of a request as the upstream gets it; `target` is the one for it, where the client has sent that of a
    /// proxy.
    func forwarded(
        _ request: ProxiedRequestHead,
        as target: String?,
        to server: Upstream,
        from peer: PeerAddress
    ) -> [UInt8] {
        var head = request.raw
        if let target { head.readdress(to: server, target: target) }
        let received = head
        switch configuration.host {
        case .client: break
        case .upstream: head.set(FieldName.host, server.authority)
        case .text(let text): head.set(FieldName.host, text)
        }
        guard configuration.addsForwardedFields else { return head.bytes }
        let chain = head.values("X-Forwarded-For") + [peer.host]
        head.set("X-Forwarded-For", chain.joined(separator: ", "))
        if let host = received.values(FieldName.host).first { head.set("X-Forwarded-Host", host) }
        let isOverTLS = configuration.tls != nil || (forwards && server.isTLS)
        head.set("X-Forwarded-Proto", isOverTLS ? "https" : "http")
        return head.bytes
    }

    /// The decision on a response of the upstream.
    struct ResponseChange {
        /// The status that is sent.
        var status: Int
        /// The head that replaces the upstream's; `nil` if that passes unchanged.
        var head: [UInt8]?
        /// The content that replaces the upstream's; `nil` if that passes unchanged.
        var content: [UInt8]?
        var faults: [Fault]
    }

    /// Returns the response as changed by the rule and the faults.
    func change(_ head: ResponseHead, _ exchange: ProxiedExchange) -> ResponseChange {
        var change = ResponseChange(status: head.status, faults: exchange.faults(of: head))
        var raw = head.raw
        if let passing = exchange.passing, passing.changesMessage, exchange.ruleHolds(for: head) {
            let context = FieldContext(
                base: "",
                other: "",
                now: clock.timeSinceEpoch,
                start: .saturating(seconds: startedAt)
            )
            raw = PassedHead(passing: passing, context: context).changed(head) { tag in
                rules.firstTags.first(of: exchange.request.target, tag)
            }
            change.status = passing.status ?? head.status
            change.content = passing.content(insteadOfThatWith: head.status)
        }
        raw.misstateLength(change.faults)
        if raw.bytes != head.raw.bytes { change.head = raw.bytes }
        return change
    }

    // MARK: Rules

    /// Restarts the rules and the numbers of connections and requests, restores the faults and the network of the start, and
    /// clears the journal.
    ///
    /// Connections that are open keep their number.
    func reset() {
        connectionsBefore.store(latestConnection.load(ordering: .relaxed), ordering: .relaxed)
        requestsBefore.store(requests.load(ordering: .relaxed), ordering: .relaxed)
        rules.reset()
        injector.reset()
        injector.use(initialFaults)
        journal?.clear()
        publish("reset")
    }

    /// The faults of the start, and those of the current file of rules.
    private var initialFaults: FaultPlan {
        var plan = configuration.faults
        plan.faults += rules.file.faults
        return plan
    }

    /// Uses a file of rules that has changed, and its faults in place of any that have replaced them; `seed` is that of a file of
    /// proxies.
    func follow(_ file: ProxyRuleFile, seed: UInt64? = nil) {
        rules.use(file)
        publish("rules")
        var plan = initialFaults
        if let seed { plan.seed = seed }
        if plan != injector.faults.plan { use(plan) }
    }

    /// Replaces the rules, and the faults of their file.
    func use(_ file: ProxyRuleFile) {
        let old = rules.file.faults
        rules.use(file)
        publish("rules")
        guard old != file.faults else { return }
        var plan = injector.faults.plan
        plan.faults =
            plan.faults.dropLast(plan.faults.suffix(old.count) == old[...] ? old.count : 0) + file.faults
        use(plan)
    }

    /// Replaces the faults of all requests.
    func use(_ plan: FaultPlan) {
        injector.use(plan)
        publish("faults")
    }

    /// Replaces the network.
    func use(network: NetworkSchedule?) {
        injector.use(network: network)
        publish("network")
    }
}
