/// Hexadecimal digits in lower case.
public enum Hexadecimal {
    /// Returns two digits for each byte.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += digits(of: $1) }
    }

    /// Returns all digits of a number, with leading zeros up to the width of its type.
    public static func digits(of number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, number.bitWidth / 4 - digits.utf8.count)) + digits
    }

    /// Returns the value of a digit of either case; `nil` for any other byte.
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
