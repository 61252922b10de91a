public import LocatedYAML

/// The keys of an answer.
package enum AnswerKey: String, MapKey {
    case status, reason, fields, date, body, etag
    case lastModified = "last-modified"
    case conditional, gzip, framing, chunks, delay
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
        answer.readHead(map)
        answer.readContent(map)
        answer.readDelivery(map)
        return answer
    }

    private mutating func readHead(_ map: MapReader<AnswerKey>) {
        map.set(&status, .status, .integer(in: 100...999))
        map.set(&reason, .reason, .fieldText)
        map.set(&fields, .fields, FieldLine.listReader)
        map.set(&date, .date, DateLine.reader)
        map.set(&entityTag, .etag, EntityTagSource.reader)
        map.set(&lastModified, .lastModified, LastModified.reader)
        map.set(&evaluatesPreconditions, .conditional, Self.conditional)
        map.set(&interim, .interim, InterimAnswer.reader.list())
    }

    private mutating func readContent(_ map: MapReader<AnswerKey>) {
        map.set(&body, .body, BodySource.reader)
        map.set(&gzip, .gzip, GzipMode.reader)
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

    private static var conditional: Reader<Bool> {
        Reader.word(of: ["evaluate", "ignore"]).map { $0 == "evaluate" }
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

extension LastModified {
    /// An offset, or text as it is sent.
    static var reader: Reader<LastModified> {
        Reader.fieldText.map { text in
            Quantity.offsetSeconds(text).map { .offset(seconds: $0) } ?? .text(text)
        }
    }
}

extension EntityTagSource {
    /// `md5`, or an entity tag in its quotes.
    static var reader: Reader<EntityTagSource> {
        let expected = "md5, or an entity tag with its quotes, such as '\"v1\"' or W/\"v1\""
        return Reader.fieldText
            .when({ $0 == "md5" || isTag($0) }, expected: expected)
            .map { $0 == "md5" ? .md5 : .literal($0) }
    }

    private static func isTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
    }
}

extension GzipMode {
    /// `true`, `false` or `always`.
    static var reader: Reader<GzipMode> {
        Reader.word(of: ["true", "false", "always"]).map { word in
            switch word {
            case "true": .negotiated
            case "always": .always
            default: .never
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
