import HTTPTypes
import LocatedYAML
import ReportFormats

/// The results of an audit about one URL.
public struct AuditedURL: Sendable {
    /// The absolute URL.
    public package(set) var url: String
    /// Where it comes from if it was not asked for, as `redirect from URL`; empty otherwise.
    package var origin = ""
    /// The exchange; `nil` if it could not be audited.
    package var exchange: AuditedExchange?
    /// The reason why it could not be audited; `nil` if it was.
    package var failure: FetchFailure?
    /// Whether it was requested just now; otherwise neither probes nor clocks can be compared; default true.
    package var isLive = true
    /// The size of the content in bytes according to an archive; `nil` if it is not known.
    package var recordedSize: Int?
    /// The place of the policy's rule for it, or of what else names it; `nil` without a policy.
    package var position: Position?
    /// Whether a crawl or a sitemap has added it.
    package var isFound = false
    /// Whether the URL is a nonexistent page that was requested to see how errors are cached.
    package var isMadeUp = false
    /// The outcomes for each kind of cache.
    public package(set) var outcomes: [CacheOutcome] = []
    /// The findings: errors first.
    public package(set) var findings: [AuditFinding] = []
    /// Probes that were not applicable or got no answer, with the reason.
    public package(set) var skipped: [SkippedProbe] = []
    /// The probes that were made.
    package var probes: [String] = []
    /// The exchanges of the probes by their names.
    package var answers: [String: AuditedExchange] = [:]

    /// Creates a result without exchange.
    package init(url: String) { self.url = url }

    /// Whether an error was received instead of what is to be audited; archives and policies are also about errors.
    var isError: Bool {
        guard isLive, !isMadeUp, let status = exchange?.status, status >= 400 else { return false }
        return !findings.contains { $0.rule == "error-response" && !$0.counts }
    }

    /// The status code of the response, also of an error; `nil` if none was received.
    public var status: Int? { exchange?.status }

    /// The reason why it could not be audited, as a sentence without the full stop; `nil` if it was.
    ///
    /// A response with an error status is one, too.
    public var failureReason: String? {
        guard isUnaudited else { return nil }
        return failure?.description ?? findings.first { $0.rule == "error-response" }?.message
    }

    /// Whether it could not be audited, and is reported for that.
    public var isUnaudited: Bool {
        failure != nil
            || findings.contains { $0.rule == "error-response" && $0.counts && $0.severity == .error }
    }

    /// The size of the content in bytes; `nil` if it is not known.
    package var size: Int? {
        guard let exchange else { return nil }
        if let received = exchange.receivedBytes, received > 0, exchange.decodedIdentity != nil {
            return received
        }
        return exchange.fields[.contentLength].flatMap { Int($0) } ?? recordedSize
    }
}

/// A probe that was not made, or not answered.
public struct SkippedProbe: Sendable, Hashable {
    /// The name of the probe.
    public let probe: String
    /// The reason, as a sentence without the full stop.
    public let reason: String
}

/// The result of an audit.
public struct AuditReport: Sendable {
    /// The URLs in the order in which they were asked for, then those that redirects, links and sitemaps led to, then one of
    /// each origin that was made up, to see how an error is cached.
    ///
    /// The last are only requested if probes are made, and count like the others.
    public package(set) var urls: [AuditedURL] = []
    /// Findings about the policy itself.
    public package(set) var policyFindings: [AuditFinding] = []
    /// Entries of archives that were not audited, with the number for each reason.
    public package(set) var omitted: [(reason: String, count: Int)] = []
    /// The behaviour of caches, in archives.
    package var uses: [RecordedUse] = []
    /// The number of requests that were sent.
    public package(set) var requests = 0
    /// Whether warnings count as errors.
    public var isStrict = false
    /// Whether text and HTML reports include the bytes that a returning visitor saves and wastes.
    public var showsCost = false
    /// Whether it is one part of an audit, which may have no URL; default false.
    package var isShard = false

    /// Creates an empty report.
    package init() {}

    /// Adds a finding about a line of a policy or a baseline, which `section` names.
    mutating func note(
        _ rule: String,
        _ severity: AuditRule.Severity,
        _ text: String,
        in section: String,
        at position: Position
    ) {
        let message = "\(position): \(text)"
        policyFindings.append(
            AuditFinding(
                rule: rule,
                severity: severity,
                url: "",
                message: message,
                section: section,
                position: position
            )
        )
    }

    /// All findings that count.
    public var findings: [AuditFinding] {
        (urls.flatMap(\.findings) + policyFindings).filter(\.counts)
    }

    /// Returns the number of findings that count, by level: a warning is an error if the audit is strict.
    public func count(_ severity: AuditRule.Severity) -> Int {
        findings.filter { level($0) == severity }.count
    }

    /// The number of findings that the policy ignores.
    package var ignored: Int { urls.flatMap(\.findings).filter { !$0.counts }.count }

    /// The number of URLs that could not be audited.
    public var failures: Int { urls.filter(\.isUnaudited).count }

    /// Whether no URL could be audited: each failed, or answered with an error.
    package var isEmpty: Bool {
        urls.allSatisfy { $0.failure != nil || $0.isError } && !(urls.isEmpty && isShard)
    }

    /// Whether no finding is an error, and every URL could be audited.
    public var isSatisfied: Bool { exitStatus == 0 }

    /// 0 satisfied, 1 a finding that is an error, 69 something could not be audited.
    package var exitStatus: Int32 {
        if isEmpty { return 69 }
        if count(.error) > 0 { return 1 }
        return failures > 0 ? 69 : 0
    }

    /// One line with all totals.
    public var totals: String {
        var parts = [counted(urls.count - failures, "URL") + " audited"]
        if failures > 0 { parts.append("\(failures) could not be audited") }
        parts.append(counted(count(.error), "error"))
        parts.append(counted(count(.warning), "warning"))
        parts.append("\(count(.advice)) advice")
        if ignored > 0 { parts.append("\(ignored) ignored") }
        if requests > 0 { parts.append(counted(requests, "request")) }
        return parts.joined(separator: ", ")
    }

    /// One line with the totals of what caches have done; `nil` if that was not judged.
    package var totalsOfUses: String? {
        guard !uses.isEmpty else { return nil }
        let counts = RecordedUse.Verdict.allCases.map { verdict in
            "\(uses.filter { $0.verdict == verdict }.count) \(verdict.rawValue)"
        }
        let bytes = ByteText.text(uses.map(\.avoidableBytes).reduce(0, +))
        return "uses of caches and of the network: \(counts.joined(separator: ", ")), \(bytes) avoidable"
    }

    /// Adds findings to the results of their URLs, which are made if there are none.
    mutating func add(_ findings: [AuditFinding]) {
        // An archive may have thousands of both.
        var indices = Dictionary(urls.enumerated().map { ($1.url, $0) }) { first, _ in first }
        for finding in findings {
            let index = indices[finding.url] ?? urls.count
            if index == urls.count {
                indices[finding.url] = index
                urls.append(AuditedURL(url: finding.url))
                urls[index].isLive = false
            }
            urls[index].findings.append(finding)
        }
        for index in Set(findings.compactMap { indices[$0.url] }) {
            urls[index].findings.sort { $0.severity < $1.severity }
        }
    }
}
