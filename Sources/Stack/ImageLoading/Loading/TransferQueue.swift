/// In which order waiting transfers of one priority begin.
public enum ImageQueueOrder: Sendable, Hashable {
    /// As they were asked for.
    case firstInFirstOut
    /// The latest first.
    case lastInFirstOut
}

/// Which transfers wait and which may run.
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

    /// Lets a waiting transfer begin as early as its most urgent listener asks for.
    mutating func raise(_ id: UInt64, to priority: ImagePriority) {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[place].priority = max(waiting[place].priority, priority)
    }

    /// Takes a transfer out that waits; false where it runs already.
    mutating func withdraw(_ id: UInt64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: place)
        return true
    }

    mutating func end(_ id: UInt64) { running.remove(id) }

    /// The transfers that begin now.
    mutating func takeStarting() -> [UInt64] {
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
