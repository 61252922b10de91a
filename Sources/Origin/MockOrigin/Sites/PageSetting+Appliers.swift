import HTTPServing
import LocatedYAML
import OriginScript

extension PageSetting {
    static let appliers: [String: Applier] = [
        "cache-control": field(FieldName.cacheControl),
        "vary": field(FieldName.vary),
        "age": Applier(expected: "a field value, such as 60") { set(&$1, FieldName.age, .text($0)) },
        "expires": Applier(expected: "an offset such as 60s or -1h, or text as it is sent") { value, answer in
            let seconds = Quantity.offsetSeconds(value)
            let sent = seconds.map { FieldValue.date(offsetSeconds: $0, form: .imf) } ?? .text(value)
            return set(&answer, FieldName.expires, sent)
        },
        "date": Applier(expected: "now, none, an offset such as -60s, or text as it is sent") {
            value,
            answer in
            answer.date =
                switch value {
                case "now": .now
                case "none": .none
                default: Quantity.offsetSeconds(value).map { .offset(seconds: $0) } ?? .text(value)
                }
            return !value.isEmpty
        },
        "etag": Applier(expected: "an entity tag as it is sent (\"v1\" or W/\"v1\"), or md5") {
            value,
            answer in
            answer.entityTag = value == "md5" ? .md5 : .literal(value)
            return value == "md5" || EntityTag(value) != nil
        },
        "last-modified": Applier(expected: "an offset such as -100d, or text as it is sent") {
            value,
            answer in
            answer.lastModified = Quantity.offsetSeconds(value).map { .offset(seconds: $0) } ?? .text(value)
            return !value.isEmpty
        },
        "status": Applier(expected: "a status from 200 to 999") { value, answer in
            answer.status = SettingText.number(value, 200...999) ?? 0
            return answer.status > 0
        },
        "gzip": choice(["true": .negotiated, "false": .never, "always": .always], \.gzip),
        "framing": choice(
            Dictionary(uniqueKeysWithValues: Framing.allCases.map { ($0.rawValue, $0) }),
            \.framing
        ),
        "delay": Applier(expected: "a duration such as 200ms or 2s, at most 1h") { value, answer in
            guard let delay = Quantity.duration(value), delay <= .seconds(3600) else { return false }
            answer.delay = delay
            return true
        },
        "rate": Applier(expected: "bytes per second, such as 50KiB") { value, answer in
            answer.rate = Quantity.size(value)
            return (answer.rate ?? 0) > 0
        },
        "chunk": Applier(expected: "sizes of pieces, such as 100 or 30047,3575,1482") { value, answer in
            let sizes = value.split(separator: ",", omittingEmptySubsequences: false).map {
                Quantity.size($0)
            }
            answer.chunks = sizes.compactMap { $0 }.filter { $0 > 0 }
            return answer.chunks.count == sizes.count
        },
        "size": Applier(expected: "a size of at most 64MiB, such as 20KiB") { value, answer in
            guard let size = Quantity.size(value), size <= 64 << 20 else { return false }
            answer.body = .generated(size: size)
            return true
        },
        "body": Applier(expected: "text") { value, answer in
            answer.body = .text(value)
            return true
        },
        "format": Applier(expected: "jpeg or png, of /image") { value, answer in
            answer.body = .file(value == "png" ? "image.png" : "image.jpg")
            _ = set(&answer, FieldName.contentType, .text("image/\(value)"))
            return value == "png" || value == "jpeg"
        },
        "ranges": choice(
            Dictionary(uniqueKeysWithValues: RangeSupport.allCases.map { ($0.rawValue, $0) }),
            \.ranges
        ),
        "violations": Applier(expected: "names of violations, such as 304-with-body,gzip-without-vary") {
            value,
            answer in
            let names = value.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            let violations = names.compactMap { Violation(rawValue: $0) }
            answer.violations.formUnion(violations)
            return violations.count == names.count
        },
        "fail": faults(
            "fail",
            "close@N, reset@N (after N bytes; N may be head) or never; others as of fault"
        ),
        "fault": faults("fault", Fault.textShape + "; several separated by ;"),
    ]

    private static func field(_ name: String) -> Applier {
        Applier(expected: "a field value") { set(&$1, name, .text($0)) }
    }

    /// Adds faults to those that are there.
    private static func faults(_ name: String, _ expected: String) -> Applier {
        Applier(expected: expected, problem: { problem(ofFaults: $0, name) }) { value, answer in
            do throws(FaultTextProblem) {
                let faults = try Fault.list(text: value)
                guard faults.allSatisfy(isOfAnswer) else { return false }
                answer.faults += faults
                return true
            } catch {
                return false
            }
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
                "an answer's events (\(events.joined(separator: ", "))) and no path: others are of the whole server"
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
        _ values: [String: Value],
        _ path: any WritableKeyPath<Answer, Value> & Sendable
    ) -> Applier {
        Applier(expected: values.keys.sorted().joined(separator: ", ")) { text, answer in
            guard let value = values[text] else { return false }
            answer[keyPath: path] = value
            return true
        }
    }

    /// Replaces the field's lines by one.
    private static func set(_ answer: inout Answer, _ name: String, _ value: FieldValue) -> Bool {
        answer.fields.removeAll { $0.name.isSameFieldName(as: name) }
        answer.fields.append(FieldLine(name, value))
        return true
    }
}
