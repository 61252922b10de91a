import ArgumentParser
import CacheSemantics
import LocatedYAML

/// How long a cache guesses that a response without explicit freshness is fresh.
struct FreshnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The longest heuristic freshness lifetime, and at most 5 minutes of it for errors: 1d, 10m, 0s for none.",
            valueName: "T"
        )
    )
    var heuristicLimit = "1d"

    func validate() throws {
        guard seconds != nil else {
            throw ValidationError(
                "--heuristic-limit: found \"\(heuristicLimit)\", expected whole seconds such as 300s, 5m, 2h or 1d"
            )
        }
    }

    /// Sets the limit of an engine.
    func apply(to engine: inout CacheEngine) {
        if let seconds { engine.heuristicLimit = seconds }
    }

    private var seconds: Int64? {
        guard let limit = Quantity.duration(heuristicLimit)?.components, limit.attoseconds == 0 else {
            return nil
        }
        return limit.seconds
    }
}
