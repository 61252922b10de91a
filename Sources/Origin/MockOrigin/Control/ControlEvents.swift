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
