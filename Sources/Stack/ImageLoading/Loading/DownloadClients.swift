import CacheClient
import CacheStorage
import Clocks

/// The clients of a downloader: with and without the HTTP cache, and the same without certificate validation.
final class DownloadClients: Sendable {
    private let plain: CachingClient
    private let cached: CachingClient
    /// The clients whose transport accepts any certificate; `nil` if the transport does not support this.
    private let lenient: (plain: CachingClient, cached: CachingClient)?

    init(
        _ settings: CachingClient.Configuration,
        urlCache: (any ResponseStore)?,
        transport: any Transport,
        clock: any TimeSource
    ) {
        plain = CachingClient(settings, store: nil, transport: transport, clock: clock)
        cached = CachingClient(settings, store: urlCache, transport: transport, clock: clock)
        lenient = (transport as? any UnverifiedTransport).map { transport in
            let trusting = transport.acceptingAnyCertificate()
            return (
                CachingClient(settings, store: nil, transport: trusting, clock: clock),
                CachingClient(settings, store: urlCache, transport: trusting, clock: clock)
            )
        }
    }

    /// Returns the client for a kind of download.
    func client(of kind: DownloadKind) -> CachingClient {
        if kind.allowsInvalidCertificates, let lenient {
            return kind.usesURLCache ? lenient.cached : lenient.plain
        }
        return kind.usesURLCache ? cached : plain
    }

    var networkAccess: NetworkAccess {
        get { plain.networkAccess }
        set {
            for client in [plain, cached, lenient?.plain, lenient?.cached] {
                client?.networkAccess = newValue
            }
        }
    }
}
