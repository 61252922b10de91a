import CacheSemantics
import Locks

/// Collects the events of an action in the order in which they happen.
final class LabTimeline: Sendable {
    private let events = Lock<[LabEvent]>([])

    func add(_ event: LabEvent) {
        events.withLock { events in
            // A client looks again before it sends a request; the last decision counts.
            if case .decision(let new) = event, case .decision(let old)? = events.last, old.cache == new.cache
            {
                events.removeLast()
            }
            events.append(event)
        }
    }

    /// Returns the events and forgets them.
    func take() -> [LabEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
