import CLibrary

/// Durations of one operation, in nanoseconds.
struct Samples {
    var nanoseconds: [Int64] = []

    /// Runs `operation` `count` times and records each duration divided by `batch`, the operations in one run.
    init(count: Int, batch: Int = 1, _ operation: () throws -> Void) rethrows {
        nanoseconds.reserveCapacity(count)
        for _ in 0..<count {
            let started = Self.now()
            try operation()
            nanoseconds.append((Self.now() - started) / Int64(batch))
        }
    }

    /// Records the duration of each of `count` operations, which get their number.
    init(count: Int, _ operation: (Int) async throws -> Void) async rethrows {
        nanoseconds.reserveCapacity(count)
        for number in 0..<count {
            let started = Self.now()
            try await operation(number)
            nanoseconds.append(Self.now() - started)
        }
    }

    init(nanoseconds: [Int64]) {
        self.nanoseconds = nanoseconds
    }

    var median: Double { quantile(0.5) }
    var p99: Double { quantile(0.99) }

    /// Returns the value below which `share` (0…1) of the samples lie; 0 without samples.
    func quantile(_ share: Double) -> Double {
        guard !nanoseconds.isEmpty else { return 0 }
        let sorted = nanoseconds.sorted()
        let index = Int((Double(sorted.count - 1) * share).rounded())
        return Double(sorted[min(max(index, 0), sorted.count - 1)])
    }

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension [Double] {
    /// The median; 0 without samples.
    var median: Double {
        let ordered = sorted()
        return ordered.isEmpty ? 0 : ordered[ordered.count / 2]
    }
}
