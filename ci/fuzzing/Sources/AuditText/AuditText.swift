import FuzzInput

@testable import Audit

/// The first line is a target or a URL, the rest robots.txt, a page, a style sheet, a sitemap, a policy or a baseline.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    let text = rest.text
    _ = RobotsFile(text, for: AuditSettings.robotName).allows(line)
    let pattern = PolicyPattern(rest.firstLineAndRest.line)
    if !pattern.text.contains("*"), !pattern.text.contains("[hash]") {
        precondition(pattern.matches(line) == (pattern.text == line), "\(pattern.text) and \(line)")
    }
    _ = Fingerprint.isIn(line)
    let hashed = PolicyPattern(Fingerprint.pattern(of: line))
    let hasPlaceholder = line.contains("*") || line.contains("[hash]")
    precondition(hasPlaceholder || hashed.matches(line), "\(hashed.text) is not the pattern of \(line)")
    if let lifetime = LifetimeExpectation(line) {
        precondition(
            LifetimeExpectation(lifetime.text) == lifetime,
            "\(lifetime.text) is read as another time"
        )
    }
    _ = PageLinks(html: Array(text.utf8), at: line).urls
    _ = StyleSheetLinks.references(in: text)
    _ = try? Sitemap(Array(text.utf8), isWhole: line.isEmpty)
    _ = RedirectTrail([line] + rest.lines, limit: 5)
    var report = AuditReport()
    report.urls = [AuditedURL(url: line)]
    if let policy = try? AuditPolicy.decode(text, file: "policy.yaml") {
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 1_700_000_000))
        _ = policy.targets
    }
    if let baseline = try? AuditBaseline(text: text, file: "baseline.txt") {
        baseline.judge(&report, isWhole: true)
    }
    for kind in AuditReportKind.allCases { _ = kind.text(of: report, source: "policy.yaml") }
    return 0
}
