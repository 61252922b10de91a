import CLibrary
import StoreModel

/// Makes each read of a body fail, once: only the affected lookup finds nothing.
struct ReadFaults {
    private static let large = Resource.all.firstIndex { $0.size > 64 << 10 } ?? 0

    func run() throws {
        var point = 1
        while try fail(at: point) { point += 1 }
        Report.row("store: a body that cannot be read, once", "readings 1 to \(point)")
    }

    /// Returns false if there are fewer reads.
    private func fail(at point: Int) throws(Failure) -> Bool {
        let folder = try TorturedFolder(stores: 1, mayLose: true)
        try run([.put, .flush], in: folder)
        folder.kill(0)
        let interposer = try Interposer()
        let settings = [
            "TORTURE_READS": "bodies", "TORTURE_FAIL_AT": String(point), "TORTURE_ERRNO": String(EIO),
        ]
        let found = folder.bodies
        try run(
            [.look, .look, .reopen, .look, .look],
            in: folder,
            interposer.environment(folder: folder.path, settings)
        )
        let missed = 4 - (folder.bodies - found)
        guard missed == (interposer.hasActed ? 1 : 0) else {
            throw Failure(text: "body reading \(point) failed: \(missed) of 4 lookups find nothing")
        }
        return interposer.hasActed
    }

    private func run(
        _ actions: [ScheduleStep.Action],
        in folder: TorturedFolder,
        _ environment: [String: String] = [:]
    ) throws(Failure) {
        guard try folder.start(0, environment) else { throw Failure(text: "a folder cannot be opened") }
        for action in actions {
            folder.number += 1
            try folder.make(ScheduleStep(action, store: 0, resource: Self.large, number: folder.number))
        }
    }
}
