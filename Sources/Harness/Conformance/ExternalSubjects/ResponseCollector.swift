import CacheClient
import HTTPTypes
import Locks
import PublicSuite

extension SuiteResponse {
    /// Creates a response from one that came over HTTP.
    fileprivate init(_ response: HTTPResponse, body: [UInt8], interim: [HTTPResponse]) {
        self.init(
            status: response.status.code,
            fields: response.headerFields.latin1Lines,
            body: body,
            interim: interim.map { Interim(status: $0.status.code, fields: $0.headerFields.latin1Lines) }
        )
    }
}

/// The result of one attempt.
enum WireReply {
    case reply(SuiteReply)
    /// The connection ended before any byte of a response.
    case unanswered(String)

    var suiteReply: SuiteReply {
        switch self {
        case .reply(let reply): reply
        case .unanswered(let text): .failed(text)
        }
    }
}

/// Collects one response until it is complete.
final class ResponseCollector: TransportReceiver {
    private struct State {
        var interim: [HTTPResponse] = []
        var head: HTTPResponse?
        var body: [UInt8] = []
        var isLate = false
        var end: Result<TransportEnd, TransportError>?
        var continuation: CheckedContinuation<Void, Never>?
    }
    private let state = Lock(State())

    func receive(interim response: HTTPResponse) { state.withLock { $0.interim.append(response) } }

    func receive(head response: HTTPResponse) { state.withLock { $0.head = response } }

    func receive(piece: [UInt8]) -> Bool {
        state.withLock { $0.body += piece }
        return true
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        let continuation = state.withLock { state in
            state.end = end
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    func giveUp() { state.withLock { $0.isLate = true } }

    func reply() async -> WireReply {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if state.end == nil { state.continuation = continuation }
                return state.end != nil
            }
            if isFinished { continuation.resume() }
        }
        return state.withLock { state in
            switch (state.end, state.head) {
            case (.success, let head?):
                .reply(.response(SuiteResponse(head, body: state.body, interim: state.interim)))
            case (.failure, _) where state.isLate: .reply(.timedOut)
            case (.failure(let error), nil) where error.kind == .connectionLost:
                .unanswered(error.description)
            case (.failure(let error), _): .reply(.failed(error.description))
            default: .reply(.failed("the exchange ended without a response"))
            }
        }
    }
}
