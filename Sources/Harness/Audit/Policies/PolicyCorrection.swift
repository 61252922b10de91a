import CacheSemantics
import HTTPTypes
import LocatedYAML

/// The Cache-Control and Vary with which a response would be as a policy's rule expects.
struct PolicyCorrection {
    private let expectations: [PolicyExpectation]
    private let result: AuditedURL

    init(_ rule: PolicyRule, _ result: AuditedURL) {
        let fields = rule.expectations.map(\.value).filter(\.isAboutFields)
        // What suits browsers often suits shared caches, too.
        expectations = fields.filter(\.isAboutBrowsers) + fields.filter { !$0.isAboutBrowsers }
        self.result = result
    }

    /// The changed fields; empty if nothing is to be changed, or no correction is known that satisfies all expectations.
    var fields: [CorrectedField] {
        guard let exchange = result.exchange, !holds(result) else { return [] }
        // no-cache is for all caches alike; a lifetime of 0 leaves s-maxage to shared ones.
        let ways = ["no-cache", "max-age=0"]
        for validating in expectations.contains(where: \.isSharedReuse) ? ways.reversed() : ways {
            let corrected = fields(exchange, validating: validating)
            if holds(applied(corrected, to: exchange)) { return corrected }
        }
        return []
    }

    private func holds(_ result: AuditedURL) -> Bool {
        expectations.allSatisfy { $0.mismatch(in: result) == nil }
    }

    private func applied(_ corrected: [CorrectedField], to exchange: AuditedExchange) -> AuditedURL {
        var copy = result
        let changed = Correction.applied(corrected, to: exchange)
        copy.exchange = changed
        copy.outcomes = [AuditedCache.browser, .shared].map { CacheOutcome(changed.explained, in: $0) }
        copy.answers = result.answers.mapValues { Correction.applied(corrected, to: $0) }
        return copy
    }

    /// Corrects one expectation after another, as far as the earlier corrections do not satisfy it.
    private func fields(_ exchange: AuditedExchange, validating: String) -> [CorrectedField] {
        var corrected: [HTTPField.Name: CorrectedField] = [:]
        for expectation in expectations {
            let current = applied(Array(corrected.values), to: exchange)
            guard expectation.mismatch(in: current) != nil else { continue }
            if case .variesOn(let names) = expectation {
                corrected[.vary] = CorrectedField(name: .vary, value: names.isEmpty ? nil : Self.list(names))
            } else {
                let control = DirectiveList(current.exchange?.fields ?? [:])
                let value = control.changed(for: expectation, validating: validating).value
                corrected[.cacheControl] = CorrectedField(name: .cacheControl, value: value)
            }
        }
        return [HTTPField.Name.cacheControl, .vary].compactMap { corrected[$0] }
    }

    private static func list(_ names: [String]) -> String {
        let words = names.map { $0.split(separator: "-", omittingEmptySubsequences: false) }
        return words.map { $0.map(\.capitalised).joined(separator: "-") }.joined(separator: ", ")
    }
}

extension PolicyExpectation {
    fileprivate var isAboutBrowsers: Bool {
        if case .browser = self { true } else { false }
    }

    /// Whether shared caches have to use a response without asking the origin.
    fileprivate var isSharedReuse: Bool {
        switch self {
        case .shared(.atLeast), .shared(.stored): true
        default: false
        }
    }

    /// Whether Cache-Control or Vary decide it.
    var isAboutFields: Bool {
        switch self {
        case .browser, .shared, .immutable, .variesOn, .notSharedBetweenCallers: true
        case .validator, .conditional: false
        }
    }
}

extension DirectiveList {
    private static let sharing = ["public", "s-maxage", "proxy-revalidate"]
    private static let reuse = [
        "max-age", "s-maxage", "immutable", "stale-while-revalidate", "stale-if-error",
    ]

    fileprivate func changed(for expectation: PolicyExpectation, validating: String) -> DirectiveList {
        switch expectation {
        case .browser(let expected): changed(for: expected, lifetime: "max-age", validating: validating)
        case .shared(.notStored), .notSharedBetweenCallers: without(Self.sharing).with("private")
        case .shared(let expected):
            without(["private"]).changed(for: expected, lifetime: "s-maxage", validating: validating)
        case .immutable(true): with("immutable")
        case .immutable(false): without(["immutable"])
        case .validator, .conditional, .variesOn: self
        }
    }

    private func changed(for expected: LifetimeExpectation, lifetime: String, validating: String)
        -> DirectiveList
    {
        switch expected {
        case .notStored: without(members.map(Self.name)).with("no-store")
        case .stored:
            contains("max-age") || contains("s-maxage")
                ? without(["no-store"]) : without(["no-store"]).with("max-age=0")
        case .revalidates where validating == "no-cache": without(Self.reuse + ["no-store"]).with("no-cache")
        case .revalidates: replacing(lifetime, by: 0)
        case .atLeast(let seconds): without(["no-store", "no-cache"]).replacing(lifetime, by: seconds)
        case .atMost(let seconds): replacing(lifetime, by: seconds)
        }
    }

    /// Replaces a lifetime: one for all caches is max-age, unless it has to differ from that of browsers.
    private func replacing(_ lifetime: String, by seconds: Int64) -> DirectiveList {
        without([lifetime]).with("\(lifetime)=\(seconds)")
    }
}

extension Substring {
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
