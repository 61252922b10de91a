import OriginScript

/// Values of settings as they are written.
enum SettingText {
    /// Reads decimal digits; `nil` outside the range.
    static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text)
        else {
            return nil
        }
        return range.contains(number) ? number : nil
    }

    /// Reads bytes with an optional unit `KiB` or `MiB`; at most 1 GiB.
    static func size(_ text: some StringProtocol) -> Int? {
        for (unit, bytes) in [("KiB", 1 << 10), ("MiB", 1 << 20)] where text.hasSuffix(unit) {
            return number(text.dropLast(3), 0...(1 << 30) / bytes).map { $0 * bytes }
        }
        return number(text, 0...(1 << 30))
    }

    /// Reads a number with a unit `ms`, `s`, `m`, `h` or `d`; at most 100,000 days.
    static func duration(_ text: some StringProtocol) -> Duration? {
        if text.hasSuffix("ms") {
            return number(text.dropLast(2), 0...8_640_000_000_000).map { .milliseconds($0) }
        }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
        return number(text.dropLast(), 0...8_640_000_000 / unit).map { .seconds($0 * unit) }
    }

    /// Reads a duration with an optional sign, in whole seconds.
    static func offset(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard let seconds = duration(digits)?.components.seconds else { return nil }
        return isNegative ? -seconds : seconds
    }

    /// Reads `close@N`, `reset@N`, either with `head` for N, or `never`.
    static func failure(_ text: String) -> Failure? {
        if text == "never" { return .never }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let count = number(parts[1], 0...(1 << 30))
        switch (parts[0], parts[1], count) {
        case ("close", "head", _): return .closeBeforeHead
        case ("reset", "head", _): return .resetBeforeHead
        case ("close", _, let count?): return .close(afterBytes: count)
        case ("reset", _, let count?): return .reset(afterBytes: count)
        default: return nil
        }
    }
}
