public import CacheClient
public import Clocks
public import Fetching

/// The documents' SJNetwork as one object: requests, uploads, downloads, the application cache and the request pool.
///
/// Requests, uploads, the pool and the cache are those of `session`; downloads are started here. Everything may be called
/// from any task or thread.
public final class SJNetwork: Sendable {
    /// The requests: `get`, `post` and the others, `upload`, `cachedValue`, `clearCache`, `cacheSize` and `pool`.
    public let session: FetchSession
    /// The downloads, with suspending, resuming and cancelling.
    public let downloads: Downloads

    /// The instance that a whole program shares, with its configuration; replaceable.
    ///
    /// Cached responses are in `ApplicationCache.shared`, the received parts of downloads in the folder `sjnetwork` of
    /// the program's caches, as `SharedStore` describes, otherwise in a folder of /tmp.
    public static let shared = SharedValue<SJNetwork> {
        let session = FetchSession(
            .sjNetwork,
            cache: ApplicationCache.shared.value,
            transport: CachingClient.defaultTransport(),
            clock: SystemClock()
        )
        return SJNetwork(session, parts: SharedStore.folderOrTemporary("sjnetwork") + "/parts")
    }

    /// Creates an instance that keeps its files in a separate folder.
    ///
    /// - Parameters:
    ///   - directory: The folder; cached responses are in `cache`, the received parts of downloads in `parts`.
    ///   - configuration: The settings; the default is SJNetwork's. Changes are made in `session`.
    ///   - reachability: The provider that reports whether there is a network; it is started now. `nil`, the default,
    ///   means none.
    ///   - transport: The transport that sends requests.
    ///   - clock: The source of time.
    public convenience init(
        directory: String,
        _ configuration: FetchConfiguration = .sjNetwork,
        reachability: (any ReachabilityProvider)? = nil,
        transport: any Transport,
        clock: any TimeSource
    ) {
        let session = FetchSession(
            configuration,
            cache: ApplicationCache(folder: directory + "/cache", clock: clock),
            reachability: reachability,
            transport: transport,
            clock: clock
        )
        self.init(session, parts: directory + "/parts")
    }

    private init(_ session: FetchSession, parts: String) {
        self.session = session
        downloads = Downloads(session, partialFolder: parts)
    }

    /// Makes a request and returns its response.
    public nonisolated(nonsending) func send(_ request: FetchRequest) async throws(FetchError)
        -> FetchResponse
    {
        try await session.send(request)
    }

    /// Uploads images or files in one request; throws a failure with the items.
    @discardableResult
    public func upload(
        _ upload: Upload,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(UploadFailure) -> FetchResponse {
        try await session.upload(upload, progress: progress)
    }

    /// Downloads a file and returns when it is at its destination.
    public func download(
        _ request: DownloadRequest,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(DownloadFailure) -> DownloadedFile {
        try await downloads.download(request, progress: progress)
    }

    /// The requests, uploads and downloads that are running.
    public var pool: RequestPool { session.pool }

    /// Returns the size of the cache, with the received parts of downloads.
    public func cacheSize() async throws(FetchError) -> CacheSize { try await session.cacheSize() }

    /// Removes all cached responses, and the received parts of downloads that are not running.
    ///
    /// Returns `false` if there was no cached response.
    @discardableResult
    public func clearCache() async throws(FetchError) -> Bool {
        try downloads.removePartialDownloads()
        return try await session.clearCache()
    }
}
