import CLibrary
import StoreModel
import TestSupport

/// A gateway under mixed load for some time, whose memory, descriptors and threads must not grow.
struct Soak {
    /// The permitted growth of the median from the middle third to the last third.
    private enum Bound {
        static let memoryShare = 0.05
        static let memoryBytes = 4 << 20
        static let descriptors = 8
        static let threads = 0
    }
    let seconds: Int
    let seed: UInt64

    func run() throws {
        let origin = VersionedOrigin()
        defer { origin.stop() }
        let folder = try makeScratchFolder()
        let settings = GatewaySettings(
            folder: folder.path,
            origin: origin.url,
            diskBytes: 16 << 20,
            memoryBytes: 4 << 20
        )
        guard let gateway = try GatewayProcess(settings) else {
            throw Failure(text: "a gateway does not start")
        }
        let load = SoakLoad(gateway: gateway.address, origin: origin.url)
        let threads = LoadThreads(origin, seed: seed, load.clients)
        let samples = try sample(gateway, threads)
        let tally = threads.end()
        if let problem = tally.problem { throw Failure(text: "soak, seed \(seed): \(problem)") }
        try printFigures(tally, gateway.address)
        try check(samples)
        try gateway.stop()
    }

    /// Samples the process every second, or more often in a short run, until the time has passed.
    private func sample(_ gateway: GatewayProcess, _ threads: LoadThreads) throws(Failure) -> [ProcessUsage] {
        let count = max(seconds, 30)
        var samples: [ProcessUsage] = []
        while samples.count < count {
            delay(milliseconds: seconds * 1000 / count)
            guard gateway.isRunning else { throw Failure(text: "soak, seed \(seed): the gateway has ended") }
            // Other problems are reported at the end.
            if threads.problem != nil { break }
            samples.append(gateway.usage)
        }
        return samples
    }

    private func printFigures(_ tally: Tally, _ gateway: GatewayAddress) throws(Failure) {
        var counts: [String] = []
        for name in ["hits", "misses", "validations", "errors"] {
            counts.append("\(try gateway.metric(name + "_total")) \(name)")
        }
        Report.row(
            "soak: load for \(seconds) s",
            "\(tally.requests) requests (\(counts.joined(separator: ", "))), \(tally.changes) invalidations and purges"
        )
    }

    private func check(_ samples: [ProcessUsage]) throws(Failure) {
        let third = samples.count / 3
        let (middle, last) = (samples[third..<(2 * third)], samples[(2 * third)...])
        let memory = (Self.median(middle, \.residentBytes), Self.median(last, \.residentBytes))
        let descriptors = (Self.median(middle, \.descriptors), Self.median(last, \.descriptors))
        let threads = (Self.median(middle, \.threads), Self.median(last, \.threads))
        let memoryLimit = Int(Double(memory.0) * (1 + Bound.memoryShare)) + Bound.memoryBytes
        let figures = [
            "RSS \(memory.0 >> 10) then \(memory.1 >> 10) KiB (at most \(memoryLimit >> 10))",
            "descriptors \(descriptors.0) then \(descriptors.1) (at most \(descriptors.0 + Bound.descriptors))",
            "threads \(threads.0) then \(threads.1) (at most \(threads.0 + Bound.threads))",
        ].joined(separator: ", ")
        guard memory.1 <= memoryLimit, descriptors.1 <= descriptors.0 + Bound.descriptors,
            threads.1 <= threads.0 + Bound.threads
        else { throw Failure(text: "soak, seed \(seed), middle and last third: \(figures)") }
        Report.row("soak: medians of the middle and last third", figures)
    }

    private static func median(_ samples: ArraySlice<ProcessUsage>, _ value: (ProcessUsage) -> Int) -> Int {
        let values = samples.map(value).sorted()
        return values.isEmpty ? 0 : values[values.count / 2]
    }
}
