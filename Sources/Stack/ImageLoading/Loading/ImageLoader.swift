import Clocks
import CacheSemantics
import CacheStorage
import Locks

/// Loads images: from memory, from disk, or from the network, and keeps them.
public final class ImageLoader: Sendable {
    /// How loads behave.
    public struct Configuration: Sendable {
        /// Which failures keep a URL from being asked again; default those that last.
        public var failureRule = FailedURLs.Rule.permanentOnly
        /// For how long; default ten minutes, `nil` for good.
        public var failureLifetime: Duration? = .seconds(600)
        /// Whether a URL that failed is refused even where its image is cached; default false.
        public var checksFailuresBeforeCache = false
        /// Whether HTTP decides how long a cached image is shown; default not.
        public var freshness = ImageFreshness.ignored
        /// Whether images from the network are written as PNG, whatever they came as; default false.
        public var reencodesAsPNG = false
        /// Whether a load that is cancelled is told so; default false, and it stays silent.
        public var tellsCancelled = false
        /// Whether a URL is downloaded; default always.
        public var shouldDownload: @Sendable (_ url: String) -> Bool = { _ in true }
        /// Makes another image of a downloaded one, or none; called on the transfer's thread, not at all by default.
        public var transform: (@Sendable (_ image: RasterImage, _ url: String) -> RasterImage?)?
        /// Is told what a load has come to, on any thread.
        public var onMilestone: (@Sendable (_ milestone: ImageLoadMilestone, _ url: String) -> Void)?

        /// Creates the default configuration.
        public init() {}
    }
    /// How loads behave.
    public let configuration: Configuration
    /// The images that are kept.
    public let store: ImageStore
    /// What asks the network.
    public let downloader: ImageDownloader
    /// URLs that failed.
    public let failedURLs: FailedURLs
    /// Where callbacks are called.
    public let delivery: any DeliveryQueue
    let clock: any TimeSource
    private let running = Lock((ids: Set<UInt64>(), next: UInt64(0)))

    /// Creates a loader of its parts; callbacks are called on the downloader's delivery queue.
    public init(
        _ configuration: Configuration = Configuration(),
        store: ImageStore,
        downloader: ImageDownloader
    ) {
        self.configuration = configuration
        self.store = store
        self.downloader = downloader
        clock = downloader.clock
        delivery = downloader.delivery
        failedURLs = FailedURLs(
            configuration.failureRule,
            lifetime: configuration.failureLifetime,
            clock: downloader.clock
        )
    }

    /// Writes what the HTTP cache has not written yet and closes it; for whoever removes its folder afterwards.
    ///
    /// Loads go on, from the image caches and the network. A loader that nobody has any more closes by itself, later.
    public func close() { downloader.urlCache?.close() }

    /// Loads that have not ended.
    public var runningLoads: Int { running.withLock { $0.ids.count } }

    /// Loads an image and calls `completion` on the delivery queue: once, or with `refreshCached` a second time where the
    /// image has changed; partial images come before, not final.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        progress: (@Sendable (ImageProgress) -> Void)? = nil,
        completion: @escaping @Sendable (ImageResult) -> Void
    ) -> ImageLoad {
        let load = makeLoad(request)
        let course = LoadCourse(load, loader: self, progress: progress, completion: completion)
        course.begin()
        return load
    }

    /// Loads an image and returns the final result's image; cancelling the task cancels the load.
    ///
    /// Throws `cancelled` for a cancelled load, and `fileDoesNotExist` where somebody vetoed or transformed it away.
    public func image(for request: ImageRequest) async throws(ImageError) -> RasterImage {
        var last: ImageResult?
        for await result in results(for: request) { last = result }
        guard let last, !Task.isCancelled else { throw .cancelled }
        if let error = last.error { throw error }
        guard let image = last.image else { throw .fileDoesNotExist }
        return image
    }

    /// Every delivery of a load in order, partial images and a refresh included; ending the iteration cancels the load.
    public func results(for request: ImageRequest) -> AsyncStream<ImageResult> {
        AsyncStream { stream in
            let load = makeLoad(request) { _ in stream.finish() }
            stream.onTermination = { reason in if case .cancelled = reason { load.cancel() } }
            let course = LoadCourse(load, loader: self, progress: nil, isDirect: true) { result in
                stream.yield(result)
            } onEnd: {
                stream.finish()
            }
            course.begin()
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

    /// What memory has for a request, where its options and policy let it be used at once.
    func imageInMemory(for request: ImageRequest) -> RasterImage? {
        guard !request.url.isEmpty, request.usesImageCache, !request.options.contains(.refreshCached),
            let entry = store.imageInMemory(store.key(for: request.url)), isFresh(entry)
        else { return nil }
        return entry.image
    }

    /// Whether HTTP lets an image be shown without asking.
    func isFresh(_ entry: CachedImage) -> Bool {
        guard configuration.freshness == .http else { return true }
        return entry.freshUntil.map { $0 > clock.wallSeconds } ?? false
    }

    func tell(_ milestone: ImageLoadMilestone, _ url: String) { configuration.onMilestone?(milestone, url) }
}

extension ImageRequest {
    /// Whether image caches may answer: not under a policy that ignores them.
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
