import LocatedYAML

/// The expectation for one part of `multipart/form-data` content (RFC 7578).
package struct FormPartExpectation: Sendable, Hashable {
    /// The field's name.
    package var name: String
    /// The file's name; `nil` permits any name or none.
    package var fileName: String?
    /// The media type; `nil` permits any type or none.
    package var contentType: String?
    /// The content; `nil` permits any.
    package var body: BodyExpectation?

    /// Creates an expectation for a name.
    package init(name: String) { self.name = name }
}

extension FormPartExpectation {
    /// Compares the parts of recorded content with the expectations, in order.
    static func check(
        _ wanted: Located<[FormPartExpectation]>,
        _ seen: OriginObservation,
        _ name: String,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        let parts = FormParts(seen).parts
        let position = wanted.position
        guard parts.map(\.name) == wanted.value.map(\.name) else {
            mismatches.require(
                false,
                "\(name).parts",
                at: position,
                expected: Mismatches.list(wanted.value.map(\.name)),
                seen: Mismatches.list(parts.map(\.name))
            )
            return
        }
        for (one, part) in zip(wanted.value, parts) {
            one.check(part, "\(name).parts.\(one.name)", at: position, context, &mismatches)
        }
    }

    private func check(
        _ part: FormParts.Part,
        _ name: String,
        at position: Position,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        for (wanted, seen, key) in [
            (fileName, part.fileName, "file-name"), (contentType, part.contentType, "content-type"),
        ] {
            mismatches.check(wanted.map { Located($0, at: position) }, "\(name).\(key)", seen)
        }
        mismatches.check(body.map { Located($0, at: position) }, "\(name).body", part.bytes, in: context)
    }

    static func reader(_ reading: ScenarioReading) -> Reader<FormPartExpectation> {
        Reader { node, problems in
            guard let map = MapReader<FormPartKey>(node, problems), let name = map.required(.name, .text)
            else { return nil }
            var expectation = FormPartExpectation(name: name)
            map.set(&expectation.fileName, .fileName, .text)
            map.set(&expectation.contentType, .contentType, .text)
            map.set(&expectation.body, .body, reading.expectedBody)
            return expectation
        }
    }
}

/// The parts of recorded `multipart/form-data` content; empty for other content.
struct FormParts {
    struct Part {
        var name = ""
        var fileName: String?
        var contentType: String?
        var bytes: [UInt8] = []
    }
    private(set) var parts: [Part] = []

    init(_ request: OriginObservation) {
        guard let type = FieldTable(request.fields)["content-type"], type.hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", of: type)
        else { return }
        let pieces = Self.split(request.body, at: Array("--\(boundary)".utf8))
        // The form contains nothing before its first boundary or after its last.
        for piece in pieces.dropFirst().dropLast() { parts.append(Self.part(piece)) }
    }

    /// Parses a part: a head, a blank line, and content, with a line end before the first and after the last.
    private static func part(_ piece: ArraySlice<UInt8>) -> Part {
        var part = Part()
        let lines = split(Array(piece), at: [13, 10, 13, 10])
        let head = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        part.bytes = Array(piece.dropFirst((lines.first?.count ?? 0) + 4).dropLast(2))
        for line in head.split(whereSeparator: \.isNewline) {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else { continue }
            set(&part, pair[0].lowercased(), String(pair[1].drop { $0 == " " }))
        }
        return part
    }

    private static func set(_ part: inout Part, _ field: String, _ value: String) {
        switch field {
        case "content-disposition":
            part.name = parameter("name", of: value) ?? ""
            part.fileName = parameter("filename", of: value)
        case "content-type": part.contentType = value
        default: break
        }
    }

    private static func parameter(_ name: String, of value: String) -> String? {
        for parameter in value.split(separator: ";").dropFirst() {
            let pair = parameter.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == name else { continue }
            return pair[1].hasPrefix("\"") ? String(pair[1].dropFirst().dropLast()) : String(pair[1])
        }
        return nil
    }

    private static func split(_ bytes: [UInt8], at mark: [UInt8]) -> [ArraySlice<UInt8>] {
        var (pieces, start, place) = ([ArraySlice<UInt8>](), 0, 0)
        while place + mark.count <= bytes.count {
            if bytes[place] == mark[0], bytes[place...].starts(with: mark) {
                pieces.append(bytes[start..<place])
                place += mark.count
                start = place
            } else {
                place += 1
            }
        }
        return pieces + [bytes[start...]]
    }
}
