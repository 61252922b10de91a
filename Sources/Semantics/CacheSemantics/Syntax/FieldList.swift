internal import HTTPTypes

/// The bytes of a part of a field value; valid only during the call that provides them.
typealias FieldBytes = Slice<UnsafeBufferPointer<UInt8>>

/// The members of a comma-separated list field (RFC 9110 §5.6.1).
enum FieldList {
    /// Calls `body` with the members of one line in order, trimmed, without empty ones.
    ///
    /// A comma inside a quoted string is not a separator.
    static func forEachMember(of line: String, _ body: (FieldBytes) -> Void) {
        var line = line
        line.withUTF8 { forEachMember(of: $0, body) }
    }

    private static func forEachMember(of line: UnsafeBufferPointer<UInt8>, _ body: (FieldBytes) -> Void) {
        var start = 0
        var hasStrings = true
        while start < line.count {
            let end = endOfMember(in: line, from: start, &hasStrings)
            let member = ASCII.trimmed(line[start..<end])
            if !member.isEmpty { body(member) }
            start = end + 1
        }
    }

    /// Returns the results of `transform` for the members of all lines, in order.
    static func members<Member>(of lines: [String], _ transform: (FieldBytes) -> Member?) -> [Member] {
        var members: [Member] = []
        for line in lines {
            forEachMember(of: line) { bytes in
                if let member = transform(bytes) { members.append(member) }
            }
        }
        return members
    }

    /// Returns the results of `transform` for the members of all lines of a field, in order, as the bytes that were sent.
    static func members<Member>(
        of name: HTTPField.Name,
        in fields: HTTPFields,
        _ transform: (FieldBytes) -> Member?
    ) -> [Member] {
        var members: [Member] = []
        for field in fields where field.name == name {
            field.withUnsafeBytesOfValue { line in
                forEachMember(of: line) { bytes in
                    if let member = transform(bytes) { members.append(member) }
                }
            }
        }
        return members
    }

    /// Returns the position of the comma that ends a member, or the end of the line.
    ///
    /// A quoted string that is not closed, or ends inside a value, hides no comma: every comma after it is a separator, so
    /// that no directive is lost. No byte is read more than twice.
    private static func endOfMember(
        in line: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ hasStrings: inout Bool
    ) -> Int {
        var index = start
        while index < line.count {
            switch line[index] {
            case ASCII.comma: return index
            case ASCII.quote where hasStrings:
                if let end = endOfQuoted(in: line, from: index) {
                    index = end
                } else {
                    hasStrings = false
                }
            default: index += 1
            }
        }
        return line.count
    }

    /// Returns the end of the quoted string that begins at `start`; `nil` if there is none.
    private static func endOfQuoted(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start + 1
        while index < line.count, line[index] != ASCII.quote {
            index += line[index] == ASCII.backslash ? 2 : 1
        }
        guard index < line.count else { return nil }
        let next = line[(index + 1)...].first { !ASCII.isOptionalWhitespace($0) }
        return next == nil || next == ASCII.comma || next == ASCII.semicolon ? index + 1 : nil
    }
}
