import CacheSemantics
import Explanation
import HTTPTypes
import Locks

/// One thing that happened in the lab during an action.
enum LabEvent: Sendable {
    /// A cache decided what to do with a request.
    case decision(LabDecision)
    /// A request was sent.
    case request(from: LabCacheName, HTTPRequest)
    /// The head of a response has arrived; the content follows.
    case response(to: LabCacheName, ReceivedMessage)
    /// No response arrived.
    case failure(to: LabCacheName, String)
    /// A cache decided what to do with a response.
    case settlement(LabSettlement)
}

/// A response, as far as a cache has received it.
final class ReceivedMessage: Sendable {
    private static let contentLimit = 2000
    /// Status and fields.
    let head: HTTPResponse
    private let received = Lock<(content: [UInt8], count: Int)>(([], 0))

    init(_ head: HTTPResponse) { self.head = head }

    /// The beginning of the content.
    var content: [UInt8] { received.withLock { $0.content } }

    /// The length of the content in bytes.
    var count: Int { received.withLock { $0.count } }

    func add(_ piece: [UInt8]) {
        received.withLock { received in
            received.count += piece.count
            received.content += piece.prefix(max(Self.contentLimit - received.content.count, 0))
        }
    }
}

/// A cache's decision before the network, with its time.
struct LabDecision: Sendable {
    let cache: LabCacheName
    let planned: PlannedRequest
    let engine: CacheEngine
    let now: HTTPDate

    /// The engine's own account of it.
    var explanation: ExchangeExplanation {
        ExchangeExplanation(
            planned.request,
            among: planned.stored,
            engine: engine,
            policy: planned.policy,
            now: now
        )
    }

    /// The cache's handling of the request by this plan.
    var outcome: ExchangeExplanation.Outcome {
        switch planned.plan {
        case .serve(let reuse): reuse.isStale ? .servedStale : .served
        case .validate: .validated
        case .complete: .completed
        case .forward: .forwarded
        case .gatewayTimeout: .gatewayTimeout
        case .unavailable: .unavailable
        }
    }

    /// Whether the response is also validated in the background.
    var validatesInBackground: Bool {
        if case .serve(let reuse) = planned.plan { reuse.revalidation != nil } else { false }
    }
}

/// A cache's decision about a response.
struct LabSettlement: Sendable {
    let cache: LabCacheName
    let settlement: Settlement
    /// Findings of the decision before the network, which the settlement repeats.
    let before: [Finding]

    /// The findings about the response alone.
    var findings: [Finding] {
        let all = settlement.findings
        return all.starts(with: before) ? Array(all.dropFirst(before.count)) : all
    }

    /// The response's change in the cache.
    var effect: Effect {
        for edit in settlement.edits {
            switch edit {
            case .put, .putSeparated, .putAlias: return .stored
            case .freshen: return .freshened
            case .invalidate, .invalidateGroups: return .invalidated
            case .clear, .remove: return .removed
            }
        }
        switch settlement.answer {
        case .stored: return .servedStale
        case .gatewayTimeout, .unanswered: return .failed
        default: return .notStored
        }
    }

    /// The effects of a response on a cache.
    enum Effect: String, Sendable, CaseIterable {
        case stored, freshened, invalidated, removed, failed
        case notStored = "not-stored"
        case servedStale = "served-stale"
    }

    /// The finding that decided.
    var reason: Finding? {
        let held = findings.filter(\.held)
        switch effect {
        case .stored: return Self.first(of: Self.storing, in: held) ?? held.last
        case .freshened: return Self.first(of: Self.freshening, in: held) ?? held.last
        case .invalidated: return Self.first(of: Self.invalidating, in: held) ?? held.last
        case .servedStale: return Self.first(of: Self.stale, in: held) ?? held.last
        case .removed, .notStored, .failed: return findings.last { !$0.held } ?? findings.last
        }
    }

    /// Whether the content for the caller is from this cache.
    var servesStored: Bool {
        switch settlement.answer {
        case .validated, .completed, .stored: true
        case .origin, .gatewayTimeout, .unanswered, .retry, .rejected: false
        }
    }

    private static func first(of rules: [Rule], in findings: [Finding]) -> Finding? {
        rules.lazy.compactMap { rule in findings.last { $0.rule == rule } }.first
    }

    private static let storing: [Rule] = [
        .partsCombined, .partialStored, .authorizationAllowed, .storeExplicitOrHeuristic,
    ]
    private static let freshening: [Rule] = [
        .freshenStrong, .freshenWeak, .freshenOnlyCandidate, .validationNotModified,
    ]
    private static let invalidating: [Rule] = [.unsafeInvalidates, .groupInvalidation]
    private static let stale: [Rule] = [
        .staleIfErrorResponse, .staleIfErrorRequest, .staleDisconnected, .staleOnlyAllowed,
    ]
}
