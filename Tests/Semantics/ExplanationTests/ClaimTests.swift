import CacheClient
import CacheSemantics
import Explanation
import HTTPTypes
import Testing

@Suite("Explanations match the client's behaviour", .timeLimit(.minutes(20)))
struct ClaimTests {
    @Test("Every statement about a generated exchange holds for the client", arguments: 0..<10)
    func generated(part: UInt64) async throws {
        for number in 0..<500 {
            let seed = 91_110_000 &+ part &* 500 &+ UInt64(number)
            let exchange = GeneratedExchange(seed: seed)
            let problems = try await ClaimCheck(exchange).problems()
            #expect(problems.isEmpty, "seed \(seed): \(problems)\n\(exchange)")
        }
    }
}

extension ClaimTests {
    @Test("The generated exchanges have statements of every kind, each several times")
    func kinds() {
        var counts: [String: Int] = [:]
        for number in 0..<1_500 {
            let exchange = GeneratedExchange(seed: 91_110_000 &+ UInt64(number))
            let explanation = exchange.explanation(after: exchange.wait, next: exchange.next)
            for claim in explanation.statements.map(\.claim) { counts[claim.kind, default: 0] += 1 }
        }
        let rare = Self.kinds.filter { counts[$0, default: 0] < 5 }
        #expect(rare.isEmpty, "\(counts)")
    }

    private static let kinds =
        ["storable", "unstorable", "fresh", "stale", "neverAlone", "conditional", "unconditional"]
        + LifetimeTerms.Source.allCases.map { "lifetime \($0.rawValue)" }
        + ["no-cache", "must-revalidate", "proxy-revalidate", "s-maxage"].map { "never stale for \($0)" }
        + StaleUse.allCases.map { "\($0) true" }.filter { $0 != "forMaxStale true" }
        + ["forMaxStale false", "unreachable false"]
        + ["served", "served-stale", "validated", "forwarded", "gateway-timeout", "unavailable"]
}

extension Claim {
    /// The kind of the claim, in words; `true` after a stale use marks one with a limit.
    fileprivate var kind: String {
        switch self {
        case .storable: "storable"
        case .unstorable: "unstorable"
        case .lifetime(_, let source): "lifetime \(source.rawValue)"
        case .freshness(let left): left > 0 ? "fresh" : "stale"
        case .neverAlone: "neverAlone"
        case .next(let use): use.outcome.rawValue
        case .condition: "conditional"
        case .unconditional: "unconditional"
        case .neverStale(let directive): "never stale for \(directive)"
        case .stale(let use, let limit, _): "\(use) \(limit != nil)"
        case .remark: "remark"
        }
    }
}

/// Compares the statements about one exchange with a client's behaviour.
struct ClaimCheck {
    private let exchange: GeneratedExchange
    private let claims: [Claim]
    /// The remaining seconds of freshness when the response is received.
    private let left: Int64

    init(_ exchange: GeneratedExchange) {
        self.exchange = exchange
        let explanation = exchange.explanation(after: 0)
        claims = explanation.statements.map(\.claim)
        left = claims.compactMap { if case .freshness(let left) = $0 { left } else { nil } }.first ?? 0
    }

    /// Returns the statements that do not hold, each as a sentence.
    func problems() async throws -> [String] {
        let isStorable = claims.contains(.storable(by: exchange.engine.kind))
        let hasStored = try await ClientSession(exchange).hasStored
        guard isStorable == hasStored else { return ["storable \(isStorable), stored \(hasStored)"] }
        guard isStorable else { return [] }
        return try await ofNextRequest() + ofFreshness() + ofValidation() + ofStaleUse()
    }

    private func session(after seconds: Int64) async throws -> ClientSession {
        try await ClientSession(exchange, after: seconds)
    }

    private static let good = HTTPResponse(status: .ok)
    private static let error = HTTPResponse(status: .serviceUnavailable)

    // MARK: The next request

