import CacheClient
import HTTPTypes

/// One request of an audit besides the first, and what its response means.
struct Probe: Sendable {
    /// The name, by which later probes refer to its answer.
    let name: String
    /// The rules that it checks.
    let rules: [String]
    /// The newest version of HTTP in which its request is sent.
    var version = HTTPVersion.http2
    /// Returns the reason why the probe does not apply; `nil` if it does.
    let skip: @Sendable (ProbeContext) -> String?
    /// Returns the request to send.
    let request: @Sendable (ProbeContext) -> HTTPRequest
    /// Returns the violations of the response; may add a reason for having learnt nothing.
    let judge: @Sendable (ProbeContext, AuditedExchange) -> ProbeVerdict

    /// All probes in the order in which they are made: later ones refer to earlier answers.
    static let all =
        repeats + codings + languages + conditions + heads + versions + ranges + unkeyed + queries
}

/// The interpretation of the response to a probe.
struct ProbeVerdict: Sendable {
    var observations: [Observation] = []
    /// The reason why nothing was learnt; `nil` if something was.
    var inconclusive: String?

    static let satisfied = ProbeVerdict()

    static func violates(_ rule: String, _ message: String, effect: String? = nil) -> ProbeVerdict {
        ProbeVerdict(observations: [Observation(rule, message, effect: effect)])
    }

    static func unknown(_ reason: String) -> ProbeVerdict { ProbeVerdict(inconclusive: reason) }
}

/// The facts about a URL when a probe is made.
struct ProbeContext: Sendable {
    /// The first exchange, whose status is 200.
    let first: AuditedExchange
    /// The outcome for a shared cache.
    let shared: CacheOutcome
    /// The outcome for a browser.
    let browser: CacheOutcome
    /// The answers to earlier probes by their names.
    var answers: [String: AuditedExchange] = [:]
    /// The rules that earlier probes have found to be violated.
    var violated: Set<String> = []
    /// A word for made-up values.
    let token: String

    /// Whether a shared cache uses the response again, including one that obeys CDN-Cache-Control.
    var isShared: Bool { shared.isReused || first.network?.isReused == true }

    /// The answer to the repeated request.
    var again: AuditedExchange? { answers["repeat"] }

    /// The representation without content codings, with its content.
    var plain: AuditedExchange? {
        guard let identity = answers["identity"], identity.status == 200 else { return nil }
        return identity.codings.isEmpty ? identity : nil
    }

    /// Whether two equal requests got the same content; `nil` if that is not known.
    var isSteady: Bool? {
        guard let again, let one = first.decodedIdentity, let other = again.decodedIdentity else {
            return nil
        }
        return again.status == 200 && one == other
    }

    /// Returns the verdict on an answer that is neither content nor a 304: it violates a rule if the same request without the
    /// probe's field gets a 200 each time.
    ///
    /// Statuses of limits and of gateways violate none, because they may be temporary.
    func refusal(_ answer: AuditedExchange, _ rule: String, _ message: String, effect: String? = nil)
        -> ProbeVerdict
    {
        guard again?.status == 200, ![200, 206, 304, 429, 502, 503, 504].contains(answer.status) else {
            return .unknown("the answer has status \(answer.status)")
        }
        return .violates(rule, message, effect: effect)
    }

    /// Whether two equal requests got the same entity tag.
    var hasSteadyTag: Bool { first.entityTag != nil && again?.entityTag == first.entityTag }

    /// The successful answers to the repeated request and to those for other codings, to which other answers are compared.
    var similar: [AuditedExchange] {
        ["repeat", "identity", "brotli", "zstd"].compactMap { answers[$0] }.filter { $0.status == 200 }
    }

    /// Whether similar requests got the same directives: servers do not differ, and the lifetime is not the time that is left
    /// until some date.
    var hasSteadyPolicy: Bool {
        guard again?.status == 200, !violated.contains("origins-disagree") else { return false }
        return similar.allSatisfy { $0.fields[.cacheControl] == first.fields[.cacheControl] }
    }

    /// Whether two equal requests got the same Last-Modified.
    var hasSteadyDate: Bool { first.lastModified != nil && again?.lastModified == first.lastModified }

    /// Returns the request of the first exchange with other fields.
    func request(_ fields: [HTTPField.Name: String], of exchange: AuditedExchange? = nil) -> HTTPRequest {
        var request = (exchange ?? first).request
        for (name, value) in fields { request.headerFields[name] = value }
        return request
    }

    /// Returns the request of the first exchange with another field, whose value has these bytes.
    func request(_ name: HTTPField.Name, _ value: [UInt8]) -> HTTPRequest {
        var request = first.request
        request.headerFields[fields: name] = [HTTPField(name: name, value: value)]
        return request
    }

    /// The bytes of the first response's ETag, even of an invalid one; empty without one.
    var firstTagBytes: [UInt8] {
        first.fields[fields: .eTag].first?.withUnsafeBytesOfValue { Array($0) } ?? []
    }

    /// A different entity tag than any of the site.
    var otherTag: String { "\"cachecheck-\(token)\"" }
}
