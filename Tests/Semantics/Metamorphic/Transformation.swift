/// A change to a message that does not change its meaning (RFC 9110 §5.1–§5.3, §5.6).
public enum Transformation: String, Sendable, CaseIterable {
    /// Field names in another case.
    case nameCase = "the case of field names"
    /// Fields of different names in another order.
    case order = "the order of unrelated fields"
    /// The members of list fields in other lines.
    case lines = "splitting and joining of list fields"
    /// Other optional whitespace.
    case whitespace = "optional whitespace"
    /// All times shifted by the same amount.
    case time = "a constant shift of time"
    /// All of these.
    case all = "all of these"

    /// The fields that are lists here: whitespace around their commas has no meaning.
    private static let lists: Set<String> = [
        "cache-control", "vary", "if-none-match", "accept-language", "accept-encoding", "connection",
        "pragma", "x-a",
    ]
    /// A field that is not known to be a list; its lines may be combined nevertheless (RFC 9110 §5.2).
    private static let combined = "foo"

    /// Returns the number of seconds of the shift; 0 for other transformations.
    public func shift(_ numbers: inout SeededNumbers) -> Int64 {
        guard self == .time || self == .all else { return 0 }
        return Int64.random(in: -500_000_000...500_000_000, using: &numbers)
    }

    /// Returns the fields in another equivalent form.
    public func apply(
        _ fields: [(name: String, value: String)],
        _ numbers: inout SeededNumbers
    ) -> [(name: String, value: String)] {
        switch self {
        case .nameCase: return fields.map { (Self.recased($0.name, &numbers), $0.value) }
        case .order: return Self.reordered(fields, &numbers)
        case .lines: return Self.resplit(fields, &numbers)
        case .whitespace: return fields.map { ($0.name, Self.respaced($0, &numbers)) }
        case .time: return fields
        case .all:
            let parts: [Transformation] = [.lines, .whitespace, .order, .nameCase]
            return parts.reduce(fields) { $1.apply($0, &numbers) }
        }
    }

    private static func recased(_ name: String, _ numbers: inout SeededNumbers) -> String {
        var result = ""
        for character in name {
            result += numbers.once(in: 2) ? character.uppercased() : character.lowercased()
        }
        return result
    }

    /// Keeps the order of lines with the same name, which has a meaning.
    private static func reordered(
        _ fields: [(name: String, value: String)],
        _ numbers: inout SeededNumbers
    ) -> [(name: String, value: String)] {
        let names = fields.map { $0.name.lowercased() }.shuffled(using: &numbers)
        var taken: [String: Int] = [:]
        return names.compactMap { name in
            let place = taken[name, default: 0]
            taken[name] = place + 1
            return fields.filter { $0.name.lowercased() == name }.dropFirst(place).first
        }
    }

    private static func resplit(
        _ fields: [(name: String, value: String)],
        _ numbers: inout SeededNumbers
    ) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        var done: Set<String> = []
        for field in fields {
            let name = field.name.lowercased()
            guard lists.contains(name) || name == combined else {
                result.append(field)
                continue
            }
            guard done.insert(name).inserted else { continue }
            let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
            result += lines(of: values, &numbers).map { (field.name, $0) }
        }
        return result
    }

    private static func lines(of values: [String], _ numbers: inout SeededNumbers) -> [String] {
        let members = values.flatMap(Self.members)
        guard !members.isEmpty else { return values }
        var lines: [String] = []
        for member in members {
            if let last = lines.last, numbers.once(in: 2) {
                lines[lines.count - 1] = last + ", " + member
            } else {
                lines.append(member)
            }
        }
        return lines
    }

    private static func respaced(
        _ field: (name: String, value: String),
        _ numbers: inout SeededNumbers
    ) -> String {
        let spaces = ["", " ", "  ", "\t", " \t "]
        guard lists.contains(field.name.lowercased()) else {
            return numbers.one(of: spaces) + field.value + numbers.one(of: spaces)
        }
        var result = numbers.one(of: spaces)
        for (index, member) in members(of: field.value).enumerated() {
            if index > 0 { result += numbers.one(of: spaces) + "," + numbers.one(of: spaces) }
            result += member
        }
        return result + numbers.one(of: spaces)
    }

    /// Returns the members of a list; a comma in quotes is not a separator.
    private static func members(of value: String) -> [String] {
        var members = [""]
        var isQuoted = false
        for character in value {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                members.append("")
            } else {
                members[members.count - 1].append(character)
            }
        }
        return members.map(trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
