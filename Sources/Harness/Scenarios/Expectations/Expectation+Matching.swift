import CacheSemantics
import Clocks
import LocatedYAML
import OriginScript

extension NumberExpectation {
    /// Whether a number meets the expectation; bounds are widened by `tolerance`.
    package func holds(for number: Double, tolerance: Double = 0) -> Bool {
        // Durations are sums of decimal fractions, which doubles represent to less than a nanosecond.
        let slack = max(tolerance, 1e-9)
        switch self {
        case .equal(let expected):
            return abs(number - expected) <= slack
        case .range(let low, let high):
            return low.map { number >= $0 - slack } ?? true && high.map { number <= $0 + slack } ?? true
        case .strictly(let low, let high):
            return low.map { number > $0 - tolerance } ?? true && high.map { number < $0 + tolerance } ?? true
        }
    }

    /// Whether a number is above the expectation.
    func isExceeded(by number: Double) -> Bool {
        switch self {
        case .equal(let expected): number > expected
        case .range(_, let high): high.map { number > $0 } ?? false
        case .strictly(_, let high): high.map { number >= $0 } ?? false
        }
    }

    /// `5`, `at least 3`, `above 1 and below 4`.
    package var text: String {
        switch self {
        case .equal(let number): Self.text(of: number)
        case .range(let low, let high): Self.joined(low, "at least", high, "at most")
        case .strictly(let low, let high): Self.joined(low, "above", high, "below")
        }
    }

    private static func joined(
        _ low: Double?,
        _ lowWord: String,
        _ high: Double?,
        _ highWord: String
    ) -> String {
        let parts = [low.map { "\(lowWord) \(text(of: $0))" }, high.map { "\(highWord) \(text(of: $0))" }]
        return parts.compactMap(\.self).joined(separator: " and ")
    }

    /// Returns a number without trailing zeros.
    package static func text(of number: Double) -> String {
        if number.rounded() == number, abs(number) < 1e15 { return String(Int64(number)) }
        let rounded = (number * 1e6).rounded() / 1e6
        return String(rounded)
    }
}

extension ValueExpectation {
    /// Whether a value, `nil` if there is none, meets the expectation; a value in seconds may differ by `tolerance`.
    func holds(for value: String?, in context: ExpectationContext, tolerance: Double = 0) -> Bool {
        switch self {
        case .absent: value == nil
        case .present: value != nil
        case .equal(let expected):
            value == expected.text(in: context.origin) || expected.isNear(value, in: context)
                || tolerance > 0 && Self.isNear(value, expected.text(in: context.origin), tolerance)
        case .not(let text): value != context.origin.expand(text)
        case .contains(let text): value?.contains(context.origin.expand(text)) == true
        case .number(let number):
            value.flatMap(Self.number).map { number.holds(for: $0, tolerance: tolerance) } ?? false
        }
    }

    /// Returns the expectation as text, with variables replaced.
    func text(in context: ExpectationContext) -> String {
        switch self {
        case .absent: "absent"
        case .present: "present"
        case .equal(let expected): YAMLNode.quoted(expected.text(in: context.origin))
        case .not(let text): "not \(YAMLNode.quoted(context.origin.expand(text)))"
        case .contains(let text): "a value that contains \(YAMLNode.quoted(context.origin.expand(text)))"
        case .number(let number): number.text
        }
    }

    private static func isNear(_ value: String?, _ expected: String, _ tolerance: Double) -> Bool {
        guard let seen = value.flatMap(number), let wanted = number(expected) else { return false }
        return abs(seen - wanted) <= tolerance
    }

    private static func number(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 }
        return isDecimal ? Double(text) : nil
    }
}

extension FieldValue {
    /// Whether a value is the expected time, within the tolerance of the context.
    fileprivate func isNear(_ value: String?, in context: ExpectationContext) -> Bool {
        if case .text = self { return false }
        let now = HTTPDate(secondsSinceEpoch: context.origin.now.wholeSeconds)
        guard let seen = value.flatMap({ HTTPDate(parsing: $0, now: now) }),
            let expected = HTTPDate(parsing: text(in: context.origin), now: now)
        else { return false }
        return Double(abs(seen.seconds(since: expected))) <= context.tolerance
    }
}

extension BodyExpectation {
    /// Whether content meets the expectation.
    package func holds(for body: [UInt8], in context: ExpectationContext) -> Bool {
        switch self {
        case .text(let text): body.elementsEqual(text.utf8)
        case .size(let size): body.count == size
        case .sameAs(let label): context.bodies[label] == body
        case .contains(let text): String(decoding: body, as: UTF8.self).contains(text)
        }
    }

    /// Returns the expectation as text.
    package func text(in context: ExpectationContext) -> String {
        switch self {
        case .text(let text): Self.text(of: Array(text.utf8))
        case .size(let size): "\(size) bytes"
        case .sameAs(let label):
            "the content that \"\(label)\" received, " + (context.bodies[label].map(Self.text) ?? "none")
        case .contains(let text): "content that contains \(YAMLNode.quoted(text))"
        }
    }

    /// Returns the beginning of content in quotes with its size, or only its size if it is not text.
    package static func text(of body: [UInt8]) -> String {
        let isText = String(validating: body, as: UTF8.self).map {
            !$0.unicodeScalars.contains { $0.value < 9 }
        }
        guard isText == true else { return "\(body.count) bytes of data" }
        let quoted = YAMLNode.quoted(String(decoding: body, as: UTF8.self))
        return body.count > 60 ? "\(quoted) (\(body.count) bytes)" : quoted
    }
}

/// The field lines of a message, by name.
struct FieldTable {
    private var values: [String: String] = [:]

    init(_ fields: [(name: String, value: String)]) {
        for (name, value) in fields {
            let key = name.lowercased()
            values[key] = values[key].map { $0 + ", " + value } ?? value
        }
    }

    /// The value of a field, its lines joined by `, `; `nil` if there is none.
    subscript(name: String) -> String? { values[name.lowercased()] }
}
