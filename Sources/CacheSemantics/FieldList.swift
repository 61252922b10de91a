/// The members of a comma-separated list field (RFC 9110 §5.6.1).
enum FieldList {
    /// Returns the members of all lines in order, trimmed, without the empty ones; a comma inside a quoted string
    /// separates nothing.
    static func members(of lines: [String]) -> [ArraySlice<UInt8>] {
        lines.flatMap { members(of: ArraySlice(Array($0.utf8))) }
    }

    /// Returns the members of one line.
    static func members(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        var start = line.startIndex
        while start < line.endIndex {
            let end = endOfMember(in: line, from: start)
            let member = ASCII.trimmed(line[start..<end])
            if !member.isEmpty { members.append(member) }
            start = end + 1
        }
        return members
    }

    /// Returns the lines combined into one text with no whitespace around the commas (RFC 9110 §5.3).
    static func normalised(_ lines: [String]) -> String {
        members(of: lines).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    }

    private static func endOfMember(in line: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = start
        var isQuoted = false
        while index < line.endIndex {
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
        return line.endIndex
    }
}
