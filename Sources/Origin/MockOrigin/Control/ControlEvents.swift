package import ControlServing
import HTTPServing
package import JSON
import Locks

/// The latest events that are not exchanges, for clients that follow events.
package final class ControlEvents: Sendable {
    package struct Notice: Sendable {
        package var number: Int
        package var name: String
        package var value: JSONValue
    }
    private let notices = Lock<[Notice]>([])
    /// The number of events kept; clients that fall further behind miss the oldest.
    private static let most = 256

    package init() {}

    package func add(_ name: String, _ value: JSONValue) {
        notices.withLock { notices in
            notices.append(Notice(number: (notices.last?.number ?? 0) + 1, name: name, value: value))
            if notices.count > Self.most { notices.removeFirst() }
        }
    }

    /// Returns the notices after a number, oldest first.
    package func after(_ number: Int) -> [Notice] { notices.withLock { $0.filter { $0.number > number } } }

    /// The number of the latest notice; 0 before the first.
    package var last: Int { notices.withLock { $0.last?.number ?? 0 } }
}

extension ControlEvents {
    /// Returns a stream of these notices from now on, and of a journal's exchanges after a revision, by default from now on.
    ///
    /// `changes` returns the exchanges that changed after a revision, and the latest revision.
    package func stream(
        since: Int?,
        news: @escaping @Sendable () -> AsyncStream<Void>,
        changes: @escaping @Sendable (Int) -> (exchanges: [JSONValue], revision: Int)
    ) -> ControlAnswer {
        let (first, latest) = (since ?? changes(.max).revision, last)
        return ControlAnswer(
            .events { send throws(ClientDisconnected) in
                var (revision, notice) = (first, latest)
                for await _ in news() {
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
        for notice in after(number) {
            try await send(ControlAnswer.event(notice.name, notice.value))
            number = notice.number
        }
    }
}
