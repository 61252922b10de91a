import CacheClient
import Clocks
import Locks

/// Performs one load: failed URLs, memory, disk, network, store, delivery.
final class ImageLoadTask: Sendable {
    /// The functions that are called with progress, with each result, and at the end.
    struct Callbacks: Sendable {
        var progress: (@Sendable (ImageProgress) -> Void)?
        var completion: @Sendable (ImageResult) -> Void
        /// Whether a refresh that finds the image unchanged delivers it again, as the final result.
        var confirmsUnchanged = false
        var onEnd: @Sendable () -> Void = {}
    }
    private let load: ImageLoad
    private let loader: ImageLoader
    private let callbacks: Callbacks
    /// Whether results are delivered synchronously, on the current thread.
    private let isDirect: Bool

    init(_ load: ImageLoad, loader: ImageLoader, isDirect: Bool = false, _ callbacks: Callbacks) {
        self.load = load
        self.loader = loader
        self.isDirect = isDirect
        self.callbacks = callbacks
    }

    private var url: String { load.request.url }
    private var options: ImageLoadOptions { load.request.options }
    private var settings: ImageLoader.Configuration { loader.configuration }
    private var key: String { loader.store.key(for: url) }

    func start() {
        if let malformed = malformation(of: url) { return end(with: malformed) }
        if settings.checksFailuresBeforeCache, hasFailed { return end(with: settings.recordedFailure) }
        loader.report(.validated, url)
        guard load.request.usesImageCache else { return lookedUp(nil) }
        loader.report(.memoryQueried, url)
        if let entry = loader.store.imageInMemory(key) {
            return lookedUp(ImageStore.QueryResult(entry: entry, source: .memory))
        }
        guard loader.store.disk != nil else { return lookedUp(nil) }
        let query = loader.store.query(key, on: DirectDelivery()) { found in
            self.loader.report(.diskQueried, self.url)
            self.lookedUp(found)
        }
        load.hold(query)
    }

    /// Returns the error of a load without a valid URL; `nil` for a valid one.
    private func malformation(of url: String) -> ImageError? {
        guard !url.isEmpty else { return .fileDoesNotExist }
        do throws(TransportError) {
            _ = try TargetURL(url)
            return nil
        } catch {
            // A scheme that is not supported fails later, with its own error.
            guard error.kind == .badURL else { return nil }
            var missing = ImageError.fileDoesNotExist
            missing.detail = error.description
            return missing
        }
    }

    private var hasFailed: Bool {
        !options.contains(.retryFailed) && loader.failedURLs.failure(of: url) != nil
    }

    /// Continues with the result of the cache lookup.
    private func lookedUp(_ found: ImageStore.QueryResult?) {
        guard !load.isFinished else { return }
        let isFresh = found.map { loader.isFresh($0.entry) } ?? false
        let refreshes = options.contains(.refreshCached)
        if let found, isFresh && !refreshes || options.contains(.cacheOnly) {
            return end(ImageResult(found.entry.image, source: found.source, url: url))
        }
        guard !options.contains(.cacheOnly), settings.shouldDownload(url) else {
            return end(ImageResult(found?.entry.image, source: found?.source ?? .network, url: url))
        }
        if hasFailed {
            // A cached image may still be used.
            if let found { return end(ImageResult(found.entry.image, source: found.source, url: url)) }
            return end(with: settings.recordedFailure)
        }
        if let found, refreshes {
            deliver(ImageResult(found.entry.image, source: found.source, isFinal: false, url: url))
        }
        download(found, isRefresh: refreshes && found != nil)
    }

    private func download(_ found: ImageStore.QueryResult?, isRefresh: Bool) {
        loader.report(.downloadBegun, url)
        let request = request(isRefresh: isRefresh, validates: found != nil && settings.freshness == .http)
        let deliveredProgress = isDirect ? callbacks.progress : loader.delivery.delivering(callbacks.progress)
        var partial: (@Sendable (RasterImage) -> Void)?
        if request.options.contains(.progressive) { partial = { self.deliverPartial($0) } }
        let receipt = loader.downloader.receive(
            request,
            progress: deliveredProgress,
            partial: partial
        ) { (result: Result<DownloadOutcome, ImageError>) -> Void in
            self.downloaded(result, found, isRefresh: isRefresh)
        }
        load.hold(receipt)
    }

