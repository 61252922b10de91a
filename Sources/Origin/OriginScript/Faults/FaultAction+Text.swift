import LocatedYAML

extension FaultAction: CustomStringConvertible {
    /// Reads an action by its name and value; throws the problem of either.
    init(name: some StringProtocol, value: String?) throws(FaultTextProblem) {
        guard let kind = Kind(rawValue: String(name)) else {
            let names = Kind.allCases.map(\.rawValue)
            throw FaultTextProblem(name, NearestKey.expected(for: String(name), among: names))
        }
        guard let action = kind.row.parse(value) else {
            throw FaultTextProblem(value ?? String(name), kind.expected)
        }
        self = action
    }

    /// The action with its value, as it is written before `@`.
    public var description: String {
        value.map { "\(kind.rawValue)=\($0)" } ?? kind.rawValue
    }

    /// Returns a duration in seconds or, where that is a whole number, in milliseconds.
    static func text(_ duration: Duration) -> String {
        // `components` traps for longer durations.
        let (seconds, attoseconds) = min(duration, .seconds(Int64.max)).components
        if attoseconds == 0 { return "\(seconds)s" }
        let nanoseconds = attoseconds / 1_000_000_000
        if nanoseconds % 1_000_000 == 0, seconds < Int64.max / 1000 {
            return "\(seconds * 1000 + nanoseconds / 1_000_000)ms"
        }
        let digits = "\(nanoseconds)"
        return "\(seconds)." + String(repeating: "0", count: 9 - digits.count) + digits + "s"
    }
}
