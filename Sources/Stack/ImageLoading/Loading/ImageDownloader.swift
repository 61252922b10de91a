public import CacheClient
public import CacheStorage
public import Clocks
public import Fetching
public import HTTPTypes
import Locks

/// Downloads and decodes images; requests for the same URL share a transfer, and concurrency is limited.
///
/// Its methods may be called from any thread. Callbacks of `receive` are called on the transfer's thread;
/// other callbacks are called on the delivery queue.
public final class ImageDownloader: Sendable {
    /// The settings of a downloader.
    public struct Configuration: Sendable {
        /// The largest number of concurrent transfers; default 6.
        public var concurrency = 6
        /// The order in which waiting transfers of the same priority start.
        public var order = ImageQueueOrder.firstInFirstOut
        /// The inactivity timeout; default 15 s, which zero also selects.
        public var timeout = Duration.seconds(15)
        /// Header fields of every request.
        public var fields: HTTPFields = [:]
        /// Changes the header fields of a request; default none.
        public var fieldsFilter: (@Sendable (_ url: String, _ fields: HTTPFields) -> HTTPFields)?
        /// The media types that are accepted as images; `nil`, the default, accepts any type.
        public var acceptableTypes: Set<String>?
        /// Whether empty content is a success without an image; default false.
        public var allowsEmptyContent = false
        /// Whether images are decoded immediately; default true.
        public var decompresses = true
        /// Whether requests without a policy use the HTTP cache; default false, which avoids storing images
        /// twice.
        public var usesURLCache = false
        /// The HTTP cache's own expiry, as in a client's configuration; default none.
        public var expirationInterval: Duration?
        /// The credential for challenges; takes precedence over `user` and `password`.
        public var credential: Credential?
        /// A user name; requires `password`.
        public var user: String?
        /// A password; requires `user`.
        public var password: String?
        /// The executor of transfers and decoding; default the concurrent executor.
        public var executor: (any TaskExecutor)?
        /// Called once at the end of each transfer, regardless of its result, on any thread.
        public var onEnd: (@Sendable (_ url: String) -> Void)?

        /// Creates the default configuration.
        public init() {}
    }
    private struct Transfer: Sendable {
        var kind: DownloadKind
        var request: ImageRequest
        var listeners: [DownloadReceipt]
        var task: Task<Void, Never>?
        var latest: ImageProgress?
    }
    private struct State: Sendable {
        var queue: TransferQueue
        var transfers: [UInt64: Transfer] = [:]
        var current: [DownloadKind: UInt64] = [:]
        var next: UInt64 = 0
    }
    /// The settings of the downloader.
    public let configuration: Configuration
    /// Decoders and their limits.
    public let codecs: ImageCodecs
    /// The cookies of requests with the option `handleCookies`.
    public let cookies: CookieStorage
    /// The HTTP cache for requests that use it; `nil` if there is none.
    public let urlCache: (any ResponseStore)?
    let clock: any TimeSource
    let delivery: any DeliveryQueue
    let clients: DownloadClients
    private let state: Lock<State>

    /// Creates a downloader; `urlCache` is the HTTP cache for requests that use it, `nil` means none.
    public init(
        _ configuration: Configuration = Configuration(),
        transport: any Transport,
        urlCache: (any ResponseStore)? = nil,
        clock: any TimeSource,
        delivery: any DeliveryQueue = SerialDelivery(),
        codecs: ImageCodecs = ImageCodecs()
    ) {
        self.configuration = configuration
        self.codecs = codecs
        self.clock = clock
        self.delivery = delivery
        self.urlCache = urlCache
        cookies = CookieStorage(clock: clock)
        var settings = CachingClient.Configuration()
        settings.defaultTimeout = configuration.effectiveTimeout
        settings.expirationInterval = configuration.expirationInterval
        settings.largestContent = codecs.limits.encodedSize
        clients = DownloadClients(settings, urlCache: urlCache, transport: transport, clock: clock)
        let queue = TransferQueue(limit: configuration.concurrency, order: configuration.order)
        state = Lock(State(queue: queue))
    }

