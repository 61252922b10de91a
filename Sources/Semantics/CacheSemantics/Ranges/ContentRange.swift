package import HTTPTypes

/// The bytes that a 206 contains, or the length that a 416 reports (RFC 9110 §14.4).
package struct ContentRange: Sendable, Hashable {
    static let unit = "bytes"

    package let range: ByteRange
    /// The length of the representation; `nil` if the sender does not know it.
    package let completeLength: Int64?

    /// Parses the field of a 206; `nil` if it is missing, repeated, of another unit, or invalid.
    package init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentRange]
        guard lines.count == 1, let line = lines.first else { return nil }
        let parts = ASCII.trimmed(ArraySlice(Array(line.utf8))).split(
            separator: ASCII.space,
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, ASCII.lowercased(parts[0]) == Self.unit else { return nil }
        self.init(parsing: parts[1])
    }

    private init?(parsing bytes: ArraySlice<UInt8>) {
        guard let slash = bytes.firstIndex(of: ASCII.slash),
            let dash = bytes[..<slash].firstIndex(of: ASCII.dash),
            let first = RangeRequest.position(bytes[..<dash]),
            let last = RangeRequest.position(bytes[(dash + 1)..<slash]),
            let range = ByteRange(first: first, last: last)
        else { return nil }
        let length = bytes[(slash + 1)...]
        self.range = range
        if length.elementsEqual([ASCII.asterisk]) {
            completeLength = nil
        } else {
            // A number that is too large to be held must not be sent as another one.
            guard let complete = RangeRequest.position(length), complete > last,
                complete < ByteRange.largestPosition
            else { return nil }
            completeLength = complete
        }
    }

    /// Returns the field's value for a range.
    static func text(_ range: ByteRange, of length: Int64?) -> String {
        "\(unit) \(range.first)-\(range.last)/\(length.map { String($0) } ?? "*")"
    }

    /// Returns the field's value for a 416.
    static func unsatisfied(length: Int64) -> String { "\(unit) */\(length)" }
}
