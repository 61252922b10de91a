public import CacheClient
public import CacheStorage
public import Clocks
public import Fetching
public import HTTPTypes
import Locks

/// Downloads images: joins those of one URL, runs so many at a time, and decodes what comes.
///
/// Everything may be called from any thread. Listeners of `receive` are told on the thread of the transfer; the other
/// forms tell on the delivery queue.
public final class ImageDownloader: Sendable {
    /// How downloads are made.
    public struct Configuration: Sendable {
        /// Transfers at the same time at most; default 6.
        public var concurrency = 6
        /// In which order waiting transfers of one priority begin.
        public var order = ImageQueueOrder.firstInFirstOut
        /// How long nothing may arrive; default and in place of zero 15 s.
        public var timeout = Duration.seconds(15)
        /// Fields of every request.
        public var fields: HTTPFields = [:]
        /// Changes the fields of one request; default not at all.
        public var fieldsFilter: (@Sendable (_ url: String, _ fields: HTTPFields) -> HTTPFields)?
        /// Media types that are taken for images; `nil`, the default, leaves that to the content.
        public var acceptableTypes: Set<String>?
        /// Whether empty content is a success without image; default false.
        public var allowsEmptyContent = false
        /// Whether images are decoded at once; default true.
        public var decompresses = true
        /// Whether requests that name no policy use the HTTP cache; default false, so that nothing is kept twice.
        public var usesURLCache = false
        /// Who asks, when a server wants to know; wins over `user` and `password`.
        public var credential: Credential?
        /// A user name, used with `password` only.
        public var user: String?
        /// A password, used with `user` only.
        public var password: String?
        /// Where transfers are worked on and images decoded; default the concurrent executor.
        public var executor: (any TaskExecutor)?
        /// Called once at the end of each transfer, however it ended, on any thread.
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
    /// How downloads are made.
    public let configuration: Configuration
    /// Decoders and their limits.
    public let codecs: ImageCodecs
    /// Where the cookies are that requests with that option send.
    public let cookies: CookieStorage
    /// The HTTP cache of requests that use one; `nil` for none.
    public let urlCache: CacheStore?
    let clock: any TimeSource
    let delivery: any DeliveryQueue
    let clients: DownloadClients
    private let state: Lock<State>

    /// Creates a downloader; `urlCache` is the HTTP cache for requests that use one, `nil` for none.
    public init(
        _ configuration: Configuration = Configuration(),
        transport: any Transport,
        urlCache: CacheStore? = nil,
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
        settings.largestDecodedBody = codecs.limits.encodedBytes
        clients = DownloadClients(settings, urlCache: urlCache, transport: transport, clock: clock)
        let queue = TransferQueue(limit: configuration.concurrency, order: configuration.order)
        state = Lock(State(queue: queue))
    }

    /// Whether the network may be used; where not, downloads fail at once with −1009.
    public var isOnline: Bool {
        get { clients.isOnline }
        set { clients.isOnline = newValue }
    }

    /// Whether waiting transfers are held back; those that run go on.
    public var isSuspended: Bool {
        get { state.withLock { $0.queue.isSuspended } }
        set {
            state.withLock { $0.queue.isSuspended = newValue }
            startWaiting()
        }
    }

    /// Transfers that run.
    public var runningTransfers: Int { state.withLock { $0.queue.runningCount } }

    /// Listeners of the transfer that a request would join; 0 where it would be a new one.
    public func listenerCount(for request: ImageRequest) -> Int {
        let kind = kind(of: request)
        return state.withLock { state in
            state.current[kind].flatMap { state.transfers[$0] }?.listeners.count ?? 0
        }
    }

    /// Downloads an image, or joins a download of it; tells on the delivery queue.
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

    /// Downloads an image, or joins a download of it; cancelling the task leaves it.
    public func download(_ request: ImageRequest) async throws(ImageError) -> DownloadOutcome {
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

    /// As `download`, but tells on whatever thread the transfer is.
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

    // MARK: Parts

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
            for id in state.queue.takeStarting() {
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
            onProgress: { self.tell($0, id) },
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

    private func tell(_ progress: ImageProgress, _ id: UInt64) {
        let listeners = state.withLock { state in
            state.transfers[id]?.latest = progress
            return state.transfers[id]?.listeners ?? []
        }
        for one in listeners { one.listener?.progress?(progress) }
    }

    /// The list is gone before anybody is told, so that a listener may ask for the same URL again.
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
            _ = state.queue.withdraw(id)
            return Self.forget(id, &state)
        }
        abandoned?.task?.cancel()
        if let abandoned { configuration.onEnd?(abandoned.kind.url) }
        listener.completion(.failure(.cancelled))
    }
}

extension ImageDownloader.Configuration {
    var effectiveTimeout: Duration { timeout > .zero ? timeout : .seconds(15) }

    /// The credential; user and password make one together only.
    var effectiveCredential: Credential? {
        if let credential { return credential }
        guard let user, let password else { return nil }
        return .login(user: user, password: password)
    }
}

extension Result<DownloadOutcome, ImageError> {
    /// Without what the HTTP cache had, for who asked for that.
    fileprivate func ignoringCached(for request: ImageRequest) -> Self {
        guard request.options.contains(.ignoreCachedResponse), case .success(.image(let content)) = self,
            content.isFromURLCache
        else { return self }
        return .success(.unchanged(freshUntil: content.freshUntil))
    }
}
