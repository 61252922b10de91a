import CacheStorage

/// Performs the steps of schedules on several stores of this process that share a folder.
package final class ScheduleRunner {
    private let drivers: [StoreDriver]
    private var count = 0

    /// Opens the stores.
    package init(_ directory: String, stores: Int, isDeferred: Bool) throws {
        drivers = try (0..<stores).map { _ in try StoreDriver(directory, isDeferred: isDeferred) }
    }

    /// Performs all steps; returns the first with an error, and the error.
    package func run(_ steps: [ScheduleStep]) throws -> String? {
        // No schedule has this many steps.
        count += 1
        for driver in drivers { driver.restart(at: 1_000_000 + count * 1000) }
        var model = FolderModel()
        for step in steps {
            let report = try drivers[step.store].make(step)
            if let problem = model.check(step, report) { return "\(step): \(problem)" }
        }
        // At the end every store looks up everything.
        for store in drivers.indices {
            for resource in Resource.all.indices {
                let step = ScheduleStep(.look, store: store, resource: resource, number: steps.count + 1)
                if let problem = model.check(step, try drivers[store].make(step)) {
                    return "\(step): \(problem)"
                }
            }
        }
        return nil
    }

    package func close() { for driver in drivers { driver.store.close() } }

    /// Runs `count` schedules; returns the shortest form of the first that fails, as text.
    package static func run(
        _ count: Int,
        from seed: UInt64,
        stores: Int,
        isDeferred: Bool,
        in directory: String
    ) throws -> String? {
        let runner = try ScheduleRunner(directory, stores: stores, isDeferred: isDeferred)
        defer { runner.close() }
        for seed in seed..<(seed + UInt64(count)) {
            let steps = [ScheduleStep](seed: seed, count: 6 + Int(seed % 20), stores: stores)
            guard let problem = try runner.run(steps) else { continue }
            let shortest = steps.shrunk { (try? runner.run($0)) != .some(.none) }
            let found = try runner.run(shortest) ?? problem
            let lines = shortest.map(\.description).joined(separator: "\n")
            return "seed \(seed), \(stores) stores: \(found)\n\(lines)"
        }
        return nil
    }
}
