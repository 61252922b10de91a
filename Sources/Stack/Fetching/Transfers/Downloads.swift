public import CacheClient
import Clocks
import HTTPTypes
import Locks

/// The downloads of a program: each goes to a file, can be suspended, and goes on where it stopped, in another process too.
///
/// A download is addressed by the text it was started with. Everything may be called from any thread.
public final class Downloads: Sendable {
    private struct State {
        var tasks: [String: DownloadTask] = [:]
        var places: [String: String] = [:]
    }
    /// Whose base URLs, default fields, timeout, credential, cookies and interceptors the downloads use, and in whose
    /// pool they are.
    public let session: FetchSession
    /// Where the parts are.
    public let partialFolder: FileFolder
    private let client: CachingClient
    private let state = Lock(State())

    /// Creates a place for downloads; parts are in `partialFolder`, which no other process may use at the same time.
    public init(_ session: FetchSession, transport: any Transport, partialFolder: String) {
        self.session = session
        self.partialFolder = FileFolder(partialFolder)
        var settings = CachingClient.Configuration()
        // Time stands still for a suspended download, so its deadline is its own.
        settings.defaultTimeout = nil
        settings.largestDecodedBody = .max
        if let cookies = session.cookies { settings.willSend = { cookies.willSend($0, after: $1) } }
        // A whole file is no entry of a cache.
        client = CachingClient(settings, store: nil, transport: transport, clock: session.clock)
    }

    // MARK: Starting

    /// Downloads a file and returns when it is in its place.
    ///
    /// Cancelling the task cancels the download, unless it is detached. Throws a failure that says where the part is, and
    /// at once for a second download of the same URL, or to the same file.
    public func download(
        _ request: DownloadRequest,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(DownloadFailure) -> DownloadedFile {
        let task = try begin(request, progress: progress) { _ in }
        let result = await withTaskCancellationHandler {
            await task.value()
        } onCancel: {
            if !request.isDetached { task.stop(.cancelled) }
        }
        return try result.get()
    }

    /// Starts a download, and calls `completion` once at its end.
    public func start(
        _ request: DownloadRequest,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in },
        completion: @escaping @Sendable (Result<DownloadedFile, DownloadFailure>) -> Void
    ) throws(DownloadFailure) {
        _ = try begin(request, progress: progress, completion: completion)
    }

    /// Waits for the end of a download that somebody started; `nil` where none runs.
    public func end(of path: String) async -> Result<DownloadedFile, DownloadFailure>? {
        guard let task = state.withLock({ $0.tasks[path] }) else { return nil }
        return await task.value()
    }

    private func begin(
        _ request: DownloadRequest,
        progress: @escaping @Sendable (TransferProgress) -> Void,
        completion: @escaping @Sendable (Result<DownloadedFile, DownloadFailure>) -> Void
    ) throws(DownloadFailure) -> DownloadTask {
        let task: DownloadTask
        do throws(FetchError) {
            task = try makeTask(request, progress: progress, completion: completion)
            try add(task)
        } catch {
            throw DownloadFailure(error)
        }
        task.enter(session.pool)
        task.begin()
        return task
    }

    private func makeTask(
        _ request: DownloadRequest,
        progress: @escaping @Sendable (TransferProgress) -> Void,
        completion: @escaping @Sendable (Result<DownloadedFile, DownloadFailure>) -> Void
    ) throws(FetchError) -> DownloadTask {
        let configuration = session.configuration
        var fetch = FetchRequest(.get, request.path)
        fetch.base = request.base
        fetch.fields = request.fields
        fetch.kind = .download
        fetch.tag = request.tag
        let resolved = session.resolve(fetch, configuration)
        let outgoing = try resolved.compose(configuration, after: nil, earlierAttempts: 0)
        return DownloadTask(
            request,
            of: outgoing.url,
            by: DownloadExchange(resolved, configuration, session: session, client: client),
            timeout: request.timeout ?? configuration.timeout,
            part: PartialFile(of: outgoing.url, in: partialFolder),
            executor: configuration.executor,
            clock: session.clock,
            onProgress: progress
        ) { [weak self, session] task, result in
            self?.forget(task)
            task.leave(session.pool, result)
            completion(result)
            task.tellCompleted()
        }
    }

    private func add(_ task: DownloadTask) throws(FetchError) {
        let place = DownloadPlace(task.request, url: task.url).reserved
        try state.withLock { state throws(FetchError) in
            let path = task.request.path
            guard state.tasks[path] == nil, !state.tasks.values.contains(where: { $0.url == task.url }) else {
                throw FetchError(.badRequest, "\(task.url) is being downloaded already.")
            }
            if let other = state.places[place] {
                throw FetchError(.badRequest, "\(other) is being downloaded to \(place) already.")
            }
            state.tasks[path] = task
            state.places[place] = task.url
        }
    }

    private func forget(_ task: DownloadTask) {
        state.withLock { state in
            guard state.tasks[task.request.path] === task else { return }
            state.tasks[task.request.path] = nil
            if let place = state.places.first(where: { $0.value == task.url })?.key {
                state.places[place] = nil
            }
        }
    }

    // MARK: Steering

    /// The texts of the downloads that have not ended, sorted.
    public var running: [String] { state.withLock { $0.tasks.keys.sorted() } }

    /// The texts of the downloads that are suspended, sorted.
    public var suspended: [String] {
        state.withLock { state in state.tasks.filter { $0.value.isSuspended }.keys.sorted() }
    }

    /// Suspends downloads: nothing more of them is received, and no time runs against them.
    ///
    /// Unknown ones are overlooked.
    public func suspend(_ paths: [String]) { for task in tasks(paths) { task.suspend() } }

    /// Suspends one download.
    public func suspend(_ path: String) { suspend([path]) }

    /// Suspends all downloads.
    public func suspendAll() { suspend(running) }

    /// Lets suspended downloads go on; others are not touched.
    public func resume(_ paths: [String]) { for task in tasks(paths) { task.resume() } }

    /// Lets one suspended download go on.
    public func resume(_ path: String) { resume([path]) }

    /// Lets all suspended downloads go on.
    public func resumeAll() { resume(running) }

    /// Ends downloads as cancelled; resumable ones keep what has come.
    public func cancel(_ paths: [String]) { for task in tasks(paths) { task.stop(.cancelled) } }

    /// Ends one download as cancelled.
    public func cancel(_ path: String) { cancel([path]) }

    /// Ends all downloads as cancelled.
    public func cancelAll() { cancel(running) }

    /// Stops every download that is not detached, without ending it, until `enterForeground()`.
    public func enterBackground() {
        for task in tasks(running) where !task.request.isDetached { task.park() }
    }

    /// Lets the downloads go on by themselves that the background had stopped.
    public func enterForeground() { for task in tasks(running) where task.isParked { task.begin() } }

    private func tasks(_ paths: [String]) -> [DownloadTask] {
        state.withLock { state in paths.compactMap { state.tasks[$0] } }
    }

    // MARK: Parts

    /// The parts that are kept, of this process's downloads and earlier ones.
    public func partialDownloads() throws(FetchError) -> [PartialDownload] {
        try PartialFile.all(in: partialFolder)
    }

    /// Removes the parts of downloads that do not run.
    public func removePartialDownloads() throws(FetchError) {
        let inUse = Set(state.withLock { $0.tasks.values.map(\.url) })
        for part in try partialDownloads() where !inUse.contains(part.url) {
            PartialFile(of: part.url, in: partialFolder).remove()
        }
    }
}
