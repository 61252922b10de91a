package import CacheClient
import HTTPTypes
import Locks
package import Scenarios

/// The events of one load, recorded for comparison.
package final class EventLog: LoadObserver {
    private struct State {
        var names: [String] = []
        var chunks: [Int] = []
    }
    private let state = Lock(State())

    package init() {}

    package func observe(_ event: LoadEvent) {
        state.withLock { state in
            state.names.append(event.name)
            if case .data(let bytes) = event { state.chunks.append(bytes.count) }
        }
    }

    /// Copies the events to an observation.
    func add(to seen: inout CallerObservation) {
        let state = state.withLock { $0 }
        seen.events = state.names
        seen.chunks = state.chunks
    }
}

extension CallerObservation {
    /// Creates the view of the built-in client's caller; without a log, it has no events.
    package init(_ result: Result<ClientResponse, ClientError>, log: EventLog?) {
        self.init()
        switch result {
        case .success(let response): take(response)
        case .failure(let error): take(error)
        }
        log?.add(to: &self)
    }

    /// Replaces the field lines by the same as ISO-8859-1, and adds the 1xx responses.
    mutating func take(_ result: Result<ClientResponse, ClientError>, _ interim: [HTTPResponse]) {
        if case .success(let response) = result { fields = response.response.headerFields.latin1Lines }
        self.interim = interim.map { ($0.status.code, $0.headerFields.latin1Lines) }
    }

    private mutating func take(_ response: ClientResponse) {
        source = Provenance(response.source)
        isStale = response.isStale
        status = response.response.status.code
        fields = response.response.headerFields.map { ($0.name.rawName, $0.value) }
        body = response.body
        age = response.ageSeconds.map(Double.init)
        cacheStatus = response.cacheStatus.parameters
        redirects = response.redirects
        findings = response.findings
    }

    private mutating func take(_ error: ClientError) {
        self.error = (error.code.rawValue, error.description)
        findings = error.findings
    }
}

extension Provenance {
    fileprivate init(_ source: ResponseSource) {
        self =
            switch source {
            case .origin: .origin
            case .validated: .validated
            case .memory: .memory
            case .disk: .disk
            case .generated: .generated
            }
    }
}
