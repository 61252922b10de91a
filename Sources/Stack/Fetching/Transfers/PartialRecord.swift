/// The record stored next to a part, from which another process can resume the download.
struct PartialRecord: Sendable, Hashable {
    /// The complete URL.
    var url: String
    /// The value of If-Range: a strong entity tag; `nil` if the part cannot be resumed.
    var validator: String?
    /// The size of the whole file in bytes; `nil` if unknown.
    var total: Int?
    /// The number of bytes received when the record was written.
    var received = 0
    /// The hash of these bytes.
    var hash = PartialHash().text

    init(url: String) { self.url = url }

    /// The text form: lines of a name and a value.
    var text: String {
        var lines = ["cachecheck-part 1", "url \(url)", "received \(received)", "hash \(hash)"]
        if let validator { lines.append("validator \(validator)") }
        if let total { lines.append("total \(total)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Parses a record; `nil` if it is malformed.
    init?(text: String) {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard values["cachecheck-part"] == "1", let url = values["url"], let hash = values["hash"],
            let received = values["received"].flatMap({ Int($0) }), received >= 0
        else { return nil }
        (self.url, self.hash, self.received) = (url, hash, received)
        validator = values["validator"]
        total = values["total"].flatMap { Int($0) }
        if let total, total < received { return nil }
    }
}
