import HTTPServing
import LocatedYAML
import OriginScript

extension PageSetting {
    private static let offsetForm =
        "of whole seconds up to \(Quantity.longestSeconds / 86_400)d, or literal text"

    static let appliers: [String: Applier] = [
        "cache-control": field(FieldName.cacheControl, example: "max-age=60"),
        "vary": field(FieldName.vary, example: "Accept"),
        "age": Applier("The field Age", expected: "a field value, such as 60", example: "60") {
            set(&$1, FieldName.age, .text($0))
        },
        "expires": Applier(
            "The field Expires",
            expected: "an offset such as 60s or -1h, \(offsetForm)",
            example: "60s"
        ) { value, answer in
            let seconds = Quantity.offsetSeconds(value)
            let sent = seconds.map { FieldValue.date(offset: .seconds($0), form: .imf) } ?? .text(value)
            return set(&answer, FieldName.expires, sent) && !Quantity.isUnusableOffset(value)
        },
        "date": Applier(
            "The field Date",
            expected: "now, none, an offset such as -60s, \(offsetForm)",
            example: "-60s"
        ) {
            value,
            answer in
            answer.date =
                switch value {
                case "now": .now
                case "none": .none
                default: Quantity.offsetSeconds(value).map { .offset(.seconds($0)) } ?? .text(value)
                }
            return !value.isEmpty && !Quantity.isUnusableOffset(value)
        },
        "etag": Applier(
            "The field ETag",
            expected: "an entity tag (\"v1\" or W/\"v1\"), or md5",
            example: "md5"
        ) {
            value,
            answer in
            answer.entityTag = value == "md5" ? .md5 : .literal(value)
            return value == "md5" || EntityTagValue(value) != nil
        },
        "last-modified": Applier(
            "The field Last-Modified",
            expected: "an offset such as -100d, \(offsetForm)",
            example: "-100d"
        ) {
            value,
            answer in
            answer.lastModified = Quantity.offsetSeconds(value).map { .offset(.seconds($0)) } ?? .text(value)
            return !value.isEmpty && !Quantity.isUnusableOffset(value)
        },
        "status": Applier("The status code", expected: "a status from 200 to 999", example: "404") {
            value,
            answer in
            answer.status = SettingText.number(value, 200...999) ?? 0
            return answer.status > 0
        },
        "gzip": choice(
            "When the content is coded",
            ["true": .negotiated, "false": .never, "always": .always],
            \.gzip
        ),
        "framing": choice(
            "How the end of the content is marked",
            Dictionary(uniqueKeysWithValues: Framing.allCases.map { ($0.rawValue, $0) }),
            \.framing
        ),
        "delay": Applier(
            "The delay before the head",
            expected: "a duration such as 200ms or 2s, at most 1h",
            example: "200ms"
        ) { value, answer in
            guard let delay = Quantity.duration(value), delay <= .seconds(3600) else { return false }
            answer.delay = delay
            return true
        },
        "rate": Applier(
            "The bandwidth of the content",
            expected: "bytes per second, such as 50KiB",
            example: "50KiB"
        ) { value, answer in
            answer.rate = Quantity.size(value)
            return (answer.rate ?? 0) > 0
        },
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
        "body": Applier("The content", expected: "text", example: "hello") { value, answer in
            answer.body = .text(value)
            return true
        },
        "format": Applier("The format of the image", expected: "jpeg or png, of /image", example: "png") {
            value,
            answer in
            answer.body = .file(value == "png" ? "image.png" : "image.jpg")
            _ = set(&answer, FieldName.contentType, .text("image/\(value)"))
            return value == "png" || value == "jpeg"
        },
        "ranges": choice(
            "Whether ranges are supported",
            Dictionary(uniqueKeysWithValues: RangeSupport.allCases.map { ($0.rawValue, $0) }),
            \.ranges
        ),
        "violations": Applier(
            "Protocol violations of the response",
            expected: "names of violations, such as 304-with-body,gzip-without-vary",
            example: "304-with-body"
        ) {
            value,
            answer in
            let names = value.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            let violations = names.compactMap { Violation(rawValue: $0) }
            answer.violations.formUnion(violations)
            return violations.count == names.count
        },
        "fail": faults(
            "fail",
            "close@N, reset@N (after N bytes; N may be head) or never; others as of fault",
            example: "close@4"
        ),
        "fault": faults("fault", Fault.textShape + "; several separated by ;", example: "reset@body:100"),
    ]

    private static func field(_ name: String, example: String) -> Applier {
        Applier("The field \(name)", expected: "a field value", example: example) {
            set(&$1, name, .text($0))
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

    private static func choice<Value: Sendable>(
        _ summary: String,
        _ values: [String: Value],
        _ path: any WritableKeyPath<Answer, Value> & Sendable
    ) -> Applier {
        let words = values.keys.sorted()
        return Applier(summary, expected: words.joined(separator: ", "), example: words[0]) { text, answer in
            guard let value = values[text] else { return false }
            answer[keyPath: path] = value
            return true
        }
    }

    /// Replaces all lines of a field with one.
    private static func set(_ answer: inout Answer, _ name: String, _ value: FieldValue) -> Bool {
        answer.fields.removeAll { $0.name.isSameFieldName(as: name) }
        answer.fields.append(FieldLine(name, value))
        return true
    }
}
