import LocatedYAML

/// A problem of a fault that is written as text.
public struct FaultTextProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offending part.
    public var found: String
    /// The expected value.
    public var expected: String

    init(_ found: some StringProtocol, _ expected: String) {
        self.found = "\"\(found)\""
        self.expected = expected
    }

    /// Both in one sentence.
    public var description: String { "Found \(found), expected \(expected)." }
}

extension Fault {
    /// The form of a fault as text.
    public static let textShape =
        "ACTION[=VALUE]@EVENT[:BYTES or :N%], such as reset@body:100 or delay=2s@head"

    /// Parses `ACTION[=VALUE]@PLACE` and words like `chance=30%`; `never`, `close@N` and `reset@N` are short forms.
    public init(text: some StringProtocol) throws(FaultTextProblem) {
        let words = Substring(text).split(separator: " ")
        guard let first = words.first else { throw FaultTextProblem(text, Self.textShape) }
        try self.init(word: first)
        for word in words.dropFirst() { try modify(word) }
        try check()
    }

    /// Parses faults separated by `;`.
    public static func list(text: some StringProtocol) throws(FaultTextProblem) -> [Fault] {
        var faults: [Fault] = []
        for part in text.split(separator: ";") { faults.append(try Fault(text: part)) }
        if faults.isEmpty { throw FaultTextProblem(text, textShape) }
        return faults
    }

    private init(word: Substring) throws(FaultTextProblem) {
        if word == "never" {
            self.init(.stall(.forever), at: .beforeHead)
            return
        }
        // The text of `garbage` and `rewrite` may have any character.
        guard let sign = word.lastIndex(of: "@") else { throw FaultTextProblem(word, Self.textShape) }
        let parts = word[..<sign].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let action = try FaultAction(name: parts[0], value: parts.count > 1 ? String(parts[1]) : nil)
        try self.init(action, place: word[word.index(after: sign)...])
    }

    /// Creates a fault at a place: a size, which is a byte of the content, or an event and perhaps a point of it.
    private init(_ action: FaultAction, place: Substring) throws(FaultTextProblem) {
        if let bytes = Quantity.size(place) {
            self.init(action, at: .body, byte: bytes)
            return
        }
        let places = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(action, at: try FaultEvent(text: places[0]))
        if places.count > 1 { point = try Point(text: places[1]) }
    }

    /// Applies one modifier, such as `chance=30%`.
    private mutating func modify(_ word: Substring) throws(FaultTextProblem) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let key = FaultKey(rawValue: String(parts[0])), key.isModifier else {
            let names = FaultKey.allCases.filter(\.isModifier).map { "\($0.rawValue)=…" }
            throw FaultTextProblem(word, "one of " + names.joined(separator: ", "))
        }
        guard set(key, String(parts[1])) else { throw FaultTextProblem(parts[1], key.expected) }
    }

    /// Sets the property of a key; false for an invalid value.
    mutating func set(_ key: FaultKey, _ value: String) -> Bool {
        switch key {
        case .chance: return assign(&chance, Self.share(value).flatMap { $0 > 0 ? $0 : nil })
        case .burst: return assign(&burst, Int(value).flatMap { (1...10_000).contains($0) ? $0 : nil })
        case .requests: return assign(&requests, Self.range(value))
        case .from: return assign(&window.from, Quantity.duration(value))
        case .for: return assign(&window.length, Quantity.duration(value).flatMap { $0 > .zero ? $0 : nil })
        case .every: return assign(&window.period, Quantity.duration(value).flatMap { $0 > .zero ? $0 : nil })
        case .path:
            path =
                value == "*" ? .any : value.hasSuffix("*") ? .prefix(String(value.dropLast())) : .exact(value)
            return value == "*" || value.hasPrefix("/")
        case .at, .byte, .fraction, .do: return false
        }
    }

    private func assign<Value>(_ place: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private func assign<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        place = value
        return value != nil
    }

    /// Throws if the action is impossible at the event, or the window is impossible.
    func check() throws(FaultTextProblem) {
        let place = event.rawValue
        guard event.actions.contains(action.kind) else {
            let names = event.actions.map(\.rawValue).joined(separator: ", ")
            throw FaultTextProblem("\(action.kind.rawValue)@\(place)", "one of \(names) at \(place)")
        }
        if let period = window.period, period < window.length ?? .seconds(Quantity.longestSeconds) {
            throw FaultTextProblem("every", "\"for\", which is at most as long as \"every\"")
        }
        // The length of a request's head is unknown before it is read; a hello states its length.
        if event == .accept || event == .requestHead, case .share = point {
            throw FaultTextProblem("a share of \(place)", "a number of bytes")
        }
    }

    /// Parses `30%` or `0.3`.
    package static func share(_ text: some StringProtocol) -> Double? {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let number = Double(String(digits))
        else { return nil }
        let share = isPercent ? number / 100 : number
        return (0...1).contains(share) ? share : nil
    }

    /// Parses `2` or `2..4`.
    private static func range(_ text: String) -> ClosedRange<Int>? {
        guard let span = RandomRange(text, { Int($0) }), span.low > 0 else { return nil }
        return span.low...span.high
    }
}

extension FaultEvent {
    init(text: some StringProtocol) throws(FaultTextProblem) {
        guard let event = FaultEvent(rawValue: String(text)) else {
            let names = FaultEvent.allCases.map(\.rawValue).joined(separator: ", ")
            throw FaultTextProblem(text, "one of \(names)")
        }
        self = event
    }
}

extension Fault.Point {
    static let expected = "bytes such as 100 or 0..600, or a share such as 50%"

    init(text: some StringProtocol) throws(FaultTextProblem) {
        if let bytes = RandomRange(text, { Quantity.size($0) }) {
            self = .byte(bytes)
        } else if text.contains("%"), let share = RandomRange(text, { Fault.share($0) }) {
            self = .share(share)
        } else {
            throw FaultTextProblem(text, Self.expected)
        }
    }
}
