import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import Locks

/// A running download: sends requests, resumes, writes, and moves the file to its destination.
final class DownloadTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var reason: FetchError?
        var isParked = false
        /// Runs are numbered; those up to `parkedRun` were parked, and report no result.
        var run = 0
        var parkedRun = 0
        var hasEnded = false
        var waiters: [CheckedContinuation<Result<DownloadedFile, DownloadFailure>, Never>] = []
        var result: Result<DownloadedFile, DownloadFailure>?
        var resumedFrom = 0
    }
    /// The timeout, and where and by which clock the transfer runs.
    struct Settings: Sendable {
        var timeout: Duration?
        var executor: (any TaskExecutor)?
        var clock: any TimeSource
    }
    /// The functions that are called with progress and with the result.
    struct Callbacks: Sendable {
        var onProgress: @Sendable (TransferProgress) -> Void
        var onEnd: @Sendable (DownloadTask, Result<DownloadedFile, DownloadFailure>) -> Void
    }
    let request: DownloadRequest
    let url: String
    private let exchange: DownloadExchange
    private let part: PartialFile
    private let settings: Settings
    private let callbacks: Callbacks
    private let state = Lock(State())
    private let suspension: Lock<TransferSuspension?>

    init(
        _ request: DownloadRequest,
        by exchange: DownloadExchange,
        part: PartialFile,
        _ settings: Settings,
        _ callbacks: Callbacks
    ) {
        self.request = request
        self.exchange = exchange
        self.part = part
        self.settings = settings
        self.callbacks = callbacks
        url = part.url
        suspension = Lock(nil)
        let timeout = settings.timeout
        let new = TransferSuspension(clock: settings.clock, timeout: timeout) { [weak self] in
            self?.stop(FetchError(.timedOut, "Nothing arrived for \((timeout ?? .zero).secondsText) s."))
        }
        suspension.withLock { $0 = new }
    }

    // MARK: Control

    var isSuspended: Bool { suspension.withLock { $0 }?.isSuspended ?? false }
    var isParked: Bool { state.withLock { $0.isParked } }
    func publish(_ event: FetchEvent) { exchange.publish(event) }
    var model: RequestModel { exchange.model }

    /// The state as listed in the pool.
    var poolState: FetchTask.State {
        switch state.withLock({ $0.result }) {
        case nil: .running
        case .success: .succeeded
        case .failure(let failure): failure.error.kind == .cancelled ? .cancelled : .failed
        }
    }

    /// Starts the download, or restarts it after it was parked.
    func begin() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.isParked = false
            state.run += 1
            let (before, number) = (state.task, state.run)
            state.task = Task(executorPreference: settings.executor) {
                // The previous run may still be writing.
                await before?.value
                await self.run(number)
            }
            if state.reason != nil { state.task?.cancel() }
        }
    }

    @discardableResult
    func suspend() -> Bool { suspension.withLock { $0 }?.begin() ?? false }

    @discardableResult
    func resume() -> Bool { suspension.withLock { $0 }?.end() ?? false }

    /// Ends the download with an error.
    func stop(_ error: FetchError) {
        let (task, isParked) = state.withLock { state in
            if state.reason == nil { state.reason = error }
            return (state.task, state.isParked)
        }
        task?.cancel()
        guard isParked else { return }
        Task(executorPreference: settings.executor) {
            await task?.value
            self.end(.failure(self.failure(error)))
        }
    }

    /// Stops the transfer without reporting a result, until it is restarted.
    func park() {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.hasEnded, !state.isParked else { return nil }
            state.isParked = true
            state.parkedRun = state.run
            return state.task
        }
        task?.cancel()
        if task != nil { suspension.withLock { $0 }?.stopTimer() }
    }

    /// Waits for the result.
    func value() async -> Result<DownloadedFile, DownloadFailure> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiters.append(continuation) }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    // MARK: Transfer

    private func run(_ number: Int) async {
        do throws(FetchError) {
            end(.success(try await transfer()))
        } catch {
            suspension.withLock { $0 }?.stopTimer()
            // A parked run reports no result. An explicit reason takes precedence over the client's error.
            let (isParked, reason) = state.withLock { ($0.parkedRun >= number, $0.reason) }
            if isParked, reason == nil { keep() } else { end(.failure(failure(reason ?? error))) }
        }
    }

    private func end(_ result: Result<DownloadedFile, DownloadFailure>) {
        let waiters = state.withLock {
            state -> [CheckedContinuation<Result<DownloadedFile, DownloadFailure>, Never>]? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.result = result
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return }
        suspension.withLock { $0 }?.stopTimer()
        callbacks.onEnd(self, result)
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Returns a failure with the path of the part, if the part is kept.
    private func failure(_ error: FetchError) -> DownloadFailure {
        DownloadFailure(error, partialPath: keep() ? part.path : nil)
    }

    @discardableResult
    private func keep() -> Bool {
        guard request.isResumable, part.received > 0 else {
            part.remove()
            return false
        }
        defer { part.close() }
        return (try? part.recordFreeingSpace()) != nil
    }

    /// Makes attempts until the file is complete or no interceptor requests a retry.
    private func transfer() async throws(FetchError) -> DownloadedFile {
        try part.open(keeps: request.isResumable)
        state.withLock { $0.resumedFrom = part.received }
        while true {
            let failure: FetchError
            do throws(FetchError) { return try await attempt() } catch { failure = error }
            suspension.withLock { $0 }?.stopTimer()
            guard state.withLock({ $0.reason == nil }), !Task.isCancelled,
                let delay = await exchange.delay(after: failure)
            else { throw failure }
            do { try await settings.clock.sleep(for: delay) } catch { throw .cancelled }
            await suspension.withLock { $0 }?.waitUntilResumed()
        }
    }

    private func attempt() async throws(FetchError) -> DownloadedFile {
        // A complete part needs no request.
        if part.received > 0, part.total == part.received { return try finish(name: nil) }
        if part.validator == nil { try restart() }
        var response = try await send()
        if try check(response) == .restart {
            try restart()
            response = try await send()
            guard try check(response) != .restart else {
                throw FetchError(.invalid, "The server's ranges do not match its resource.")
            }
        }
        if part.total == part.received, response.response.status.code == 416 { return try finish(name: nil) }
        try await receive(response)
        return try finish(name: response.response.headerFields[.contentDisposition])
    }

    private func restart() throws(FetchError) {
        state.withLock { $0.resumedFrom = 0 }
        try part.restart(validator: nil, total: nil)
    }

    private func send() async throws(FetchError) -> StreamingResponse {
        let suspension = suspension.withLock { $0 }
        suspension?.startTimer()
        return try await exchange.send(after: part.received, part.validator)
    }

    private enum Continuation {
        case append
        case restart
    }

    /// Compares the response's header with the part, and decides whether the content can be appended.
    private func check(_ response: StreamingResponse) throws(FetchError) -> Continuation {
        let fields = response.response.headerFields
        let range = PartialContentRange(fields)
        switch response.response.status.code {
        case 206:
            let isSame = fields.strongTag.map { $0 == part.validator } ?? true
            let fits = range?.first == part.received && (part.total == nil || range?.total == part.total)
            guard part.received > 0, isSame, fits else { return .restart }
            part.setTotal(range?.total)
        case 200..<300:
            // The whole representation, because it has changed or the server does not support ranges.
            state.withLock { $0.resumedFrom = 0 }
            try part.restart(validator: fields.strongTag, total: fields.length)
        case 416:
            guard part.received > 0, range?.total == part.received else { return .restart }
            part.setTotal(part.received)
        case let status: throw FetchError(.unacceptableStatus, "The server responded with status \(status).")
        }
        return .append
    }

    private func receive(_ response: StreamingResponse) async throws(FetchError) {
        let suspension = suspension.withLock { $0 }
        reportProgress()
        do throws(ClientError) {
            suspension?.startTimer()
            for try await piece in response.body {
                do throws(FetchError) {
                    if let suspension, suspension.isSuspended { try await recordAndWait(during: suspension) }
                    try part.append(piece)
                } catch {
                    throw ClientError(storing: error, url)
                }
                reportProgress()
                suspension?.startTimer()
            }
        } catch {
            throw FetchError(error)
        }
        suspension?.stopTimer()
        if let total = part.total, total != part.received {
            throw FetchError(
                .transport,
                "The content ended after \(part.received) of \(total) bytes.",
                code: -1005
            )
        }
        await suspension?.waitUntilResumed()
        if Task.isCancelled { throw .cancelled }
        part.setTotal(part.received)
    }

    /// Waits while the download is suspended; records the part first, so that another process could resume
    /// it.
    private func recordAndWait(during suspension: TransferSuspension) async throws(FetchError) {
        if request.isResumable { try part.record() }
        await suspension.waitUntilResumed()
    }

    private func reportProgress() {
        callbacks.onProgress(
            TransferProgress(completed: .bytes(part.received), total: part.total.map { .bytes($0) })
        )
    }

    private func finish(name: String?) throws(FetchError) -> DownloadedFile {
        if part.total == part.received { reportProgress() }
        let place = try DownloadDestination(request, url: url, disposition: name).path()
        let (size, kept) = (part.received, state.withLock { $0.resumedFrom })
        try part.move(to: place)
        return DownloadedFile(path: place, size: .bytes(size), resumedFrom: .bytes(kept))
    }
}

extension ClientError {
    /// Wraps a write error in the error type of reading content.
    fileprivate init(storing error: FetchError, _ url: String) {
        self.init(code: error.code, url: url, reason: error.reason)
    }
}
