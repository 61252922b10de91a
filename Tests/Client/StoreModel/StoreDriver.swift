import CacheSemantics
package import CacheStorage
import Clocks

/// A store's report on a step.
package struct StepReport: Sendable, Hashable {
    package struct Found: Sendable, Hashable {
        /// The resource, as an index of `Resource.all`; negative if there is none.
        package var resource: Int
        /// The version; negative if its content is not that version's.
        package var version: Int
        package var isInvalidated: Bool
    }
    /// The entries that a lookup has found.
    package var found: [Found] = []
    /// Whether the call was acknowledged: an entry was stored, freshened, invalidated or removed.
    package var isDone = false
    /// The number of the step that started the answered request or the confirmed validation.
    package var begun = 0
    /// The version that was freshened.
    package var version = 0

    package init() {}
}

/// Performs the calls of a schedule on one store, and keeps its pending requests.
package final class StoreDriver {
    private struct Request {
        var watch: KeyWatch
        var resource: Int
        var number: Int
        /// The entry that is being validated.
        var seen: CacheEntry?
    }
    private let directory: String
    private let clock = VirtualClock(wallSeconds: 1_000_000)
    /// Whether the store writes only on request.
    private let isDeferred: Bool
    package private(set) var store: CacheStore
    /// The second that the numbers of steps are added to.
    private var start = 1_000_000
    private var requests: [Request] = []
    private var validations: [Request] = []

    /// Opens a store.
    package init(_ directory: String, isDeferred: Bool) throws {
        self.directory = directory
        self.isDeferred = isDeferred
        store = try Self.open(directory, clock, isDeferred)
    }

    /// Empties the store for another schedule, which begins at this second.
    package func restart(at second: Int) {
        start = second
        (requests, validations) = ([], [])
        store.setCapacities(memory: .mebibytes(4))
        store.removeAll()
    }

    private static func open(_ directory: String, _ clock: VirtualClock, _ isDeferred: Bool) throws
        -> CacheStore
    {
        var configuration = CacheStore.Configuration(
            directory: directory,
            largestShare: 0.5,
            maximumVariants: Resource.maximumVariants
        )
        configuration.tagFields = [Resource.tags]
        let store = try CacheStore(configuration, clock: clock)
        store.deferWrites(isDeferred)
        return store
    }

    /// Performs the call of a step.
    package func make(_ step: ScheduleStep) throws -> StepReport {
        let now = Double(start + step.number)
        if now > clock.wallSeconds { clock.advance(by: .seconds(Int(now - clock.wallSeconds))) }
        var report = StepReport()
        switch step.action {
        case .put: report.isDone = put(Resource.all[step.resource].entry(step.number))
        case .look: report.found = look(step.resource)
        case .select: report.found = select(step.resource)
        case .ask: requests.append(begin(step))
        case .answer: answer(step, &report)
        case .condition: condition(step)
        case .confirm: confirm(&report)
        case .flush: store.flush()
        case .shrink: store.setCapacities(memory: .zero)
        case .grow: store.setCapacities(memory: .mebibytes(4))
        case .reopen:
            store.close()
            (requests, validations) = ([], [])
            store = try Self.open(directory, clock, isDeferred)
        case .kill: break
        default: report.isDone = change(step)?.failure == nil
        }
        return report
    }

    private func change(_ step: ScheduleStep) -> ChangeOutcome? {
        let resource = Resource.all[step.resource]
        return switch step.action {
        case .invalidate: store.invalidate(CacheKey(targetURI: resource.uri))
        case .invalidateGroup: store.invalidate(groups: [resource.group], of: resource.origin)
        case .remove: store.remove(resource.key, resource.variant)
        case .removeKey: store.remove(resource.key)
        case .removeURI: store.remove(targetURI: resource.uri)
        case .removePrefix: store.remove(prefix: resource.prefix)
        case .removeTag: store.remove(tag: resource.tag, of: resource.origin)
        case .removeOrigin: store.removeAll(of: resource.origin)
        case .removeAll: store.removeAll()
        case .removeSince: store.remove(storedSince: .seconds(start + step.number - 10))
        default: nil
        }
    }

    private func put(_ entry: CacheEntry) -> Bool {
        if case .stored = store.put(entry) { true } else { false }
    }

    private func select(_ resource: Int) -> [StepReport.Found] {
        let meant = Resource.all[resource]
        return store.entries(for: meant.key, selectableBy: meant.selector).entries.map {
            found(located: $0.entry)
        }
    }

    private func look(_ resource: Int) -> [StepReport.Found] {
        store.entries(for: Resource.all[resource].key).entries.map { found(located: $0.entry) }
    }

    private func found(located entry: CacheEntry) -> StepReport.Found {
        let resource = Resource.all.firstIndex {
            $0.key == entry.stored.key && $0.variant == entry.stored.variant
        }
        return StepReport.Found(
            resource: resource ?? -1,
            version: resource.flatMap { Resource.all[$0].version(of: entry) } ?? -1,
            isInvalidated: entry.stored.isInvalidated
        )
    }

    private func begin(_ step: ScheduleStep) -> Request {
        let key = Resource.all[step.resource].key
        // A client looks up an entry before its request, and so knows all events until now.
        let found = store.entries(for: key).entries
        let variant = Resource.all[step.resource].variant
        return Request(
            watch: store.watch(key),
            resource: step.resource,
            number: step.number,
            seen: found.first { $0.entry.stored.variant == variant }?.entry
        )
    }

    /// Stores a complete response like `CachingClient`.
    private func answer(_ step: ScheduleStep, _ report: inout StepReport) {
        guard !requests.isEmpty else { return }
        let request = requests.removeFirst()
        report.begun = request.number
        guard !request.watch.isCleared else { return }
        var entry = Resource.all[request.resource].entry(step.number)
        report.version = request.resource
        let isInvalidated = request.watch.isInvalidated(for: entry.stored)
        if isInvalidated { entry.stored = entry.stored.invalidated() }
        report.isDone = put(entry)
        if request.watch.isCleared { store.remove(entry.stored.key, entry.stored.variant) }
        if !isInvalidated, request.watch.isInvalidated(for: entry.stored) {
            store.invalidate(entry.stored.key)
        }
    }

    private func condition(_ step: ScheduleStep) {
        let request = begin(step)
        if request.seen != nil { validations.append(request) }
    }

    /// Freshens after a 304 like `CachingClient`.
    private func confirm(_ report: inout StepReport) {
        guard !validations.isEmpty else { return }
        let request = validations.removeFirst()
        guard let seen = request.seen, !request.watch.isInvalidated(for: seen.stored) else { return }
        report.begun = request.number
        report.version = Resource.all[request.resource].version(of: seen) ?? -1
        let isFreshened = store.freshen(seen.stored.invalidated(false), seen: seen)
        let isOvertaken = request.watch.isInvalidated(for: seen.stored)
        if isFreshened, isOvertaken { store.invalidate(seen.stored.key) }
        report.isDone = isFreshened && !isOvertaken
    }
}
