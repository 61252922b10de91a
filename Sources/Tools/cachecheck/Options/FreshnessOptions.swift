import ArgumentParser
import CacheSemantics
import LocatedYAML

/// The limit of heuristic freshness.
struct FreshnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Maximum heuristic freshness lifetime: 1d, 10m, 0s for none. Errors get at most 5 minutes.",
            valueName: "T"
        )
    )
    var heuristicLimit = "1d"

    func validate() throws {
        try demand(
            seconds != nil,
            "--heuristic-limit: found \"\(heuristicLimit)\", expected whole seconds such as 300s, 5m, 2h or 1d"
        )
    }

    /// Applies the limit to an engine.
    func apply(to engine: inout CacheEngine) {
        if let seconds { engine.heuristicLimit = .seconds(seconds) }
    }

    private var seconds: Int64? {
        guard let limit = Quantity.duration(heuristicLimit)?.components, limit.attoseconds == 0 else {
            return nil
        }
        return limit.seconds
    }
}
