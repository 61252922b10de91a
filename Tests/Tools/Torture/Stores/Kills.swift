import CLibrary
import StoreModel

/// Kills at random times: of one worker on a folder, or of one of several.
struct Kills {
    let stores: Int
    private var generator: SplitMix

    init(stores: Int, seed: UInt64) {
        self.stores = max(stores, 1)
        generator = SplitMix(seed: seed)
    }

    mutating func run(_ count: Int) throws {
        var (kills, calls, bodies) = (0, 0, 0)
        while kills < count {
            let folder = try TorturedFolder(stores: stores)
            kills += try round(folder, kills: min(20, count - kills))
            calls += folder.calls
            bodies += folder.bodies
        }
        Report.row(
            "store: kills of \(stores) on a folder",
            "\(kills) kills, \(calls) steps, \(bodies) entries checked"
        )
    }

    /// Performs some kills on one folder, which is inspected at the end.
    private mutating func round(_ folder: TorturedFolder, kills: Int) throws(Failure) -> Int {
        var done = 0
        while done < kills {
            for store in 0..<stores where try !folder.start(store) {
                throw Failure(text: "the folder cannot be opened any more")
            }
            folder.number += 1
            let step = ScheduleStep.drawn(&generator, stores: stores, number: folder.number)
            // Most calls take less than a millisecond.
            let isPatient = Int.random(in: 0..<6, using: &generator) != 0
            let time = isPatient ? nil : Int.random(in: 0..<1500, using: &generator)
            let isAlive = try folder.make(step, within: time)
            if isAlive, time == nil { continue }
            if isAlive { folder.kill(step.store) }
            done += 1
            guard try folder.start(step.store) else {
                throw Failure(text: "the folder cannot be opened any more")
            }
            for store in 0..<stores { try folder.lookAround(store) }
        }
        try folder.inspect()
        return done
    }
}
