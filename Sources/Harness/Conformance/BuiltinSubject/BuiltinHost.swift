import CacheClient
import Clocks
import Scenarios

/// The built-in client: for each scenario or test a new one, with its own store, loop and virtual clock.
final class BuiltinHost: SubjectHost {
    /// 2026-01-01T00:00:00Z.
    private static let startWallSeconds = 1_767_225_600.0
    let abilities = SubjectAbilities.builtin
    let timeout = Duration.zero
    private let options: RunOptions
    private let certificates: OriginCertificates
    private let pools: BuiltinPools

    /// Creates a host whose clients trust the origins that have these certificates.
    init(_ options: RunOptions, _ certificates: OriginCertificates) throws(SubjectError) {
        self.options = options
        self.certificates = certificates
        pools = BuiltinPools(stores: try StorePool(wallSeconds: Self.startWallSeconds), loops: LoopPool())
    }

    func prepare(_ needs: SubjectNeeds) throws(SubjectError) -> PreparedSubject {
        let opened = try pools.stores.open(needs.client, asksAboutDisk: needs.asksAboutDisk)
        return PreparedSubject(clock: opened.clock.current) { [self] (access) throws(SubjectError) in
            try open(needs, opened, access)
        }
    }

    func close() {
        pools.loops.stop()
        pools.stores.stop()
    }

    private func open(
        _ needs: SubjectNeeds,
        _ opened: OpenStore,
        _ access: OriginAccess
    ) throws(SubjectError) -> OpenSubject {
        guard let origin = access.origin.local else {
            throw SubjectError("the built-in client needs an origin in this process")
        }
        let interim = InterimRecorder()
        let connect = try connector(to: origin, needs.client)
        let subject = try BuiltinSubject(
            needs,
            on: opened,
            of: pools,
            interim: needs.seesMessages ? interim : nil,
            isObserved: options.isObserved
        ) { () throws(SubjectError) in
            let link = try connect()
            return needs.seesMessages ? RecordingLink(base: link, recorder: interim) : link
        }
        return OpenSubject(subject: subject, builtin: subject)
    }

    private func connector(
        to origin: NamespaceOrigin,
        _ settings: ClientSettings
    ) throws(SubjectError) -> @Sendable () throws(SubjectError) -> any SubjectLink {
        let loops = pools.loops
        switch options.transport {
        case .direct:
            return { () throws(SubjectError) in DirectLink(to: origin, over: try loops.take()) }
        case .loopback:
            let trust = try trust(settings, at: origin)
            return { () throws(SubjectError) in
                LoopbackLink(over: try loops.take(settings.connectionsPerHost), trust: trust)
            }
        }
    }

    /// Returns the trust policy of a client for its origin.
    private func trust(
        _ settings: ClientSettings,
        at origin: NamespaceOrigin
    ) throws(SubjectError) -> TrustPolicy {
        guard let identity = origin.identity else { return TrustPolicy() }
        return try certificates.policy(settings.trust ?? TrustSettings(), at: identity)
    }
}

/// The parts of the built-in clients of a run.
struct BuiltinPools: Sendable {
    let stores: StorePool
    let loops: LoopPool
}