    /// Whether downloads may use the network, and why not; default `allowed`.
    public var networkAccess: NetworkAccess {
        get { clients.networkAccess }
        set { clients.networkAccess = newValue }
    }

    /// Whether the network is available; otherwise, downloads fail immediately with −1009.
    public var isOnline: Bool {
        get { networkAccess == .allowed }
        set { networkAccess = newValue ? .allowed : .offline }
    }

    /// Whether waiting transfers are held; running ones continue.
    public var isSuspended: Bool {
        get { state.withLock { $0.queue.isSuspended } }
        set {
            state.withLock { $0.queue.isSuspended = newValue }
            startWaiting()
        }
    }

    /// The number of running transfers.
    public var runningTransfers: Int { state.withLock { $0.queue.runningCount } }

    /// Returns the number of listeners of the transfer that a request would join; 0 if it would start a new one.
    public func listenerCount(for request: ImageRequest) -> Int {
        let kind = kind(of: request)
        return state.withLock { state in
            state.current[kind].flatMap { state.transfers[$0] }?.listeners.count ?? 0
        }
    }

    /// Downloads an image, or joins a running download of it; callbacks are called on the delivery queue.
    @discardableResult
    public func download(
        _ request: ImageRequest,
        progress: (@Sendable (ImageProgress) -> Void)? = nil,
        partial: (@Sendable (RasterImage) -> Void)? = nil,
        completion: @escaping @Sendable (Result<DownloadOutcome, ImageError>) -> Void
    ) -> DownloadReceipt {
        let delivery = delivery
        return receive(
            request,
            progress: delivery.delivering(progress),
            partial: delivery.delivering(partial),
            completion: { result in delivery.deliver { completion(result) } }
        )
    }

