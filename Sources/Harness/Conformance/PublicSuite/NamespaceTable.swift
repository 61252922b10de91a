import Locks

/// The open namespaces of a run by their ids.
final class NamespaceTable: Sendable {
    private let origins = Lock<[String: NamespaceOrigin]>([:])

    subscript(id: String) -> NamespaceOrigin? {
        get { origins.withLock { $0[id] } }
        set { origins.withLock { $0[id] = newValue } }
    }
}
