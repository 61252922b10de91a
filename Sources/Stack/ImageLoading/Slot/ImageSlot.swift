import CacheClient
public import HTTPTypes
import Locks

/// A place that shows one image at a time, such as a view or a cell that is used again and again.
///
/// A new load cancels the one before. What a slot shows is a placeholder, or an image of the URL that it was asked for
/// last: results are told apart by their load, never by their URL.
public final class ImageSlot: Sendable {
    /// What a slot does where the documents' libraries differ.
    public struct Behaviour: Sendable, Hashable {
        /// Whether a load without placeholder blanks the slot, default true; else the old image stays.
        public var blanksWithoutPlaceholder = true
        /// Whether a completion replaces showing the image; default false.
        public var completionReplacesShowing = false
        /// Whether a load goes on for the cache's sake when its slot is let go; default false.
        public var loadsOutliveSlot = false

        /// Creates the default, which is SDWebImage's.
        public init() {}

        /// As SDWebImage's view category.
        public static let sdWebImage = Behaviour()
        /// As AFNetworking's image view category.
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
    /// What loads.
    public let loader: ImageLoader
    /// What the slot does where libraries differ.
    public let behaviour: Behaviour
    /// The running operations; the image's are under `OperationTable.imageKey`.
    public let operations = OperationTable()
    private let state = Lock(State())

    /// Creates an empty slot.
    public init(loader: ImageLoader, behaviour: Behaviour = .sdWebImage) {
        self.loader = loader
        self.behaviour = behaviour
    }

    // What is still in the table would be cancelled with it.
    deinit { if behaviour.loadsOutliveSlot { operations.remove(OperationTable.imageKey) } }

    /// What is shown: an image or a placeholder; `nil` for nothing.
    public var image: RasterImage? { state.withLock { $0.image } }
    /// The placeholder of the current load.
    public var placeholder: RasterImage? { state.withLock { $0.placeholder } }
    /// The URL that was asked for last.
    public var currentURL: String? { state.withLock { $0.url } }
    /// Whether a load runs.
    public var isBusy: Bool { state.withLock { $0.isBusy } }
    /// Whether an image was shown since the owner laid out; the owner sets it back.
    public var needsLayout: Bool {
        get { state.withLock { $0.needsLayout } }
        set { state.withLock { $0.needsLayout = newValue } }
    }

    /// Calls `changes` with what is shown whenever that changes, on the thread that changes it.
    public func onChange(_ changes: @escaping @Sendable (RasterImage?) -> Void) {
        state.withLock { $0.changes = changes }
    }

    /// Shows the image of a URL when it is there; the completion is called on the delivery queue, unless another load
    /// comes first.
    ///
    /// An image in memory is shown before this returns. Without URL the completion hears `ImageError.noURL`.
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

    /// As `load(_:placeholder:…)`, for a request of one's own.
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
        if let hit = loader.imageInMemory(for: request), settle(hit, request, number, completion) {
            return nil
        }
        showPlaceholder(placeholder, number, isDelayed: request.options.contains(.delayPlaceholder))
        return start(request, number, progress, completion)
    }

    /// Ends the current load without result.
    public func cancel() {
        operations.cancel(OperationTable.imageKey)
        state.withLock { state in
            state.load += 1
            state.isBusy = false
        }
    }

    // MARK: Parts

    private func start(
        _ request: ImageRequest,
        _ number: UInt64,
        _ progress: (@Sendable (ImageProgress) -> Void)?,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) -> ImageLoad {
        let load = loader.load(request, progress: progress) { [weak self] result in
            self?.receive(result, request, number, completion)
        }
        // It may have ended by now, or another load have begun.
        guard state.withLock({ $0.load == number && $0.isBusy }) else { return load }
        operations.set([load], for: OperationTable.imageKey)
        if load.isOver { operations.remove(load, from: OperationTable.imageKey) }
        return load
    }

    /// Shows what memory has, before anybody else gets a turn.
    private func settle(
        _ image: RasterImage,
        _ request: ImageRequest,
        _ number: UInt64,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) -> Bool {
        let result = ImageResult(image, source: .memory, url: request.url)
        if shows(request, completion) { show(image, number) }
        rest(number)
        report(result, number, completion)
        return true
    }

    private func receive(
        _ result: ImageResult,
        _ request: ImageRequest,
        _ number: UInt64,
        _ completion: (@Sendable (ImageResult) -> Void)?
    ) {
        guard state.withLock({ $0.load == number }) else { return }
        if result.isFinal { operations.remove(OperationTable.imageKey) }
        let isHandedOver = !shows(request, completion)
        if let image = result.image, !isHandedOver {
            show(image, number)
        } else if result.image == nil, result.isFinal, request.options.contains(.delayPlaceholder) {
            showPlaceholder(placeholder, number, isDelayed: false)
        }
        if result.isFinal { rest(number) }
        if result.isFinal || isDeliveredTwice(result) { completion?(result) }
    }

    /// Ends a load, whose image is shown by now: who sees that the slot is not busy sees the image, too.
    private func rest(_ number: UInt64) {
        state.withLock { state in if state.load == number { state.isBusy = false } }
    }

    /// Partial images come from nowhere; what is not final and has a source is the cached image of a refresh.
    private func isDeliveredTwice(_ result: ImageResult) -> Bool { result.source != .none }

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
    /// Shows the image of a URL, asked for with `Accept: image/*`, as AFNetworking's category does.
    @discardableResult
    public func setImage(_ url: String, placeholder: RasterImage? = nil) -> ImageLoad? {
        setImage(.image(at: url), placeholder: placeholder)
    }

    /// Shows the image of a request, or hands it to `success`, which hears neither request nor response of a hit.
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
                if let image = result.image { self?.showHandedOver(image) }
            } else {
                let isHit = result.source != .none
                success?(isHit ? nil : request, isHit ? nil : result.response, result.image)
            }
        }
    }

    private func showHandedOver(_ image: RasterImage) { show(image, state.withLock { $0.load }) }
}
