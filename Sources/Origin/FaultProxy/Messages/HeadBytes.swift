import CLibrary
import HTTPServing
import OriginScript
import WireSyntax

/// The head of a message as it was received, read leniently and changed only where that is asked for.
struct HeadBytes: Sendable {
    private struct Line {
        /// With its line end, and the lines that continue it.
        var whole: Range<Int>
        let name: Range<Int>
        /// With the line ends before the lines that continue it.
        var value: Range<Int>
    }
    /// All bytes, with the empty line at the end.
    private(set) var bytes: [UInt8]
    private var start = 0..<0
    private var lines: [Line] = []
    private static let usualLines = 16

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        scan()
    }

    /// The words of the first line.
    var startWords: [String] {
        bytes.withUnsafeBufferPointer { all in
            var words: [String] = []
            words.reserveCapacity(3)
            var rest = all[start]
            while words.count < 2, let space = rest.firstIndex(of: 0x20) {
                words.append(String(decoding: rest[..<space], as: UTF8.self))
                rest = rest[(space + 1)...]
            }
            words.append(String(decoding: rest, as: UTF8.self))
            return words
        }
    }

    /// Whether there is a field line with a name.
    func has(_ name: String) -> Bool { lines.contains { isLine($0, of: name) } }

    /// Returns the values of the field lines with a name, in order.
    func values(_ name: String) -> [String] {
        lines.compactMap { isLine($0, of: name) ? value(of: $0) : nil }
    }

    /// Returns the members of a field whose value is a list, without empty ones, ASCII letters in lower case (RFC 9110 §5.6.1).
    func members(_ name: String) -> [String] {
        var members: [String] = []
        for line in lines where isLine(line, of: name) {
            unfolded(line).withUnsafeBufferPointer { value in
                var rest = value[...]
                while !rest.isEmpty {
                    let end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
                    let member = rest[..<end].trimmingWhitespace
                    if !member.isEmpty { members.append(Self.lowercased(member)) }
                    rest = rest[end...].dropFirst()
                }
            }
        }
        return members
    }

    /// The field lines, in order.
    var fields: [(name: String, value: String)] {
        lines.map { line in (String(decoding: bytes[line.name], as: UTF8.self), value(of: line)) }
    }

    /// Returns the value of a line; a space replaces each line end within it (RFC 9112 §5.2).
    private func value(of line: Line) -> String { String(decoding: unfolded(line), as: UTF8.self) }

    private func unfolded(_ line: Line) -> ArraySlice<UInt8> {
        let value = bytes[line.value]
        guard value.contains(where: Self.isLineEnd) else { return value }
        let parts = value.split(whereSeparator: Self.isLineEnd).map { $0.trimmingWhitespace }
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [0x20]))[...]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A }

    // MARK: Changes

    /// Replaces the value of the first line with this name, and removes the others; without one, adds a line at the end.
    mutating func set(_ name: String, _ value: String) {
        let own = lines.filter { isLine($0, of: name) }
        guard let first = own.first else { return add(name, value) }
        for line in own.dropFirst().reversed() { bytes.removeSubrange(line.whole) }
        bytes.replaceSubrange(first.value, with: value.utf8)
        scan()
    }

    /// Adds a line at the end.
    mutating func add(_ name: String, _ value: String) {
        let end = bytes.hasSuffix([0x0D, 0x0A]) ? bytes.count - 2 : bytes.count - 1
        bytes.insert(contentsOf: "\(name): \(value)\r\n".utf8, at: max(end, 0))
        scan()
    }

    /// Removes every line with a name.
    mutating func remove(_ name: String) {
        for line in lines.reversed() where isLine(line, of: name) { bytes.removeSubrange(line.whole) }
        scan()
    }

    /// Replaces the first line.
    mutating func setStart(_ text: String) {
        bytes.replaceSubrange(start, with: text.utf8)
        scan()
    }

    /// Changes a stated length by the faults that do.
    mutating func misstateLength(_ faults: [Fault]) {
        for fault in faults {
            guard case .contentLength(let change) = fault.action,
                let length = values(FieldName.contentLength).first.flatMap({ Int($0) })
            else { continue }
            set(FieldName.contentLength, "\(max(0, length + change))")
        }
    }

    // MARK: Reading

    private mutating func scan() {
        (start, lines) = bytes.withUnsafeBufferPointer { Self.scanned($0) }
    }

    /// Returns where the first line is, and the field lines.
    private static func scanned(_ bytes: UnsafeBufferPointer<UInt8>) -> (start: Range<Int>, lines: [Line]) {
        var (start, lines) = (0..<0, [Line]())
        lines.reserveCapacity(usualLines)
        let first = bytes.prefix { isLineEnd($0) }.count
        var position = first
        while let feed = feed(in: bytes, from: position) {
            let end = feed > position && bytes[feed - 1] == 0x0D ? feed - 1 : feed
            if position == first {
                start = position..<end
            } else if isBlank(bytes[position]), let last = lines.last, last.whole.upperBound == position {
                lines[lines.count - 1].whole = last.whole.lowerBound..<feed + 1
                lines[lines.count - 1].value = last.value.lowerBound..<end
            } else if let (name, value) = MessageHead.field(bytes[position..<end]) {
                let name = name.startIndex..<name.endIndex
                let value = value.startIndex..<value.endIndex
                lines.append(Line(whole: position..<feed + 1, name: name, value: value))
            }
            position = feed + 1
        }
        return (start, lines)
    }

    private func isLine(_ line: Line, of name: String) -> Bool {
        guard line.name.count == name.utf8.count else { return false }
        var place = line.name.lowerBound
        for byte in name.utf8 {
            if Self.lower(bytes[place]) != Self.lower(byte) { return false }
            place += 1
        }
        return true
    }

    private static func lowercased(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() { buffer[index] = lower(byte) }
            return bytes.count
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Returns where the head ends that begins at `start`, after empty lines; `nil` before that has come, which is known of the
    /// first `searched` bytes.
    static func end(in bytes: [UInt8], from start: Int, after searched: Int = 0) -> Int? {
        bytes.withUnsafeBufferPointer { end(in: $0, from: start, after: searched) }
    }

    private static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, after searched: Int)
        -> Int?
    {
        var position = start
        while position < bytes.count, isLineEnd(bytes[position]) { position += 1 }
        // The last line feed may be the first of two.
        position = max(position, start + searched - 2)
        while let feed = feed(in: bytes, from: position) {
            if feed + 1 < bytes.count, bytes[feed + 1] == 0x0A { return feed + 2 }
            if feed + 2 < bytes.count, bytes[feed + 1] == 0x0D, bytes[feed + 2] == 0x0A { return feed + 3 }
            position = feed + 1
        }
        return nil
    }

    /// Returns where the first line feed is from `start` on; `nil` if there is none.
    private static func feed(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else {
            return nil
        }
        return memchr(base + start, 0x0A, bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
}

extension Array where Element == UInt8 {
    func hasSuffix(_ suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
