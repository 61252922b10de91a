import CacheStorage
import HTTPTypes
import Synchronization

/// The identity of an observed load, shared by all its events including those of its redirects; unique while its client
/// exists.
public struct LoadID: Sendable, Hashable, CustomStringConvertible {
    private let client: ObjectIdentifier
    /// Its number among the observed loads of its client, from 1 on, in the order in which they started.
    public let number: Int

    /// Creates the identity of the next observed load of a client.
    init(nextOf client: CachingClient) {
        self.client = ObjectIdentifier(client)
        number = client.observedLoads.add(1, ordering: .relaxed).newValue
    }

    /// The number in decimal.
    public var description: String { "\(number)" }
}

extension CachingClient {
    /// Returns an observer that adds to each event the load to which it belongs.
    func identified(_ observer: (any LoadObserver)?) -> (any LoadObserver)? {
        observer.map { IdentifiedObserver(observer: $0, load: LoadID(nextOf: self)) }
    }
}

/// The observer of one load.
private struct IdentifiedObserver: LoadObserver {
    let observer: any LoadObserver
    let load: LoadID

    func observe(_ event: LoadEvent) { observer.observe(event, of: load) }

    func observe(interim response: HTTPResponse) { observer.observe(interim: response, of: load) }
}
