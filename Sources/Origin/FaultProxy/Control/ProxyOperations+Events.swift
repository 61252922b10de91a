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
        let revision = since ?? journal.changes(after: .max).revision
        let notice = context.notices.last
        return ControlAnswer(
            .events { send throws(ClientGone) in
                var (revision, notice) = (revision, notice)
                for await _ in journal.news() {
                    for new in context.notices.after(notice) {
                        try await send(ControlAnswer.event(new.name, new.value))
                        notice = new.number
                    }
                    let (entries, last) = journal.changes(after: revision)
                    for entry in entries {
                        try await send(ControlAnswer.event("exchange", id: last, entry.json))
                    }
                    revision = last
                }
            }
        )
    }
}
