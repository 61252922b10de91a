package import CacheSemantics
package import Explanation
import HTTPTypes

extension AuditedExchange {
    /// The outcome for a delivery network that obeys CDN-Cache-Control (RFC 9213), whether or not the audit reports on one; `nil`
    /// without that field.
    var network: CacheOutcome? {
        fields.contains(.cdnCacheControl) ? CacheOutcome(explained, in: .targeted([.cdnCacheControl])) : nil
    }
}

/// One kind of cache's handling of a response.
public struct CacheOutcome: Sendable {
    /// The kind of cache, which decides what may be stored and used.
    public let cache: AuditedCache
    /// The costs of its uses.
    package let costs: ReuseCosts
    /// Every statement about it, with its section.
    package let explanation: ExchangeExplanation

    /// Determines the outcome for an exchange.
    package init(_ exchange: ExplainedExchange, in cache: AuditedCache) {
        var exchange = exchange
        exchange.engine = cache.engine
        self.cache = cache
        costs = ReuseCosts(exchange)
        explanation = ExchangeExplanation(exchange)
    }

    /// The stored response; `nil` if it may not be stored.
    package var stored: StoredResponse? { costs.stored }
    /// The remaining freshness on arrival in seconds; 0 or less if it is stale, or not stored.
    package var remaining: Int64 { costs.remaining }
    /// The cost of an equal request at once.
    package var next: ReuseCost { costs.next }
    /// The cost of an equal request just after the response has become stale.
    package var whenStale: ReuseCost { costs.whenStale }
    /// The cost of a reload by the user while it is fresh.
    package var reload: ReuseCost { costs.reload }
    /// Whether this kind of cache may store the response (RFC 9111 §3).
    public var isStored: Bool { stored != nil }
    /// Whether it answers an equal request with it, also after a validation, now or once it is stale.
    var isReused: Bool { next != .transfer || whenStale != .transfer }
    /// The seconds for which it answers requests without the origin; 0 if it does not.
    package var useSeconds: Int64 { costs.useSeconds }

    /// The directives that apply to the stored response.
    package var directives: ResponseCacheControl? { stored.map { cache.engine.directives(of: $0) } }

    /// Returns the statements on a topic, in the order in which they were made.
    package func statements(_ topic: Statement.Topic) -> [Statement] {
        explanation.statements.filter { $0.topic == topic }
    }

    /// One line: whether it is stored, how long it is used, and what uses cost.
    public var summary: String { line(size: nil) }

    /// Returns one line: whether it is stored, how long it is used, and what uses cost, of which `size` is that of a
    /// transfer.
    package func line(size: Int?) -> String {
        guard isStored else {
            let reason = statements(.storing).first.map { "\(reasonText($0))  (\($0.section))" } ?? ""
            return "not stored" + (reason.isEmpty ? "" : ": " + reason)
        }
        let parts = [
            lifetimeText, "next use: " + next.text(size: size), "once stale: " + whenStale.text(size: size),
            "reload: " + reload.text(size: size),
        ]
        return "stored, " + (parts + staleText).joined(separator: "; ")
    }

    private func reasonText(_ statement: Statement) -> String {
        if case .unstorable(_, let reason?) = statement.claim { reason } else { statement.sentence }
    }

    private var lifetimeText: String {
        if directives?.noCache == .everything { return "validated at each use (no-cache)" }
        guard let terms = explanation.lifetime else { return "stale at once" }
        let source = terms.source == .heuristic ? "a guess from Last-Modified" : terms.source.rawValue
        switch terms.source {
        case .invalid: return "stale at once, its lifetime cannot be read"
        case .none: return "stale at once, without lifetime"
        default:
            guard terms.seconds > 0 else { return "stale at once (\(source))" }
            // A second may pass on the way.
            let isAged = remaining < max(1, terms.seconds - 1)
            let age = isAged ? ", \(ByteText.seconds(max(0, remaining))) of it left" : ""
            return "fresh for \(ByteText.seconds(terms.seconds)) (\(source))" + age
        }
    }

    private var staleText: [String] {
        let uses = statements(.staleUse).compactMap { statement -> String? in
            switch statement.claim {
            case .stale(.whileValidated, let limit, _): "while validated" + text(limit)
            case .stale(.insteadOfError, let limit, _): "instead of an error" + text(limit)
            case .stale(.unreachable, let limit, _): "while the origin is unreachable" + text(limit)
            case .neverStale(let directive): "never (\(directive))"
            default: nil
            }
        }
        return uses.isEmpty ? [] : ["stale use: " + uses.joined(separator: ", ")]
    }

    private func text(_ limit: Int64?) -> String { limit.map { " for " + ByteText.seconds($0) } ?? "" }
}
