extension BidirectionalCollection<UInt8> {
    /// The bytes without leading and trailing spaces and tabs (RFC 9110 §5.6.3).
    @inlinable
    public var trimmingWhitespace: SubSequence {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { formIndex(after: &start) }
        while start < end {
            let last = index(before: end)
            guard self[last] == 0x20 || self[last] == 0x09 else { break }
            end = last
        }
        return self[start..<end]
    }
}

extension StringProtocol {
    /// The text without leading and trailing spaces and tabs (RFC 9110 §5.6.3).
    ///
    /// Compares bytes, because a `Character` may combine a space with marks after it.
    public var trimmingWhitespace: String {
        String(decoding: Array(utf8).trimmingWhitespace, as: UTF8.self)
    }
}
