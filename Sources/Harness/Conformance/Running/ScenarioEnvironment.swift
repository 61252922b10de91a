import CacheSemantics
import Clocks
import OriginScript
import Scenarios

/// The environment of one scenario: an origin, a clock, a subject.
struct ScenarioEnvironment {
    let origin: NamespaceOrigin
    /// Scheme and authority of the proxy that requests name in place of the origin; `nil` for the origin's own.
    var proxy: String?
    let subject: any SubjectAdapter
    let clock: any TimeSource
    let driver: any ScenarioClockDriver
    /// Wall seconds at which the scenario began.
    let startedAt: Double
    /// Keys of `expect` that the subject cannot report.
    var unjudged: Set<String> = []
    /// The tolerance for times and ages in seconds; 0 with a virtual clock.
    var tolerance = 0.0
    /// Whether the subject may report an error where a gateway generates a response.
    var errorsAreResponses = false
    /// Whether a response may come from another tier of the store than the expected one.
    var mayUseAnyTier = false

    /// The kind of cache and the settings of a scenario's gateway.
    var cacheKind = CacheKind.shared
    var client = ClientSettings()
    /// Settings of extensions, by their keys.
    var extensionSettings: [String: any Sendable] = [:]
    /// Returns the parts of the built-in client since the last restart; `nil` for another subject.
    var clientParts: (@Sendable () -> ClientParts)?

    /// The current values of variables in texts.
    var address: ScenarioVariables {
        ScenarioVariables(origin: origin, proxy: proxy, clock: clock, startedAt: startedAt)
    }

    /// The current values of times and `${…}` in field values.
    var fieldContext: FieldContext { address.fieldContext }

    /// Returns the URL of a path of the script.
    func url(_ path: String, query: String? = nil, atOtherHost: Bool = false) -> String {
        address.url(path, query: query, atOtherHost: atOtherHost)
    }

    /// Returns field lines with their current values.
    func fields(_ lines: [FieldLine]) -> [(name: String, value: String)] { address.fields(lines) }
}

extension ScenarioEnvironment {
    /// Adds the scenario's settings of its client.
    mutating func add(_ item: RunPlan.Item, _ settings: ClientSettings, _ subject: BuiltinSubject?) {
        (cacheKind, client) = (item.cacheKind, settings)
        extensionSettings = item.scenario.extensionSettings
        if let subject { clientParts = { subject.clientParts } }
    }

    /// Adds what a subject cannot report, and how exact its times are.
    mutating func limit(to abilities: SubjectAbilities, of scenario: Scenario, _ options: RunOptions) {
        if abilities.isBuiltin { return unjudged = options.unjudged }
        mayUseAnyTier = !scenario.namesTiers
        unjudged = ["chunks", "events", "finding", "stale", "user-saw-redirects"]
        tolerance = 2
        errorsAreResponses = abilities.isClient
    }

    /// Returns the request of a step with its current values.
    func request(_ step: RequestStep) -> SubjectRequest {
        var request = SubjectRequest(
            method: step.method,
            url: url(step.path, query: step.query, atOtherHost: step.asksOtherHost),
            fields: fields(step.fields),
            body: step.body?.content
        )
        (request.policy, request.timeout) = (step.policy, step.timeout)
        request.followsRedirects = client.followsRedirects
        return request
    }

    /// Returns the entry of a step with its current values.
    func entry(_ step: StoreStep) -> SubjectEntry {
        SubjectEntry(
            url: url(step.path),
            status: step.status,
            fields: fields(step.fields),
            body: step.body.content,
            userInfo: step.userInfo,
            storagePolicy: step.storagePolicy
        )
    }
}
