/// A Content-Range field value of a single part (RFC 9110 §14.4).
struct ContentRange {
    var first: Int
    var last: Int
    var completeLength: Int?

    /// `nil` if the value is absent, invalid or in another unit.
    init?(_ value: String?) {
        guard let value, value.hasPrefix("bytes ") else { return nil }
        let halves = value.dropFirst(6).split(separator: "/")
        let bounds = halves.first?.split(separator: "-").compactMap { Int($0) } ?? []
        guard halves.count == 2, bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
        first = bounds[0]
        last = bounds[1]
        completeLength = Int(halves[1])
        guard completeLength != nil || halves[1] == "*", last < completeLength ?? Int.max else { return nil }
    }
}

/// A byte range of a request (RFC 9110 §14.1.2).
enum ByteRange: Equatable {
    case satisfiable(Range<Int>)
    case unsatisfiable
    /// Several ranges or invalid syntax, which a server may ignore or reject (RFC 9110 §14.2).
    case other

    /// The range, if it is satisfiable.
    var bounds: Range<Int>? { if case .satisfiable(let bounds) = self { bounds } else { nil } }

    /// Returns each of the ranges that a Range field asks of a representation (RFC 9110 §14.1.1).
    static func all(_ value: String, of length: Int) -> [ByteRange] {
        let unit = value.prefix { $0 != "=" }
        return value.dropFirst(unit.count + 1).split(separator: ",").map {
            ByteRange("\(unit)=\($0)", of: length)
        }
    }

    /// The range that a Range field asks of a representation.
    init(_ value: String, of length: Int) {
        let spec = trimmed(value.drop { $0 != "=" }.dropFirst())
        let bounds = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard value.hasPrefix("bytes="), bounds.count == 2 else {
            self = .other
            return
        }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (let first?, let last) where last != nil || bounds[1].isEmpty:
            if let last, last < first {
                self = .other
            } else {
                self =
                    first < length
                    ? .satisfiable(first..<min(length, (last ?? length) == length ? length : (last ?? 0) + 1))
                    : .unsatisfiable
            }
        case (nil, let suffix?) where bounds[0].isEmpty:
            self = suffix == 0 ? .unsatisfiable : .satisfiable(max(0, length - suffix)..<length)
        default:
            self = .other
        }
    }
}
