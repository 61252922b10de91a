/// The lines of a message head (RFC 9112 §2.1), split leniently; whether they are valid is for the caller to decide.
public enum MessageHead {
    /// Returns the lines of `bytes`, including empty ones, without their line ends, CRLF or LF.
    public static func lines<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> [Bytes.SubSequence] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == 0x0D { line.removeLast() }
            return line
        }
    }

    /// Splits a field line at its first colon and trims the value; `nil` without a colon (RFC 9112 §5).
    ///
    /// The name is not trimmed: white space before the colon is invalid (RFC 9112 §5.1).
    @inlinable
    public static func field<Bytes: BidirectionalCollection<UInt8>>(
        _ line: Bytes
    ) -> (name: Bytes.SubSequence, value: Bytes.SubSequence)? where Bytes.SubSequence == Bytes {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        return (line[..<colon], line[line.index(after: colon)...].trimmingWhitespace)
    }

    /// Splits a status line (RFC 9112 §4); `nil` without a version of HTTP and a number as its status code.
    public static func status(_ line: some StringProtocol) -> (code: Int, reason: String)? {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), let code = Int(parts[1]) else { return nil }
        return (code, parts.count == 3 ? String(parts[2]) : "")
    }
}
