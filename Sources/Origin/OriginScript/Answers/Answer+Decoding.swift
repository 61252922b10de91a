package import LocatedYAML

/// The keys of an interim answer.
package enum InterimKey: String, MapKey {
    case status, fields
    package static let mapName = "an interim answer"
}

extension Answer {
    /// A reader of an answer as a map.
    package static var reader: Reader<Answer> { Reader(decode) }

    /// Returns an answer, reporting problems to `problems`; `nil` only where the node is not a map.
    package static func decode(_ node: YAMLNode, _ problems: ProblemCollector) -> Answer? {
        guard let map = MapReader<AnswerKey>(node, problems) else { return nil }
        var answer = Answer()
        for row in AnswerKey.table { row.read(&answer, map) }
        return answer
    }

    /// Reads the sizes of pieces, which are visible to the receiver only as chunks.
    mutating func readChunks(_ map: MapReader<AnswerKey>) {
        map.set(&chunks, .chunks, Reader.size.when({ $0 > 0 }, expected: "a size above 0").list())
        if map[.chunks] != nil { framing = .chunked }
    }
}

extension DateLine {
    /// `now`, `none`, an offset, or text as it is sent.
    static var reader: Reader<DateLine> {
        Reader.fieldText.withoutUnusableOffsets.map { text in
            switch text {
            case "now": .now
            case "none": .none
            default: Quantity.offsetSeconds(text).map { .offset(.seconds($0)) } ?? .text(text)
            }
        }
    }
}

extension InterimAnswer {
    /// `{status: 103, fields: {…}}`.
    static var reader: Reader<InterimAnswer> {
        Reader { node, problems in
            guard let map = MapReader<InterimKey>(node, problems),
                let status = map.required(.status, .integer(in: 100...199))
            else { return nil }
            return InterimAnswer(
                status: status,
                fields: map.optional(.fields, FieldLine.answerListReader) ?? []
            )
        }
    }
}
