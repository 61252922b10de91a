import LocatedYAML

extension FaultAction {
    /// Reads an action by its name and value; throws what is wrong with either.
    init(name: some StringProtocol, value: String?) throws(FaultTextProblem) {
        guard let kind = Name(rawValue: String(name)) else {
            let names = Name.allCases.map(\.rawValue)
            let nearest = NearestKey.suggestion(for: String(name), among: names)
            throw FaultTextProblem(name, nearest.map { "\"\($0)\"" } ?? NearestKey.alternatives(names))
        }
        guard let action = Self.read(kind, value) else {
            throw FaultTextProblem(value ?? String(name), kind.expected)
        }
        self = action
    }

    private static func read(_ kind: Name, _ value: String?) -> FaultAction? {
        guard let value else { return withoutValue(kind) }
        switch kind {
        case .refuse, .reset, .close, .halfClose, .truncate: return nil
        case .stall where value == "forever": return .stall(.forever)
        case .stall: return duration(value).map { .stall(.time($0)) }
        case .delay: return duration(value).map { .delay($0) }
        case .garbage: return garbage(value).map { .garbage($0) }
        case .duplicate: return size(value).map { .duplicate(bytes: $0) }
        case .rewrite: return value.isEmpty ? nil : .rewrite(Array(value.utf8))
        case .slow: return size(value).map { .slow(bytesPerSecond: $0) }
        case .contentLength:
            return Int(value).flatMap {
                $0 != 0 && $0.magnitude <= 1 << 30 ? .contentLength(change: $0) : nil
            }
        case .status: return status(value)
        case .interim:
            return Int(value).flatMap { (100...199).contains($0) && $0 != 101 ? .interim($0) : nil }
        }
    }

    private static func withoutValue(_ kind: Name) -> FaultAction? {
        switch kind {
        case .refuse: .refuse
        case .reset: .reset
        case .close: .close
        case .halfClose: .halfClose
        case .truncate: .truncate
        case .stall: .stall(.untilReleased)
        case .duplicate: .duplicate(bytes: nil)
        default: nil
        }
    }

    private static func duration(_ value: String) -> Span<Duration>? {
        Span(value) { Quantity.duration($0) }
    }

    private static func size(_ value: String) -> Int? {
        Quantity.size(value).flatMap { $0 > 0 ? $0 : nil }
    }

    /// A size, or the bytes themselves as text.
    private static func garbage(_ value: String) -> Garbage? {
        guard let count = Quantity.size(value) else { return value.isEmpty ? nil : .bytes(Array(value.utf8)) }
        return (1...1 << 20).contains(count) ? .drawn(count: count) : nil
    }

    /// `503` or `503/30s`, the second part being what Retry-After says.
    private static func status(_ value: String) -> FaultAction? {
        let parts = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let status = Int(parts[0]), (200...999).contains(status) else { return nil }
        if parts.count == 1 { return .status(status, retryAfterSeconds: nil) }
        guard let after = Quantity.offsetSeconds(parts[1]), after >= 0 else { return nil }
        return .status(status, retryAfterSeconds: after)
    }
}

extension FaultAction.Name {
    /// What the value must be.
    var expected: String {
        switch self {
        case .refuse, .reset, .close, .halfClose, .truncate: "\(rawValue) without a value"
        case .stall: "stall alone, a duration such as 2s or 1s..3s, or forever"
        case .delay: "a duration such as 200ms or 100ms..2s"
        case .garbage: "a size of at most 1MiB, or text"
        case .duplicate: "duplicate alone, or a size"
        case .rewrite: "text"
        case .slow: "bytes per second, such as 1KiB"
        case .contentLength: "a change such as +10 or -10"
        case .status: "a status from 200 to 999, with the seconds of Retry-After as in 503/30s"
        case .interim: "a status from 100 to 199, not 101"
        }
    }
}
