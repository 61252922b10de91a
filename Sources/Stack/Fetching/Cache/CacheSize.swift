/// How much the application cache takes up.
public struct CacheSize: Sendable, Hashable {
    /// Number of files; an entry is two.
    public var files: Int
    /// Their bytes.
    public var bytes: Int

    /// Creates a size.
    public init(files: Int, bytes: Int) { (self.files, self.bytes) = (files, bytes) }

    /// The bytes with four decimals: in KB below 1024 × 1024, in MB from there.
    public var text: String { Self.text(bytes: bytes) }

    /// So many bytes with four decimals, rounded to the nearest: in KB below 1024 × 1024, in MB from there.
    public static func text(bytes: Int) -> String {
        let (unit, name) = bytes < 1 << 20 ? (1 << 10, "KB") : (1 << 20, "MB")
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
        var decimals = (rest * 10_000 + unit / 2) / unit
        var units = whole
        if decimals == 10_000 { (units, decimals) = (whole + 1, 0) }
        let digits = String(decimals)
        return "\(units).\(String(repeating: "0", count: 4 - digits.count))\(digits) \(name)"
    }
}
