package import LocatedYAML

/// The collected expectations that did not hold.
package struct Mismatches {
    /// The mismatches in the order in which they were found.
    package var list: [Mismatch] = []

    package init() {}

    /// Adds a mismatch unless `holds`.
    package mutating func require(
        _ holds: Bool,
        _ subject: String,
        at position: Position,
        expected: @autoclosure () -> String,
        seen: @autoclosure () -> String
    ) {
        guard !holds else { return }
        list.append(
            Mismatch(position: position.description, subject: subject, expected: expected(), seen: seen())
        )
    }

    /// Returns the words as a list.
    package static func list(_ words: [String]) -> String {
        words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}

/// Checks that several kinds of expectation share; each succeeds if nothing is expected.
extension Mismatches {
    /// Adds a mismatch unless what is expected `holds`; `text` describes it.
    package mutating func check<Value>(
        _ wanted: Located<Value>?,
        _ subject: String,
        text: (Value) -> String,
        seen: @autoclosure () -> String,
        holds: (Value) -> Bool
    ) {
        guard let wanted else { return }
        let value = wanted.value
        require(holds(value), subject, at: wanted.position, expected: text(value), seen: seen())
    }

    /// Compares a text with the expected one; reports `absence` if there is none.
    package mutating func check(
        _ wanted: Located<String>?,
        _ subject: String,
        _ seen: String?,
        absence: String = "none"
    ) {
        check(wanted, subject, text: \.self, seen: seen ?? absence) { $0 == seen }
    }

    /// Compares a Boolean.
    package mutating func check(_ wanted: Located<Bool>?, _ subject: String, _ seen: Bool) {
        check(wanted, subject, text: { "\($0)" }, seen: "\(seen)") { $0 == seen }
    }

    /// Compares a number with its expectation.
    package mutating func check(_ wanted: Located<NumberExpectation>?, _ subject: String, _ seen: Int) {
        check(wanted, subject, text: \.text, seen: "\(seen)") { $0.holds(for: Double(seen)) }
    }

    /// Compares a duration with its expectation.
    package mutating func check(
        took wanted: Located<NumberExpectation>?,
        _ seconds: Double,
        tolerance: Double = 0
    ) {
        let seen = NumberExpectation.text(of: seconds) + " s"
        check(wanted, "took", text: { $0.text + " s" }, seen: seen) {
            $0.holds(for: seconds, tolerance: tolerance)
        }
    }

    /// Compares a list of words with the expected one.
    package mutating func check(_ wanted: Located<[String]>?, _ subject: String, _ words: [String]) {
        check(wanted, subject, text: Self.list, seen: Self.list(words)) { $0 == words }
    }

    /// Looks for texts in lines, each in a later line than the one before.
    package mutating func check(lines wanted: Located<[String]>?, _ subject: String, _ lines: [String]) {
        guard let wanted else { return }
        var rest = lines[...]
        for text in wanted.value {
            let index = rest.firstIndex { $0.contains(text) }
            require(
                index != nil,
                subject,
                at: wanted.position,
                expected: "a line that contains \(YAMLNode.quoted(text))",
                seen: rest.isEmpty ? "no more lines" : Self.list(rest.map { YAMLNode.quoted($0) })
            )
            rest = index.map { rest[($0 + 1)...] } ?? rest
        }
    }

    /// Compares content.
    package mutating func check(
        _ wanted: Located<BodyExpectation>?,
        _ subject: String,
        _ bytes: [UInt8],
        in context: ExpectationContext
    ) {
        let count = list.count
        check(wanted, subject, text: { $0.text(in: context) }, seen: BodyExpectation.text(of: bytes)) {
            $0.holds(for: bytes, in: context)
        }
        if list.count > count { list[count].detail = .content }
    }

    /// Compares an error's code with the alternatives; 0 is no error.
    package mutating func check(errorCodes wanted: Located<[Int]>?, _ seen: (code: Int, text: String)?) {
        guard let wanted, !wanted.value.contains(seen?.code ?? 0) else { return }
        list.append(
            Mismatch(
                position: wanted.position.description,
                subject: "error",
                expected: wanted.value.map(ErrorCode.text).joined(separator: " or "),
                seen: Self.text(of: seen),
                detail: wanted.value != [0] && seen != nil ? .otherError : .other
            )
        )
    }

    /// Returns an error's code and sentence.
    package static func text(of error: (code: Int, text: String)?) -> String {
        error.map { "\(ErrorCode.text(of: $0.code)): \($0.text)" } ?? "no error"
    }
}
