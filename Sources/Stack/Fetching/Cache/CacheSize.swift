public import CacheSemantics

/// The size of a cache on disk.
public struct CacheSize: Sendable, Hashable {
    /// The number of files; an entry of the application cache has two.
    public var files: Int
    /// The size of all files together.
    public var total: ByteCount

    /// Creates a size.
    public init(files: Int, total: ByteCount) { (self.files, self.total) = (files, total) }

    /// The size with four decimals: in KB below 1024 × 1024 bytes, otherwise in MB.
    public var text: String { Self.text(of: total) }

    /// Returns a size with four decimals, rounded to the nearest: in KB below 1024 × 1024 bytes, otherwise in
    /// MB.
    public static func text(of size: ByteCount) -> String {
        let bytes = size.bytes
        let (unit, name) = bytes < 1 << 20 ? (1 << 10, "KB") : (1 << 20, "MB")
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
        var decimals = (rest * 10_000 + unit / 2) / unit
        var units = whole
        if decimals == 10_000 { (units, decimals) = (whole + 1, 0) }
        let digits = String(decimals)
        return "\(units).\(String(repeating: "0", count: 4 - digits.count))\(digits) \(name)"
    }
}
