/// Sizes as text.
enum ByteSize {
    private static let units: [(String, Int)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1000), ("MB", 1_000_000),
        ("GB", 1_000_000_000), ("B", 1),
    ]

    /// Returns the number of bytes in a text such as `64MiB`; `nil` if it is not a size.
    static func bytes(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0)
        guard let number = Int(digits), number >= 0 else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return isTooLarge ? nil : product
    }
}
