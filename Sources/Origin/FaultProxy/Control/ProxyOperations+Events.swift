import ControlServing
import HTTPServing
import JSON
import MockOrigin

/// Following what a proxy does.
extension ProxyOperations {
    var events: [ControlOperation] {
        [
            ControlOperation(
                .get("/events"),
                name: "followEvents",
                "Streams exchanges as they begin and change, and changes of rules, faults and network, as server-sent events."
            ) { [context] request throws(ControlProblem) in
                Self.events(context, since: try ControlEvents.since(request))
            }.with(ControlEvents.describe)
        ]
    }

    private static func events(_ context: ProxyContext, since: Int?) -> ControlAnswer {
        guard let journal = context.journal else { return ControlAnswer(.events { _ in }) }
        return context.notices.stream(since: since, readers: journal.readers) { revision in
            let (entries, last) = journal.changes(after: revision)
            return (entries.map(\.json), last)
        }
    }
}
