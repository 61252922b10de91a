/// The order in which waiting transfers of the same priority start.
public enum ImageQueueOrder: Sendable, Hashable {
    /// In order of arrival.
    case firstInFirstOut
    /// Most recent first.
    case lastInFirstOut
}

/// The waiting and the running transfers.
struct TransferQueue: Sendable {
    private struct Entry {
        let id: UInt64
        var priority: ImagePriority
    }
    let limit: Int
    let order: ImageQueueOrder
    var isSuspended = false
    private var waiting: [Entry] = []
    private var running: Set<UInt64> = []

    init(limit: Int, order: ImageQueueOrder) {
        self.limit = max(1, limit)
        self.order = order
    }

    var runningCount: Int { running.count }

    mutating func add(_ id: UInt64, _ priority: ImagePriority) {
        waiting.append(Entry(id: id, priority: priority))
    }

    /// Raises the priority of a waiting transfer to that of its most urgent listener.
    mutating func raise(_ id: UInt64, to priority: ImagePriority) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].priority = max(waiting[index].priority, priority)
    }

    /// Removes a waiting transfer; returns `false` if it is not waiting.
    mutating func removeWaiting(_ id: UInt64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    mutating func end(_ id: UInt64) { running.remove(id) }

    /// Moves transfers that may start to the running ones, and returns them.
    mutating func dequeueReady() -> [UInt64] {
        var starting: [UInt64] = []
        while !isSuspended, running.count < limit, let place = nextPlace {
            let id = waiting.remove(at: place).id
            running.insert(id)
            starting.append(id)
        }
        return starting
    }

    private var nextPlace: Int? {
        guard let urgent = waiting.map(\.priority).max() else { return nil }
        return switch order {
        case .firstInFirstOut: waiting.firstIndex { $0.priority == urgent }
        case .lastInFirstOut: waiting.lastIndex { $0.priority == urgent }
        }
    }
}
