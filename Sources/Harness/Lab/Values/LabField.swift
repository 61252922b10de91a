package import HTTPTypes
import LocatedYAML
import OriginScript

/// A field line, as a person writes it in the lab.
package struct LabField: Sendable, Hashable, CustomStringConvertible {
    /// Name.
    package let name: HTTPField.Name
    /// Value; in a response, `now`, `now+1h` and `now-10d` become dates.
    package let value: String

    /// Parses `Name: value`.
    package init(_ line: some StringProtocol) throws(LabProblem) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
            throw LabProblem(found: "\"\(line)\"", expected: "a field line such as Cache-Control: max-age=60")
        }
        let value = String(parts[1]).trimmed
        guard HTTPField.isValidValue(value) else {
            throw LabProblem(found: "the value \"\(value)\"", expected: "a field value in one line")
        }
        (self.name, self.value) = (name, value)
    }

    /// `Name: value`.
    package var description: String { "\(name.rawName): \(value)" }

    /// The line in a response of the origin.
    var line: FieldLine {
        let (text, start) = (value, "now")
        guard text.hasPrefix(start) else { return FieldLine(name.rawName, .text(text)) }
        let offset = text.dropFirst(start.count)
        if offset.isEmpty { return FieldLine(name.rawName, .date(offset: .zero, form: .imf)) }
        guard let seconds = Quantity.offsetSeconds(offset) else {
            return FieldLine(name.rawName, .text(text))
        }
        return FieldLine(name.rawName, .date(offset: .seconds(seconds), form: .imf))
    }
}

extension String {
    /// The text without spaces and tabs at both ends.
    var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// The parts between ` | `, trimmed; no part is empty.
    var piped: [String] {
        split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}
