import Clocks
import CacheSemantics
import CacheStorage
import Locks

/// Loads images from memory, disk or the network, and caches them.
public final class ImageLoader: Sendable {
    /// The settings of a loader.
    public struct Configuration: Sendable {
        /// Which failures prevent further requests of a URL; default permanent ones.
        public var failureRule = FailedURLs.Rule.permanentOnly
        /// The time for which they do; default ten minutes, `nil` means for ever.
        public var failureLifetime: Duration? = .seconds(600)
        /// Whether a URL that failed is rejected even if its image is cached; default false.
        public var checksFailuresBeforeCache = false
        /// The error of a load whose URL is recorded as failed; default `fileDoesNotExist`.
        public var recordedFailure = ImageError.fileDoesNotExist
        /// Whether HTTP freshness applies to cached images; default not.
        public var freshness = ImageFreshness.ignored
        /// Whether downloaded images are stored as PNG, regardless of their format; default false.
        public var reencodesAsPNG = false
        /// Whether the completion of a cancelled load is called with `cancelled`; default false.
        public var reportsCancellation = false
        /// Whether a URL may be downloaded; default always.
        public var shouldDownload: @Sendable (_ url: String) -> Bool = { _ in true }
        /// Transforms a downloaded image, or returns `nil` to discard it; called on the transfer's thread;
        /// default none.
        public var transform: (@Sendable (_ image: RasterImage, _ url: String) -> RasterImage?)?
        /// The behaviour of slots that use the loader and are created without one; default SDWebImage's.
        public var slots = ImageSlot.Behaviour.sdWebImage
        /// Called at each milestone of a load, on any thread.
        public var onMilestone: (@Sendable (_ milestone: ImageLoadMilestone, _ url: String) -> Void)?

        /// Creates the default configuration.
        public init() {}
    }
    /// The settings of the loader.
    public let configuration: Configuration
    /// The cache of images.
    public let store: ImageStore
    /// The downloader of images that no cache has.
    public let downloader: ImageDownloader
    /// URLs that failed.
    public let failedURLs: FailedURLs
    /// The queue on which callbacks are called.
    public let delivery: any DeliveryQueue
    let clock: any TimeSource
    private let running = Lock((ids: Set<UInt64>(), next: UInt64(0)))

    /// Creates a loader; callbacks are called on the downloader's delivery queue.
    public init(
        _ configuration: Configuration = Configuration(),
        store: ImageStore,
        downloader: ImageDownloader
    ) {
        self.configuration = configuration
        (self.store, self.downloader) = (store, downloader)
        (clock, delivery) = (downloader.clock, downloader.delivery)
        failedURLs = FailedURLs(
            configuration.failureRule,
            lifetime: configuration.failureLifetime,
            clock: downloader.clock
        )
    }

    /// Writes pending entries of the HTTP cache and closes it, so that its folder can be removed.
    ///
    /// Loads still use the image caches and the network. A loader without references closes its cache later.
    public func close() { downloader.urlCache?.close() }

    /// The number of loads that have not ended.
    public var runningLoads: Int { running.withLock { $0.ids.count } }

    /// Loads an image and calls `completion` on the delivery queue.
    ///
    /// `completion` is called once, or a second time with `refreshCached` if the image has changed; if it has
    /// not, the result that is not final was the last one. Partial images are delivered before, and are not
    /// final.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        progress: (@Sendable (ImageProgress) -> Void)? = nil,
        completion: @escaping @Sendable (ImageResult) -> Void
    ) -> ImageLoad {
        let load = makeLoad(request)
        let task = ImageLoadTask(load, loader: self, .init(progress: progress, completion: completion))
        task.start()
        return load
    }

    /// Loads an image and returns the image of the final result; cancelling the task cancels the load.
    ///
    /// Throws `cancelled` for a cancelled load, and `fileDoesNotExist` if the download was not permitted or
    /// the transformation discarded the image.
    public nonisolated(nonsending) func image(for request: ImageRequest) async throws(ImageError)
        -> RasterImage
    {
        var last: ImageResult?
        for await result in results(for: request) { last = result }
        guard let last, !Task.isCancelled else { throw .cancelled }
        if let error = last.error { throw error }
        guard let image = last.image else { throw .fileDoesNotExist }
        return image
    }

    /// Returns all results of a load in order, including partial images and a refresh; ending the iteration
    /// cancels it.
    ///
    /// The last result of a load that is not cancelled is final. With `refreshCached` it is the changed image,
    /// an error, or the cached image once more, with `isNotModified`.
    public func results(for request: ImageRequest) -> AsyncStream<ImageResult> {
        AsyncStream { stream in
            let load = makeLoad(request) { _ in stream.finish() }
            stream.onTermination = { reason in if case .cancelled = reason { load.cancel() } }
            let callbacks = ImageLoadTask.Callbacks(
                completion: { result in stream.yield(result) },
                confirmsUnchanged: true,
                onEnd: { stream.finish() }
            )
            let task = ImageLoadTask(load, loader: self, isDirect: true, callbacks)
            task.start()
        }
    }

    private func makeLoad(
        _ request: ImageRequest,
        onCancel: @escaping @Sendable (ImageLoad) -> Void = { _ in }
    ) -> ImageLoad {
        let id = running.withLock { running in
            running.next += 1
            running.ids.insert(running.next)
            return running.next
        }
        return ImageLoad(request, id: id) { [weak self] load in
            self?.forget(load)
            onCancel(load)
        }
    }

    func forget(_ load: ImageLoad) { running.withLock { _ = $0.ids.remove(load.id) } }

    /// Returns the image in memory if the request's options and policy permit its immediate use.
    func imageInMemory(for request: ImageRequest) -> RasterImage? {
        guard !request.url.isEmpty, request.usesImageCache, !request.options.contains(.refreshCached),
            let entry = store.imageInMemory(store.key(for: request.url)), isFresh(entry)
        else { return nil }
        return entry.image
    }

    /// Whether an image may be used without validation.
    func isFresh(_ entry: CachedImage) -> Bool {
        guard configuration.freshness == .http else { return true }
        return entry.freshUntil.map { $0 > clock.timeSinceEpoch } ?? false
    }

    func report(_ milestone: ImageLoadMilestone, _ url: String) { configuration.onMilestone?(milestone, url) }
}

extension ImageRequest {
    /// Whether image caches may be used; they may not under a policy that ignores caches.
    var usesImageCache: Bool {
        guard !options.contains(.loaderOnly) else { return false }
        return switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
            .reloadRevalidatingCacheData:
            false
        default: true
        }
    }
}
