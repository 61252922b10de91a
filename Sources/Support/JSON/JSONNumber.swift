/// A JSON number (RFC 8259 §6) with its original text.
///
/// Two numbers are equal if their values are equal as `Int` or `Double`.
public struct JSONNumber: Sendable {
    /// The number as JSON writes it.
    public let text: String

    /// Creates a whole number.
    public init(_ integer: some BinaryInteger) { text = String(integer) }

    /// Creates a number with its shortest unique decimal text; `nil` for infinity and NaN.
    public init?(_ number: Double) {
        guard number.isFinite else { return nil }
        let text = "\(number)"
        self.text = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Creates a number with at most `places` digits after the point, rounded half away from zero.
    ///
    /// A number too large for that has its shortest unique text. Returns `nil` for infinity and NaN.
    public init?(_ number: Double, places: Int) {
        let scale = (0..<max(0, places)).reduce(1.0) { power, _ in power * 10 }
        guard let scaled = Int64(exactly: (number * scale).rounded()) else {
            self.init(number)
            return
        }
        var digits = Array(String(scaled.magnitude).utf8)
        let zero = UInt8(ascii: "0")
        digits.insert(contentsOf: repeatElement(zero, count: max(0, places + 1 - digits.count)), at: 0)
        var fraction = digits.suffix(max(0, places))
        let whole = digits.dropLast(fraction.count)
        while fraction.last == zero { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        let rest = fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self)
        self.init(wellFormed: sign + String(decoding: whole, as: UTF8.self) + rest)
    }

    /// Parses a text; `nil` if it is not a JSON number.
    ///
    /// `-0.5e+3` is one; `+1`, `.5`, `0x1F` and `01` are not.
    public init?(_ text: some StringProtocol) {
        guard Self.isNumber(Array(text.utf8)[...]) else { return nil }
        self.text = String(text)
    }

    init(wellFormed text: String) { self.text = text }

    /// The value; `nil` if it is written with a fraction or an exponent, or is too large for an `Int`.
    public var integer: Int? { Int(text) }

    /// The nearest `Double`; infinity for values beyond its range.
    public var double: Double { Double(text) ?? .infinity }

    static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = digits()
        guard count > 0, !startsWithZero || count == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

extension JSONNumber: Hashable {
    /// Whether the values are equal.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.value == right.value }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }

    private enum Value: Hashable {
        case whole(Int)
        case other(Double)
    }

    private var value: Value {
        if let integer { return .whole(integer) }
        return Int(exactly: double).map(Value.whole) ?? .other(double)
    }
}
