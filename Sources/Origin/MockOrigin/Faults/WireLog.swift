import HTTPServing

/// The bytes sent and received on the connections of a namespace, by exchange.
struct WireLog: Sendable {
    private struct Entry {
        var name: String
        var request: [UInt8]
        var ending: RawReply.Ending
        var sent: [UInt8] = []
        var sentCount = 0
        var end = ExchangeEnd.stopped
    }
    /// The number of bytes kept of each response; all are counted.
    static let keptBytes = 1 << 20

    private var entries: [Int: Entry] = [:]

    /// Records the start of an exchange.
    mutating func add(_ number: Int, name: String, _ request: ServedRequest, _ ending: RawReply.Ending) {
        var bytes = Array("\(request.method) \(request.target)\r\n".utf8)
        for field in request.fields { bytes += "\(field.name): \(field.value)\r\n".utf8 }
        bytes += Array("\r\n".utf8) + request.body
        entries[number] = Entry(name: name, request: bytes, ending: ending)
    }

    /// Records bytes that an exchange has sent.
    mutating func write(_ number: Int, _ bytes: ArraySlice<UInt8>) {
        guard var entry = entries.removeValue(forKey: number) else { return }
        entry.sent += bytes.prefix(Self.keptBytes - entry.sent.count)
        entry.sentCount += bytes.count
        entries[number] = entry
    }

    /// Records the end of an exchange.
    mutating func end(_ number: Int, _ end: ExchangeEnd) {
        entries[number]?.end = end
    }

    /// The exchanges ordered by name, each with its bytes in both directions; bytes that are not text as `\xNN`.
    var text: String {
        let ordered = entries.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }
        return ordered.map { Self.text($0.value) }.joined()
    }

    private static func text(_ entry: Entry) -> String {
        let more = entry.sentCount - entry.sent.count
        return "--- \(entry.name): \(entry.sentCount) bytes, \(entry.end), \(entry.ending)\n"
            + lines(entry.request, ">") + lines(entry.sent, "<") + (more > 0 ? "(\(more) bytes more)\n" : "")
    }

    private static func lines(_ bytes: [UInt8], _ mark: String) -> String {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            "\(mark) " + line.map(character).joined() + "\n"
        }.joined()
    }

    private static func character(_ byte: UInt8) -> String {
        if (0x20...0x7E).contains(byte) { return String(UnicodeScalar(byte)) }
        return byte == 0x0D ? "" : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
