import CacheClient
public import HTTPTypes
import Locks

/// A view, such as a reusable cell, that shows one image at a time.
///
/// A new load cancels the previous one. A slot shows either a placeholder or an image of the URL that was
/// requested last; results are matched by load, not by URL.
public final class ImageSlot: Sendable {
    /// The behaviour in which the documents' libraries differ.
    public struct Behaviour: Sendable, Hashable {
        /// Whether a load without a placeholder clears the slot; default true; otherwise the old image stays.
        public var blanksWithoutPlaceholder = true
        /// Whether the image is passed to a completion instead of being shown; default false.
        public var completionReplacesShowing = false
        /// Whether a load continues, to fill the cache, after its slot is released; default false.
        public var loadsOutliveSlot = false

        /// Creates the default behaviour, which is SDWebImage's.
        public init() {}

        /// The behaviour of SDWebImage's view category.
        public static let sdWebImage = Behaviour()
        /// The behaviour of AFNetworking's image view category.
        public static var afNetworking: Behaviour {
            var behaviour = Behaviour()
            behaviour.blanksWithoutPlaceholder = false
            behaviour.completionReplacesShowing = true
            behaviour.loadsOutliveSlot = true
            return behaviour
        }
    }
    private struct State {
        var image: RasterImage?
        var placeholder: RasterImage?
        var url: String?
        var load: UInt64 = 0
        var isBusy = false
        var needsLayout = false
        var changes: (@Sendable (RasterImage?) -> Void)?
    }
    /// The loader of the slot's images.
    public let loader: ImageLoader
    /// The behaviour of loads in this slot.
    public let behaviour: Behaviour
    /// The running operations; the image load's key is `OperationTable.imageKey`.
    public let operations = OperationTable()
    private let state = Lock(State())

    /// Creates an empty slot; `behaviour` is by default that of the loader's profile.
    public init(loader: ImageLoader, behaviour: Behaviour? = nil) {
        self.loader = loader
        self.behaviour = behaviour ?? loader.configuration.slots
    }

    // Operations that remain in the table would be cancelled with it.
    deinit { if behaviour.loadsOutliveSlot { operations.remove(OperationTable.imageKey) } }

    /// The image or placeholder that is shown; `nil` if there is none.
    public var image: RasterImage? { state.withLock { $0.image } }
    /// The placeholder of the current load.
    public var placeholder: RasterImage? { state.withLock { $0.placeholder } }
    /// The URL that was requested last.
    public var currentURL: String? { state.withLock { $0.url } }
    /// Whether a load is running.
    public var isBusy: Bool { state.withLock { $0.isBusy } }
    /// Whether an image was shown since the last layout; the owner resets it.
    public var needsLayout: Bool {
        get { state.withLock { $0.needsLayout } }
        set { state.withLock { $0.needsLayout = newValue } }
    }

    /// Calls `changes` with the image whenever it changes, on the thread that changes it.
    public func onChange(_ changes: @escaping @Sendable (RasterImage?) -> Void) {
        state.withLock { $0.changes = changes }
    }

    /// Loads and shows the image of a URL; unless another load starts first, the completion is called on the
    /// delivery queue.
    ///
    /// An image in memory is shown before this returns. Without a URL, the result has the error `noURL`.
    @discardableResult
    public func load(
        _ url: String?,
        placeholder: RasterImage? = nil,
        options: ImageLoadOptions = [],
        completion: (@Sendable (ImageResult) -> Void)? = nil,
        progress: (@Sendable (ImageProgress) -> Void)? = nil
    ) -> ImageLoad? {
        load(
            url.map { ImageRequest(url: $0, options: options) },
            placeholder: placeholder,
            options: options,
            completion: completion,
            progress: progress
        )
    }

    /// Loads like `load(_:placeholder:…)`, for a request.
    @discardableResult
    public func load(
        _ request: ImageRequest?,
        placeholder: RasterImage? = nil,
        options: ImageLoadOptions = [],
        completion: (@Sendable (ImageResult) -> Void)? = nil,
        progress: (@Sendable (ImageProgress) -> Void)? = nil
    ) -> ImageLoad? {
        operations.cancel(OperationTable.imageKey)
        let number = state.withLock { state in
            state.load += 1
            state.url = request?.url
            state.placeholder = placeholder
            state.isBusy = request != nil
            return state.load
        }
        guard var request else {
            showPlaceholder(placeholder, number, isDelayed: false)
            report(ImageResult(nil, .noURL, url: ""), number, completion)
            return nil
        }
        request.options.formUnion(options)
        if let hit = loader.imageInMemory(for: request) {
            showCached(hit, request, number, completion)
            return nil
        }
        showPlaceholder(placeholder, number, isDelayed: request.options.contains(.delayPlaceholder))
        return start(request, number, progress, completion)
    }

