public import Clocks
public import HTTPServing
public import LocatedYAML
import Locks
import MockOrigin
public import OriginScript

/// The result of a change of a file of proxies.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ProxyFileEvent: Sendable {
    /// It is in effect, and all of its proxies listen.
    case loaded
    /// The file has problems; the proxies are unchanged.
    case refused(YAMLProblems)
    /// One of its proxies cannot start; the others have.
    case failed(name: String, ServerError)
}

/// The proxies of a file, which follow its changes.
///
/// A proxy whose endpoints are as before keeps its connections, and rules that are as before keep their counts.
public final class ProxyGroup: Sendable {
    /// The state that all proxies share.
    public struct Configuration: Sendable {
        /// The seed that overrides the file's; default `nil`: the seed of the file, or 0.
        public var seed: UInt64?
        /// Number of threads of each proxy; default 1.
        public var threads = 1
        /// Number of open connections of each proxy above which new ones are closed at once; default 16,384.
        public var connectionLimit = 16_384
        /// Whether each proxy notes exchanges for the control API; default no.
        public var keepsJournal = false
        /// Called with each random decision; not with a lock held.
        public var onDecision: (@Sendable (FaultDecision) -> Void)?
        /// Returns the settings of the TLS of a port.
        public var tls: @Sendable (TLSCase) throws(ServerError) -> TLSSettings = { _ throws(ServerError) in
            throw ServerError.tls(reason: "no certificate")
        }
        /// Returns the interception of hosts by the test authority.
        public var interception: @Sendable ([HostPattern]) throws(ServerError) -> Interception = {
            _ throws(ServerError) in
            throw ServerError.tls(reason: "no authority")
        }
        /// Returns the recorder of an HTTP proxy; by default none.
        ///
        /// It is called on the proxy's threads with each complete exchange.
        public var recorder: @Sendable (ProxyDefinition) -> (@Sendable (RecordedEvent) -> Void)? = { _ in nil
        }
        /// Called when the file has changed.
        public var onChange: @Sendable (ProxyFileEvent) -> Void = { _ in }

        /// Creates the defaults.
        public init() {}
    }
    /// A proxy that listens.
    public struct Running: Sendable {
        /// The name of the proxy.
        public let name: String
        /// The address it listens on.
        public let address: ListenAddress
        /// The addresses that it connects.
        public let endpoints: ProxyDefinition.Endpoints
    }
    private struct Member: Sendable {
        var definition: ProxyDefinition
        let proxy: FaultProxy
    }
    private let path: String
    private let configuration: Configuration
    private let clock: any TimeSource
    private let members = Lock<[Member]>([])
    private let follower = Lock<FileFollower?>(nil)

    /// Creates the proxies of a file at a path; none listens yet.
    public init(path: String, _ configuration: Configuration, clock: any TimeSource = SystemClock()) {
        (self.path, self.configuration, self.clock) = (path, configuration, clock)
    }

    /// Starts all proxies, or none if one cannot, and follows the file, which has this text; may be called once.
    public func start(_ file: ProxyFile, text: String) throws(ProxyStartError) {
        for definition in file.proxies {
            do throws(ServerError) {
                try add(definition, seed: file.seed)
            } catch {
                stop()
                throw ProxyStartError(name: definition.name, cause: error)
            }
        }
        let own = FileFollower(path, text: text) { [weak self] in self?.changed($0) }
        follower.withLock { $0 = own }
        own.start()
    }

    /// Ends every connection and waits for the threads; may be repeated.
    public func stop() {
        let own = follower.withLock { $0.take() }
        own?.stop()
        let ended = members.withLock { members in
            defer { members = [] }
            return members
        }
        for member in ended { member.proxy.stop() }
    }

    /// The proxies that listen, in the order of their starts.
    public var running: [Running] {
        members.withLock { $0 }.map { member in
            Running(
                name: member.definition.name,
                address: member.definition.endpoints.listen.with(port: member.proxy.port),
                endpoints: member.definition.endpoints
            )
        }
    }

    /// Returns the proxy with a name; `nil` if none of that name listens.
    func proxy(_ name: String) -> FaultProxy? {
        members.withLock { $0.first { $0.definition.name == name }?.proxy }
    }

    // MARK: Changes, one after another

