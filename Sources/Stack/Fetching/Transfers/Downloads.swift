import CacheClient
import Clocks
import HTTPTypes
import Locks

/// The downloads of a program.
///
/// Each is written to a file, can be suspended, and can be resumed, by another process too. A download is
/// identified by the path or URL of its request. All methods may be called from any thread.
public final class Downloads: Sendable {
    private struct State {
        var tasks: [String: DownloadTask] = [:]
        var destinations: [String: String] = [:]
    }
    /// The session whose base URLs, default fields, timeout, credential, cookies, interceptors, pool and
    /// transport are used.
    public let session: FetchSession
    /// The folder of the received parts.
    public let partialFolder: FileFolder
    private let client: CachingClient
    private let state = Lock(State())

    /// Creates an instance; no other process may use `partialFolder` at the same time.
    ///
    /// The size of the session's application cache includes the received parts from now on.
    public init(_ session: FetchSession, partialFolder: String) {
        self.session = session
        self.partialFolder = FileFolder(partialFolder)
        var settings = CachingClient.Configuration()
        // The timeout pauses while a download is suspended, so downloads implement their own.
        settings.defaultTimeout = nil
        settings.largestContent = nil
        if let cookies = session.cookies { settings.willSend = { cookies.willSend($0, after: $1) } }
        session.cache?.measure(self.partialFolder)
        // Downloaded files are not stored in the HTTP cache.
        client = CachingClient(
            settings,
            store: nil,
            transport: session.client.transport,
            clock: session.clock
        )
    }

    // MARK: Starting

    /// Downloads a file and returns when it is at its destination.
    ///
    /// Cancelling the task cancels the download, unless it is detached. A failure has the path of the
    /// received part. A second download of the same URL, or to the same file, fails immediately, and so does one to a folder that
    /// cannot be created or written.
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

    /// Starts a download, and calls `completion` once when it has ended.
    public func start(
        _ request: DownloadRequest,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in },
        completion: @escaping @Sendable (Result<DownloadedFile, DownloadFailure>) -> Void
    ) throws(DownloadFailure) {
        _ = try begin(request, progress: progress, completion: completion)
    }

    /// Waits for the result of a running download; returns `nil` if there is none with this path.
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
            // Before anything is received: the whole content would be lost if it could not be moved there.
            try DownloadDestination(request, url: task.url).prepare()
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
            by: DownloadExchange(resolved, configuration, session: session, client: client),
            part: PartialFile(of: outgoing.url, in: partialFolder),
            DownloadTask.Settings(
                timeout: request.timeout ?? configuration.timeout,
                executor: configuration.executor,
                clock: session.clock
            ),
            DownloadTask.Callbacks(onProgress: progress) { [weak self, session] task, result in
                self?.forget(task)
                task.leave(session.pool, result)
                completion(result)
                task.publishCompleted()
            }
        )
    }

    private func add(_ task: DownloadTask) throws(FetchError) {
        let destination = DownloadDestination(task.request, url: task.url).reserved
        try state.withLock { state throws(FetchError) in
            let path = task.request.path
            guard state.tasks[path] == nil, !state.tasks.values.contains(where: { $0.url == task.url }) else {
                throw FetchError(.badRequest, "\(task.url) is already being downloaded.")
            }
            if let other = state.destinations[destination] {
                throw FetchError(.badRequest, "\(other) is already being downloaded to \(destination).")
            }
            state.tasks[path] = task
            state.destinations[destination] = task.url
        }
    }

    private func forget(_ task: DownloadTask) {
        state.withLock { state in
            guard state.tasks[task.request.path] === task else { return }
            state.tasks[task.request.path] = nil
            if let destination = state.destinations.first(where: { $0.value == task.url })?.key {
                state.destinations[destination] = nil
            }
        }
    }

    // MARK: Control

    /// The paths of the downloads that have not ended, sorted.
    public var running: [String] { state.withLock { $0.tasks.keys.sorted() } }

    /// The paths of the suspended downloads, sorted.
    public var suspended: [String] {
        state.withLock { state in state.tasks.filter { $0.value.isSuspended }.keys.sorted() }
    }

    /// Suspends downloads: they receive nothing more, and their timeouts pause.
    ///
    /// Unknown paths are ignored.
    public func suspend(_ paths: [String]) { for task in tasks(paths) { task.suspend() } }

    /// Suspends one download.
    public func suspend(_ path: String) { suspend([path]) }

    /// Suspends all downloads.
    public func suspendAll() { suspend(running) }

    /// Resumes suspended downloads; has no effect on others.
    public func resume(_ paths: [String]) { for task in tasks(paths) { task.resume() } }

    /// Resumes one suspended download.
    public func resume(_ path: String) { resume([path]) }

    /// Resumes all suspended downloads.
    public func resumeAll() { resume(running) }

    /// Cancels downloads; resumable ones keep the received part.
    public func cancel(_ paths: [String]) { for task in tasks(paths) { task.stop(.cancelled) } }

    /// Cancels one download.
    public func cancel(_ path: String) { cancel([path]) }

    /// Cancels all downloads.
    public func cancelAll() { cancel(running) }

    /// Stops all downloads that are not detached, without ending them, until `enterForeground()`.
    public func enterBackground() {
        for task in tasks(running) where !task.request.isDetached { task.park() }
    }

    /// Restarts the downloads that `enterBackground()` stopped.
    public func enterForeground() { for task in tasks(running) where task.isParked { task.begin() } }

    private func tasks(_ paths: [String]) -> [DownloadTask] {
        state.withLock { state in paths.compactMap { state.tasks[$0] } }
    }

    // MARK: Partial downloads

    /// Returns the received parts that are kept, including those of earlier processes.
    public func partialDownloads() throws(FetchError) -> [PartialDownload] {
        try PartialFile.all(in: partialFolder)
    }

    /// Removes the received parts of downloads that are not running.
    public func removePartialDownloads() throws(FetchError) {
        let inUse = Set(state.withLock { $0.tasks.values.map(\.url) })
        for part in try partialDownloads() where !inUse.contains(part.url) {
            PartialFile(of: part.url, in: partialFolder).remove()
        }
    }
}
