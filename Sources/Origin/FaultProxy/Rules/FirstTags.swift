import Locks

/// The entity tag of the first response for each target.
final class FirstTags: Sendable {
    private static let maximumTags = 10_000
    private let tags = Lock<[String: String]>([:])

    /// Returns the entity tag of the first response for a target: this one, if there was none.
    func first(of target: String, _ tag: String) -> String {
        tags.withLock { tags in
            if let first = tags[target] { return first }
            if tags.count < Self.maximumTags { tags[target] = tag }
            return tag
        }
    }

    /// Forgets all tags.
    func clear() { tags.withLock { $0 = [:] } }
}
