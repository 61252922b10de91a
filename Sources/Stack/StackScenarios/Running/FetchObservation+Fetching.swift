import CacheClient
import Conformance
import Fetching
import HTTPTypes
import ImageLoading
import Scenarios

extension FetchObservation {
    /// Creates the observation of a request that succeeded.
    init(_ name: String, _ response: FetchResponse) {
        self.init(name: name, caller: CallerObservation(response))
        attempts = response.attempts
        value =
            switch response.value {
            case .json: "json"
            case .xml: "xml"
            case .text: "text"
            case .bytes: "bytes"
            case .other: response.image == nil ? "bytes" : "image"
            case .nothing: "nothing"
            }
    }

    /// Creates the observation of a request that failed.
    init(_ name: String, _ error: FetchError) {
        self.init(name: name, caller: CallerObservation(error))
        failure = FetchFailureKind(error.kind)
    }

    /// Creates the observation of a request that never started, because another failed or the group was
    /// cancelled.
    init(neverBegun name: String) {
        self.init(name: name)
        caller.error = (-999, "It never started.")
        failure = .dependency
    }
}

extension CallerObservation {
    /// Creates the caller's observation of a response.
    init(_ response: FetchResponse) {
        if let client = response.clientResponse {
            self.init(.success(client), log: EventLog())
            events = nil
        } else {
            self.init()
            status = response.status
            fields = response.response.headerFields.map { ($0.name.rawName, $0.value) }
            body = response.body
        }
        switch response.source {
        case .applicationCache: source = .application
        case .valueCache(let level): source = level == .disk ? .disk : .memory
        case .client: break
        }
    }

    /// Creates the caller's observation of a failure.
    init(_ error: FetchError) {
        self.init()
        self.error = (error.code.rawValue, error.description)
        status = error.status
        body = error.body
    }
}

extension FetchFailureKind {
    init(_ kind: FetchError.Kind) {
        self =
            switch kind {
            case .cancelled: .cancelled
            case .offline: .offline
            case .timedOut: .timedOut
            case .transport: .transport
            case .badRequest: .badRequest
            case .unacceptableStatus: .status
            case .unacceptableType: .type
            case .undecodable: .undecodable
            case .invalid: .invalid
            case .dependencyFailed: .dependency
            case .storage: .storage
            }
    }
}
