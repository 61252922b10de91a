import Clocks
import Locks

/// The way of one load: failures, memory, disk, network, store, delivery.
final class LoadCourse: Sendable {
    private let load: ImageLoad
    private let loader: ImageLoader
    private let progress: (@Sendable (ImageProgress) -> Void)?
    private let completion: @Sendable (ImageResult) -> Void
    private let onEnd: @Sendable () -> Void
    /// Whether the caller is told at once, on whatever thread this is.
    private let isDirect: Bool

    init(
        _ load: ImageLoad,
        loader: ImageLoader,
        progress: (@Sendable (ImageProgress) -> Void)?,
        isDirect: Bool = false,
        completion: @escaping @Sendable (ImageResult) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.load = load
        self.loader = loader
        self.progress = progress
        self.isDirect = isDirect
        self.completion = completion
        self.onEnd = onEnd
    }

    private var url: String { load.request.url }
    private var options: ImageLoadOptions { load.request.options }
    private var settings: ImageLoader.Configuration { loader.configuration }
    private var key: String { loader.store.key(for: url) }

    func begin() {
        guard !url.isEmpty else { return end(with: .fileDoesNotExist) }
        if settings.checksFailuresBeforeCache, hasFailed { return end(with: .fileDoesNotExist) }
        loader.tell(.validated, url)
        guard load.request.usesImageCache else { return answered(nil) }
        loader.tell(.memoryQueried, url)
        if let entry = loader.store.imageInMemory(key) {
            return answered(ImageStore.Found(entry: entry, source: .memory))
        }
        guard loader.store.disk != nil else { return answered(nil) }
        let query = loader.store.query(key, on: DirectDelivery()) { found in
            self.loader.tell(.diskQueried, self.url)
            self.answered(found)
        }
        load.hold(query)
    }

    private var hasFailed: Bool {
        !options.contains(.retryFailed) && loader.failedURLs.failure(of: url) != nil
    }

    /// The caches have said what they have.
    private func answered(_ found: ImageStore.Found?) {
        guard !load.isOver else { return }
        let isFresh = found.map { loader.isFresh($0.entry) } ?? false
        let refreshes = options.contains(.refreshCached)
        if let found, isFresh && !refreshes || options.contains(.cacheOnly) {
            return end(ImageResult(found.entry.image, source: found.source, url: url))
        }
        guard !options.contains(.cacheOnly), settings.shouldDownload(url) else {
            return end(ImageResult(found?.entry.image, source: found?.source ?? .none, url: url))
        }
        if hasFailed {
            // What is cached is still an answer.
            if let found { return end(ImageResult(found.entry.image, source: found.source, url: url)) }
            return end(with: .fileDoesNotExist)
        }
        if let found, refreshes {
            deliver(ImageResult(found.entry.image, source: found.source, isFinal: false, url: url))
        }
        download(found, isRefresh: refreshes && found != nil)
    }

    private func download(_ found: ImageStore.Found?, isRefresh: Bool) {
        loader.tell(.downloadBegun, url)
        let request = request(isRefresh: isRefresh, validates: found != nil && settings.freshness == .http)
        let told = isDirect ? progress : loader.delivery.delivering(progress)
        var partial: (@Sendable (RasterImage) -> Void)?
        if request.options.contains(.progressive) { partial = { self.deliverPartial($0) } }
        let receipt = loader.downloader.receive(
            request,
            progress: told,
            partial: partial
        ) { (result: Result<DownloadOutcome, ImageError>) -> Void in
            self.downloaded(result, found, isRefresh: isRefresh)
        }
        load.hold(receipt)
    }

    /// The request of the download: the options one to one, but for a refresh.
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
        _ found: ImageStore.Found?,
        isRefresh: Bool
    ) {
        switch result {
        case .failure(.cancelled) where load.isCancelled:
            if settings.tellsCancelled { onDelivery { self.completion(self.failure(.cancelled)) } }
        case .failure(let error):
            loader.failedURLs.note(error, of: url)
            end(with: error)
        case .success(.unchanged(let moment)): unchanged(found, moment, isRefresh: isRefresh)
        case .success(.image(let content)):
            loader.failedURLs.forget(url)
            // What nobody waits for any more is cached all the same.
            received(content)
        }
    }

    private func unchanged(_ found: ImageStore.Found?, _ moment: Double?, isRefresh: Bool) {
        if settings.freshness == .http { loader.store.setFreshness(until: moment, for: key) }
        // The cached image has been delivered, and nothing is to be added.
        if isRefresh { return endSilently() }
        let known =
            found ?? loader.store.imageInMemory(key).map { ImageStore.Found(entry: $0, source: .memory) }
        var result = ImageResult(known?.entry.image, source: known?.source ?? .none, url: url)
        result.isNotModified = true
        end(result)
    }

    private func received(_ content: DownloadedImage) {
        guard let original = content.image else {
            return end(ImageResult(nil, url: url, bytes: content.bytes))
        }
        loader.tell(.decoded, url)
        let transforms = !original.header.isAnimated || options.contains(.transformAnimated)
        guard transforms, let transform = settings.transform else {
            return keep(original, content.bytes, content)
        }
        guard let image = transform(original, url) else { return end(ImageResult(nil, url: url)) }
        keep(image, image.isIdentical(to: original) ? content.bytes : nil, content)
    }

    private func keep(_ image: RasterImage, _ bytes: [UInt8]?, _ content: DownloadedImage) {
        var made = ImageResult(image, url: url, bytes: content.bytes)
        made.response = content.response
        let result = made
        let onDisk = !options.contains(.memoryOnly)
        let url = url
        let tellsDisk = onDisk && loader.store.disk != nil
        let waits = options.contains(.waitForStore)
        loader.store.store(
            image,
            bytes: settings.reencodesAsPNG ? nil : bytes,
            for: key,
            onDisk: onDisk,
            freshUntil: settings.freshness == .http ? content.freshUntil ?? loader.clock.wallSeconds : nil
        ) {
            if tellsDisk { self.loader.tell(.storedOnDisk, url) }
            if waits { self.end(result) }
        }
        loader.tell(.storedInMemory, url)
        if !waits { end(result) }
    }

    // MARK: The end

    private func failure(_ error: ImageError) -> ImageResult { ImageResult(nil, error, url: url) }

    private func end(with error: ImageError) { end(failure(error)) }

    private func end(_ result: ImageResult) {
        onDelivery {
            guard self.load.end() else { return }
            self.loader.forget(self.load)
            self.loader.tell(.delivered, self.url)
            self.completion(result)
            self.onEnd()
        }
    }

    private func endSilently() {
        guard load.end() else { return }
        loader.forget(load)
        onEnd()
    }

    private func deliverPartial(_ image: RasterImage) {
        deliver(ImageResult(image, isFinal: false, url: url))
    }

    private func deliver(_ result: ImageResult) {
        onDelivery { if !self.load.isOver { self.completion(result) } }
    }

    private func onDelivery(_ work: @escaping @Sendable () -> Void) {
        if isDirect { work() } else { loader.delivery.deliver(work) }
    }
}

/// Calls at once, on the thread that has something to tell.
struct DirectDelivery: DeliveryQueue {
    var isCurrent: Bool { true }

    func deliver(_ work: @escaping @Sendable () -> Void) { work() }
}
