import CacheSemantics
import ReportFormats
import Scenarios

/// A figure of a scenario's exchanges in the order of its clock: what was fresh and stale, how old it was, and what the
/// origin saw.
///
/// Spans begin when the caller got a response and last as long as its fields specify; they show what was observed, not what
/// the cache decided.
enum HTMLTimeline {
    /// A response that the caller got.
    private struct Mark {
        let at: Double
        let target: String
        let source: String
        let status: Int?
        let age: Double
        /// The freshness lifetime of the response; `nil` if its fields give none.
        let lifetime: Double?

        var text: String { "\(source) \(secondsText(age))" }
    }
    /// The marks of one target, and the positions of marks and labels.
    private struct Row {
        let target: String
        let marks: [Mark]
        let places: [Double]
        let lanes: [Int?]

        init(_ target: String, _ marks: [Mark], _ scale: Scale) {
            (self.target, self.marks) = (target, marks)
            places = LabelLayout.spread(marks.map { scale.x($0.at) }, gap: HTMLTimeline.gap, in: scale.room)
            lanes = LabelLayout.lanes(
                of: zip(places, marks).map { ($0, Double($1.text.count) * letterWidth + 6) },
                most: 6
            )
        }

        var height: Double { 33 + 13 * Double(1 + (lanes.compactMap(\.self).max() ?? 0)) }
    }
    private static let width = 960.0
    private static let left = 150.0
    /// The distance between the centres of two simultaneous marks.
    private static let gap = 15.0
    /// The maximum average width of a letter in a label.
    private static let letterWidth = 6.4

    /// Returns the figure; empty if there is nothing to show.
    static func figure(_ result: ScenarioResult) -> String {
        let marks = result.steps.flatMap { step in step.exchanges.map { mark($0, step) } }
        if marks.isEmpty { return "" }
        let end = max(result.steps.map(\.startedAt).max() ?? 0, marks.map(\.at).max() ?? 0)
        let start = result.steps.first?.startedAt ?? 0
        let scale = Scale(start: start, end: max(end, start + 1) * 1.0)
        let targets = marks.reduce(into: [String]()) { if !$0.contains($1.target) { $0.append($1.target) } }
        let rows = targets.map { target in Row(target, marks.filter { $0.target == target }, scale) }
        let height = rows.reduce(66) { $0 + $1.height }
        var parts = axis(scale, height: height)
        var y = 30.0
        for row in rows {
            parts.append(label(row.target, y: y))
            parts += spans(row, scale, y: y)
            y += row.height
        }
        parts += arrivals(result, scale, y: height - 22)
        return """
            <figure class="timeline"><svg viewBox="0 0 \(Int(width)) \(Int(height))" role="img" \
            aria-label="Timeline of the exchanges">
            \(parts.joined(separator: "\n"))
            </svg></figure>

            """
    }

    private struct Scale {
        let start: Double
        let end: Double

        /// The horizontal range of marks.
        var room: ClosedRange<Double> { HTMLTimeline.left...HTMLTimeline.width - 40 }

        func x(_ seconds: Double) -> Double {
            let span = max(end - start, 0.001)
            let share = min(max((seconds - start) / span, 0), 1)
            return room.lowerBound + share * (room.upperBound - room.lowerBound)
        }
    }

    private static func mark(_ exchange: CallerExchange, _ step: StepRecord) -> Mark {
        Mark(
            at: step.startedAt + exchange.seen.took,
            target: "\(exchange.method) \(exchange.target)",
            source: exchange.seen.source?.rawValue ?? "unknown",
            status: exchange.seen.status,
            age: exchange.seen.age ?? CacheFields.age(in: exchange.seen.fields) ?? 0,
            lifetime: CacheFields.lifetime(in: exchange.seen.fields)
        )
    }

    private static func axis(_ scale: Scale, height: Double) -> [String] {
        let ticks = (0...4).map { scale.start + (scale.end - scale.start) * Double($0) / 4 }
        return ticks.map { tick in
            let x = number(scale.x(tick))
            return "<line class=\"tick\" x1=\"\(x)\" x2=\"\(x)\" y1=\"18\" y2=\"\(number(height - 30))\"/>"
                + "<text class=\"tick\" x=\"\(x)\" y=\"12\">+\(secondsText(tick - scale.start))</text>"
        }
    }

    private static func label(_ target: String, y: Double) -> String {
        let short = target.count > 18 ? String(target.prefix(17)) + "…" : target
        return "<text class=\"name\" x=\"0\" y=\"\(number(y + 16))\">\(Markup.text(short))"
            + "<title>\(Markup.text(target))</title></text>"
    }

    /// Returns the spans from each response to the next: green during its lifetime, then amber.
    private static func spans(_ row: Row, _ scale: Scale, y: Double) -> [String] {
        let marks = row.marks
        let bars = marks.enumerated().flatMap { index, mark -> [String] in
            guard let lifetime = mark.lifetime else { return [] }
            let next = index + 1 < marks.count ? marks[index + 1].at : scale.end
            let staleAt = mark.at + max(lifetime - mark.age, 0)
            let fresh = bar("fresh", mark.at, min(staleAt, next), scale, y: y)
            return staleAt < next ? [fresh, bar("stale", staleAt, next, scale, y: y)] : [fresh]
        }
        return bars + marks.indices.map { circle(row, $0, y: y) }
    }

    private static func circle(_ row: Row, _ place: Int, y: Double) -> String {
        let (mark, x) = (row.marks[place], number(row.places[place]))
        let text = "\(mark.status.map(String.init) ?? "error") \(mark.source), age \(secondsText(mark.age))"
        let circle =
            "<circle class=\"\(Markup.attribute(mark.source))\" cx=\"\(x)\" cy=\"\(number(y + 12))\" r=\"6\">"
            + "<title>\(Markup.text(text))</title></circle>"
        guard let lane = row.lanes[place] else { return circle }
        return circle
            + "<text class=\"age\" x=\"\(x)\" y=\"\(number(y + 33 + 13 * Double(lane)))\">\(Markup.text(mark.text))</text>"
    }

    private static func bar(_ name: String, _ from: Double, _ to: Double, _ scale: Scale, y: Double) -> String
    {
        let (begin, end) = (scale.x(from), scale.x(to))
        return "<rect class=\"\(name)\" x=\"\(number(begin))\" y=\"\(number(y + 7))\" "
            + "width=\"\(number(max(end - begin, 0)))\" height=\"10\" rx=\"3\"><title>\(name)</title></rect>"
    }

    private static func arrivals(_ result: ScenarioResult, _ scale: Scale, y: Double) -> [String] {
        let label = "<text class=\"name\" x=\"0\" y=\"\(number(y + 4))\">origin</text>"
        let all = result.steps.flatMap { step in step.arrivals.map { (step.startedAt, $0.request) } }
        let places = LabelLayout.spread(all.map { scale.x($0.0) }, gap: gap, in: scale.room)
        return [label] + zip(all, places).map { arrival($0.1, x: $1, y: y) }
    }

    private static func arrival(_ request: OriginObservation, x: Double, y: Double) -> String {
        let text =
            "\(request.method) \(request.path): \(request.answeredStatus.map(String.init) ?? "no response")"
        let points =
            "\(number(x - 6)),\(number(y + 6)) \(number(x + 6)),\(number(y + 6)) \(number(x)),\(number(y - 6))"
        return "<polygon class=\"arrival\" points=\"\(points)\"><title>\(Markup.text(text))</title></polygon>"
    }

    private static func number(_ value: Double) -> String { decimal(value, places: 1) }
}
