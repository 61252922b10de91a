import Locks

/// Work on items that belong to hosts, of which each has a limited number of workers.
struct HostLimits: Sendable {
    let workersPerHost: Int

    /// Calls `body` for every item and returns the results in the order of the items.
    func map<Item: Sendable, Value: Sendable>(
        _ items: [Item],
        host: (Item) -> String,
        _ body: @escaping @Sendable (Item) async -> Value
    ) async -> [Value] {
        let queues = Dictionary(grouping: items.indices) { host(items[$0]) }
        return await withTaskGroup(of: [(Int, Value)].self) { group in
            for indices in queues.values {
                let waiting = Lock(indices[...])
                for _ in 0..<min(workersPerHost, indices.count) {
                    group.addTask {
                        var done: [(Int, Value)] = []
                        while let index = waiting.withLock({ $0.popFirst() }) {
                            done.append((index, await body(items[index])))
                        }
                        return done
                    }
                }
            }
            var all: [(Int, Value)] = []
            for await part in group { all += part }
            return all.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
