import JSON

/// Replaces the values of secret members in JSON, and those of secret parameters of URLs in its texts; keeps all other bytes.
///
/// The document need not be well-formed; what cannot be parsed is kept.
struct JSONRedaction {
    private let bytes: [UInt8]
    private let redaction: Redaction
    private var place = 0
    private var result: [UInt8] = []
    /// The maximum nesting depth; deeper values are kept.
    private static let deepest = 512

    /// Returns content with the values of secret members replaced.
    static func applied(to bytes: [UInt8], by redaction: Redaction) -> [UInt8] {
        var redaction = JSONRedaction(bytes, redaction)
        redaction.run()
        return redaction.result
    }

    private init(_ bytes: [UInt8], _ redaction: Redaction) {
        (self.bytes, self.redaction) = (bytes, redaction)
        result.reserveCapacity(bytes.count)
    }

    private mutating func run() {
        while place < bytes.count {
            guard bytes[place] == Self.quote else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let text = takeString()
            result += withoutParameters(text)
            if redaction.isSecret(member: String(decoding: text.dropFirst().dropLast(), as: UTF8.self)) {
                skipValue()
            }
        }
    }

    /// Returns a string without secret parameters in the queries of URLs.
    private func withoutParameters(_ string: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // The characters of a parameter may be escaped.
        guard string.contains(UInt8(ascii: "=")) || string.contains(UInt8(ascii: "\\")),
            case .string(let text)? = try? JSONValue(parsing: Array(string))
        else { return string }
        let clean = redaction.parameters(text)
        return clean == text ? string : Array(JSONValue.string(clean).written().utf8)[...]
    }

    /// Consumes a string with its quotes, or the rest if it is not closed.
    private mutating func takeString() -> ArraySlice<UInt8> {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != Self.quote {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return bytes[start..<place]
    }

    /// Replaces the value of the member whose name was just consumed; does nothing if it was not a name.
    private mutating func skipValue() {
        let afterName = place
        var look = skipBlanks(from: place)
        guard look < bytes.count, bytes[look] == UInt8(ascii: ":") else { return }
        look = skipBlanks(from: look + 1)
        guard look < bytes.count else { return }
        result += bytes[afterName..<look]
        place = look
        // Nested values are as secret as the name above them.
        if bytes[look] == UInt8(ascii: "n"), bytes[look...].starts(with: "null".utf8) { return }
        guard skipOne() else { return }
        result += "\"\(Redaction.mark)\"".utf8
    }

    /// Skips a value; returns false without moving if it has no end.
    private mutating func skipOne() -> Bool {
        let start = place
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case Self.quote: _ = takeString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return true }
                depth -= 1
                place += 1
            case UInt8(ascii: ",") where depth == 0: return true
            default: place += 1
            }
            if depth == 0, place > start, isEnd { return true }
            if depth > Self.deepest { break }
        }
        return place > start
    }

    /// Whether the next byte ends the value before.
    private var isEnd: Bool {
        guard place < bytes.count else { return true }
        return [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09].contains(
            bytes[place]
        )
    }

    private func skipBlanks(from start: Int) -> Int {
        var place = start
        while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
        return place
    }

    private static let quote = UInt8(ascii: "\"")
}
