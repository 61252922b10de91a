import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes

/// What `cachecheck fetch` writes about one load.
struct FetchReport {
    let number: Int
    let response: ClientResponse
    let took: Duration

    /// A few lines for people.
    func text(explain: Bool, withBody: Bool) -> String {
        var lines = [
            "\(number). \(response.url)", "   status        \(status)", "   source        \(source)",
        ]
        if let age = response.age { lines.append("   age           \(age) s") }
        if response.redirects > 0 { lines.append("   redirects     \(response.redirects)") }
        lines.append("   Cache-Status  \(response.cacheStatus)")
        lines.append("   content       \(response.body.count) bytes in \(milliseconds) ms")
        if let cause = response.cause { lines.append("   cause         \(cause)") }
        if explain {
            lines += response.response.headerFields.map { "   < \($0.name.rawName): \($0.value)" }
            lines += response.findings.map(Self.line)
        }
        if withBody { lines.append(String(decoding: response.body, as: UTF8.self)) }
        return lines.joined(separator: "\n")
    }

    /// One line for programs.
    func json(withBody: Bool) -> String {
        var members = [
            ("load", "\(number)"), ("url", Self.quoted(response.url)),
            ("status", "\(response.response.status.code)"),
            ("source", Self.quoted(response.source.rawValue)), ("stale", "\(response.isStale)"),
            ("age", response.age.map(String.init) ?? "null"), ("redirects", "\(response.redirects)"),
            ("cacheStatus", Self.quoted(response.cacheStatus.description)), ("milliseconds", milliseconds),
            ("bytes", "\(response.body.count)"),
            (
                "fields",
                Self.list(
                    response.response.headerFields.map { field in
                        "[" + Self.quoted(field.name.rawName) + "," + Self.quoted(field.value) + "]"
                    }
                )
            ),
            ("findings", Self.list(response.findings.map(Self.object))),
        ]
        if let cause = response.cause { members.append(("cause", Self.quoted(cause.description))) }
        if withBody { members.append(("body", Self.quoted(String(decoding: response.body, as: UTF8.self)))) }
        return Self.object(members)
    }

    /// One line for programs about a load that failed.
    static func json(number: Int, error: ClientError) -> String {
        object([
            ("load", "\(number)"), ("url", quoted(error.url)), ("error", "\(error.code)"),
            ("message", quoted(error.description)), ("findings", list(error.findings.map(object))),
        ])
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

    private static func object(_ finding: Finding) -> String {
        object([
            ("rule", quoted(finding.rule.rawValue)), ("section", quoted(finding.rule.section)),
            ("held", "\(finding.held)"), ("detail", quoted(finding.detail)),
        ])
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { quoted($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
    }

    private static func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20:
                let code = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
