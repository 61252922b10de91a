/// A value, or a range from which one is drawn.
public struct RandomRange<Value: Comparable & Hashable & Sendable>: Sendable, Hashable {
    /// The smallest value.
    public var low: Value
    /// The largest value, not below `low`.
    public var high: Value

    /// Creates the span of one value.
    public init(_ value: Value) {
        low = value
        high = value
    }

    /// Creates a span; `nil` if `low` is above `high`.
    public init?(_ low: Value, _ high: Value) {
        guard low <= high else { return nil }
        self.low = low
        self.high = high
    }

    /// Whether the range is a single value, so that nothing is drawn.
    public var isFixed: Bool { low == high }
}

extension RandomRange {
    /// Parses `VALUE` or `LOW..HIGH`.
    init?(_ text: some StringProtocol, _ parse: (Substring) -> Value?) {
        let text = Substring(text)
        guard let dots = text.firstRange(of: "..") else {
            guard let value = parse(text) else { return nil }
            self.init(value)
            return
        }
        guard let low = parse(text[..<dots.lowerBound]), let high = parse(text[dots.upperBound...]) else {
            return nil
        }
        self.init(low, high)
    }

    /// Returns the span as it is written.
    func text(_ write: (Value) -> String) -> String {
        isFixed ? write(low) : write(low) + ".." + write(high)
    }
}
