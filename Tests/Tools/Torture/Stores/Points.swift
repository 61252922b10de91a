import CLibrary
import StoreModel

/// The constant script of the runs that fail at the Nth call for every N.
enum Script {
    static let steps: [ScheduleStep] = {
        let script: [(ScheduleStep.Action, Int)] = [
            (.put, 0), (.put, 1), (.put, 2), (.put, 5), (.put, 6), (.flush, 0), (.invalidate, 0), (.put, 3),
            (.put, 4), (.put, 8), (.flush, 0), (.condition, 0), (.confirm, 0), (.flush, 0),
            (.invalidateGroup, 3), (.invalidate, 4), (.put, 5), (.put, 6), (.flush, 0), (.removeKey, 0),
            (.put, 7), (.put, 0), (.flush, 0), (.removePrefix, 2), (.put, 2), (.put, 5), (.put, 6),
            (.flush, 0), (.removeOrigin, 7), (.put, 6), (.ask, 3), (.invalidate, 3), (.answer, 3),
            (.flush, 0), (.remove, 8), (.removeURI, 4), (.reopen, 0),
            (.put, 4), (.put, 6), (.flush, 0), (.shrink, 0), (.removeURI, 6), (.removeSince, 0), (.put, 1),
            (.invalidate, 1), (.flush, 0), (.removeAll, 0), (.put, 6), (.flush, 0), (.reopen, 0),
            (.invalidate, 6), (.flush, 0),
        ]
        return script.enumerated().map { number, step in
            ScheduleStep(step.0, store: 0, resource: step.1, number: number + 1)
        }
    }()

    /// Runs the script with regular lookups of everything; ends early if the worker does.
    static func run(_ folder: TorturedFolder) throws(Failure) {
        for step in steps {
            folder.number = max(folder.number, step.number)
            guard try folder.make(step) else { return }
            guard step.action == .flush else { continue }
            for resource in Resource.all.indices {
                let look = ScheduleStep(.look, store: 0, resource: resource, number: step.number)
                guard try folder.make(look) else { return }
            }
        }
    }
}

/// Kills at every Nth call that changes a file, during the call.
struct Points {
    func run(every stride: Int) throws {
        var (point, calls) = (1, 0)
        while try kill(at: point, &calls) { point += max(stride, 1) }
        Report.row(
            "store: killed in the middle of a call",
            "calls 1 to \(point), every \(max(stride, 1)); \(calls) steps"
        )
    }

    /// Returns false if there are fewer calls.
    private func kill(at point: Int, _ calls: inout Int) throws(Failure) -> Bool {
        let folder = try TorturedFolder(stores: 1)
        let interposer = try Interposer()
        let settings = interposer.environment(folder: folder.path, ["TORTURE_KILL_AT": String(point)])
        do throws(Failure) {
            if try folder.start(0, settings) { try Script.run(folder) }
            try folder.inspect()
        } catch {
            throw Failure(text: "killed at call \(point): \(error.text)")
        }
        calls += folder.calls
        return interposer.hasActed
    }
}

/// Makes every Nth call fail, once or from then on.
struct Faults {
    private struct Kind {
        var name: String
        var code: Int32
        var isForever: Bool
        var reads: Bool
    }
    private static let kinds = [
        Kind(name: "no room, once", code: ENOSPC, isForever: false, reads: false),
        Kind(name: "no room, from then on", code: ENOSPC, isForever: true, reads: false),
        Kind(name: "input or output error, once", code: EIO, isForever: false, reads: false),
        Kind(name: "input or output error, from then on", code: EIO, isForever: true, reads: false),
        Kind(name: "input or output error, reading too, once", code: EIO, isForever: false, reads: true),
        Kind(
            name: "input or output error, reading too, from then on",
            code: EIO,
            isForever: true,
            reads: true
        ),
    ]

    func run(every stride: Int) throws {
        for kind in Self.kinds {
            var (point, calls) = (1, 0)
            while try fail(at: point, kind, &calls) { point += max(stride, 1) }
            Report.row("store: \(kind.name)", "calls 1 to \(point), every \(max(stride, 1)); \(calls) steps")
        }
    }

    /// Returns false if there are fewer calls.
    private func fail(at point: Int, _ kind: Kind, _ calls: inout Int) throws(Failure) -> Bool {
        let folder = try TorturedFolder(stores: 1, mayLose: true)
        let interposer = try Interposer()
        var settings = ["TORTURE_FAIL_AT": String(point), "TORTURE_ERRNO": String(kind.code)]
        if kind.isForever { settings["TORTURE_FOREVER"] = "1" }
        if kind.reads { settings["TORTURE_READS"] = "1" }
        let environment = interposer.environment(folder: folder.path, settings)
        do throws(Failure) {
            if try folder.start(0, environment) { try Script.run(folder) }
            try folder.inspect()
        } catch {
            throw Failure(text: "\(kind.name), call \(point): \(error.text)")
        }
        calls += folder.calls
        return interposer.hasActed
    }
}
