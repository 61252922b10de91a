import CacheSemantics
import Explanation
import HTTPTypes
import LocatedYAML

/// An outcome that a policy expects; header text is never compared, so that equivalent fields satisfy it.
package enum PolicyExpectation: Sendable, Hashable {
    /// The behaviour of a browser's cache.
    case browser(LifetimeExpectation)
    /// The behaviour of a shared cache.
    case shared(LifetimeExpectation)
    /// Whether a reload needs no request.
    case immutable(Bool)
    /// The strength of the validator.
    case validator(ValidatorStrength)
    /// The status of a conditional request with the current validator.
    case conditional(Int)
    /// The fields that select a response, in lower case and in order.
    case variesOn([String])
    /// No shared cache sends what one of the rule's callers got to another.
    case notSharedBetweenCallers
}

/// A condition on a validator.
package enum ValidatorStrength: String, Sendable, Hashable, CaseIterable {
    /// A strong entity tag.
    case strong
    /// An entity tag or a date.
    case any
    /// None.
    case none
}

/// The time for which a cache uses a response without asking the origin.
package enum LifetimeExpectation: Sendable, Hashable {
    /// It is not stored.
    case notStored
    /// It is stored.
    case stored
    /// It is not used without asking the origin; not being stored satisfies it, too.
    case revalidates
    /// At least this number of seconds.
    case atLeast(Int64)
    /// At most this number of seconds; not being stored satisfies it, too.
    case atMost(Int64)

    /// Parses `not-stored`, `stored`, `revalidates`, `>= 1y` or `<= 60s`; `nil` for anything else.
    package init?(_ text: String) {
        switch text {
        case "not-stored": self = .notStored
        case "stored": self = .stored
        case "revalidates": self = .revalidates
        default:
            let value = text.dropFirst(2).drop { $0 == " " }
            guard let seconds = Self.seconds(value) else { return nil }
            switch text.prefix(2) {
            case ">=": self = .atLeast(seconds)
            case "<=": self = .atMost(seconds)
            default: return nil
            }
        }
    }

    /// Returns the seconds of `60s`, `10m`, `1h`, `30d`, `2w` or `1y`; a year has 365 days, as in usual lifetimes.
    private static func seconds(_ text: Substring) -> Int64? {
        let days: [Character: Int64] = ["w": 7, "y": 365]
        if let unit = text.last, let count = days[unit] {
            guard let number = Int64(text.dropLast()), (0...1000).contains(number) else { return nil }
            return number * count * 86_400
        }
        return Quantity.offsetSeconds(text).flatMap { $0 < 0 ? nil : $0 }
    }

    /// As in a policy.
    package var text: String {
        switch self {
        case .notStored: "not-stored"
        case .stored: "stored"
        case .revalidates: "revalidates"
        case .atLeast(let seconds): ">= \(Self.text(seconds))"
        case .atMost(let seconds): "<= \(Self.text(seconds))"
        }
    }

    private static func text(_ seconds: Int64) -> String {
        for (unit, name) in [(Int64(31_536_000), "y"), (86_400, "d"), (3_600, "h"), (60, "m")]
        where seconds >= unit && seconds % unit == 0 {
            return "\(seconds / unit)\(name)"
        }
        return "\(seconds)s"
    }

    /// Whether an outcome is as expected.
    func holds(for outcome: CacheOutcome) -> Bool {
        switch self {
        case .notStored: !outcome.isStored
        case .stored: outcome.isStored
        case .revalidates: outcome.grantedSeconds == 0
        case .atLeast(let seconds): outcome.isStored && outcome.promisedSeconds >= seconds
        case .atMost(let seconds): outcome.grantedSeconds <= seconds
        }
    }
}

extension PolicyRule {
    /// Whether a conditional request decides one of its expectations.
    var isAboutConditions: Bool {
        expectations.contains { if case .conditional = $0.value { true } else { false } }
    }
}

extension CacheOutcome {
    /// The seconds for which it may be used without the origin from when it was generated.
    var grantedSeconds: Int64 {
        guard let stored, let terms = explanation.lifetime else { return 0 }
        let isUsable = directives?.noCache != .everything && !stored.vary.neverMatches
        return isUsable ? terms.seconds : 0
    }

    /// Those without a guess, which another cache may make otherwise.
    var promisedSeconds: Int64 { explanation.lifetime?.source == .heuristic ? 0 : grantedSeconds }
}

