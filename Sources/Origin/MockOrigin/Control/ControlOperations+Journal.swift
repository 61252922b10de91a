import ControlServing
import HTTPArchive
import HTTPServing
import JSON
import LocatedYAML

extension ControlOperations {
    var journalOperations: [ControlOperation] {
        [
            operation(
                .get("/journal"),
                "readJournal",
                "Lists the last exchanges, oldest first.",
                answers: "Exchanges"
            ) {
                request throws(ControlProblem) in
                .json(Self.found(try namespace(request).journal.entries(), limit: .max))
            }.with { $0.isSlow = true },
            operation(
                .get("/journal/har"),
                "readArchive",
                "Returns the last exchanges as an HTTP archive (HAR 1.2), with what was injected."
            ) {
                request throws(ControlProblem) in
                let entries = try namespace(request).journal.entries()
                return .json(HTTPArchive.journal(entries.map { .init($0, origin: url) }))
            }.with { $0.isSlow = true },
            operation(.post("/journal/search"), "searchJournal", Self.searchSummary, answers: "Exchanges") {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                let search = try Self.search(request)
                let found = namespace.journal.entries().filter(search.filter.holds)
                let answer = Self.found(found, limit: search.filter.limit)
                return .json(search.times.map { answer.adding(["met": .bool($0 == found.count)]) } ?? answer)
            }.with { ($0.content, $0.isSlow) = (.schema("Search"), true) },
            operation(.post("/journal/wait"), "waitForExchanges", Self.waitSummary, answers: "Exchanges") {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                return .json(await Self.wait(try Self.wait(request), namespace))
            }.with { ($0.content, $0.isSlow) = (.schema("Wait"), true) },
            operation(.delete("/journal"), "clearJournal", "Removes every exchange.") {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                namespace.journal.clear()
                namespace.publish("journal", [:])
                return .done
            }.with { $0.status = 204 },
            operation(.get("/events"), "followEvents", Self.eventsSummary) {
                request throws(ControlProblem) in
                Self.events(try namespace(request), since: try ControlEvents.since(request))
            }.with(ControlEvents.describe),
        ]
    }

    private static let searchSummary =
        "Finds and counts exchanges; with \"times\", \"met\" is whether the count equals it."
    private static let waitSummary =
        "Waits until a number of exchanges meet a condition, or a time has passed; \"met\" is false after the latter."
    private static let eventsSummary =
        "Streams exchanges, and changes of routes, states, faults and the clock, as server-sent events."

    // MARK: Searching

    private struct Search: Sendable {
        var filter: JournalFilter
        /// The expected number; `nil` if not given.
        var times: Int?
    }
    private struct Wait: Sendable {
        var filter: JournalFilter
        var count: Int
        var timeout: Duration
    }

    private static func search(_ request: ControlRequest) throws(ControlProblem) -> Search {
        try request.read(JournalFilter.SearchKey.self) { map in
            Search(filter: JournalFilter(map), times: map.optional(.times, .integer(in: 0 ... .max)))
        }
    }

    private static func wait(_ request: ControlRequest) throws(ControlProblem) -> Wait {
        try request.read(JournalFilter.WaitKey.self) { map in
            Wait(
                filter: JournalFilter(map),
                count: map.optional(.count, .integer(in: 0 ... .max)) ?? 1,
                timeout: map.optional(.timeout, .duration) ?? .seconds(10)
            )
        }
    }

    private static func wait(_ wait: Wait, _ namespace: OriginNamespace) async -> JSONValue {
        for await _ in namespace.journal.readers.news(for: wait.timeout, of: namespace.clock) {
            let found = namespace.journal.entries().filter(wait.filter.holds)
            if found.count >= wait.count {
                return Self.found(found, limit: wait.filter.limit).adding(["met": true])
            }
        }
        let found = namespace.journal.entries().filter(wait.filter.holds)
        return Self.found(found, limit: wait.filter.limit).adding(["met": .bool(found.count >= wait.count)])
    }

    /// Returns the number of all entries, and the last of them as JSON.
    private static func found(_ entries: [RecordedExchange], limit: Int) -> JSONValue {
        let shown = entries.suffix(limit).map { JournalText.value($0) }
        return ["count": .integer(entries.count), "exchanges": .array(shown)]
    }

    // MARK: Following

    private static func events(_ namespace: OriginNamespace, since: Int?) -> ControlAnswer {
        namespace.notices.stream(since: since, readers: namespace.journal.readers) { revision in
            let (entries, last) = namespace.journal.changes(after: revision)
            return (entries.map(JournalText.value), last)
        }
    }
}
