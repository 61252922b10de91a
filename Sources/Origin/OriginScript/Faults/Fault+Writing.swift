extension Fault: CustomStringConvertible {
    /// The fault as text, which reads as the same fault unless its bytes have blanks or are no UTF-8.
    public var description: String {
        var place = "@\(event.rawValue)"
        switch point {
        case .byte(let span) where span == Span(0): break
        case .byte(let span): place += ":" + span.text { "\($0)" }
        case .share(let span): place += ":" + span.text(Self.percent)
        }
        return ([action.description + place] + modifiers).joined(separator: " ")
    }

    private var modifiers: [String] {
        var words: [String] = []
        func add(_ key: FaultKey, _ value: String?) {
            if let value { words.append("\(key.rawValue)=\(value)") }
        }
        add(.chance, chance < 1 ? Self.percent(chance) : nil)
        add(.burst, burst > 1 ? "\(burst)" : nil)
        add(
            .requests,
            requests.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)" }
        )
        add(.from, window.from > .zero ? FaultAction.text(window.from) : nil)
        add(.for, window.length.map(FaultAction.text))
        add(.every, window.period.map(FaultAction.text))
        add(.path, path == .any ? nil : path.description)
        return words
    }

    private static func percent(_ share: Double) -> String {
        let text = "\(share * 100)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "%"
    }
}

extension FaultAction: CustomStringConvertible {
    /// The action with its value, as it is written before `@`.
    public var description: String {
        value.map { "\(name.rawValue)=\($0)" } ?? name.rawValue
    }

    private var value: String? {
        switch self {
        case .refuse, .reset, .close, .halfClose, .truncate, .stall(.untilReleased): nil
        case .stall(.forever): "forever"
        case .stall(.time(let time)), .delay(let time): time.text(Self.text)
        case .garbage(.drawn(let count)): "\(count)"
        case .garbage(.bytes(let bytes)), .rewrite(let bytes): String(decoding: bytes, as: UTF8.self)
        case .duplicate(let count): count.map { "\($0)" }
        case .slow(let rate): "\(rate)"
        case .contentLength(let change): change > 0 ? "+\(change)" : "\(change)"
        case .status(let status, let after): "\(status)" + (after.map { "/\($0)s" } ?? "")
        case .interim(let status): "\(status)"
        }
    }

    /// A duration in seconds or, where that is a whole number, in milliseconds.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds == 0 { return "\(seconds)s" }
        let nanoseconds = attoseconds / 1_000_000_000
        if nanoseconds % 1_000_000 == 0 { return "\(seconds * 1000 + nanoseconds / 1_000_000)ms" }
        let digits = "\(nanoseconds)"
        return "\(seconds)." + String(repeating: "0", count: 9 - digits.count) + digits + "s"
    }
}

extension NetworkSchedule: CustomStringConvertible {
    /// The names of its profiles and how long each holds: `apple:lte for 5s, then apple:edge`.
    public var description: String {
        let texts = phases.enumerated().map { place, phase in
            let length = place == phases.count - 1 ? nil : phase.length
            return phase.profile.name + (length.map { " for " + FaultAction.text($0) } ?? "")
        }
        return texts.joined(separator: ", then ")
    }
}
