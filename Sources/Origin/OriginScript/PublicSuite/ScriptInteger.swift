/// Reads whole numbers as JavaScript's `parseInt` does, which the suite's two ends agree by.
package enum ScriptInteger {
    /// Returns the number that a text begins with; `nil` if it begins with none.
    ///
    /// Leading whitespace and a sign are passed over, `0x` begins a hexadecimal number, and what follows the digits
    /// is ignored. Beyond what fits, the largest number.
    package static func parse(_ text: some StringProtocol) -> Int? {
        var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        let isHexadecimal =
            rest.first == "0" && (rest.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false)
        if isHexadecimal { rest = rest.dropFirst(2) }
        let digits = rest.map { digit($0, isHexadecimal: isHexadecimal) }.prefix { $0 != nil }.compactMap(
            \.self
        )
        guard !digits.isEmpty else { return nil }
        let magnitude = digits.reduce(0) { Self.append($1, to: $0, radix: isHexadecimal ? 16 : 10) }
        return isNegative ? -magnitude : magnitude
    }

    private static func digit(_ scalar: Unicode.Scalar, isHexadecimal: Bool) -> Int? {
        guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
        return digit < 10 || isHexadecimal ? digit : nil
    }

    private static func append(_ digit: Int, to number: Int, radix: Int) -> Int {
        let (product, overflows) = number.multipliedReportingOverflow(by: radix)
        let (sum, exceeds) = product.addingReportingOverflow(digit)
        return overflows || exceeds ? .max : sum
    }
}
