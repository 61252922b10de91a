import CacheSemantics
import Clocks
import OriginScript
import Scenarios

/// What one scenario has for itself: an origin, a clock, a subject.
struct ScenarioEnvironment {
    let origin: any ScenarioOrigin
    let subject: any Subject
    let clock: any TimeSource
    let driver: any ScenarioClockDriver
    /// Wall seconds at which the scenario began.
    let startedAt: Double
    /// Keys of `expect` that the subject does not report.
    var unjudged: Set<String> = []
    /// By how many seconds times and ages may differ; 0 on a virtual clock.
    var tolerance = 0.0
    /// Whether the subject may report an error where a gateway generates a response.
    var errorsAreResponses = false

    /// Whose cache the gateway of a scenario has, and how it is set up.
    var cacheKind = CacheKind.shared
    var client = ClientSettings()
    /// Settings of extensions, by their keys.
    var extensionSettings: [String: any Sendable] = [:]
    /// The parts of the built-in client, as they are since the last restart; `nil` for another subject.
    var clientParts: (@Sendable () -> ClientParts)?

    /// What texts stand for at present.
    var address: ScenarioVariables { ScenarioVariables(origin: origin, clock: clock, startedAt: startedAt) }

    /// What moments and `${…}` of field values stand for at present.
    var fieldContext: FieldContext { address.fieldContext }

    /// Returns the URL of a path of the script.
    func url(_ path: String, query: String? = nil, atOtherHost: Bool = false) -> String {
        address.url(path, query: query, atOtherHost: atOtherHost)
    }

    /// Returns field lines as they are sent now.
    func fields(_ lines: [FieldLine]) -> [(name: String, value: String)] { address.fields(lines) }
}

extension ScenarioEnvironment {
    /// Returns the request of a step as it is made now.
    func request(_ step: RequestStep) -> SubjectRequest {
        SubjectRequest(
            method: step.method,
            url: url(step.path, query: step.query, atOtherHost: step.asksOtherHost),
            fields: fields(step.fields),
            body: step.body?.content,
            policy: step.policy,
            timeout: step.timeout
        )
    }

    /// Returns the entry of a step as it is put now.
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
