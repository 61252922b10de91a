/// The rules of a robots.txt for one robot (RFC 9309).
package struct RobotsFile: Sendable {
    private struct Rule {
        let allows: Bool
        let path: [UInt8]
    }
    private let rules: [Rule]

    /// No rules: everything may be requested.
    package static let empty = RobotsFile("", for: "")

    /// Reads the group for a robot, or that for `*` if there is none.
    package init(_ text: String, for robot: String) {
        var groups: [String: [Rule]] = [:]
        var names: [String] = []
        var isAmongNames = false
        // A byte order mark is not part of the first line.
        for line in text.drop(while: { $0 == "\u{FEFF}" }).split(whereSeparator: \.isNewline) {
            guard let (key, value) = Self.pair(line) else { continue }
            switch key {
            case "user-agent":
                names = isAmongNames ? names + [value.lowercased()] : [value.lowercased()]
                for name in names where groups[name] == nil { groups[name] = [] }
                isAmongNames = true
            case "allow", "disallow":
                isAmongNames = false
                // An empty Disallow allows everything, as no rule does.
                guard !value.isEmpty else { continue }
                let rule = Rule(allows: key == "allow", path: Self.comparable(value))
                for name in names { groups[name, default: []].append(rule) }
            default: isAmongNames = false
            }
        }
        rules = groups[robot.lowercased()] ?? groups["*"] ?? []
    }

    private static func pair(_ line: Substring) -> (key: String, value: String)? {
        let text = line.prefix { $0 != "#" }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let value = text[text.index(after: colon)...].drop(while: isBlank)
        let trimmed = String(value.reversed().drop(while: isBlank).reversed())
        return (text[..<colon].lowercased().filter { !isBlank($0) }, trimmed)
    }

    /// Whether a path with its query may be requested: the longest rule decides, of equal ones that which allows.
    package func allows(_ target: String) -> Bool {
        let bytes = Self.comparable(target)
        let matching = rules.filter { Self.matches($0.path[...], bytes[...]) }
        let longest = matching.map(\.path.count).max() ?? 0
        let deciding = matching.filter { $0.path.count == longest }
        return deciding.isEmpty || deciding.contains { $0.allows }
    }

    /// Returns a path in the one form in which paths are compared: what need not be escaped is not, all else is (RFC 9309 §2.2.2).
    private static func comparable(_ path: String) -> [UInt8] {
        var rest = Array(path.utf8)[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16), rest.count > 1
            {
                rest = rest.dropFirst(2)
                bytes += isUnreserved(value) ? [value] : Array("%\(digits.uppercased())".utf8)
            } else if byte >= 0x80 {
                bytes += Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Whether a byte is an unreserved character (RFC 3986 §2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    /// Whether a pattern matches: `*` matches any text, `$` at the end matches the end; otherwise a prefix is enough.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        let isEnded = pattern.last == UInt8(ascii: "$")
        let parts = (isEnded ? pattern.dropLast() : pattern)
            .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        guard let first = parts.first, text.starts(with: first) else { return false }
        var rest = text.dropFirst(first.count)
        for (index, part) in parts.enumerated().dropFirst() {
            let isLast = index == parts.count - 1
            if isLast, isEnded { return rest.count >= part.count && rest.suffix(part.count) == part }
            guard let place = Self.first(part, in: rest) else { return false }
            rest = rest[(place + part.count)...]
        }
        return !isEnded || rest.isEmpty
    }

    private static func first(_ part: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Int? {
        guard text.count >= part.count else { return nil }
        return (text.startIndex...(text.endIndex - part.count)).first { text[$0...].starts(with: part) }
    }
}
