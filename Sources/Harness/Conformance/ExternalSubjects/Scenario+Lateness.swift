import CacheSemantics
import Clocks
import HTTPTypes
import LocatedYAML
import OriginScript
import Scenarios

extension Scenario {
    /// The delay of its steps, in seconds, from which lateness alone could change the result.
    ///
    /// A quarter of the smallest difference between two of its spans (lifetimes, ages, waits, delays), but at least
    /// half a second, because caches count whole seconds. If it compares ages or dates, which may differ by two
    /// seconds, at most one second.
    var slack: Double {
        let spans = Set(allSteps.flatMap(Self.spans) + originSpans + [0]).sorted()
        let smallest = zip(spans.dropFirst(), spans).map { $0 - $1 }.min() ?? 60
        let slack = min(max(smallest / 4, 0.5), 15)
        return requestSteps.contains(where: \.expectation.measuresTime) ? min(slack, 1) : slack
    }

    /// Returns by how many seconds its steps came later, or took longer, than the scenario specifies.
    ///
    /// `end` is when the last step ended, in seconds from the beginning. Time that the origin's script may take is not
    /// counted, nor is a subject that does not respond at all.
    func lateness(of records: [StepRecord], until end: Double) -> Double {
        let ends = records.dropFirst().map(\.startedAt) + [end]
        return zip(zip(Self.flat(steps), records), ends).reduce(0) { sum, item in
            let ((step, record), end) = item
            guard let planned = planned(step, record) else { return sum }
            return sum + max(0, end - record.startedAt - planned)
        }
    }

    /// Returns the time that a step may take in seconds; `nil` if that is unknown.
    private func planned(_ step: LocatedStep, _ record: StepRecord) -> Double? {
        switch step.step {
        case .advance(let duration): return duration.seconds
        case .request, .parallel:
            let isUnanswered = record.exchanges.contains {
                $0.seen.error?.code == ErrorCode.code(named: "timed-out")
            }
            if isUnanswered { return nil }
            return record.arrivals.isEmpty ? 0 : longestAnswer.map { $0 * Double(record.arrivals.count) }
        default: return nil
        }
    }

    /// The time that a response of its origin may take, in seconds; `nil` if its script sets no limit.
    private var longestAnswer: Double? {
        if answers.contains(where: { $0.hold != nil || $0.rate != nil }) { return nil }
        let faults = faults.reduce(0) { $0 + ($1.action.longest ?? .zero).seconds }
        let longest = answers.map { answer in
            answer.delay.seconds + answer.chunkDelay.seconds * Double(answer.chunks.count + 1)
                + answer.faults.reduce(0) { $0 + ($1.action.longest ?? .zero).seconds }
        }
        return faults + (longest.max() ?? 0)
    }

    // MARK: Spans

    fileprivate static let age = HTTPField.Name.age.canonicalName

    private var originSpans: [Double] {
        answers.flatMap { answer -> [Double] in
            var spans = answer.fields.flatMap(Self.spans) + [answer.delay.seconds, answer.chunkDelay.seconds]
            if case .offset(let offset) = answer.date { spans.append(abs(offset.seconds)) }
            return spans
        }
    }

    private static func spans(of step: Step) -> [Double] {
        switch step {
        case .advance(let duration): [duration.seconds]
        case .request(let request): request.fields.flatMap(spans)
        case .parallel(let requests): requests.flatMap(\.fields).flatMap(spans)
        default: []
        }
    }

    private static func spans(of line: FieldLine) -> [Double] {
        switch line.value {
        case .date(let offset, _), .fixedDate(let offset, _): return [abs(offset.seconds)]
        case .text(let text):
            let name = line.name.lowercased()
            let isOfTime = name.hasSuffix(HTTPField.Name.cacheControl.canonicalName) || name == age
            guard isOfTime else { return [] }
            return text.split { !$0.isASCII || !$0.isNumber }.compactMap { Double($0) }
        }
    }

    /// Returns the steps in the order in which they are run.
    private static func flat(_ steps: [LocatedStep]) -> [LocatedStep] {
        steps.flatMap { located -> [LocatedStep] in
            guard case .repeat(let times, let inner) = located.step else { return [located] }
            return Array(repeating: flat(inner), count: max(0, times)).flatMap(\.self)
        }
    }
}

extension CallerExpectation {
    fileprivate var measuresTime: Bool {
        age != nil || took != nil
            || fields.contains { field in
                switch field.value.value {
                case .number, .equal(.date), .equal(.fixedDate): true
                case .equal(.text): field.value.name.lowercased() == Scenario.age
                default: false
                }
            }
    }
}
