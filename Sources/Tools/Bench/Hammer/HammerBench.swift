import Clocks
import MockOrigin

/// `hammer`: 64 tasks on one pool, its caches, loaders and slots, over connections to a server in this process.
///
/// The figure counts errors: content of another URL, missing or surplus callbacks, and operations that do not end.
/// `ci/sanitize hammer` runs it under ThreadSanitizer, which detects data races.
enum HammerBench {
    private static let tasks = 64

    static func run(_ options: Options, _ folder: String) async throws -> Figure {
        let stage = try HammerSubjects(folder: folder + "/hammer")
        defer { stage.server.stop() }
        let end = Samples.now() + Int64(options.hammerSeconds) * 1_000_000_000
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<tasks {
                group.addTask {
                    var task = HammerTask(number, stage)
                    while Samples.now() < end { await task.performNext() }
                    await task.finish()
                }
            }
        }
        await stage.settle()
        let load = "\(tasks) tasks for \(options.hammerSeconds) s"
        let measure = Measure("hammer", "wrong", .atMost(0), against: load)
        return Figure(measure, Double(stage.tally.wrongCount), note: stage.tally.summary)
    }
}
