extension Fault: CustomStringConvertible {
    /// The fault as text, which parses as the same fault unless its bytes have blanks or are not UTF-8.
    public var description: String {
        var place = "@\(event.rawValue)"
        switch point {
        case .byte(let span) where span == RandomRange(0): break
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

extension NetworkSchedule: CustomStringConvertible {
    /// The names of its profiles and their durations: `apple:lte for 5s, then apple:edge`.
    public var description: String {
        let texts = phases.enumerated().map { index, phase in
            let length = index == phases.count - 1 ? nil : phase.length
            return phase.profile.name + (length.map { " for " + FaultAction.text($0) } ?? "")
        }
        return texts.joined(separator: ", then ")
    }
}
