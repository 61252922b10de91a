import HTTPServing
import LocatedYAML
import OriginScript

extension PageSetting {
    private static let offsetForm =
        "of whole seconds up to \(Quantity.longestSeconds / 86_400)d, or literal text"

    static let appliers: [String: Applier] = [
        "cache-control": of(.cacheControl, "The field Cache-Control", "a field value", example: "max-age=60"),
        "vary": of(.vary, "The field Vary", "a field value", example: "Accept"),
        "age": Applier("The field Age", expected: "a field value, such as 60", example: "60") {
            guard !$0.utf8.contains(where: { [0x00, 0x0A, 0x0D].contains($0) }) else { return false }
            $1.setField(FieldName.age, .text($0))
            return true
        },
        "expires": of(
            .expires,
            "The field Expires",
            "an offset such as 60s or -1h, \(offsetForm)",
            example: "60s"
        ),
        "date": of(
            .date,
            "The field Date",
            "now, none, an offset such as -60s, \(offsetForm)",
            example: "-60s"
        ) { $0.date != .text("") },
        "etag": of(.etag, "The field ETag", "an entity tag (\"v1\" or W/\"v1\"), md5 or none", example: "md5")
        { answer in
            guard case .literal(let text)? = answer.entityTag else { return answer.entityTag != .file }
            return EntityTagValue(text) != nil
        },
        "last-modified": of(
            .lastModified,
            "The field Last-Modified",
            "none, an offset such as -100d, \(offsetForm)",
            example: "-100d"
        ) { $0.lastModified != .text("") && $0.lastModified != .file },
        "status": of(.status, "The status code", "a status from 200 to 999", example: "404") {
            $0.status >= 200
        },
        "gzip": of(.gzip, "When the content is coded", "always, false, true", example: "always"),
        "framing": of(
            .framing,
            "How the end of the content is marked",
            "chunked, close, length",
            example: "chunked"
        ),
        "delay": of(
            .delay,
            "The delay before the head",
            "a duration such as 200ms or 2s, at most 1h",
            example: "200ms"
        ) { $0.delay <= .seconds(3600) },
        "rate": of(
            .rate,
            "The bandwidth of the content",
            "bytes per second, such as 50KiB",
            example: "50KiB"
        ),
        "chunk": Applier(
            "Sizes of the pieces in which the content is sent",
            expected: "sizes of pieces, such as 100 or 30047,3575,1482",
            example: "100,200"
        ) { value, answer in
            let sizes = value.split(separator: ",", omittingEmptySubsequences: false).map {
                Quantity.size($0)
            }
            answer.chunks = sizes.compactMap { $0 }.filter { $0 > 0 }
            return answer.chunks.count == sizes.count
        },
        "size": Applier(
            "The size of generated content",
            expected: "a size of at most 64MiB, such as 20KiB",
            example: "20KiB"
        ) { value, answer in
            guard let size = Quantity.size(value), size <= 64 << 20 else { return false }
            answer.body = .generated(size: size)
            return true
        },
        "body": of(.body, "The content", "text", example: "hello"),
        "format": Applier("The format of the image", expected: "jpeg or png, of /image", example: "png") {
            value,
            answer in
            answer.body = .file(value == "png" ? "image.png" : "image.jpg")
            answer.setField(FieldName.contentType, .text("image/\(value)"))
            return value == "png" || value == "jpeg"
        },
        "ranges": of(.ranges, "Whether ranges are supported", "false, refuse, single, true", example: "true"),
        "violations": of(
            .violations,
            "Protocol violations of the response",
            "names of violations, such as 304-with-body,gzip-without-vary",
            example: "304-with-body"
        ),
        "fail": faults(
            "fail",
            "close@N, reset@N (after N bytes; N may be head) or never; others as of fault",
            example: "close@4"
        ),
        "fault": faults("fault", Fault.textShape + "; several separated by ;", example: "reset@body:100"),
    ]

    /// Returns the setting that a key of answers is, with a further condition.
    private static func of(
        _ key: AnswerKey,
        _ summary: String,
        _ expected: String,
        example: String,
        when isAllowed: @escaping @Sendable (Answer) -> Bool = { _ in true }
    ) -> Applier {
        let row = key.row
        return Applier(summary, expected: expected, example: example) { value, answer in
            answer.read(value, as: key, row) && isAllowed(answer)
        }
    }

    /// Returns the setting that adds faults to those of an answer.
    private static func faults(_ name: String, _ expected: String, example: String) -> Applier {
        Applier(
            "Faults of the response",
            expected: expected,
            example: example,
            problem: { problem(ofFaults: $0, name) }
        ) { value, answer in
            guard let faults = try? Fault.list(text: value), faults.allSatisfy(isOfAnswer) else {
                return false
            }
            answer.faults += faults
            return true
        }
    }

    private static func isOfAnswer(_ fault: Fault) -> Bool {
        !fault.event.isBeforeAnswer && fault.path == .any
    }

    private static func problem(ofFaults text: String, _ name: String) -> Problem? {
        do throws(FaultTextProblem) {
            if try Fault.list(text: text).allSatisfy(isOfAnswer) { return nil }
            let events = FaultEvent.allCases.filter { !$0.isBeforeAnswer }.map(\.rawValue)
            let expected =
                "an event of an answer (\(events.joined(separator: ", "))) and no path; other faults apply to the whole server"
            return Problem(name: name, found: text, expected: expected)
        } catch {
            return Problem(
                name: name,
                found: String(error.found.dropFirst().dropLast()),
                expected: error.expected
            )
        }
    }
}

extension Answer {
    /// Reads the value of a key as text, in which several violations are separated by commas; returns false if it is invalid.
    fileprivate mutating func read(_ text: String, as key: AnswerKey, _ row: AnswerRow) -> Bool {
        let place = Position(file: "query", line: 1, column: 1)
        func node(_ text: String) -> YAMLNode {
            var scalar = YAMLScalar(text, isPlain: true)
            scalar.isPlain = !scalar.isNull
            return YAMLNode(.scalar(scalar), at: place)
        }
        let (former, problems) = (violations, ProblemCollector())
        var value = node(text)
        if key == .violations {
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            value.content = .sequence(names.map { node($0.trimmed) })
        }
        let pair = YAMLPair(key: key.rawValue, at: place, value: value)
        guard let map = MapReader<AnswerKey>(YAMLNode(.mapping([pair]), at: place), problems) else {
            return false
        }
        row.read(&self, map)
        violations.formUnion(former)
        return problems.problems.isEmpty
    }
}
