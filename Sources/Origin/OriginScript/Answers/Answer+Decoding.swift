public import LocatedYAML

/// The keys of an answer.
package enum AnswerKey: String, MapKey {
    case status, reason, fields
    case cacheControl = "cache-control"
    case contentType = "content-type"
    case expires, vary, cookies, redirect, date, body, etag
    case lastModified = "last-modified"
    case conditional, gzip, ranges, changes, violations, framing, chunks, delay
    case chunkDelay = "chunk-delay"
    case rate, stall, fail, faults, interim
    package static let mapName = "an answer"
}

/// The keys of an interim answer.
package enum InterimKey: String, MapKey {
    case status, fields
    package static let mapName = "an interim answer"
}

extension Answer {
    /// An answer as a map.
    public static var reader: Reader<Answer> { Reader(decode) }

    /// Reads an answer and reports problems to `problems`.
    ///
    /// `nil` only where the node is not a map.
    public static func decode(_ node: YAMLNode, _ problems: ProblemCollector) -> Answer? {
        guard let map = MapReader<AnswerKey>(node, problems) else { return nil }
        var answer = Answer()
        answer.readContent(map)
        answer.readHead(map)
        answer.readDelivery(map)
        return answer
    }

    private mutating func readHead(_ map: MapReader<AnswerKey>) {
        map.set(&status, .status, .integer(in: 100...999))
        map.set(&reason, .reason, .fieldText)
        map.set(&fields, .fields, FieldLine.answerListReader)
        readShorthands(map)
        map.set(&date, .date, DateLine.reader)
        readValidators(map)
        map.set(&interim, .interim, InterimAnswer.reader.list())
    }

    private mutating func readContent(_ map: MapReader<AnswerKey>) {
        map.set(&body, .body, BodySource.reader)
        readGzip(map)
        map.set(&ranges, .ranges, Reader<RangeSupport>.choice)
        map.set(&changes, .changes, Changes.reader)
        map.set(&violations, .violations, Reader<Violation>.choice.oneOrMore().map { Set($0) })
        checkChanges(map)
        map.set(&chunks, .chunks, Reader.size.when({ $0 > 0 }, expected: "a size above 0").list())
        // Pieces are visible to the receiver only as chunks.
        if map[.chunks] != nil { framing = .chunked }
        map.set(&framing, .framing, Reader<Framing>.choice)
    }

    private mutating func readDelivery(_ map: MapReader<AnswerKey>) {
        map.set(&delay, .delay, .duration)
        map.set(&chunkDelay, .chunkDelay, .duration)
        map.set(&rate, .rate, Reader.size.when({ $0 > 0 }, expected: "at least one byte per second"))
        map.set(&stall, .stall, Reader<StallPoint>.choice)
        faults += map.optional(.fail, Fault.failReader).map { [$0] } ?? []
        faults += map.optional(.faults, Fault.answerReader.oneOrMore()) ?? []
    }
}

extension DateLine {
    /// `now`, `none`, an offset, or text as it is sent.
    static var reader: Reader<DateLine> {
        Reader.fieldText.map { text in
            switch text {
            case "now": .now
            case "none": .none
            default: Quantity.offsetSeconds(text).map { .offset(seconds: $0) } ?? .text(text)
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
            return InterimAnswer(status: status, fields: map.optional(.fields, FieldLine.listReader) ?? [])
        }
    }
}
