import ArgumentParser
import Audit
import CacheClient
import Clocks
import HTTPArchive
import HTTPTypes
import JSON
import LocatedYAML

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `cachecheck audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check how a site's responses are cached: outcomes, problems, and corrected header fields.",
        discussion: """
            Requests each URL, follows its redirects, and makes up to 20 further requests (probes): conditional and range \
            requests, content codings, HEAD, and fields that must not change a shared response. Archives (--har) are \
            judged without any request. docs/audit.md describes rules, policies and reports.

            Two requests a second and two at once for each host, at most 200 requests and five minutes; robots.txt \
            decides what is requested. Only GET and HEAD are sent.

            Exit status: 0 no errors, 1 a finding that is an error, 64 usage, 65 a bad file, 69 a URL could not be audited.
            """
    )

    @Argument(help: ArgumentHelp("URLs to audit.", valueName: "URL"))
    var urls: [String] = []

    @Option(
        name: .customLong("urls"),
        help: ArgumentHelp("File with one URL a line; - is standard input.", valueName: "FILE")
    )
    var list: String?

    @Option(
        help: ArgumentHelp(
            "HTTP archive (HAR) to audit without requests; may be repeated.",
            valueName: "FILE"
        )
    )
    var har: [String] = []

    @Option(
        help: "text, json, junit, sarif, github or markdown, with =FILE to write a file. May be repeated."
    )
    var report: [ReportRequest<AuditReportKind>] = []

    @Option(
        help: ArgumentHelp(
            "Policy file with expectations, or one of the ready-made \(ReadyPolicy.names).",
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
            "Judge what the caches did that the archives of --har show: reuse that is not permitted, and transfers "
                + "that a cache could have saved."
        )
    )
    var judgeCache = false

    @Flag(help: "Print the JSON Schema of policy files and exit.")
    var policySchema = false

    @Flag(help: "Count warnings as errors.")
    var strict = false

    @OptionGroup(title: "Requests")
    var requests: AuditOptions

    @OptionGroup(title: "TLS")
    var trust: TrustOptions

    func validate() throws {
        if urls.isEmpty, list == nil, har.isEmpty, policy == nil, !policySchema {
            throw ValidationError(
                "Nothing to audit: expected URLs, --urls FILE, --har FILE or --policy FILE."
            )
        }
        if judgeCache, har.isEmpty {
            throw ValidationError("--judge-cache: found no archive, expected --har FILE")
        }
        for url in urls where !Self.isURL(url) {
            throw ValidationError("found \"\(url)\", expected an absolute http or https URL")
        }
    }

    func run() async throws {
        if policySchema { return print(PolicySchema.document.written(.indented)) }
        let settings = requests.settings
        let policy = try loadPolicy()
        var result = try audit(archives: har, settings)
        var all = urls + (try listed())
        if all.isEmpty, har.isEmpty { all = policy?.targets ?? [] }
        if all.isEmpty, har.isEmpty { throw ValidationError("The policy has neither \"site\" nor \"urls\".") }
        if !all.isEmpty { result = try await audit(all, settings, policy, after: result) }
        result.isStrict = strict
        policy?.judge(&result, now: Int64(SystemClock().wallSeconds))
        if initial { return print(PolicyDraft(result).text, terminator: "") }
        if let why { return print(RuleExplanation(why, result).text, terminator: "") }
        try write(result)
        if result.exitStatus != 0 { throw ExitCode(result.exitStatus) }
    }

    /// A ready-made policy by its name, unless there is a file of that name.
    private func loadPolicy() throws -> AuditPolicy? {
        guard let policy else { return nil }
        do throws(YAMLProblems) {
            if let text = readText(policy) ?? ReadyPolicy(rawValue: policy)?.text {
                return try AuditPolicy.decode(text, file: policy)
            }
            return try AuditPolicy.decode(try Self.text(of: policy), file: policy)
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
    }

    private func audit(
        _ urls: [String],
        _ settings: AuditSettings,
        _ rules: AuditPolicy?,
        after archives: AuditReport
    ) async throws -> AuditReport {
        let transport: CurlTransport
        let policy = try trust.policy()
        do throws(TransportError) {
            transport = try CurlTransport(connectionsPerHost: settings.concurrent, trust: policy)
        } catch {
            throw stop("cachecheck: \(error)", ExitStatus.unavailable)
        }
        let auditor = Auditor(settings, policy: rules, transport: transport, clock: SystemClock())
        let isSeen = isatty(STDERR_FILENO) != 0
        var report = await auditor.audit(urls) { done, all, url in
            if isSeen { printError("[\(done)/\(all)] \(url)") }
        }
        report.urls = archives.urls + report.urls
        report.omitted = archives.omitted
        report.uses = archives.uses
        return report
    }

    private func audit(archives paths: [String], _ settings: AuditSettings) throws -> AuditReport {
        var audit = ArchiveAudit(settings)
        for path in paths {
            do throws(YAMLProblems) {
                let archive = try HTTPArchive(json: try Self.text(of: path), file: path)
                audit.add(archive)
                if judgeCache { audit.addUses(of: archive) }
            } catch {
                throw stop(error, ExitStatus.badFile)
            }
        }
        return audit.report
    }

    private func listed() throws -> [String] {
        guard let list else { return [] }
        do throws(YAMLProblems) {
            return try Self.lines(of: try Self.text(of: list), list)
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
    }

    /// One URL a line; empty lines and those that begin with # are left out.
    private static func lines(of text: String, _ file: String) throws(YAMLProblems) -> [String] {
        var problems: [Problem] = []
        var urls: [String] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let url = line.filter { !$0.isWhitespace }
            guard !url.isEmpty, !url.hasPrefix("#") else { continue }
            guard isURL(url) else {
                let place = Position(file: file, line: number + 1, column: 1)
                problems.append(
                    Problem(at: place, found: YAMLNode.quoted(url), expected: "an http or https URL")
                )
                continue
            }
            urls.append(url)
        }
        if !problems.isEmpty { throw YAMLProblems(problems) }
        return urls
    }

    private static func text(of path: String) throws(YAMLProblems) -> String {
        if let text = readText(path == "-" ? "/dev/stdin" : path) { return text }
        let start = Position(file: path, line: 1, column: 1)
        throw YAMLProblems([
            Problem(at: start, found: "a file that cannot be read", expected: "a readable file")
        ])
    }

    private static func isURL(_ text: String) -> Bool { (try? TargetURL(text)) != nil }

    private func write(_ result: AuditReport) throws {
        var requests = report
        if !requests.contains(where: { $0.path == nil }) {
            requests.insert(ReportRequest(kind: .text), at: 0)
        }
        let source = policy ?? list ?? har.first ?? "cachecheck-audit"
        for request in requests {
            try cachecheck.write(request.kind.text(of: result, source: source), to: request.path)
        }
    }
}
