import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import MockOrigin
import OriginScript

@testable import Audit

/// Settings without the pauses that only real hosts need.
func impatientSettings(_ change: (inout AuditSettings) -> Void = { _ in }) -> AuditSettings {
    var settings = AuditSettings()
    settings.requestsPerSecond = nil
    settings.token = "test"
    change(&settings)
    return settings
}

/// Audits URLs over real sockets.
func audit(
    _ urls: [String],
    _ settings: AuditSettings = impatientSettings(),
    policy: AuditPolicy? = nil
) async throws -> AuditReport {
    try await audit(AuditSources(urls: urls), settings, policy: policy)
}

/// Audits sources over real sockets.
func audit(
    _ sources: AuditSources,
    _ settings: AuditSettings = impatientSettings(),
    policy: AuditPolicy? = nil,
    clock: any TimeSource = SystemClock()
) async throws -> AuditReport {
    let transport = try CurlTransport(connectionsPerHost: 4)
    return await Auditor(settings, policy: policy, transport: transport, clock: clock).audit(sources)
}

/// Settings for URLs alone: neither robots.txt nor probes.
func bareSettings(_ change: (inout AuditSettings) -> Void = { _ in }) -> AuditSettings {
    impatientSettings {
        $0.obeysRobots = false
        $0.makesProbes = false
        change(&$0)
    }
}

/// Returns an exchange for `https://site.example` + path, received in 2026.
func exchange(_ path: String, _ fields: [String: String], status: Int = 200) -> AuditedExchange {
    let now: Int64 = 1_790_000_000
    var response = HTTPResponse(status: .init(code: status))
    for (name, value) in fields {
        if let name = HTTPField.Name(name) { response.headerFields[name] = value }
    }
    let request = HTTPRequest(method: .get, scheme: "https", authority: "site.example", path: path)
    let moment = HTTPDate(secondsSinceEpoch: now)
    if fields["Date"] == nil { response.headerFields[.date] = moment.text }
    return AuditedExchange(request: request, response: response, requestTime: moment, responseTime: moment)
}

/// Returns the judged result of an exchange that is not live.
func judged(_ exchange: AuditedExchange) -> AuditedURL {
    var result = AuditedURL(url: exchange.url)
    result.isLive = false
    result.exchange = exchange
    return ExchangeReview([.browser, .shared]).judged(result)
}
