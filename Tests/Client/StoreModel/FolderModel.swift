import CacheSemantics
import CacheStorage

/// A model of the versions in a folder and of their permitted uses: the contract, without stores.
package struct FolderModel {
    private struct Version {
        /// The resource; `nil` if it is not known.
        var resource: Int?
        var store: Int
        var storedAt: Int
        /// The start of its request.
        var begun: Int
        var isRemoved = false
        var isInvalidated = false
    }
    /// An invalidation or a removal that was acknowledged.
    private struct Change {
        var step: ScheduleStep
        var removes: Bool
    }
    private var versions: [Int: Version] = [:]
    private var changes: [Change] = []
    /// The version of a resource that its store must find until something happens to it.
    private var certain: [Int: (version: Int, store: Int, isFlushed: Bool)] = [:]
    /// The variants of each key that were stored or selected, with their stores, the most recently used at the end.
    private var uses: [CacheKey: [(resource: Int, store: Int)]] = [:]

    /// Whether stored responses may be lost because system calls fail.
    package var mayLose = false

    package init() {}

    /// Records what a store has done; returns its error, if any.
    package mutating func check(_ step: ScheduleStep, _ report: StepReport) -> String? {
        switch step.action {
        case .put: if report.isDone { store(step, step.resource, begun: step.number) }
        case .answer: if report.isDone { store(step, report.version, begun: report.begun) }
        case .confirm: if report.isDone { freshen(report.version, begun: report.begun) }
        case .look, .select: return check(step, found: report.found)
        case .ask, .condition, .grow: break
        case .flush:
            for resource in certain.keys where certain[resource]?.store == step.store {
                certain[resource]?.isFlushed = Resource.all[resource].policy == .allowed
            }
        case .shrink, .reopen, .kill: certain = [:]
        case .invalidate, .invalidateGroup: if report.isDone { change(step, removes: false) }
        default: if report.isDone { change(step, removes: true) }
        }
        return nil
    }

    /// Records that a store was ended during a step, so that it is not known whether the step was done.
    package mutating func interrupt(_ step: ScheduleStep) {
        certain = [:]
        switch step.action {
        case .put: store(step, step.resource, begun: step.number)
        case .confirm: for number in versions.keys { versions[number]?.isInvalidated = false }
        // It is not known which request it was the answer to.
        case .answer: versions[step.number] = Version(resource: nil, store: step.store, storedAt: 0, begun: 0)
        default: break
        }
        certain = [:]
    }

    private mutating func store(_ step: ScheduleStep, _ resource: Int, begun: Int) {
        var version = Version(resource: resource, store: step.store, storedAt: step.number, begun: begun)
        for change in changes where change.step.number > begun && Self.concerns(change.step, version) {
            // A change of one stored response or by storing time does not affect a pending one.
            let isOfStored = change.step.action == .remove || change.step.action == .removeSince
            // The tags of a pending response are not known: it is stored as requiring validation.
            let isOfTag = change.step.action == .removeTag
            if change.removes, !isOfStored, !isOfTag { version.isRemoved = true }
            if !change.removes || isOfTag { version.isInvalidated = true }
        }
        versions[step.number] = version
        let isCertain = begun == step.number
        certain[resource] = isCertain ? (step.number, step.store, false) : nil
        use(resource, by: step.store)
    }

    /// Records a use, and the variants of the key that are no longer certain to be kept.
    private mutating func use(_ resource: Int, by store: Int) {
        let key = Resource.all[resource].key
        var order = uses[key, default: []].filter { $0.resource != resource }
        order.append((resource, store))
        uses[key] = order
        // Another store keeps what it has used itself, which this one may not know yet.
        let kept =
            order.allSatisfy { $0.store == store } ? order.suffix(Resource.maximumVariants) : order.suffix(1)
        guard order.count > Resource.maximumVariants else { return }
        for other in order where !kept.contains(where: { $0.resource == other.resource }) {
            certain[other.resource] = nil
        }
    }

    private mutating func freshen(_ number: Int, begun: Int) {
        guard let version = versions[number] else { return }
        let isOvertaken = changes.contains {
            $0.step.number > begun && !$0.removes && Self.concerns($0.step, version)
        }
        if !isOvertaken { versions[number]?.isInvalidated = false }
    }

    private mutating func change(_ step: ScheduleStep, removes: Bool) {
        changes.append(Change(step: step, removes: removes))
        for (number, version) in versions where Self.concerns(step, version) {
            if removes { versions[number]?.isRemoved = true } else { versions[number]?.isInvalidated = true }
        }
        if removes {
            certain = certain.filter { key, value in versions[value.version]?.isRemoved == false }
        }
    }

    private static func concerns(_ step: ScheduleStep, _ version: Version) -> Bool {
        guard let resource = version.resource else { return false }
        let (meant, own) = (Resource.all[step.resource], Resource.all[resource])
        return switch step.action {
        case .invalidate, .removeURI: own.key.isEquivalent(to: meant.key)
        case .invalidateGroup: !meant.group.isEmpty && own.group == meant.group && own.origin == meant.origin
        case .remove: own.key == meant.key && own.variant == meant.variant
        case .removeKey: own.key == meant.key
        case .removeTag: own.has(tag: meant.tag) && own.origin == meant.origin
        case .removePrefix: own.uri.hasPrefix(meant.prefix)
        case .removeOrigin: own.origin == meant.origin
        case .removeAll: true
        case .removeSince: version.storedAt > step.number - 10
        default: false
        }
    }

    private mutating func check(_ step: ScheduleStep, found: [StepReport.Found]) -> String? {
        for found in found {
            guard let version = versions[found.version], version.resource ?? found.resource == found.resource
            else {
                return "found version \(found.version) of resource \(found.resource), which was never stored"
            }
            if version.isRemoved { return "found version \(found.version), which was removed" }
            if version.isInvalidated, !found.isInvalidated {
                return "found version \(found.version) as valid, which was invalidated"
            }
        }
        guard Set(found.map(\.resource)).count == found.count else { return "found a variant twice" }
        guard found.count <= Resource.maximumVariants else { return "found more variants than are kept" }
        defer { noteUse(step, found) }
        guard !mayLose else { return nil }
        for (resource, certain) in certain
        where Resource.all[resource].key == Resource.all[step.resource].key
            && (step.action == .look || resource == step.resource)
            && (certain.store == step.store || certain.isFlushed)
            && !found.contains(where: { $0.version == certain.version })
        {
            return "did not find version \(certain.version) of resource \(resource)"
        }
        return nil
    }

    private mutating func noteUse(_ step: ScheduleStep, _ found: [StepReport.Found]) {
        let isSelected = step.action == .select && found.contains { $0.resource == step.resource }
        if isSelected { use(step.resource, by: step.store) }
    }
}
