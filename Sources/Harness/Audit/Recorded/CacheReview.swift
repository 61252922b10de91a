import CacheSemantics
import Explanation
package import HTTPArchive
package import HTTPTypes
import LocatedYAML

/// Judges what the caches have done that an archive shows, in the order of its entries.
///
/// The state of each cache is what the engine makes of the earlier entries. What a cache had stored before the archive
/// begins is known only from the heads that it served.
package struct CacheReview {
    /// The uses, in the order in which the entries began.
    package private(set) var uses: [RecordedUse] = []
    /// The findings about them.
    package private(set) var findings: [AuditFinding] = []
    private var browser = RecordedStore(AuditedCache.browser.engine)
    private var shared: RecordedStore

    /// Reviews an archive; `targets` are the targeted fields that its shared caches obey.
    package init(_ archive: HTTPArchive, targets: [HTTPField.Name]) {
        let usual = [HTTPField.Name.cdnCacheControl]
        shared = RecordedStore(AuditedCache.targeted(targets.isEmpty ? usual : targets).engine)
        var exchanges: [ArchivedExchange] = []
        for (index, entry) in archive.entries.enumerated() {
            // The audit of heads reports entries that cannot be read.
            if let exchange = try? ArchivedExchange(entry, number: index + 1) { exchanges.append(exchange) }
        }
        // Sorting is not stable, and entries may begin at the same time.
        exchanges.sort { ($0.started, $0.number) < ($1.started, $1.number) }
        for exchange in exchanges { add(exchange) }
    }

    private mutating func add(_ exchange: ArchivedExchange) {
        switch exchange.source {
        case .serviceWorker:
            let reason = "a service worker decides by its own program"
            note(exchange, .unknown, UseReason(reason, "RFC 9111 §4"))
        case .browser, .document: judgeReuse(exchange)
        case .network:
            judgeTransfer(exchange)
            receive(exchange)
        case .shared:
            judgeShared(exchange)
            receive(exchange)
        }
    }

    private mutating func receive(_ exchange: ArchivedExchange) {
        browser.receive(exchange)
        shared.receive(exchange)
    }

    // MARK: The browser's cache

    private mutating func judgeReuse(_ exchange: ArchivedExchange) {
        let engine = browser.engine
        let items = browser.items(for: exchange.bareRequest, at: exchange.started)
        let item = items.last { exchange.isLike($0.stored) }
        guard let stored = item?.stored ?? exchange.storedEarlier(by: engine) else {
            let reason = exchange.explanation(engine).statements.first { $0.topic == .storing }
            return reuse(exchange, "unstorable-reuse", UseReason(reason), nil)
        }
        let request = exchange.bareRequest(selecting: stored)
        let explanation = ExchangeExplanation(
            request,
            among: [stored],
            engine: engine,
            now: exchange.requestTime
        )
        let reason = UseReason(use: explanation)
        if [.served, .servedStale].contains(explanation.outcome) {
            return note(exchange, .permitted, reason, item?.entry)
        }
        let rule = UseReason.rule(explanation)
        if rule == "stale-reuse", engine.lifetimeTerms(of: stored).isGuess {
            return note(exchange, .permitted, .ownLifetime, item?.entry)
        }
        reuse(exchange, rule, reason, item?.entry)
    }

    /// Adds a violation, unless it is one that browsers may commit.
    private mutating func reuse(
        _ exchange: ArchivedExchange,
        _ rule: String,
        _ reason: UseReason,
        _ stored: Int?
    ) {
        if exchange.source == .document {
            let text =
                "by HTTP it might not be used (\(reason.text)), but a document may use what it holds again"
            return note(exchange, .unknown, UseReason(text, "HTML, list of available images"), stored)
        }
        if exchange.isNavigation, rule != "unstorable-reuse", case .browser = exchange.source {
            let text = "a new visit might not use it (\(reason.text)), but going back may show it again"
            return note(exchange, .unknown, UseReason(text, "RFC 9111 §6"), stored)
        }
        note(exchange, .forbidden, reason, stored)
        find(rule, exchange, "\(exchange.source.text), but \(reason.text)", reason.section)
    }

    // MARK: The network

    private mutating func judgeTransfer(_ exchange: ArchivedExchange) {
        guard [.get, .head].contains(exchange.request.method) else {
            let reason = UseReason("no cache answers \(exchange.request.method)", "RFC 9111 §4")
            return note(exchange, .needed, reason)
        }
        let items = browser.items(for: exchange.plainRequest, at: exchange.started)
        let planned = browser.engine.plan(
            exchange.plainRequest,
            policy: .useProtocolCachePolicy,
            stored: items.map(\.stored),
            now: exchange.requestTime
        )
        func entry(_ stored: StoredResponse) -> Int? {
            items.first { $0.stored.isIdentical(to: stored) }?.entry
        }
        switch planned.plan {
        case .serve(let reuse) where reuse.revalidation == nil:
            missed(exchange, entry(reuse.stored), reuse.lifetime - reuse.age)
        case .serve(let reuse):
            let reason = UseReason("it validates what is used meanwhile", "RFC 5861 §3")
            note(exchange, .needed, reason, entry(reuse.stored))
        case .validate(let validation):
            guard let stored = validation.candidates.first else { return }
            judgeValidation(exchange, of: stored, entry(stored), planned)
        default: note(exchange, .needed, UseReason(planned, isEmpty: items.isEmpty))
        }
    }

    private mutating func missed(_ exchange: ArchivedExchange, _ stored: Int?, _ left: Int64) {
        let isValidation = exchange.response.status == .notModified
        let bytes = isValidation ? 0 : exchange.transferred
        let what = isValidation ? "it was validated" : Self.transferred(bytes)
        let text = "\(what), although what is stored was fresh for \(ByteText.seconds(left)) more"
        let reason = UseReason(text, "RFC 9111 §4")
        note(exchange, .avoidable, reason, stored, bytes ?? 0)
        find("missed-reuse", exchange, text, reason.section)
    }

    private mutating func judgeValidation(
        _ exchange: ArchivedExchange,
        of stored: StoredResponse,
        _ entry: Int?,
        _ planned: PlannedRequest
    ) {
        let isSame = exchange.response.status == .ok && exchange.hasValidator(of: stored)
        guard isSame, !exchange.isConditional, planned.forwardReason != .request else {
            return note(exchange, .needed, UseReason(planned, isEmpty: false), entry)
        }
        let bytes = exchange.transferred
        let text = "\(Self.transferred(bytes)), although a conditional request would have got a 304"
        note(exchange, .avoidable, UseReason(text, "RFC 9111 §4.3.1"), entry, bytes ?? 0)
        find("missed-validation", exchange, text, "RFC 9111 §4.3.1")
    }

    private static func transferred(_ bytes: Int?) -> String {
        bytes.map { "\(ByteText.text($0)) were transferred" } ?? "content of unknown size was transferred"
    }

    // MARK: Shared caches

    private mutating func judgeShared(_ exchange: ArchivedExchange) {
        let items = shared.items(for: exchange.bareRequest, at: exchange.started)
        let item = items.last { exchange.isLike($0.stored) }
        switch SharedReuse(exchange, shared.engine, among: items.map(\.stored)).verdict {
        case .permitted(let reason): note(exchange, .permitted, reason, item?.entry)
        case .forbidden(let rule, let reason): reuse(exchange, rule, reason, item?.entry)
        }
    }

    // MARK: Results

    private mutating func note(
        _ exchange: ArchivedExchange,
        _ verdict: RecordedUse.Verdict,
        _ reason: UseReason,
        _ stored: Int? = nil,
        _ bytes: Int = 0
    ) {
        uses.append(
            RecordedUse(
                entry: exchange.number,
                url: exchange.url,
                position: exchange.position,
                source: exchange.source,
                verdict: verdict,
                reason: reason.text,
                section: reason.section,
                stored: stored,
                avoidableBytes: bytes
            )
        )
    }

    private mutating func find(
        _ rule: String,
        _ exchange: ArchivedExchange,
        _ text: String,
        _ section: String
    ) {
        findings.append(
            AuditFinding(
                rule: rule,
                severity: AuditRule.named(rule)?.severity ?? .warning,
                url: exchange.url,
                message: "entry \(exchange.number): \(text)",
                section: section,
                position: exchange.position
            )
        )
    }
}