    /// Returns the download's request: with the load's options, except for a refresh or validation.
    private func request(isRefresh: Bool, validates: Bool) -> ImageRequest {
        var request = load.request
        if options.contains(.refreshCached) || settings.freshness == .http {
            request.options.insert(.useURLCache)
        }
        if isRefresh || validates {
            request.options.remove(.progressive)
            request.options.insert(.ignoreCachedResponse)
        }
        return request
    }

    private func downloaded(
        _ result: Result<DownloadOutcome, ImageError>,
        _ found: ImageStore.QueryResult?,
        isRefresh: Bool
    ) {
        switch result {
        case .failure(.cancelled) where load.isCancelled:
            if settings.reportsCancellation {
                onDelivery { self.callbacks.completion(self.failure(.cancelled)) }
            }
        case .failure(let error):
            loader.failedURLs.record(error, of: url)
            end(with: error)
        case .success(.unchanged(let moment)): unchanged(found, moment, isRefresh: isRefresh)
        case .success(.image(let content)):
            loader.failedURLs.forget(url)
            // The image is cached even if the load was cancelled.
            received(content)
        }
    }

    private func unchanged(_ found: ImageStore.QueryResult?, _ moment: Duration?, isRefresh: Bool) {
        if settings.freshness == .http { loader.store.setFreshness(until: moment, for: key) }
        // The cached image has been delivered already.
        if isRefresh && !callbacks.confirmsUnchanged { return endSilently() }
        let cached =
            found
            ?? loader.store.imageInMemory(key).map { ImageStore.QueryResult(entry: $0, source: .memory) }
        var result = ImageResult(cached?.entry.image, source: cached?.source ?? .network, url: url)
        result.isNotModified = true
        end(result)
    }

    private func received(_ content: DownloadedImage) {
        guard let original = content.image else {
            var result = ImageResult(nil, url: url)
            result.bytes = content.bytes
            return end(result)
        }
        loader.report(.decoded, url)
        let transforms = !original.header.isAnimated || options.contains(.transformAnimated)
        guard transforms, let transform = settings.transform else {
            return store(original, content.bytes, content)
        }
        guard let image = transform(original, url) else { return end(ImageResult(nil, url: url)) }
        store(image, image.isIdentical(to: original) ? content.bytes : nil, content)
    }

    private func store(_ image: RasterImage, _ bytes: [UInt8]?, _ content: DownloadedImage) {
        var storedResult = ImageResult(image, url: url)
        storedResult.bytes = content.bytes
        storedResult.response = content.response
        let result = storedResult
        let onDisk = !options.contains(.memoryOnly)
        let url = url
        let reportsDisk = onDisk && loader.store.disk != nil
        let waits = options.contains(.waitForStore)
        loader.store.store(
            image,
            bytes: settings.reencodesAsPNG ? nil : bytes,
            for: key,
            onDisk: onDisk,
            freshUntil: settings.freshness == .http ? content.freshUntil ?? loader.clock.timeSinceEpoch : nil
        ) {
            if reportsDisk { self.loader.report(.storedOnDisk, url) }
            if waits { self.end(result) }
        }
        loader.report(.storedInMemory, url)
        if !waits { end(result) }
    }

    // MARK: Delivery

    private func failure(_ error: ImageError) -> ImageResult { ImageResult(nil, error, url: url) }

    private func end(with error: ImageError) { end(failure(error)) }

    private func end(_ result: ImageResult) {
        onDelivery {
            guard self.load.end() else { return }
            self.loader.forget(self.load)
            self.loader.report(.delivered, self.url)
            self.callbacks.completion(result)
            self.callbacks.onEnd()
        }
    }

    private func endSilently() {
        guard load.end() else { return }
        loader.forget(load)
        callbacks.onEnd()
    }

    private func deliverPartial(_ image: RasterImage) {
        deliver(ImageResult(image, isFinal: false, url: url))
    }

    private func deliver(_ result: ImageResult) {
        onDelivery { if !self.load.isFinished { self.callbacks.completion(result) } }
    }

    private func onDelivery(_ work: @escaping @Sendable () -> Void) {
        if isDirect { work() } else { loader.delivery.deliver(work) }
    }
}

/// Calls work synchronously, on the current thread.
struct DirectDelivery: DeliveryQueue {
    var isCurrent: Bool { true }

    func deliver(_ work: @escaping @Sendable () -> Void) { work() }
}
