/// The bytes of a part of a field value; valid only during the call that hands them over.
typealias FieldBytes = Slice<UnsafeBufferPointer<UInt8>>

/// The members of a comma-separated list field (RFC 9110 §5.6.1).
enum FieldList {
    /// Calls `body` with the members of one line in order, trimmed, without the empty ones; a comma inside a quoted
    /// string separates nothing.
    static func forEachMember(of line: String, _ body: (FieldBytes) -> Void) {
        var line = line
        line.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                let end = endOfMember(in: bytes, from: start)
                let member = ASCII.trimmed(bytes[start..<end])
                if !member.isEmpty { body(member) }
                start = end + 1
            }
        }
    }

    /// Returns what `transform` makes of the members of all lines in order.
    static func members<Member>(of lines: [String], _ transform: (FieldBytes) -> Member?) -> [Member] {
        var members: [Member] = []
        for line in lines {
            forEachMember(of: line) { bytes in
                if let member = transform(bytes) { members.append(member) }
            }
        }
        return members
    }

    /// Returns the lines combined into one text with no whitespace around the commas (RFC 9110 §5.3).
    static func normalised(_ lines: [String]) -> String {
        members(of: lines) { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    }

    private static func endOfMember(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        var isQuoted = false
        while index < line.count {
            let byte = line[index]
            if isQuoted && byte == ASCII.backslash {
                index += 1
            } else if byte == ASCII.quote {
                isQuoted.toggle()
            } else if byte == ASCII.comma && !isQuoted {
                return index
            }
            index += 1
        }
        return line.count
    }
}