extension PolicyExpectation {
    /// Returns the observed behaviour as a sentence without the full stop; `nil` if it is as expected, or if that cannot
    /// be known.
    private static func mismatch(_ expected: Bool, reloadIsFree: Bool) -> String? {
        guard reloadIsFree != expected else { return nil }
        let found = reloadIsFree ? "needs no request" : "asks the origin"
        return "immutable: expected \(expected), found that a reload \(found)"
    }

    private static func mismatch(_ expected: [String], _ vary: Vary) -> String? {
        let found = vary.neverMatches ? ["*"] : vary.names.map(\.canonicalName).sorted()
        guard found != expected else { return nil }
        let lists = [expected, found].map { "[" + $0.joined(separator: ", ") + "]" }
        return "varies-on: expected \(lists[0]), found \(lists[1])"
    }

    func mismatch(in result: AuditedURL) -> String? {
        guard let exchange = result.exchange else { return nil }
        switch self {
        case .browser(let expected): return mismatch(expected, .browser, in: result)
        case .shared(let expected): return mismatch(expected, .shared, in: result)
        case .immutable(let expected):
            return Self.mismatch(expected, reloadIsFree: result.outcome(.browser)?.reload == .nothing)
        case .validator(let expected): return Self.mismatch(expected, exchange)
        case .conditional(let expected): return Self.mismatch(expected, result)
        case .variesOn(let expected):
            return Self.mismatch(expected, Vary(exchange.fields[values: .vary]))
        case .notSharedBetweenCallers: return CallerComparison(result).mismatch ?? Self.missingCaller(result)
        }
    }

    /// Returns the mismatch of a caller that could not be checked, because an unknown result must not count as satisfied.
    private static func missingCaller(_ result: AuditedURL) -> String? {
        guard let missing = result.skipped.first(where: { $0.probe.hasPrefix(AuditedURL.callerPrefix) })
        else {
            return nil
        }
        return "not-shared-between: expected callers, which could not be checked: \(missing.reason)"
    }

    private func mismatch(_ expected: LifetimeExpectation, _ cache: AuditedCache, in result: AuditedURL)
        -> String?
    {
        guard let outcome = result.outcome(cache), !expected.holds(for: outcome) else { return nil }
        let key = cache == .browser ? "private" : "shared"
        return "\(key): expected \(expected.text), found \(outcome.line(size: result.size))"
    }

    private static func mismatch(_ expected: ValidatorStrength, _ exchange: AuditedExchange) -> String? {
        let isStrong = exchange.entityTag.map { !$0.isWeak } ?? false
        let hasAny = exchange.entityTag != nil || exchange.lastModified != nil
        let holds =
            switch expected {
            case .strong: isStrong
            case .any: hasAny
            case .none: !hasAny
            }
        guard !holds else { return nil }
        let found =
            exchange.entityTag.map { "the tag \($0.text)" } ?? (hasAny ? "only Last-Modified" : "none")
        return "validator: expected \(expected.rawValue), found \(found)"
    }

    /// Returns the mismatch of a conditional request's status; `nil` for an archive, which has none to compare with.
    private static func mismatch(_ expected: Int, _ result: AuditedURL) -> String? {
        let names = Probe.validations.map(\.name)
        if let answer = names.compactMap({ result.answers[$0] }).first {
            return answer.status == expected
                ? nil : "conditional: expected \(expected), found \(answer.status)"
        }
        guard result.isLive, result.exchange?.status == 200 else { return nil }
        guard result.exchange?.entityTag != nil || result.exchange?.lastModified != nil else {
            return "conditional: expected \(expected), found no validator to ask with"
        }
        let reason = result.skipped.first { names.contains($0.probe) }?.reason ?? "it was not asked for"
        return "conditional: expected \(expected), which could not be checked: \(reason)"
    }
}

extension AuditedURL {
    /// Returns the outcome for a kind of cache.
    func outcome(_ cache: AuditedCache) -> CacheOutcome? { outcomes.first { $0.cache == cache } }

    /// Returns the name under which the answer to one of a policy's callers is kept.
    static func callerName(_ index: Int) -> String { "\(callerPrefix)\(index + 1)" }

    /// The prefix of these names.
    static let callerPrefix = "caller-"
}