    private func ofNextRequest() async throws -> [String] {
        let explanation = exchange.explanation(after: exchange.wait, next: exchange.next)
        let use = explanation.statements.compactMap { statement -> NextUse? in
            if case .next(let use) = statement.claim { use } else { nil }
        }
        guard let use = use.first else { return ["nothing said of the next request"] }
        let result = try await session(after: exchange.wait)
            .ask(exchange.next, policy: exchange.policy, answer: exchange.reply)
        let holds =
            switch use.outcome {
            case .served, .servedStale: result.isFromStore && result.sent.first == use.sent
            case .validated, .completed, .forwarded: result.sent.first == use.sent
            case .gatewayTimeout:
                result.status == 504 && result.source == .generated && result.sent.isEmpty
            case .unavailable: result.status == nil && result.sent.isEmpty
            }
        guard holds else { return ["\(use) but \(result)"] }
        return Self.misstated(explanation, use, result)
    }

    /// Returns the conditions of a request about what is stored, if others are stated.
    private static func misstated(
        _ explanation: ExchangeExplanation,
        _ use: NextUse,
        _ result: ClientSession.Result
    ) -> [String] {
        let rules = explanation.findings.map(\.rule)
        let isAsked =
            [.validated, .completed, .servedStale].contains(use.outcome) || rules.contains(.conditionPartial)
            || rules.contains(.conditionNone)
        guard isAsked, let sent = result.sent.first?.headerFields else { return [] }
        let stated = explanation.statements.compactMap { statement -> HTTPField? in
            if case .condition(let field) = statement.claim { field } else { nil }
        }
        let names: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince, .ifRange]
        let actual: [HTTPField] = sent.filter { names.contains($0.name) }
        return stated == actual ? [] : ["would send \(stated) but sends \(actual)"]
    }

    // MARK: The first request again

    /// Checks that it is served without the origin until the last second of the lifetime, and no longer.
    private func ofFreshness() async throws -> [String] {
        guard left > 0 else { return [] }
        let isAlone = !claims.contains { if case .neverAlone = $0 { true } else { false } }
        let last = try await session(after: left - 1).ask(exchange.first, answer: Self.good)
        let isServed = last.isFromStore && last.sent.isEmpty
        return isServed == isAlone ? [] : ["fresh for \(left) s, alone \(isAlone), but at its end \(last)"]
    }

    /// Checks that a stale response is validated with the stated conditions.
    private func ofValidation() async throws -> [String] {
        var expected = exchange.first
        for claim in claims {
            if case .condition(let field) = claim { expected.headerFields.append(field) }
        }
        let result = try await session(after: max(0, left)).ask(exchange.first, answer: Self.good)
        return result.sent == [expected] ? [] : ["would send \(expected) but \(result)"]
    }

    private func ofStaleUse() async throws -> [String] {
        var problems: [String] = []
        for use in StaleUse.allCases {
            let limits = claims.compactMap { claim -> Int64? in
                if case .stale(use, let limit, _) = claim { limit ?? .max } else { nil }
            }
            problems += try await misuses(of: use, limit: limits.first ?? -1)
        }
        return problems
    }

    /// `limit` is negative if nothing is stated, and the largest number if there is no limit.
    private func misuses(of use: StaleUse, limit: Int64) async throws -> [String] {
        let first = max(0, -left)
        let moments =
            limit == .max
            ? [first, first + 1_000_000] : [first, first + 1, limit - 1, limit, limit + 1]
        var problems: [String] = []
        for staleness in Set(moments).sorted() where staleness >= first {
            let isUsed = try await isUsed(use, staleness)
            // Within its window stale-while-revalidate takes precedence over the others.
            let isExpected = staleness <= max(limit, backgroundLimit)
            if isUsed != isExpected {
                problems.append("\(use) up to \(limit) s, stale by \(staleness) s: used \(isUsed)")
            }
        }
        return problems
    }

    private var backgroundLimit: Int64 {
        let limits = claims.compactMap { claim -> Int64? in
            if case .stale(.whileValidated, let limit, _) = claim { limit ?? .max } else { nil }
        }
        return limits.first ?? -1
    }

    private func isUsed(_ use: StaleUse, _ staleness: Int64) async throws -> Bool {
        let session = try await session(after: left + staleness)
        switch use {
        case .whileValidated: return await session.ask(exchange.first, answer: Self.good).isFromStore
        case .insteadOfError: return await session.ask(exchange.first, answer: Self.error).isFromStore
        case .unreachable: return await session.ask(exchange.first, answer: nil).isFromStore
        case .forMaxStale:
            var accepting = exchange.first
            accepting.headerFields[.cacheControl] = "max-stale"
            return await session.ask(accepting, answer: Self.good).isFromStore
        }
    }
}
