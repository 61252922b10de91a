/// A request or connection at the moment it meets a fault.
public struct FaultMoment: Sendable {
    /// Its number, from 1, at the route or connection's listener.
    public var number: Int
    /// Path without query; `nil` where no request is known.
    public var path: String?
    /// Time since the beginning of the script.
    public var elapsed: Duration
    /// Its draws.
    public var draw: FaultDraw

    /// Creates a moment.
    public init(number: Int, path: String?, elapsed: Duration, draw: FaultDraw) {
        self.number = number
        self.path = path
        self.elapsed = elapsed
        self.draw = draw
    }
}

extension [Fault] {
    /// Returns the faults that strike, with everything drawn, and writes to `log` what was drawn.
    public func resolved(_ moment: FaultMoment, log: inout [FaultDecision]) -> [Fault] {
        guard !isEmpty else { return [] }
        return enumerated().compactMap { place, fault in
            var resolving = FaultResolving(fault: fault, place: place + 1, moment: moment)
            defer { log += resolving.log }
            return resolving.resolve()
        }
    }
}

/// Draws what is to be drawn of one fault for one request.
struct FaultResolving {
    let fault: Fault
    let place: Int
    let moment: FaultMoment
    var log: [FaultDecision] = []

    mutating func resolve() -> Fault? {
        guard isMeant, strikes() else { return nil }
        var fault = fault
        fault.point = point()
        fault.action = action()
        return fault
    }

    private var isMeant: Bool {
        if let requests = fault.requests, !requests.contains(moment.number) { return false }
        if let path = moment.path, !fault.path.matches(path) { return false }
        return fault.window.isOpen(at: moment.elapsed)
    }

    /// A burst begins where a request is drawn, and goes on for those after it.
    private mutating func strikes() -> Bool {
        guard fault.chance < 1 else { return true }
        let isHit: Bool
        if fault.burst == 1 {
            isHit = draw("chance") < fault.chance
        } else {
            var draws = moment.draw
            // The numbers of a burst are those of the route: what a single request is called has no neighbours.
            draws.request = "burst"
            isHit = (0..<min(fault.burst, moment.number)).contains { back in
                draws.unit(fault.event, "\(place) chance", moment.number - back) < fault.chance
            }
        }
        note("chance \(isHit ? "yes" : "no")")
        return isHit
    }

    private mutating func point() -> Fault.Point {
        switch fault.point {
        case .byte(let span) where !span.isFixed:
            let byte = span.low + Int(draw("byte") * Double(span.high - span.low + 1))
            note("byte \(byte)")
            return .byte(Span(byte))
        case .share(let span) where !span.isFixed:
            let share = span.low + draw("share") * (span.high - span.low)
            note("share \(share)")
            return .share(Span(share))
        default: return fault.point
        }
    }

    private mutating func action() -> FaultAction {
        switch fault.action {
        case .delay(let span) where !span.isFixed: return .delay(Span(time(span)))
        case .stall(.time(let span)) where !span.isFixed: return .stall(.time(Span(time(span))))
        case .garbage(.drawn(let count)):
            let bytes = (0..<(count + 7) / 8).flatMap { place in
                let bits = moment.draw.bits(fault.event, "\(self.place) garbage", place)
                return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            }
            note("garbage \(bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: "."))")
            return .garbage(.bytes(Array(bytes.prefix(count))))
        default: return fault.action
        }
    }

    /// Whole microseconds, so that what is logged is what is waited.
    private mutating func time(_ span: Span<Duration>) -> Duration {
        let width = span.high - span.low
        let share = Int64(draw("time") * 1_000_000)
        let time = span.low + width / 1_000_000 * share
        note("time \(time)")
        return time
    }

    private func draw(_ question: String) -> Double {
        moment.draw.unit(fault.event, "\(place) \(question)")
    }

    private mutating func note(_ outcome: String) {
        log.append(
            FaultDecision(
                scope: moment.draw.scope,
                request: moment.draw.request,
                fault: "\(place) \(fault.action.name.rawValue)@\(fault.event.rawValue)",
                outcome: outcome
            )
        )
    }
}

extension PathPattern {
    /// Whether a path, without query, is one of these.
    public func matches(_ path: String) -> Bool {
        switch self {
        case .any: true
        case .exact(let exact): path == exact
        case .prefix(let prefix): path.hasPrefix(prefix)
        case .template(let template):
            template.parameters(
                of: path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
                    String($0)
                }
            ) != nil
        }
    }
}
