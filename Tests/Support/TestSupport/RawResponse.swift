/// A response as it was received.
public struct RawResponse {
    /// First line.
    public var statusLine: String
    /// Status code; 0 if there is none.
    public var status: Int
    /// Field lines in order.
    public var fields: [(name: String, value: String)] = []
    /// Content without framing.
    public var body: [UInt8] = []
    /// Sizes of the chunks, including the last of 0; empty if the content is not chunked.
    public var chunks: [Int] = []

    /// Parses a head.
    public init(head: String) {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        statusLine = String(lines.first ?? "")
        status = Int(statusLine.dropFirst(9).prefix(3)) ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
            fields.append((String(parts[0]), String(value)))
        }
    }

    /// The value of a field, with its lines joined.
    public subscript(name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
