/// The value of `Range` in bytes, RFC 9110 §14.1.2.
struct ByteRanges: Hashable {
    /// One range as it was sent.
    enum Spec: Hashable {
        /// From a byte to another, or to the end.
        case from(Int, to: Int?)
        /// The last bytes, as many as given.
        case last(Int)
    }
    let specs: [Spec]

    /// Parses a value; `nil` for another unit or a malformed value, which count as no field (RFC 9110 §14.2).
    init?(_ value: String) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        var specs: [Spec] = []
        for member in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            let text = member.trimmed
            // RFC 9110 §5.6.1.2: empty members of a list are ignored.
            if text.isEmpty { continue }
            guard let spec = Self.spec(text) else { return nil }
            specs.append(spec)
        }
        guard !specs.isEmpty else { return nil }
        self.specs = specs
    }

    private static func spec(_ text: String) -> Spec? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (number(ends[0]), number(ends[1])) {
        case (let first?, let last?): return last < first ? nil : .from(first, to: last)
        case (let first?, nil): return ends[1].isEmpty ? .from(first, to: nil) : nil
        case (nil, let count?): return ends[0].isEmpty ? .last(count) : nil
        case (nil, nil): return nil
        }
    }

    /// Returns a number; one that is larger than any content becomes the largest `Int`.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }

    /// Returns the ranges that content of this length can satisfy, in the order of the request.
    func satisfied(count: Int) -> [Range<Int>] {
        specs.compactMap { spec in
            switch spec {
            case .from(let first, let last):
                first < count ? first..<(min(last ?? .max, count - 1) + 1) : nil
            case .last(let length): length > 0 && count > 0 ? max(count - length, 0)..<count : nil
            }
        }
    }

    /// Whether a range is one of the last bytes, of which there is at least one.
    var asksForSuffix: Bool {
        specs.contains { if case .last(let length) = $0 { length > 0 } else { false } }
    }

    /// Whether there are many ranges, or many overlap, which only costs resources (RFC 9110 §14.2, §17.15).
    var areSuspicious: Bool {
        if specs.count > 64 { return true }
        let bounds = specs.compactMap { spec -> ClosedRange<Int>? in
            if case .from(let first, let last) = spec { first...(last ?? .max) } else { nil }
        }
        let overlaps = bounds.indices.reduce(0) { count, place in
            count + bounds[..<place].filter { $0.overlaps(bounds[place]) }.count
        }
        return overlaps > 2
    }
}
