import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
package import HTTPTypes
import Locks
import Scenarios

/// The built-in client, with its store in a separate folder and the scenario's clock.
final class BuiltinSubject: SubjectAdapter {
    /// The objects that a restart drops.
    private struct Parts {
        let link: any SubjectLink
        let store: any ResponseStore
        /// The store that `store` decorates.
        let base: CacheStore
        let client: CachingClient
    }
    private let needs: SubjectNeeds
    private let opened: OpenStore
    private let pools: BuiltinPools
    /// The 1xx responses; `nil` if the caller does not see them.
    private let interim: InterimRecorder?
    /// Whether its requests have an observer; without one the client may take shorter ways.
    private let isObserved: Bool
    private let connect: @Sendable () throws(SubjectError) -> any SubjectLink
    /// Whether the store or its files have changed since opening.
    private let isWorn = Flag()
    private let parts: Lock<Parts>
    /// The number of database steps that were already reported, or that belong to another scenario.
    private let reportedSteps: Lock<Int>

    /// Creates a client on a store of `pools`; `connect` is called for each new transport, at the start and at each
    /// restart.
    ///
    /// The transport's loop is given back at the end.
    init(
        _ needs: SubjectNeeds,
        on opened: OpenStore,
        of pools: BuiltinPools,
        interim: InterimRecorder? = nil,
        isObserved: Bool = true,
        connect: @escaping @Sendable () throws(SubjectError) -> any SubjectLink
    ) throws(SubjectError) {
        (self.needs, self.opened, self.pools) = (needs, opened, pools)
        (self.interim, self.isObserved, self.connect) = (interim, isObserved, connect)
        // Counting takes longer than most lookups, so it is done only for a scenario that may ask.
        reportedSteps = Lock(needs.asksAboutDisk ? opened.store.databaseSteps : 0)
        parts = Lock(try Self.build(needs, on: opened.store, opened.clock.current, connect))
    }

    /// The clock of the client and its store.
    var clock: VirtualClock { opened.clock.current }

    /// The client's parts since the last restart.
    var clientParts: ClientParts {
        let parts = current
        return ClientParts(
            loop: parts.link.loop,
            transport: parts.link.transport,
            store: parts.base,
            networkAccess: parts.client.networkAccess
        )
    }

    /// The current loop of the client.
    var loop: ClientLoop { current.link.loop }

