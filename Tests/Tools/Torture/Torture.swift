import CacheStorage
import CLibrary
import StoreModel
import TestSupport

/// Ends processes and makes calls fail while they use a folder, and checks the folder's contents afterwards.
///
/// `worker FOLDER` performs the steps that it reads, one per line, and answers with one line each; the other commands
/// start workers, or gateways. See `ci/torture`.
@main
enum Torture {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "worker" where arguments.count == 2: exit(Worker.run(arguments[1]))
            case "schedules":
                try Schedules.run(count: number(arguments, 1), seed: seed(arguments, 2))
            case "kills":
                var kills = Kills(stores: try number(arguments, 1), seed: try seed(arguments, 3))
                try kills.run(try number(arguments, 2))
            case "points": try Points().run(every: number(arguments, 1))
            case "faults":
                try Faults().run(every: number(arguments, 1))
                try ReadFaults().run()
            case "gateways":
                var kills = GatewayKills(gateways: try number(arguments, 1), seed: try seed(arguments, 3))
                try kills.run(try number(arguments, 2))
            case "soak": try Soak(seconds: number(arguments, 1), seed: seed(arguments, 2)).run()
            case "readers": try SlowReaders(count: number(arguments, 1)).run()
            case "variants": try VariantFlood(count: number(arguments, 1)).run()
            default:
                throw Failure(
                    text: "expected schedules, kills, points, faults, gateways, soak, readers or variants"
                )
            }
        } catch let failure as Failure {
            print("FAIL \(failure.text)")
            exit(1)
        } catch {
            print("FAIL \(error)")
            exit(1)
        }
    }

    private static func seed(_ arguments: [String], _ place: Int) throws(Failure) -> UInt64 {
        UInt64(try number(arguments, place))
    }

    private static func number(_ arguments: [String], _ place: Int) throws(Failure) -> Int {
        guard place < arguments.count, let number = Int(arguments[place]), number >= 0 else {
            throw Failure(text: "\(arguments.first ?? ""): expected a number as argument \(place)")
        }
        return number
    }
}

/// Schedules on stores of one process.
enum Schedules {
    static func run(count: Int, seed: UInt64) throws {
        for (stores, isDeferred) in [(2, true), (3, true), (2, false), (3, false)] {
            let folder = try makeScratchFolder()
            let share = count / 4
            let start = seed &+ UInt64(stores * 2 + (isDeferred ? 1 : 0)) * 10_000_000
            let failure = try ScheduleRunner.run(
                share,
                from: start,
                stores: stores,
                isDeferred: isDeferred,
                in: folder.path
            )
            if let failure { throw Failure(text: failure) }
            Report.row(
                "store: schedules of \(stores) stores",
                "\(share) schedules, written \(isDeferred ? "late" : "at once")"
            )
        }
    }
}

/// A store in a separate process.
enum Worker {
    static func run(_ folder: String) -> Int32 {
        guard let driver = try? StoreDriver(folder, isDeferred: false) else { return 69 }
        say("ready")
        while let line = readLine() {
            if line == "usage" {
                say("\(driver.store.diskFileCount) \(driver.store.diskUsage.bytes)")
                continue
            }
            guard let step = ScheduleStep(line) else { return 64 }
            guard let report = try? driver.make(step) else { return 70 }
            say(report.description)
        }
        driver.store.close()
        return 0
    }

    private static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
