/// Sizes, durations and offsets in the scenario language.
public enum Quantity {
    /// The longest duration, about 317 years, so that sums of them and calendar dates stay in range.
    public static let longestSeconds: Int64 = 10_000_000_000

    /// Parses `512`, `20KiB` or `4MiB`; at most 1 TiB.
    public static func size(_ text: some StringProtocol) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit =
            switch text.dropFirst(digits.count) {
            case "": 1
            case "KiB": 1 << 10
            case "MiB": 1 << 20
            case "GiB": 1 << 30
            default: 0
            }
        guard unit > 0, let count = Int(digits) else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow || bytes > 1 << 40 ? nil : bytes
    }

    /// Parses `200ms`, `61s`, `1.5s`, `2m`, `3h` or `100d`.
    public static func duration(_ text: some StringProtocol) -> Duration? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let milliseconds: Int64 =
            switch text.dropFirst(number.count) {
            case "ms": 1
            case "s": 1000
            case "m": 60_000
            case "h": 3_600_000
            case "d": 86_400_000
            default: 0
            }
        guard milliseconds > 0 else { return nil }
        return nanoseconds(number, unit: milliseconds * 1_000_000)
    }

    /// Parses a duration with a sign: `-100d`, `+1h`, `0s`; the `+` may be left out.
    public static func offset(_ text: some StringProtocol) -> Duration? {
        switch text.first {
        case "-": duration(text.dropFirst()).map { Duration.zero - $0 }
        case "+": duration(text.dropFirst())
        default: duration(text)
        }
    }

    /// Parses an offset of whole seconds.
    public static func offsetSeconds(_ text: some StringProtocol) -> Int64? {
        guard let components = offset(text)?.components, components.attoseconds == 0 else { return nil }
        return components.seconds
    }

    /// Whether text has the form of an offset, but is not one of whole seconds within the limits, so that it is not meant
    /// literally.
    public static func isUnusableOffset(_ text: some StringProtocol) -> Bool {
        let number = text.drop { $0 == "-" || $0 == "+" }
        let unit = number.drop { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard text.count - number.count <= 1, number.first?.isNumber == true,
            ["ms", "s", "m", "h", "d"].contains(unit)
        else { return false }
        return offsetSeconds(text) == nil
    }

    /// The expected form, instead of an offset that cannot be used.
    public static let offsetLimits =
        "an offset of whole seconds such as -60s, +1h or 0s, at most \(longestSeconds) s or \(longestSeconds / 86_400) d"

    private static func nanoseconds(_ number: some StringProtocol, unit: Int64) -> Duration? {
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
        let (total, overflow) = whole.multipliedReportingOverflow(by: unit / 1_000_000)
        guard !overflow, total / 1000 <= longestSeconds else { return nil }
        var result = Duration.milliseconds(total)
        if parts.count == 2 {
            // Nine digits give nanoseconds and cannot overflow below.
            guard (1...9).contains(parts[1].count), let digits = Int64(parts[1]) else { return nil }
            let scale = (0..<parts[1].count).reduce(Int64(1)) { power, _ in power * 10 }
            result += .nanoseconds(unit / scale * digits + unit % scale * digits / scale)
        }
        return result
    }
}

extension Reader where Value == Int {
    /// A size in bytes.
    public static var size: Reader {
        Reader(expected: "a size such as 512, 20KiB or 4MiB") { Quantity.size($0.text) }
    }
}

extension Reader where Value == Duration {
    /// A duration, not negative.
    public static var duration: Reader {
        Reader(expected: "a duration such as 61s, 200ms, 2m, 1h or 100d") { Quantity.duration($0.text) }
    }

    /// A duration with a sign.
    public static var offset: Reader {
        Reader(expected: "an offset such as -60s, +1h or 0s") { Quantity.offset($0.text) }
    }
}

extension Reader where Value == Int64 {
    /// An offset of whole seconds.
    public static var offsetSeconds: Reader {
        Reader { node, problems in
            let isUnusable = node.scalarText.map { Quantity.isUnusableOffset($0) } ?? false
            let expected =
                isUnusable ? Quantity.offsetLimits : "an offset of whole seconds such as -60s, +1h or 0s"
            return Reader(expected: expected) { Quantity.offsetSeconds($0.text) }.read(node, problems)
        }
    }
}

extension Reader where Value == String {
    /// Returns a reader that rejects text in the form of an offset that cannot be used, where other text is literal.
    public var withoutUnusableOffsets: Reader {
        when({ !Quantity.isUnusableOffset($0) }, expected: Quantity.offsetLimits)
    }
}
