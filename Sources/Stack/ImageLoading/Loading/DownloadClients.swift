import CacheClient
import CacheStorage
import Clocks

/// The clients of a downloader: with and without the HTTP cache, and the same without certificate validation.
final class DownloadClients: Sendable {
    private typealias Pair = (plain: CachingClient, cached: CachingClient)
    private let usual: Pair
    /// The clients whose transport accepts any certificate; `nil` if the transport does not support this.
    private let lenient: Pair?

    init(
        _ settings: CachingClient.Configuration,
        urlCache: (any ResponseStore)?,
        transport: any Transport,
        clock: any TimeSource
    ) {
        func clients(_ transport: any Transport) -> Pair {
            (
                CachingClient(settings, store: nil, transport: transport, clock: clock),
                CachingClient(settings, store: urlCache, transport: transport, clock: clock)
            )
        }
        usual = clients(transport)
        lenient = (transport as? any UnverifiedTransport).map { clients($0.acceptingAnyCertificate()) }
    }

    /// Returns the client for a kind of download.
    func client(of kind: DownloadKind) -> CachingClient {
        let (plain, cached) = kind.allowsInvalidCertificates ? lenient ?? usual : usual
        return kind.usesURLCache ? cached : plain
    }

    var networkAccess: NetworkAccess {
        get { usual.plain.networkAccess }
        set {
            for client in [usual.plain, usual.cached, lenient?.plain, lenient?.cached] {
                client?.networkAccess = newValue
            }
        }
    }
}
