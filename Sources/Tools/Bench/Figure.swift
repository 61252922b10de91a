import JSON

/// One figure of the benchmark and its goal.
struct Figure {
    let name: String
    let value: Double
    let unit: String
    var p99: Double?
    var ratio: Double?
    /// The reference of the ratio, or a description of the bound.
    var against: String?
    /// The largest value (or ratio, if there is one) that meets the goal; negative bounds are smallest values.
    var goal: Goal?
    /// An additional note.
    var note: String?

    var meetsGoal: Bool? { goal.map { $0.isMet(by: ratio ?? value) } }

    /// The figure as one line of the table.
    var line: String {
        let verdict = meetsGoal.map { $0 ? "ok" : "MISSED" } ?? ""
        return [
            name.padded(to: 26), Self.text(value).padded(to: 10, right: true), unit.padded(to: 7),
            (p99.map { "p99 " + Self.text($0) } ?? "").padded(to: 15),
            (ratio.map { "× " + Self.text($0) } ?? "").padded(to: 9),
            (goal?.text ?? "").padded(to: 10), verdict.padded(to: 7),
            [against, note].compactMap { $0 }.joined(separator: "; "),
        ].joined(separator: " ")
    }

    /// The figure as one object of the JSON report.
    var json: String {
        var members: [(String, JSONValue)] = [
            ("name", .string(name)), ("value", .decimal(value, places: 3)), ("unit", .string(unit)),
        ]
        if let p99 { members.append(("p99", .decimal(p99, places: 3))) }
        if let ratio { members.append(("ratio", .decimal(ratio, places: 3))) }
        if let against { members.append(("against", .string(against))) }
        return JSONValue.object(members).written()
    }

    /// Returns the value with at most three decimals.
    static func text(_ value: Double) -> String { JSONNumber(value, places: 3)?.text ?? "\(value)" }
}

extension Figure {
    /// Creates the figure of a measured value.
    init(_ measure: Measure, _ value: Double, ratio: Double? = nil, note: String? = nil) {
        (name, unit, goal, against) = (measure.name, measure.unit, measure.goal, measure.against)
        (self.value, self.ratio, self.note) = (value, ratio, note)
    }

    /// Creates the figure of durations: their median and 99th percentile.
    init(_ measure: Measure, _ samples: Samples, ratio: Double? = nil) {
        let nanoseconds = measure.nanoseconds ?? 1
        self.init(measure, samples.median / nanoseconds, ratio: ratio)
        p99 = samples.p99 / nanoseconds
    }
}

/// A bound that a figure has to meet.
enum Goal {
    case atMost(Double)
    case atLeast(Double)

    func isMet(by value: Double) -> Bool {
        switch self {
        case .atMost(let bound): value <= bound
        case .atLeast(let bound): value >= bound
        }
    }

    var text: String {
        switch self {
        case .atMost(let bound): "≤ " + Figure.text(bound)
        case .atLeast(let bound): "≥ " + Figure.text(bound)
        }
    }
}

extension String {
    func padded(to width: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return right ? space + self : self + space
    }
}
