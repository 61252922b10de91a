import ControlServing
import HTTPArchive
import JSON
import MockOrigin

/// The operations of a proxy's control API.
struct ProxyOperations: Sendable {
    let context: ProxyContext

    /// All operations.
    var all: [ControlOperation] { journal + events + rules + injection + [reset] }

    // MARK: Journal

    private var journal: [ControlOperation] {
        [
            ControlOperation(
                .get("/journal"),
                "listExchanges",
                "Lists the last exchanges with the faults injected into each and their positions.",
                answers: "Journal"
            ) { [context] request throws(ControlProblem) in
                let after = try Self.number(request)
                let (entries, dropped) = context.journal?.entries ?? ([], 0)
                let shown = entries.filter { $0.number > after }.map(\.json)
                return .json(["entries": .array(shown), "dropped": .integer(dropped)])
            }.with {
                $0.query = [.init("after", "Only exchanges with higher numbers.")]
                $0.isSlow = true
            },
            ControlOperation(
                .get("/journal/har"),
                name: "readArchive",
                "Returns the last exchanges as an HTTP archive (HAR 1.2), with the faults injected into each and their positions."
            ) { [context] _ in
                let entries = context.journal?.entries.entries.filter { $0.number > 0 } ?? []
                return .json(HTTPArchive.journal(entries.map { $0.archived(context.origin) }))
            }.with { $0.isSlow = true },
            ControlOperation(.delete("/journal"), "clearJournal", "Removes all exchanges from the journal.") {
                [context] _ in
                context.journal?.clear()
                context.publish("journal")
                return .done
            },
        ]
    }

    private static func number(_ request: ControlRequest) throws(ControlProblem) -> Int {
        guard let text = request.query.first?.value else { return -1 }
        if let number = Int(text) { return number }
        throw ControlProblem.value("query", found: "\"\(text)\"", expected: "a number of an exchange")
    }

    // MARK: Changes

    private var injection: [ControlOperation] { InjectorOperations { [context] _ in context }.all }

    private var reset: ControlOperation {
        ControlOperation(
            .post("/reset"),
            "reset",
            "Restarts the rules' sequences and states and the numbers of connections and requests, restores the faults and the network of the start, releases what is held, and clears the journal."
        ) { [context] request throws(ControlProblem) in
            try request.refuseContent()
            context.reset()
            return .done
        }
    }
}
