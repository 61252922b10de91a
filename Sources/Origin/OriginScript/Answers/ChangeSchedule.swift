import LocatedYAML

/// When something changes.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ChangeSchedule: Sendable, Hashable {
    /// Periodically on the origin's clock, from the start of the script.
    case every(Duration)
    /// After every such number of requests to the route.
    case requests(Int)

    /// Returns the number of changes at a request: the `count`-th, from 1, at a time after the start of the script.
    package func revision(count: Int, elapsedSeconds: Double) -> Int {
        switch self {
        case .requests(let number): return max(count - 1, 0) / max(number, 1)
        case .every(let duration):
            let length = duration / .seconds(1)
            guard length > 0, elapsedSeconds > 0 else { return 0 }
            // What a clock counts in tenths is not exact in binary: a boundary that is reached counts as reached.
            return Int(exactly: ((elapsedSeconds + 1e-6) / length).rounded(.down)) ?? .max
        }
    }
}

/// The parts of an answer that change, each with its schedule.
public struct Changes: Sendable, Hashable {
    /// The entity tag: from the first change on, its opaque part ends in `-` and the number of the change.
    public var entityTag: ChangeSchedule?
    /// The modification time: the time of the last change, or a second later with each change by requests.
    public var lastModified: ChangeSchedule?
    /// The content: the value of `${revision}`, or the beginning of the pattern.
    public var body: ChangeSchedule?

    /// Creates changes; none by default.
    public init() {}
}

/// The keys of changes.
package enum ChangesKey: String, MapKey {
    case etag
    case lastModified = "last-modified"
    case body
    package static let mapName = "changes"
}

extension ChangeSchedule {
    /// A duration, or a number of requests.
    static var reader: Reader<ChangeSchedule> {
        Reader(expected: "a duration such as 10s, or a number of requests such as 3 requests") { scalar in
            if let duration = Quantity.duration(scalar.text) {
                return duration > .zero ? .every(duration) : nil
            }
            let words = scalar.text.split(separator: " ")
            guard words.count == 2, words[1] == "requests" || words[1] == "request",
                words[0].utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(words[0]), count > 0
            else { return nil }
            return .requests(count)
        }
    }
}

extension Changes {
    /// A map of `etag`, `last-modified` and `body` to schedules.
    static var reader: Reader<Changes> {
        Reader { node, problems in
            guard let map = MapReader<ChangesKey>(node, problems) else { return nil }
            var changes = Changes()
            map.set(&changes.entityTag, .etag, ChangeSchedule.reader)
            map.set(&changes.lastModified, .lastModified, ChangeSchedule.reader)
            map.set(&changes.body, .body, ChangeSchedule.reader)
            return changes
        }
    }
}
