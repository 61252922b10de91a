import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import JSON
import TextCodings

/// The output of `cachecheck fetch` for one load.
struct FetchReport {
    let number: Int
    let response: ClientResponse
    let took: Duration

    /// Returns the text output.
    func text(explain: Bool, withBody: Bool) -> String {
        var lines = [
            "\(number). \(response.url)", "   status        \(status)", "   source        \(source)",
        ]
        if let age = response.ageSeconds { lines.append("   age           \(age) s") }
        if response.redirects > 0 { lines.append("   redirects     \(response.redirects)") }
        lines.append("   Cache-Status  \(response.cacheStatus)")
        lines.append("   content       \(response.body.count) bytes in \(milliseconds) ms")
        if let cause = response.cause { lines.append("   cause         \(cause)") }
        if explain {
            lines += response.response.headerFields.map {
                "   < \($0.name.rawName): \($0.value)".showingControls
            }
            lines += response.findings.map(Self.line)
        }
        if withBody { lines.append(String(decoding: response.body, as: UTF8.self)) }
        return lines.joined(separator: "\n")
    }

    /// Returns the JSON line.
    func json(withBody: Bool) -> String {
        var members: [(String, JSONValue)] = [
            ("load", .integer(number)), ("url", .string(response.url)),
            ("status", .integer(response.response.status.code)),
            ("source", .string(response.source.rawValue)), ("stale", .bool(response.isStale)),
            ("age", JSONValue(response.ageSeconds)), ("redirects", .integer(response.redirects)),
            ("cacheStatus", .string(response.cacheStatus.description)),
            ("milliseconds", .decimal(took.seconds * 1000, places: 3)),
            ("bytes", .integer(response.body.count)),
            (
                "fields",
                .array(response.response.headerFields.map { JSONValue([$0.name.rawName, $0.value]) })
            ),
            ("findings", Self.value(response.findings)),
        ]
        if let cause = response.cause { members.append(("cause", .string(cause.description))) }
        if withBody { members.append(("body", .string(String(decoding: response.body, as: UTF8.self)))) }
        return JSONValue.object(members).written()
    }

    /// Returns the JSON line for a failed load.
    static func json(number: Int, error: ClientError) -> String {
        JSONValue.object([
            ("load", .integer(number)), ("url", .string(error.url)), ("error", .integer(error.code.rawValue)),
            ("message", .string(error.description)), ("findings", value(error.findings)),
        ]).written()
    }

    private var status: String {
        let status = response.response.status
        return "\(status.code)" + (status.reasonPhrase.isEmpty ? "" : " " + status.reasonPhrase)
    }

    private var source: String { response.source.rawValue + (response.isStale ? ", stale" : "") }

    private var milliseconds: String {
        let microseconds = Int64(took.seconds * 1_000_000)
        let fraction = String(microseconds % 1000 + 1000).dropFirst()
        return "\(microseconds / 1000).\(fraction)"
    }

    private static func line(_ finding: Finding) -> String {
        "   \(finding.held ? "+" : "-") \(finding.rule.section)  \(finding.detail)  (\(finding.rule.rawValue))"
    }

    private static func value(_ findings: [Finding]) -> JSONValue {
        .array(
            findings.map { finding in
                [
                    "rule": .string(finding.rule.rawValue), "section": .string(finding.rule.section),
                    "held": .bool(finding.held), "detail": .string(finding.detail),
                ]
            }
        )
    }
}