    /// Downloads an image, or joins a running download of it; cancelling the task leaves the download.
    nonisolated(nonsending) public func download(_ request: ImageRequest) async throws(ImageError)
        -> DownloadOutcome
    {
        let held = Lock<DownloadReceipt?>(nil)
        let result: Result<DownloadOutcome, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let receipt = receive(request) { continuation.resume(returning: $0) }
                held.withLock { $0 = receipt }
                if Task.isCancelled { receipt.cancel() }
            }
        } onCancel: {
            held.withLock { $0 }?.cancel()
        }
        return try result.get()
    }

    /// Downloads like `download`, but calls callbacks on the transfer's thread.
    @discardableResult
    func receive(
        _ request: ImageRequest,
        progress: (@Sendable (ImageProgress) -> Void)? = nil,
        partial: (@Sendable (RasterImage) -> Void)? = nil,
        completion: @escaping @Sendable (Result<DownloadOutcome, ImageError>) -> Void
    ) -> DownloadReceipt {
        let listener = DownloadReceipt.Listener(progress: progress, partial: partial, completion: completion)
        let receipt = DownloadReceipt(request, listener)
        let kind = kind(of: request)
        let (id, latest) = state.withLock { Self.add(receipt, kind, &$0) }
        receipt.onCancel { [weak self] receipt in self?.leave(receipt, of: id) }
        if let latest { progress?(latest) }
        startWaiting()
        return receipt
    }

    private static func add(
        _ receipt: DownloadReceipt,
        _ kind: DownloadKind,
        _ state: inout State
    ) -> (UInt64, ImageProgress?) {
        if let id = state.current[kind], let transfer = state.transfers[id] {
            state.transfers[id]?.listeners.append(receipt)
            state.queue.raise(id, to: receipt.request.effectivePriority)
            if transfer.task != nil { receipt.begin() }
            return (id, transfer.latest)
        }
        state.next += 1
        let id = state.next
        state.transfers[id] = Transfer(kind: kind, request: receipt.request, listeners: [receipt])
        state.current[kind] = id
        state.queue.add(id, receipt.request.effectivePriority)
        return (id, nil)
    }

    private func kind(of request: ImageRequest) -> DownloadKind {
        var fields = configuration.fields
        for field in request.fields { fields[values: field.name] = request.fields[values: field.name] }
        if let filter = configuration.fieldsFilter { fields = filter(request.url, fields) }
        return DownloadKind(
            url: request.url,
            fields: fields,
            usesURLCache: usesURLCache(request),
            policy: request.policy,
            handlesCookies: request.options.contains(.handleCookies),
            allowsInvalidCertificates: request.options.contains(.allowInvalidCertificates)
        )
    }

    private func usesURLCache(_ request: ImageRequest) -> Bool {
        request.policy != nil || configuration.usesURLCache || request.options.contains(.useURLCache)
    }

    private func startWaiting() {
        state.withLock { state in
            for id in state.queue.dequeueReady() {
                guard let transfer = state.transfers[id] else {
                    state.queue.end(id)
                    continue
                }
                for receipt in transfer.listeners { receipt.begin() }
                state.transfers[id]?.task = Task(executorPreference: configuration.executor) {
                    let result = await self.run(id, transfer.kind, transfer.request)
                    self.finish(id, result)
                }
            }
        }
    }

    private func run(
        _ id: UInt64,
        _ kind: DownloadKind,
        _ request: ImageRequest
    ) async -> Result<DownloadOutcome, ImageError> {
        let transfer = ImageTransfer(
            kind: kind,
            request: request,
            downloader: self,
            onProgress: { self.report($0, id) },
            wantsPartial: { self.listeners(of: id).contains { $0.partial != nil } },
            onPartial: { image in for one in self.listeners(of: id) { one.partial?(image) } }
        )
        do throws(ImageError) {
            return .success(try await transfer.outcome())
        } catch {
            return .failure(error)
        }
    }

    private func listeners(of id: UInt64) -> [DownloadReceipt.Listener] {
        state.withLock { $0.transfers[id]?.listeners ?? [] }.compactMap(\.listener)
    }

    private func report(_ progress: ImageProgress, _ id: UInt64) {
        let listeners = state.withLock { state in
            state.transfers[id]?.latest = progress
            return state.transfers[id]?.listeners ?? []
        }
        for one in listeners { one.listener?.progress?(progress) }
    }

    /// Ends a transfer, which is removed before its listeners are notified, so that a listener may request the same URL
    /// again.
    private func finish(_ id: UInt64, _ result: Result<DownloadOutcome, ImageError>) {
        let transfer = state.withLock { state in
            state.queue.end(id)
            return Self.forget(id, &state)
        }
        for one in transfer?.listeners ?? [] {
            one.end(as: .finished)?.completion(result.ignoringCached(for: one.request))
        }
        if let transfer { configuration.onEnd?(transfer.kind.url) }
        startWaiting()
    }

    private static func forget(_ id: UInt64, _ state: inout State) -> Transfer? {
        guard let transfer = state.transfers.removeValue(forKey: id) else { return nil }
        if state.current[transfer.kind] == id { state.current[transfer.kind] = nil }
        return transfer
    }

    private func leave(_ receipt: DownloadReceipt, of id: UInt64) {
        guard let listener = receipt.end(as: .cancelled) else { return }
        let abandoned = state.withLock { state -> Transfer? in
            state.transfers[id]?.listeners.removeAll { $0 === receipt }
            guard state.transfers[id]?.listeners.isEmpty == true else { return nil }
            _ = state.queue.removeWaiting(id)
            return Self.forget(id, &state)
        }
        abandoned?.task?.cancel()
        if let abandoned { configuration.onEnd?(abandoned.kind.url) }
        listener.completion(.failure(.cancelled))
    }
}

extension ImageDownloader.Configuration {
    var effectiveTimeout: Duration { timeout > .zero ? timeout : .seconds(15) }

    /// The credential; user and password form one only together.
    var effectiveCredential: Credential? {
        if let credential { return credential }
        guard let user, let password else { return nil }
        return .login(user: user, password: password)
    }
}

extension Result<DownloadOutcome, ImageError> {
    /// Replaces a response of the HTTP cache by `unchanged` if the request ignores cached responses.
    fileprivate func ignoringCached(for request: ImageRequest) -> Self {
        guard request.options.contains(.ignoreCachedResponse), case .success(.image(let content)) = self,
            content.isFromURLCache
        else { return self }
        return .success(.unchanged(freshUntil: content.freshUntil))
    }
}
