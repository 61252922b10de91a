/// A number of bytes, never negative.
public struct ByteCount: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of bytes.
    public let bytes: Int

    /// Creates a number of bytes; a negative one becomes 0.
    public static func bytes(_ count: Int) -> ByteCount { ByteCount(bytes: max(0, count)) }

    /// Creates a number of 1024 bytes; more than `Int` holds becomes the largest number.
    public static func kibibytes(_ count: Int) -> ByteCount { scaled(count, by: 1 << 10) }

    /// Creates a number of 1024² bytes; more than `Int` holds becomes the largest number.
    public static func mebibytes(_ count: Int) -> ByteCount { scaled(count, by: 1 << 20) }

    /// Creates a number of 1024³ bytes; more than `Int` holds becomes the largest number.
    public static func gibibytes(_ count: Int) -> ByteCount { scaled(count, by: 1 << 30) }

    /// No bytes.
    public static let zero = ByteCount(bytes: 0)

    /// The number with the largest unit in which it is whole: `20 MiB`, or `1500 bytes`.
    public var description: String {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        guard let (unit, name) = units.first(where: { bytes > 0 && bytes % $0.0 == 0 }) else {
            return "\(bytes) bytes"
        }
        return "\(bytes / unit) \(name)"
    }

    /// Whether the left number is the smaller one.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    private static func scaled(_ count: Int, by unit: Int) -> ByteCount {
        let (product, isTooLarge) = max(0, count).multipliedReportingOverflow(by: unit)
        return ByteCount(bytes: isTooLarge ? .max : product)
    }
}
