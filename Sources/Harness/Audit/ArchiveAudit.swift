import CacheSemantics
import Explanation
package import HTTPArchive
import HTTPTypes
public import LocatedYAML

/// Audits the entries of HTTP archives without any request.
public struct ArchiveAudit {
    private let settings: AuditSettings
    private var seen: Set<String> = []
    /// Why entries were left out, with their number and the place of the first.
    private var omitted: [String: (count: Int, first: Position)] = [:]
    private var results: [AuditedURL] = []
    private var uses: [RecordedUse] = []
    private var findingsOfUses: [AuditFinding] = []

    /// The methods whose responses are judged; default GET.
    package var methods: Set<String> = ["GET"]
    /// Whether a URL is to be judged; default all.
    public var includes: @Sendable (String) -> Bool = { _ in true }

    /// Creates an audit without results.
    public init(_ settings: AuditSettings = AuditSettings()) { self.settings = settings }

    /// Judges the entries of an archive's text; `file` is its name in problems, all of which are thrown.
    ///
    /// Equal heads of one URL are judged once. With `judgingCache`, the report has findings about what the caches of the recorded
    /// client did, too.
    public mutating func add(har text: String, file: String, judgingCache: Bool = false) throws(YAMLProblems)
    {
        let archive = try HTTPArchive(json: text, file: file)
        add(archive)
        if judgingCache { addUses(of: archive) }
    }

    /// Judges the entries of an archive; equal heads of one URL are judged once.
    package mutating func add(_ archive: HTTPArchive) {
        for entry in archive.entries {
            do throws(YAMLProblems) {
                try add(entry)
            } catch {
                omit(
                    entry,
                    error.problems.first.map { "they have \($0.found) where \($0.expected) is expected" }
                        ?? "they are unreadable"
                )
            }
        }
    }

    /// Judges what the caches have done that an archive shows.
    package mutating func addUses(of archive: HTTPArchive) {
        let review = CacheReview(archive, targets: settings.targets)
        uses += review.uses.filter { includes($0.url) }
        findingsOfUses += review.findings.filter { includes($0.url) }
    }

    /// The results of the entries that were audited so far.
    public var report: AuditReport {
        var report = AuditReport()
        report.urls = results
        report.uses = uses
        report.add(findingsOfUses)
        report.omitted = omitted.sorted { $0.key < $1.key }.map { reason, seen in
            ("archive entries, because \(reason) (first: \(seen.first))", seen.count)
        }
        return report
    }

    private mutating func add(_ entry: HTTPArchive.Entry) throws(YAMLProblems) {
        if let reason = Self.omission(of: entry) { return omit(entry, reason) }
        let explained = try ExplainedExchange(entry)
        guard includes(AuditedExchange.url(of: explained.request)) else { return }
        guard methods.contains(explained.request.method.rawValue) else {
            return omit(entry, "their method is not \(methods.sorted().joined(separator: " or "))")
        }
        guard ![206, 304].contains(explained.response.status.code) else {
            return omit(entry, "a 206 or 304 does not have the fields of the whole response")
        }
        let exchange = AuditedExchange(
            request: explained.request,
            response: explained.response,
            content: nil,
            requestTime: explained.requestTime,
            responseTime: explained.responseTime
        )
        guard seen.insert(Self.identity(of: exchange)).inserted else {
            return omit(entry, "an equal response was judged")
        }
        var result = AuditedURL(url: exchange.url)
        result.isLive = false
        result.recordedSize = ArchivedExchange.size(of: entry)
        result.exchange = exchange
        // The rules are about responses that caches use again: those to GET. Others have outcomes, for policies.
        let judged = ExchangeReview(settings.caches).judged(result)
        if exchange.request.method != .get { result.outcomes = judged.outcomes }
        results.append(exchange.request.method == .get ? judged : result)
    }

    private mutating func omit(_ entry: HTTPArchive.Entry, _ reason: String) {
        omitted[reason, default: (0, entry.node.position)].count += 1
    }

    private static func omission(of entry: HTTPArchive.Entry) -> String? {
        if entry.request?.url == nil { return "their URL is not an http or https URL" }
        if entry.response?.node.value(of: "status")?.scalarText == "0" { return "they got no response" }
        let source = entry.node.value(of: "_fromCache") ?? entry.node.value(of: "_servedFromCache")
        guard let text = source?.scalarText, text != "false" else { return nil }
        return "the browser's cache has served them"
    }

    /// Returns the URL, the status, and the fields but for those that differ in each response.
    private static func identity(of exchange: AuditedExchange) -> String {
        let fields = exchange.fields.filter { $0.name != .date && $0.name != .age }
        return "\(exchange.request.method) \(exchange.url) \(exchange.status)"
            + fields.map { "\n\($0.name.canonicalName):\($0.value)" }.joined()
    }
}