    /// Returns the client's current activity.
    func activity(parked: Set<UInt16>) -> Activity { current.link.activity(parked: parked) }

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        let log = isObserved ? EventLog() : nil
        _ = interim?.take()
        let made = ClientRequest(request, latin1: needs.seesMessages)
        let task = current.client.fetch(made, observer: log) { [interim] result in
            var seen = CallerObservation(result, log: log)
            if let interim { seen.take(result, interim.take()) }
            completion(seen)
        }
        return BuiltinExchange(task: task)
    }

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation {
        var seen = CallerObservation()
        let entry = current.client.cachedResponse(for: ClientRequest(request))
        seen.isFound = entry != nil
        guard let entry else { return seen }
        seen.status = entry.stored.response.status.code
        seen.fields = entry.stored.response.headerFields.map { ($0.name.rawName, $0.value) }
        seen.userInfo = entry.userInfo.mapValues(\.scenarioText)
        do throws(StorageError) {
            seen.body = try entry.body.readAll()
        } catch {
            throw SubjectError("The stored content cannot be read: \(error)")
        }
        return seen
    }

    func store(_ entry: SubjectEntry) throws(SubjectError) {
        let response = HTTPResponse(
            status: HTTPResponse.Status(code: entry.status),
            headerFields: HTTPFields(lines: entry.fields)
        )
        current.client.store(
            response,
            body: entry.body,
            userInfo: entry.userInfo.mapValues(UserInfoValue.text),
            storagePolicy: StoragePolicy(scenarioText: entry.storagePolicy),
            for: ClientRequest(url: entry.url)
        )
    }

    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) {
        let client = current.client
        switch action {
        case .clear: client.removeAllCachedResponses()
        case .remove(let path): client.removeCachedResponse(for: ClientRequest(url: url(path)))
        case .removeSince(let offset):
            client.removeCachedResponses(since: clock.wallSeconds + offset.seconds)
        case .resize(let memory, let disk):
            isWorn.raise()
            current.store.setCapacities(memory: memory.map { .bytes($0) }, disk: disk.map { .bytes($0) })
        case .damage: try damage()
        }
    }

    func restart() throws(SubjectError) {
        let old = current
        old.store.close()
        old.link.loop.close()
        pools.loops.recycle(old.link.loop)
        let store = try StorePool.reopen(folder, needs.client, opened.clock)
        let parts = try Self.build(needs, on: store, clock, connect)
        self.parts.withLock { $0 = parts }
        reportedSteps.withLock { $0 = 0 }
    }

    func use(_ network: ClientNetwork) {
        current.client.networkAccess =
            switch network {
            case .online: .allowed
            case .offline: .offline
            case .roamingOff: .roamingOff
            case .dataNotAllowed: .dataNotAllowed
            }
    }

    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) {
        let parts = current
        Task(executorPreference: parts.link.loop) {
            await parts.client.waitForBackgroundWork()
            completion()
        }
    }

    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation {
        let store = current.store
        store.flush()
        var usage = UsageObservation(
            memory: store.memoryUsage.bytes,
            disk: store.diskUsage.bytes,
            files: folder?.files.count { $0.hasSuffix(".body") } ?? 0,
            entries: store.entryCount
        )
        usage.databaseSteps = newSteps
        usage.readable = texts.filter { folder?.holds($0) == true }
        return usage
    }

    /// The number of database steps that have not been reported yet.
    private var newSteps: Int {
        let steps = current.base.databaseSteps
        return reportedSteps.withLock { reported in
            defer { reported = steps }
            return steps - reported
        }
    }

    func close() {
        var opened = opened
        opened.store = current.base
        if isWorn.isRaised { opened.isReusable = false }
        pools.stores.close(opened)
        pools.loops.recycle(current.link.loop)
    }

    private var current: Parts { parts.withLock { $0 } }

    private var folder: ScratchFolder? { opened.folder }

    // MARK: Parts

    private static func build(
        _ needs: SubjectNeeds,
        on store: CacheStore,
        _ clock: VirtualClock,
        _ connect: @Sendable () throws(SubjectError) -> any SubjectLink
    ) throws(SubjectError) -> Parts {
        let link = try connect()
        let decoration = needs.decoration
        let configuration = configuration(needs.cacheKind, needs.client)
        let kept = decoration.store?(store) ?? store
        let client = CachingClient(
            configuration,
            store: kept,
            decidedBy: decoration.decisions?(configuration.engine),
            transport: decoration.transport?(link.transport) ?? link.transport,
            clock: clock
        )
        return Parts(link: link, store: kept, base: store, client: client)
    }

    private static func configuration(_ kind: CacheKind, _ settings: ClientSettings)
        -> CachingClient.Configuration
    {
        var configuration = CachingClient.Configuration()
        configuration.engine = CacheEngine(
            kind: kind,
            usesHeuristicFreshness: settings.usesHeuristics,
            keepsPartialContent: settings.keepsPartialContent,
            deviations: settings.deviations
        )
        configuration.engine.targets = settings.targets.compactMap { HTTPField.Name($0) }
        configuration.engine.partition = settings.partition
        configuration.normalizesPercentEncoding = settings.normalizesPercentEncoding
        configuration.defaultPolicy = settings.defaultPolicy
        configuration.followsRedirects = settings.followsRedirects
        configuration.expirationInterval = settings.expirationInterval
        configuration.willCache = settings.hook.map(WillCacheHook.hook)
        return configuration
    }

    private func damage() throws(SubjectError) {
        isWorn.raise()
        current.store.flush()
        // SQLite's shared index exists only in memory: no disk can damage it.
        for file in folder?.files ?? [] where !file.hasSuffix("-shm") { try FileDamage.overwrite(file) }
    }
}

extension ClientSettings {
    /// The partition by credentials; `nil` if there is none.
    var partition: CredentialPartition? {
        partitions ? CredentialPartition(salt: Array("of this scenario".utf8)) : nil
    }
}

extension ClientRequest {
    /// Creates the request in the client's own terms; `latin1` means that each character of a field value is a byte.
    init(_ request: SubjectRequest, latin1: Bool = false) {
        self.init(
            url: request.url,
            method: HTTPRequest.Method(rawValue: request.method) ?? .get,
            fields: latin1 ? HTTPFields(latin1Lines: request.fields) : HTTPFields(lines: request.fields),
            body: request.body.map(RequestBody.bytes),
            policy: request.policy,
            timeout: request.timeout
        )
    }
}

/// A request of the built-in client.
private struct BuiltinExchange: SubjectExchange {
    let task: ClientTask

    func cancel() {
        task.cancel()
    }
}

extension HTTPFields {
    /// Creates field lines in order; a name that HTTP does not allow is omitted.
    package init(lines: [(name: String, value: String)]) {
        self.init()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            append(HTTPField(name: name, value: line.value))
        }
    }
}

extension StoragePolicy {
    /// Creates the policy from its name in scenarios.
    init(scenarioText: String) {
        switch scenarioText {
        case "memory-only": self = .allowedInMemoryOnly
        case "not-allowed": self = .notAllowed
        default: self = .allowed
        }
    }
}

extension UserInfoValue {
    /// The value in the notation of scenarios.
    var scenarioText: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .boolean(let value): String(value)
        }
    }
}