    private func changed(_ text: Result<String, YAMLProblems>) {
        let file: ProxyFile
        do throws(YAMLProblems) {
            file = try ProxyFile.decode(try text.get(), path: path)
        } catch {
            return configuration.onChange(.refused(error))
        }
        // Ports must be free before others listen on them.
        stopMembers { member in
            !file.proxies.contains {
                $0.name == member.definition.name && $0.endpoints == member.definition.endpoints
            }
        }
        let failures = file.proxies.count { !change($0, seed: file.seed) }
        if failures == 0 { configuration.onChange(.loaded) }
    }

    /// Returns false, after a report, if the proxy cannot start.
    private func change(_ definition: ProxyDefinition, seed: UInt64?) -> Bool {
        if let present = proxy(definition.name) {
            present.use(definition, seed: configuration.seed ?? seed ?? 0)
            members.withLock { members in
                for index in members.indices where members[index].definition.name == definition.name {
                    members[index].definition = definition
                }
            }
            return true
        }
        do throws(ServerError) {
            try add(definition, seed: seed)
            return true
        } catch {
            configuration.onChange(.failed(name: definition.name, error))
            return false
        }
    }

    private func stopMembers(_ isFinished: (Member) -> Bool) {
        let ended = members.withLock { members in
            let ended = members.filter(isFinished)
            members.removeAll { member in ended.contains { $0.proxy === member.proxy } }
            return ended
        }
        for member in ended { member.proxy.stop() }
    }

    private func add(_ definition: ProxyDefinition, seed: UInt64?) throws(ServerError) {
        let proxy = FaultProxy(try proxyConfiguration(of: definition, seed: seed), clock: clock)
        do throws(ServerError) {
            try proxy.start()
        } catch {
            proxy.stop()
            throw error
        }
        members.withLock { $0.append(Member(definition: definition, proxy: proxy)) }
    }

    private func base(of destination: ProxyDefinition.Destination) throws(ServerError)
        -> FaultProxy.Configuration
    {
        switch destination {
        case .server(let upstream): return FaultProxy.Configuration(upstream: upstream)
        case .named(let allowed, let intercepted):
            var forwarding = Forwarding()
            forwarding.allowedAddresses = allowed
            if !intercepted.isEmpty { forwarding.interception = try configuration.interception(intercepted) }
            return FaultProxy.Configuration(forwarding: forwarding)
        }
    }

    private func proxyConfiguration(of definition: ProxyDefinition, seed: UInt64?) throws(ServerError)
        -> FaultProxy.Configuration
    {
        let endpoints = definition.endpoints
        var own = try base(of: endpoints.destination)
        (own.address, own.port) = (endpoints.listen.host, endpoints.listen.port)
        (own.threads, own.connectionLimit) = (configuration.threads, configuration.connectionLimit)
        (own.mode, own.host) = (endpoints.mode, endpoints.host)
        own.addsForwardedFields = endpoints.addsForwardedFields
        own.allowsRequestFaults = endpoints.allowsRequestFaults
        if let tls = endpoints.tls { own.tls = try configuration.tls(tls) }
        if let path = endpoints.upstreamAuthorities { own.upstreamTrust.authorities = .file(path) }
        own.upstreamTrust.verifies = endpoints.verifiesUpstream
        own.faults = FaultPlan(seed: configuration.seed ?? seed ?? 0, scope: "proxy \(definition.name)")
        (own.rules, own.network) = (definition.rules, definition.network)
        (own.onDecision, own.keepsJournal) = (configuration.onDecision, configuration.keepsJournal)
        if endpoints.mode == .http { own.onExchange = configuration.recorder(definition) }
        return own
    }
}

/// The reason why a proxy of a file cannot start.
public struct ProxyStartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The proxy's name.
    public let name: String
    /// The step that failed.
    public let cause: ServerError

    /// One sentence with the name and the cause.
    public var description: String { "proxy \(name): \(cause)" }
}

extension FaultProxy {
    /// Applies rules, faults, seed and network of a definition whose endpoints are those of this proxy.
    fileprivate func use(_ definition: ProxyDefinition, seed: UInt64) {
        let injector = context.injector
        let hasOtherSeed = injector.faults.plan.seed != seed
        context.follow(definition.rules, seed: seed)
        if hasOtherSeed || injector.network != definition.network {
            context.use(network: definition.network)
        }
    }
}