    /// Cancels the current load without a result.
    public func cancel() {
        operations.cancel(OperationTable.imageKey)
        state.withLock { state in
            state.load += 1
            state.isBusy = false
        }
    }

    private func start(
        _ request: ImageRequest,
        _ number: UInt64,
        _ progress: (@Sendable (ImageProgress) -> Void)?,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) -> ImageLoad {
        let load = loader.load(request, progress: progress) { [weak self] result in
            self?.receive(result, request, number, completion)
        }
        // The load may have ended, or another one may have started.
        guard state.withLock({ $0.load == number && $0.isBusy }) else { return load }
        operations.set([load], for: OperationTable.imageKey)
        if load.isFinished { operations.remove(load, from: OperationTable.imageKey) }
        return load
    }

    /// Shows an image from memory synchronously.
    private func showCached(
        _ image: RasterImage,
        _ request: ImageRequest,
        _ number: UInt64,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) {
        let result = ImageResult(image, source: .memory, url: request.url)
        if shows(request, completion) { show(image, number) }
        markIdle(number)
        report(result, number, completion)
    }

    private func receive(
        _ result: ImageResult,
        _ request: ImageRequest,
        _ number: UInt64,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) {
        guard state.withLock({ $0.load == number }) else { return }
        if result.isFinal { operations.remove(OperationTable.imageKey) }
        let isPassedOn = !shows(request, completion)
        if let image = result.image, !isPassedOn {
            show(image, number)
        } else if result.image == nil, result.isFinal, request.options.contains(.delayPlaceholder) {
            showPlaceholder(placeholder, number, isDelayed: false)
        }
        if result.isFinal { markIdle(number) }
        if result.isFinal || isDeliveredTwice(result) { completion?(result) }
    }

    /// Marks the slot as not busy; called after the image is shown, so that an idle slot always shows its
    /// image.
    private func markIdle(_ number: UInt64) {
        state.withLock { state in if state.load == number { state.isBusy = false } }
    }

    /// Whether a result that is not final is delivered: the cached image of a refresh is; partial images, whose source is
    /// the network, are not.
    private func isDeliveredTwice(_ result: ImageResult) -> Bool { result.source != .network }

    private func shows(_ request: ImageRequest, _ completion: (@Sendable (ImageResult) -> Void)?) -> Bool {
        guard completion != nil else { return true }
        return !behaviour.completionReplacesShowing && !request.options.contains(.avoidAutoSet)
    }

    private func show(_ image: RasterImage, _ number: UInt64) {
        let changes = state.withLock { state -> (@Sendable (RasterImage?) -> Void)? in
            guard state.load == number else { return nil }
            state.image = image
            state.needsLayout = true
            return state.changes
        }
        changes?(image)
    }

    private func showPlaceholder(_ placeholder: RasterImage?, _ number: UInt64, isDelayed: Bool) {
        guard !isDelayed, placeholder != nil || behaviour.blanksWithoutPlaceholder else { return }
        let changes = state.withLock { state -> (@Sendable (RasterImage?) -> Void)? in
            guard state.load == number else { return nil }
            state.image = placeholder
            return state.changes
        }
        changes?(placeholder)
    }

    private func report(
        _ result: ImageResult,
        _ number: UInt64,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) {
        guard let completion else { return }
        loader.delivery.deliver { [weak self] in
            guard self?.state.withLock({ $0.load == number }) == true else { return }
            completion(result)
        }
    }
}

extension ImageSlot {
    /// Loads and shows the image of a URL, requested with `Accept: image/*`, like AFNetworking's category.
    @discardableResult
    public func setImage(_ url: String, placeholder: RasterImage? = nil) -> ImageLoad? {
        setImage(.image(at: url), placeholder: placeholder)
    }

    /// Shows the image of a request, or passes it to `success`, without request and response if it came from
    /// a cache.
    @discardableResult
    public func setImage(
        _ request: ImageRequest,
        placeholder: RasterImage? = nil,
        success: (@Sendable (ImageRequest?, HTTPResponse?, RasterImage?) -> Void)? = nil,
        failure: (@Sendable (ImageRequest, ImageError) -> Void)? = nil
    ) -> ImageLoad? {
        guard success != nil || failure != nil else { return load(request, placeholder: placeholder) }
        let showsItself = success == nil
        return load(request, placeholder: placeholder) { [weak self] result in
            if let error = result.error {
                failure?(request, error)
            } else if showsItself {
                if let image = result.image { self?.showForCurrentLoad(image) }
            } else {
                let isHit = result.source != .network
                success?(isHit ? nil : request, isHit ? nil : result.response, result.image)
            }
        }
    }

    private func showForCurrentLoad(_ image: RasterImage) { show(image, state.withLock { $0.load }) }
}
