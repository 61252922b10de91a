package import ControlServing
import HTTPServing
package import JSON
import LocatedYAML
import Locks

/// The latest events that are not exchanges, for clients that follow events.
package final class ControlEvents: Sendable {
    private struct Notice {
        var number: Int
        var name: String
        var value: JSONValue
    }
    /// Clients that fall further behind miss the oldest.
    private let notices = Lock(JournalRing<Notice>(size: 256))

    package init() {}

    package func add(_ name: String, _ value: JSONValue) {
        let notice = Notice(number: 0, name: name, value: value)
        _ = notices.withLock { notices in
            notices.add(notice) { slot, number in
                slot = notice
                slot.number = number
            }
        }
    }

    /// Describes an operation that answers with `stream`.
    package static func describe(_ operation: inout ControlOperation) {
        operation.answerType = "text/event-stream"
        operation.query = [
            .init(
                "since",
                "Number of the last exchange event seen; 0 starts with all exchanges in the journal."
            )
        ]
    }

    /// Returns the number of the last exchange event that a client has seen; `nil` if the request does not specify it.
    package static func since(_ request: ControlRequest) throws(ControlProblem) -> Int? {
        guard let text = request.query.first(where: { $0.name == "since" })?.value else { return nil }
        if let number = Int(text), number >= 0 { return number }
        throw ControlProblem.value(
            "query",
            found: YAMLNode.quoted(text),
            expected: "a whole number, at least 0"
        )
    }

    /// Returns a stream of these notices from now on, and of a journal's exchanges after a revision, by default from now on.
    ///
    /// `changes` returns the exchanges that changed after a revision, and the latest revision.
    package func stream(
        since: Int?,
        readers: JournalReaders,
        changes: @escaping @Sendable (Int) -> (exchanges: [JSONValue], revision: Int)
    ) -> ControlAnswer {
        let first = since ?? changes(.max).revision
        let latest = notices.withLock { $0.revision }
        return ControlAnswer(
            .events { send throws(ClientDisconnected) in
                var (revision, notice) = (first, latest)
                for await _ in readers.news() {
                    try await self.send(&notice, send)
                    let (exchanges, last) = changes(revision)
                    for exchange in exchanges {
                        try await send(ControlAnswer.event("exchange", id: last, exchange))
                    }
                    revision = last
                }
            }
        )
    }

    /// Sends the notices after a number, which becomes that of the last of them.
    private func send(_ number: inout Int, _ send: ControlAnswer.Send) async throws(ClientDisconnected) {
        for notice in notices.withLock({ $0.changes(after: number) }) {
            try await send(ControlAnswer.event(notice.name, notice.value))
            number = notice.number
        }
    }
}
