public import LocatedYAML

/// Findings that are accepted, each with its reason.
///
/// A text file of lines `rule URL: reason`. Empty lines and lines that begin with `#` are skipped. A line whose finding is
/// gone, or whose URL is not audited any more, is an error, so that the file gets shorter as a site gets better.
public struct AuditBaseline: Sendable {
    private struct Line {
        let reason: String
        let position: Position
        let url: String
    }
    private var lines: [String: Line] = [:]

    /// Creates a baseline that accepts nothing.
    public init() {}

    /// Parses a file; throws a problem for every line that is not `rule URL: reason`, or is there twice.
    public init(text: String, file: String) throws(YAMLProblems) {
        var problems: [Problem] = []
        let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, row) in rows.enumerated() where !row.isEmpty && !row.hasPrefix("#") {
            let position = Position(file: file, line: index + 1, column: 1)
            guard let (name, line) = Self.line(row, position) else {
                let expected = "\"rule URL: reason\", where rule is one of the audit's"
                problems.append(
                    Problem(at: position, found: YAMLNode.quoted(String(row)), expected: expected)
                )
                continue
            }
            if let former = lines.updateValue(line, forKey: name) {
                let expected = "each finding once; it is on line \(former.position.line)"
                problems.append(Problem(at: position, found: YAMLNode.quoted(name), expected: expected))
            }
        }
        if !problems.isEmpty { throw YAMLProblems(problems) }
    }

    /// A URL has no space, so that `: ` ends it.
    private static func line(_ row: Substring, _ position: Position) -> (String, Line)? {
        guard let end = row.firstRange(of: ": ") else { return nil }
        let name = row[..<end.lowerBound]
        let reason = row[end.upperBound...].drop { $0 == " " }
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, AuditRule.named(String(words[0])) != nil, !words[1].isEmpty, !reason.isEmpty
        else { return nil }
        return (String(name), Line(reason: String(reason), position: position, url: String(words[1])))
    }

    /// Marks the accepted findings of a report, and adds findings about lines that accept nothing.
    ///
    /// `isWhole` is whether all URLs were audited: else nothing is known of lines about others.
    public func judge(_ report: inout AuditReport, isWhole: Bool = true) {
        var used: Set<String> = []
        for index in report.urls.indices {
            let url = MadeUpPage.steadyURL(of: report.urls[index])
            for place in report.urls[index].findings.indices {
                let name = report.urls[index].findings[place].rule + " " + url
                guard let line = lines[name] else { continue }
                report.urls[index].findings[place].ignored = line.reason
                used.insert(name)
            }
        }
        let audited = Set(report.urls.map(MadeUpPage.steadyURL))
        // What could not be audited may have what is accepted.
        let unknown = Set(report.urls.filter(\.isUnaudited).map(MadeUpPage.steadyURL))
        let unused = lines.filter { !used.contains($0.key) }.sorted {
            $0.value.position.line < $1.value.position.line
        }
        for (name, line) in unused where !unknown.contains(line.url) {
            if audited.contains(line.url) {
                note("baseline-unnecessary", "\(name) is not found any more; remove it", line, &report)
            } else if isWhole {
                note("baseline-unmatched", "\(line.url) was not audited", line, &report)
            }
        }
    }

    private func note(_ rule: String, _ text: String, _ line: Line, _ report: inout AuditReport) {
        report.policyFindings.append(
            AuditFinding(
                rule: rule,
                severity: .error,
                url: "",
                message: "\(line.position): \(text)",
                section: "baseline",
                position: line.position
            )
        )
    }

    /// Returns the text of a baseline that accepts the findings which fail a report, sorted.
    ///
    /// A finding that is accepted already keeps its reason; another gets its message.
    package func text(accepting report: AuditReport) -> String {
        var rows: [String: String] = [:]
        for result in report.urls {
            let url = MadeUpPage.steadyURL(of: result)
            for finding in result.findings where report.level(finding) == .error || finding.ignored != nil {
                let name = finding.rule + " " + url
                guard finding.counts || lines[name] != nil else { continue }
                rows[name] = lines[name]?.reason ?? finding.message
            }
        }
        return "# Accepted findings: `rule URL: reason`. Replace each reason by your own.\n"
            + rows.map { "\($0.key): \($0.value)\n" }.sorted().joined()
    }
}
