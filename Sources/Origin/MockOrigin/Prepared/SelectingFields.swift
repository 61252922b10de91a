import CLibrary
import HTTPServing

/// The request fields that select among the responses of an otherwise constant answer.
struct SelectingFields {
    private enum Kind {
        /// A condition or a range, RFC 9110 §13 and §14: the response must be composed for it.
        case condition
        /// The accepted codings.
        case coding
        case other
    }
    /// Whether the request has a condition or a range.
    private(set) var hasCondition = false
    /// Whether gzip is accepted.
    private(set) var allowsGzip = false
    private var hasCoding = false

    /// Parses field lines that each end in CRLF.
    init(_ lines: UnsafeBufferPointer<UInt8>) {
        guard let base = lines.baseAddress else { return }
        var place = 0
        while place < lines.count {
            let found = memchr(base + place, 0x0A, lines.count - place)
            let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? lines.count
            read(UnsafeBufferPointer(rebasing: lines[place..<end]))
            place = end + 1
        }
    }

    init(_ fields: [ServedField]) {
        for field in fields {
            var name = field.name
            note(name.withUTF8 { Self.kind($0) }) { field.value }
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>) {
        // Most names start with another letter, so their lines are skipped.
        guard let first = line.first, let colonLimit = Self.longest[first.lowercasedASCII],
            let colon = line.prefix(colonLimit + 1).firstIndex(of: 0x3A)
        else { return }
        note(Self.kind(UnsafeBufferPointer(rebasing: line[..<colon]))) {
            String(decoding: line[(colon + 1)...].prefix { $0 != 0x0D }, as: UTF8.self)
        }
    }

    /// The length of the longest relevant name by its first letter.
    private static let longest: [UInt8: Int] = [0x69: 19, 0x72: 5, 0x61: 15]

    private mutating func note(_ kind: Kind, _ value: () -> String) {
        switch kind {
        case .condition: hasCondition = true
        case .coding:
            // Two lines form one list and are rare: the general path handles them.
            if hasCoding { hasCondition = true }
            hasCoding = true
            allowsGzip = AcceptedCoding.allowsGzip(value())
        case .other: break
        }
    }

    private static func kind(_ name: UnsafeBufferPointer<UInt8>) -> Kind {
        switch name.count {
        case 5: same(name, FieldName.range) ? .condition : .other
        case 15: same(name, FieldName.acceptEncoding) ? .coding : .other
        default:
            name.count > 3 && same(name, "if-") ? .condition : .other
        }
    }

    /// Whether a name is this one, or begins with it if it is longer; in either case.
    private static func same(_ name: UnsafeBufferPointer<UInt8>, _ known: String) -> Bool {
        zip(name, known.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
