import ControlServing
import HTTPServing
import JSON
import LocatedYAML
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
                Self.events(context, since: try Self.since(request))
            }.with {
                $0.answerType = "text/event-stream"
                $0.query = [
                    .init(
                        "since",
                        "Number of the last exchange event seen; 0 starts with all exchanges in the journal."
                    )
                ]
            }
        ]
    }

    private static func since(_ request: ControlRequest) throws(ControlProblem) -> Int? {
        guard let text = request.query.first(where: { $0.name == "since" })?.value else { return nil }
        if let number = Int(text), number >= 0 { return number }
        throw ControlProblem.value(
            "query",
            found: YAMLNode.quoted(text),
            expected: "a whole number, at least 0"
        )
    }

    private static func events(_ context: ProxyContext, since: Int?) -> ControlAnswer {
        guard let journal = context.journal else { return ControlAnswer(.events { _ in }) }
        return context.notices.stream(since: since, news: journal.news) { revision in
            let (entries, last) = journal.changes(after: revision)
            return (entries.map(\.json), last)
        }
    }
}
