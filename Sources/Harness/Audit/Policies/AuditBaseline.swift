public import LocatedYAML

/// Findings that are accepted, each with its reason.
///
/// A text file of lines `rule URL: reason`. Empty lines and lines that begin with `#` are skipped. A line whose finding
/// is gone, or whose URL is no longer audited, is an error, so that the file gets shorter as a site gets better.
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
        let problems = ProblemCollector()
        for (number, row) in text.numberedLines where !row.isEmpty && !row.hasPrefix("#") {
            add(row, at: Position(file: file, line: number), problems)
        }
        try problems.throwIfAny()
    }

    private mutating func add(_ row: Substring, at position: Position, _ problems: ProblemCollector) {
        guard let (name, line) = Self.line(row, position) else {
            let expected = "\"rule URL: reason\", where rule is one of the audit's"
            return problems.add(at: position, found: YAMLNode.quoted(String(row)), expected: expected)
        }
        if let former = lines.updateValue(line, forKey: name) {
            let expected = "each finding once; it is on line \(former.position.line)"
            problems.add(at: position, found: YAMLNode.quoted(name), expected: expected)
        }
    }

    /// Parses a line; a URL has no space, so that `: ` ends it.
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
            let url = NonexistentPage.steadyURL(of: report.urls[index])
            for place in report.urls[index].findings.indices {
                let name = report.urls[index].findings[place].rule + " " + url
                guard let line = lines[name] else { continue }
                report.urls[index].findings[place].ignored = line.reason
                used.insert(name)
            }
        }
        let audited = Set(report.urls.map(NonexistentPage.steadyURL))
        // What could not be audited may have what is accepted.
        let unknown = Set(report.urls.filter(\.isUnaudited).map(NonexistentPage.steadyURL))
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
        report.note(rule, .error, text, in: "baseline", at: line.position)
    }

    /// Returns the text of a baseline that accepts the findings which fail a report, sorted.
    ///
    /// A finding that is accepted already keeps its reason; another gets its message.
    package func text(accepting report: AuditReport) -> String {
        var rows: [String: String] = [:]
        for result in report.urls {
            let url = NonexistentPage.steadyURL(of: result)
            for finding in result.findings where report.level(finding) == .error || finding.ignored != nil {
                let name = finding.rule + " " + url
                guard finding.counts || lines[name] != nil else { continue }
                rows[name] = lines[name]?.reason ?? finding.message
            }
        }
        return "# Accepted findings: `rule URL: reason`. Replace each reason with your own.\n"
            + rows.map { "\($0.key): \($0.value)\n" }.sorted().joined()
    }
}
