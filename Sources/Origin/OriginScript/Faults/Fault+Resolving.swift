/// The inputs of a decision on a fault: a request or connection, and the time.
package struct FaultMoment: Sendable {
    /// The number, from 1, of the request at its route or of the connection at its listener.
    package var number: Int
    /// The path without query; `nil` if no request is known.
    package var path: String?
    /// The time since the start of the script.
    package var elapsed: Duration
    /// The random numbers of the request or connection.
    package var draw: FaultDraw

    /// Creates a moment.
    package init(number: Int, path: String?, elapsed: Duration, draw: FaultDraw) {
        self.number = number
        self.path = path
        self.elapsed = elapsed
        self.draw = draw
    }
}

extension [Fault] {
    /// Returns the faults that happen, with every random value decided, and appends the decisions to `log`.
    package func resolved(_ moment: FaultMoment, log: inout [FaultDecision]) -> [Fault] {
        guard !isEmpty else { return [] }
        return enumerated().compactMap { index, fault in
            var resolving = FaultResolver(fault: fault, place: index + 1, moment: moment)
            defer { log += resolving.log }
            return resolving.resolve()
        }
    }
}

/// Decides whether and how one fault affects one request.
struct FaultResolver {
    let fault: Fault
    let place: Int
    let moment: FaultMoment
    var log: [FaultDecision] = []

    mutating func resolve() -> Fault? {
        guard applies, isDrawn() else { return nil }
        var fault = fault
        fault.point = point()
        fault.action = action()
        return fault
    }

    private var applies: Bool {
        if let requests = fault.requests, !requests.contains(moment.number) { return false }
        if let path = moment.path, !fault.path.matches(path) { return false }
        return fault.window.isOpen(at: moment.elapsed)
    }

    /// Whether the request is drawn; a burst begins at a request that is drawn and covers the requests after it.
    private mutating func isDrawn() -> Bool {
        guard fault.chance < 1 else { return true }
        let isHit = fault.burst == 1 ? draw("chance") < fault.chance : isInBurst
        note("chance \(isHit ? "yes" : "no")")
        return isHit
    }

    private var isInBurst: Bool {
        var draws = moment.draw
        // A burst depends on the numbers of requests at the route: the name of a request has no successor.
        draws.request = "burst"
        return (0..<min(fault.burst, moment.number)).contains { back in
            draws.unit(fault.event, "\(place) chance", moment.number - back) < fault.chance
        }
    }

    private mutating func point() -> Fault.Point {
        switch fault.point {
        case .byte(let span) where !span.isFixed:
            let byte = span.low + Int(draw("byte") * Double(span.high - span.low + 1))
            note("byte \(byte)")
            return .byte(RandomRange(byte))
        case .share(let span) where !span.isFixed:
            let share = span.low + draw("share") * (span.high - span.low)
            note("share \(share)")
            return .share(RandomRange(share))
        default: return fault.point
        }
    }

    private mutating func action() -> FaultAction {
        switch fault.action {
        case .delay(let span) where !span.isFixed: return .delay(RandomRange(time(span)))
        case .stall(.time(let span)) where !span.isFixed: return .stall(.time(RandomRange(time(span))))
        case .garbage(.drawn(let count)):
            let bytes = (0..<(count + 7) / 8).flatMap { index in
                let bits = moment.draw.bits(fault.event, "\(self.place) garbage", index)
                return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            }
            note("garbage \(bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: "."))")
            return .garbage(.bytes(Array(bytes.prefix(count))))
        default: return fault.action
        }
    }

    /// Draws a time in whole microseconds, so that the log has the exact time.
    private mutating func time(_ span: RandomRange<Duration>) -> Duration {
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
                fault: "\(place) \(fault.action.kind.rawValue)@\(fault.event.rawValue)",
                outcome: outcome
            )
        )
    }
}

extension PathPattern {
    /// Whether the pattern matches a path without query.
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
