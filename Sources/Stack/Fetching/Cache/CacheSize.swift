/// The size of the application cache.
public struct CacheSize: Sendable, Hashable {
    /// The number of files; an entry has two.
    public var files: Int
    /// The number of bytes.
    public var bytes: Int

    /// Creates a size.
    public init(files: Int, bytes: Int) { (self.files, self.bytes) = (files, bytes) }

    /// The size with four decimals: in KB below 1024 × 1024 bytes, otherwise in MB.
    public var text: String { Self.text(bytes: bytes) }

    /// Returns a size with four decimals, rounded to the nearest: in KB below 1024 × 1024 bytes, otherwise in
    /// MB.
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
