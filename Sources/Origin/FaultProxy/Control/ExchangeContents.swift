import Locks
import MockOrigin

/// The contents of an exchange for the journal, as the upstream and the client receive them; the tasks of both directions add
/// to it.
final class ExchangeContents: Sendable {
    private struct State {
        var request = KeptContent()
        var response = KeptContent()
    }
    private let state = Locked(State())

    /// Adds content of the request.
    func add(request bytes: ArraySlice<UInt8>) { state.withLock { $0.request.add(bytes) } }

    /// Adds content of the response.
    func add(response bytes: ArraySlice<UInt8>) { state.withLock { $0.response.add(bytes) } }

    /// Notes the content of a response that the proxy has made.
    func use(response: KeptContent) { state.withLock { $0.response = response } }

    /// The contents that have passed until now.
    var both: (request: KeptContent, response: KeptContent) {
        state.withLock { ($0.request, $0.response) }
    }
}
