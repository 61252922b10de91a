/// What is written beside a part, so that another process can go on with it.
struct PartialRecord: Sendable, Hashable {
    /// The URL, complete.
    var url: String
    /// The value of If-Range: a strong entity tag; `nil` where the part cannot be gone on with.
    var validator: String?
    /// Bytes in all; `nil` where that is not known.
    var total: Int?
    /// Bytes that have come by the time of the record.
    var received = 0
    /// Their hash.
    var hash = PartialHash().text

    init(url: String) { self.url = url }

    /// Lines of a name and a value.
    var text: String {
        var lines = ["cachecheck-part 1", "url \(url)", "received \(received)", "hash \(hash)"]
        if let validator { lines.append("validator \(validator)") }
        if let total { lines.append("total \(total)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads a record; `nil` for anything that is none.
    init?(text: String) {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard values["cachecheck-part"] == "1", let url = values["url"], let hash = values["hash"],
            let received = values["received"].flatMap({ Int($0) }), received >= 0
        else { return nil }
        self.url = url
        self.hash = hash
        self.received = received
        validator = values["validator"]
        total = values["total"].flatMap { Int($0) }
        if let total, total < received { return nil }
    }
}
