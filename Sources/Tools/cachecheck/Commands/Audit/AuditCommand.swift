import ArgumentParser
import Audit
import CacheClient
import CLibrary
import Conformance
import Clocks
import HTTPTypes
import JSON
import LocatedYAML
import TextCodings

/// `cachecheck audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check how a site's responses are cached: outcomes, problems, and corrected header fields.",
        discussion: """
            Requests each URL, follows its redirects, and makes up to \(AuditSettings.maximumProbes) further requests (probes): \
            conditional and range requests, content codings, HEAD, and fields that must not change a shared response. Archives (--har) are \
            judged without any request. docs/audit.md describes rules, policies and reports.

            --crawl and --sitemap add URLs of the same host, as many as --max-requests allows, or at most --max-urls.

            Two requests a second and two at once for each host, at most 200 requests and five minutes; robots.txt \
            decides what is requested. Only GET and HEAD are sent.

            Exit status: 0 no errors, 1 a finding that is an error, 64 usage, 65 a bad file, 69 a URL could not be audited, \
            70 a file could not be written.
            """
    )

    @Argument(help: ArgumentHelp("URLs to audit.", valueName: "URL"))
    var urls: [String] = []

    @Option(
        name: .customLong("urls"),
        help: ArgumentHelp("File with one URL per line; - is standard input.", valueName: "FILE")
    )
    var list: String?

    @Option(
        help: ArgumentHelp(
            "Audit this page, and the pages and resources on its host that it and they refer to; may be repeated.",
            valueName: "URL"
        )
    )
    var crawl: [String] = []

    @Option(
        help: ArgumentHelp(
            "Audit the URLs of a sitemap or an index of sitemaps that are on the same host; may be repeated.",
            valueName: "URL"
        )
    )
    var sitemap: [String] = []

    @Option(
        help: ArgumentHelp(
            "HTTP archive (HAR) to audit without requests; may be repeated.",
            valueName: "FILE"
        )
    )
    var har: [String] = []

    @Option(
        help: ArgumentHelp(
            "\(ReportRequest<AuditReportKind>.help); html=DIR/ writes a page for each URL. May be repeated."
        )
    )
    var report: [ReportRequest<AuditReportKind>] = []

    @Option(
        help: ArgumentHelp(
            "Policy file with expectations, or one of the built-in \(BuiltinPolicy.names).",
            valueName: "FILE"
        )
    )
    var policy: String?

    @Flag(
        name: .customLong("init"),
        help: "Print a first policy from what was observed, instead of a report."
    )
    var initial = false

    @Option(
        help: ArgumentHelp(
            "Explain the verdicts of a rule: its sentence, the messages, and what each cache does.",
            valueName: "RULE"
        )
    )
    var why: String?

    @Flag(
        help: ArgumentHelp(
            "Report how the caches in the archives of --har behaved: reuse that is not permitted, and transfers "
                + "that a cache could have saved."
        )
    )
    var judgeCache = false

    @Flag(help: "Print the JSON Schema of policy files and exit.")
    var policySchema = false

    @Flag(help: "Count warnings as errors.")
    var strict = false

    @Flag(
        help: "Report the requests and bytes that returning visitors save and waste, as a table and a chart."
    )
    var cost = false

    @Option(
        help: ArgumentHelp("File of accepted findings, one `rule URL: reason` per line.", valueName: "FILE")
    )
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Write the findings that are errors as a baseline, with the reasons that --baseline has; they do not fail "
                + "this audit.",
            valueName: "FILE"
        )
    )
    var writeBaseline: String?

    @Option(
        help: ArgumentHelp("Audit only shard I of N; a hash assigns each URL to a shard.", valueName: "I/N"),
        transform: shardOfRun
    )
    var shard: Shard?

    @OptionGroup(title: "Requests")
    var requests: AuditOptions

    @OptionGroup(title: "TLS")
    var trust: TrustOptions

    func validate() throws {
        if urls.isEmpty, crawl.isEmpty, sitemap.isEmpty, list == nil, har.isEmpty, policy == nil,
            !policySchema
        {
            throw ValidationError(
                "Nothing to audit: expected URLs, --urls FILE, --crawl URL, --sitemap URL, --har FILE or --policy FILE"
            )
        }
        if shard != nil, !crawl.isEmpty {
            throw ValidationError(
                "--shard: a crawl cannot be divided, because each shard would request all pages; expected URLs or --sitemap"
            )
        }
        if judgeCache, har.isEmpty {
            throw ValidationError("--judge-cache: found no archive, expected --har FILE")
        }
        try validateOutput()
        try refuse(
            [("--max-urls", requests.maxURLs != nil && crawl.isEmpty && sitemap.isEmpty)],
            without: "--crawl or --sitemap"
        )
        for request in report where request.kind != .html {
            guard let path = request.path, Self.isFolderPath(path) else { continue }
            throw ValidationError(
                "--report: found the folder \(path), expected a file; only html writes a folder"
            )
        }
        for url in urls + crawl + sitemap where !Self.isURL(url) {
            throw ValidationError("found \"\(url)\", expected an absolute http or https URL")
        }
    }

    /// Refuses options of reports where none is written, and two reports in one file.
    private func validateOutput() throws {
        let reporting = [
            ("--report", !report.isEmpty), ("--write-baseline", writeBaseline != nil), ("--cost", cost),
        ]
        if initial { try refuse(reporting + [("--why", why != nil)], with: "--init") }
        if let why { try refuse(reporting, with: "--why \(why)") }
        try refuseSharedFiles(report.withoutRepetitions.map(\.path) + [writeBaseline])
    }

    func run() async throws {
        if policySchema { return print(PolicySchema.document.written(.indented)) }
        let settings = requests.settings
        let policy = try loadPolicy()
        try checkWhy(policy)
        let accepted = try loadBaseline()
        try requireWritableOutput()
        var result = try audit(archives: har, settings, policy)
        let all = try sources(policy)
        if !all.isEmpty { result = try await audit(all, settings, policy, after: result) }
        (result.isStrict, result.showsCost, result.isShard) = (strict, cost, shard != nil)
        policy?.judge(&result, at: SystemClock().now)
        accepted.judge(&result, isWhole: shard == nil)
        if let text = explanation(of: result) {
            print(text.showingControls, terminator: "")
            return try checkFailures(result)
        }
        try write(result)
        complainOfEmpty(result)
        if let writeBaseline {
            try cachecheck.write(accepted.text(accepting: result), to: writeBaseline)
            if result.exitStatus == 1 { return }
        }
        if result.exitStatus != 0 { throw ExitCode(result.exitStatus) }
    }

    /// Ends the command with a message if a file of the result could not be written; the audit itself may take long.
    private func requireWritableOutput() throws {
        if let writeBaseline { try requireWritable(writeBaseline) }
        for path in report.compactMap(\.path) {
            if Self.isFolderPath(path) { try requireWritableFolder(path) } else { try requireWritable(path) }
        }
    }

    /// Returns the text that is printed instead of a report; `nil` for a report.
    private func explanation(of result: AuditReport) -> String? {
        if initial { return PolicyDraft(result).text }
        return why.map { RuleExplanation($0, result).text }
    }

    /// Prints what could not be audited, and throws if anything failed, so that a policy or verdicts based on it do not
    /// seem complete.
    private func checkFailures(_ result: AuditReport) throws {
        for url in result.urls where url.isUnaudited {
            printError("\(url.url) could not be audited: \(url.failureReason ?? "")")
        }
        complainOfEmpty(result)
        for omission in result.omitted { printError("\(omission.count) left out: \(omission.reason)") }
        if result.failures > 0 || result.isEmpty { throw ExitStatus.unavailable }
    }

    /// Prints the reason why nothing was audited, which the exit status alone does not show.
    private func complainOfEmpty(_ result: AuditReport) {
        guard result.isEmpty, !har.isEmpty else { return }
        printError("cachecheck audit: the archives have no entry that can be audited")
    }

    /// Throws a `ValidationError` for a misspelt rule, which would never be violated.
    private func checkWhy(_ policy: AuditPolicy?) throws {
        let names = AuditRule.all.map(\.id) + (policy?.rules.map(\.name) ?? [])
        guard let why, !names.contains(why) else { return }
        let near = NearestKey.suggestion(for: why, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ValidationError(
            "--why: found \"\(why)\", expected a rule of the audit or the name of a policy's rule\(near)"
        )
    }

    private func sources(_ policy: AuditPolicy?) throws -> AuditSources {
        var all = AuditSources(urls: urls + (try listed()), crawls: crawl, sitemaps: sitemap)
        if all.isEmpty, har.isEmpty { all.urls = try targets(of: policy) }
        if let shard {
            all.urls = all.urls.filter(shard.contains)
            all.includes = { shard.contains($0) }
        }
        return all
    }

    /// Returns the URLs to audit where only the policy, or an empty list, names any.
    private func targets(of policy: AuditPolicy?) throws -> [String] {
        guard let policy else { throw ValidationError("--urls: found no URL in \(list ?? "")") }
        try demand(!policy.targets.isEmpty, "The policy has neither \"site\" nor \"urls\".")
        return policy.targets
    }

    private func audit(
        _ sources: AuditSources,
        _ settings: AuditSettings,
        _ rules: AuditPolicy?,
        after archives: AuditReport
    ) async throws -> AuditReport {
        let policy = try trust.policy()
        let transport = try orStop(ExitStatus.unavailable, "cachecheck: ") {
            try CurlTransport(connectionsPerHost: settings.concurrentRequests, trust: policy)
        }
        let auditor = Auditor(settings, policy: rules, transport: transport, clock: SystemClock())
        let isSeen = isatty(STDERR_FILENO) != 0
        var report = await auditor.audit(sources) { if isSeen { printError("\($0)") } }
        report.urls = archives.urls + report.urls
        report.omitted = archives.omitted + report.omitted
        report.uses = archives.uses
        return report
    }

    private func audit(archives paths: [String], _ settings: AuditSettings, _ policy: AuditPolicy?) throws
        -> AuditReport
    {
        var audit = ArchiveAudit(settings)
        if let policy { audit.methods = policy.methods }
        if let shard { audit.includes = shard.contains }
        for path in paths {
            try orStop(ExitStatus.badFile) {
                try audit.add(har: try Self.text(of: path), file: path, judgingCache: judgeCache)
            }
        }
        return audit.report
    }

    private static func isFolderPath(_ path: String) -> Bool { path.hasSuffix("/") || isFolder(path) }

    static func isURL(_ text: String) -> Bool { (try? TargetURL(text)) != nil }

    private func write(_ result: AuditReport) throws {
        var requests = report
        if !requests.contains(where: { $0.path == nil }) {
            requests.insert(ReportRequest(kind: .text), at: 0)
        }
        let source = policy ?? list ?? har.first ?? "cachecheck-audit"
        for request in requests {
            if let folder = request.path, Self.isFolderPath(folder) {
                try write(request.kind.files(of: result), in: folder)
            } else {
                try cachecheck.write(request.kind.text(of: result, source: source), to: request.path)
            }
        }
    }

    private func write(_ files: [(name: String, text: String)], in folder: String) throws {
        try makeFolder(folder)
        for file in files { try cachecheck.write(file.text, to: "\(folder)/\(file.name)") }
    }
}
