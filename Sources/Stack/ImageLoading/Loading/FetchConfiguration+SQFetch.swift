public import CacheClient
public import CacheStorage
public import Clocks
public import Fetching

extension FetchConfiguration {
    /// The profile of the documents' SQFetchManager: form content, JSON and JPEG responses, at most six concurrent
    /// exchanges.
    ///
    /// `sqFetch(images:)` adds its two image levels. Unlike SQFetchManager's code, it reports errors to the caller and
    /// rejects media types that it does not know.
    public static var sqFetch: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.bodyForm = .form
        configuration.serializer = CompoundSerializer([
            JSONSerializer(otherTypes: []), ImageSerializer(types: ["image/jpeg"]),
        ])
        configuration.maximumInFlight = 6
        return configuration
    }

    /// Returns the same profile over a store of images: memory, disk, then the network, with PNG files.
    public static func sqFetch(images: ImageStore) -> FetchConfiguration {
        var configuration = sqFetch
        configuration.valueCache = ImageValueCache(images, reencodesAsPNG: true)
        return configuration
    }
}

extension FetchSession {
    /// Creates a session with all that the documents' SQFetchManager has.
    ///
    /// - Parameters:
    ///   - profile: The settings of the two image levels; the default is SQFetchManager's.
    ///   - directory: The folder of the session alone: images in `images`, the HTTP cache of 4 MiB in memory and 20 MiB
    ///     on disk in `http`. Without it, everything is kept in memory.
    ///   - reachability: What reports whether there is a network; it is started now. The default is the
    ///     program's, which asks the kernel.
    ///   - transport: What sends requests.
    ///   - clock: The source of time.
    /// - Returns: The session.
    /// - Throws: `StorageError` if the HTTP cache cannot be opened.
    public static func sqFetch(
        _ profile: ImageProfile = .sqFetch,
        directory: String?,
        reachability: (any ReachabilityProvider)? = NetlinkReachability.shared.value,
        transport: any Transport,
        clock: any TimeSource
    ) throws(StorageError) -> FetchSession {
        FetchSession(
            .sqFetch(images: profile.imageStore(directory: directory, clock: clock)),
            store: try profile.urlCache(directory: directory, clock: clock),
            reachability: reachability,
            transport: transport,
            clock: clock
        )
    }

    /// Creates a session with what the whole program shares: the URL cache, the images and the reachability.
    ///
    /// - Parameters:
    ///   - host: A host that is monitored besides the network: as long as it does not answer, nothing is sent. `nil`, the
    ///     default, for none.
    ///   - port: The port of the host to which connections are attempted, every 30 s.
    ///   - shared: The shared cache; it is opened now.
    /// - Returns: The session.
    public static func sqFetch(
        host: String? = nil,
        port: Int = 443,
        sharing shared: SharedStore = .urlCache
    ) -> FetchSession {
        FetchSession(
            .sqFetch(images: ImageStore.sqFetch.value),
            store: shared.store,
            expirationInterval: shared.expirationInterval,
            cache: ApplicationCache.shared.value,
            reachability: host.map { CombinedReachability(host: $0, port: port) }
                ?? NetlinkReachability.shared.value,
            transport: CachingClient.defaultTransport(),
            clock: SystemClock()
        )
    }
}

extension ImageLoader {
    /// Creates a loader over the images that the program's SQFetchManager sessions share: what a chain has loaded, a slot shows
    /// at once.
    public static func sqFetch(sharing shared: SharedStore = .urlCache) -> ImageLoader {
        var downloads = ImageProfile.sqFetch.downloads
        downloads.expirationInterval = shared.expirationInterval
        let downloader = ImageDownloader(
            downloads,
            transport: CachingClient.defaultTransport(),
            urlCache: shared.store,
            clock: SystemClock()
        )
        return ImageLoader(
            ImageProfile.sqFetch.loads,
            store: ImageStore.sqFetch.value,
            downloader: downloader
        )
    }
}

extension ImageStore {
    /// SQFetchManager's two levels of images, which a whole program shares; replaceable.
    ///
    /// Their files are in the folder `sqfetch/images` of the program's caches, as `SharedStore` describes.
    public static let sqFetch = SharedValue<ImageStore> {
        ImageProfile.sqFetch.imageStore(directory: SharedStore.folder("sqfetch"), clock: SystemClock())
    }
}
