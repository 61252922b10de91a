import ArgumentParser
import CacheSemantics

/// The limit of heuristic freshness.
struct FreshnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Maximum heuristic freshness lifetime; 0s for none. Errors get at most 5 minutes. (default: 1d)",
            valueName: "TIME"
        ),
        transform: wholeSeconds
    )
    var heuristicLimit: Duration?

    /// Applies the limit to an engine.
    func apply(to engine: inout CacheEngine) {
        if let heuristicLimit { engine.heuristicLimit = heuristicLimit }
    }
}
