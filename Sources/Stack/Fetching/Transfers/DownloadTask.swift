import CacheClient
import Clocks
import HTTPTypes
import Locks

/// One download while it runs: it asks, resumes, writes, and moves the file to its place.
final class DownloadTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var reason: FetchError?
        var isParked = false
        /// Runs are numbered; those up to this one were parked, and tell nobody.
        var run = 0
        var parkedRun = 0
        var hasEnded = false
        var waiters: [CheckedContinuation<Result<DownloadedFile, DownloadFailure>, Never>] = []
        var result: Result<DownloadedFile, DownloadFailure>?
        var resumedFrom = 0
    }
    let request: DownloadRequest
    let url: String
    private let exchange: DownloadExchange
    private let clock: any TimeSource
    private let executor: (any TaskExecutor)?
    private let part: PartialFile
    private let onProgress: @Sendable (TransferProgress) -> Void
    private let onEnd: @Sendable (DownloadTask, Result<DownloadedFile, DownloadFailure>) -> Void
    private let state = Lock(State())
    private let gate: Lock<TransferGate?>

    init(
        _ request: DownloadRequest,
        of url: String,
        by exchange: DownloadExchange,
        timeout: Duration?,
        part: PartialFile,
        executor: (any TaskExecutor)?,
        clock: any TimeSource,
        onProgress: @escaping @Sendable (TransferProgress) -> Void,
        onEnd: @escaping @Sendable (DownloadTask, Result<DownloadedFile, DownloadFailure>) -> Void
    ) {
        self.request = request
        self.url = url
        self.exchange = exchange
        self.clock = clock
        self.executor = executor
        self.part = part
        self.onProgress = onProgress
        self.onEnd = onEnd
        gate = Lock(nil)
        let made = TransferGate(clock: clock, timeout: timeout) { [weak self] in
            self?.stop(FetchError(.timedOut, "Nothing arrived for \(timeout?.seconds ?? 0) s."))
        }
        gate.withLock { $0 = made }
    }

    // MARK: Steering

    var isSuspended: Bool { gate.withLock { $0 }?.isClosed ?? false }
    var isParked: Bool { state.withLock { $0.isParked } }
    func tell(_ event: FetchEvent) { exchange.tell(event) }
    var model: RequestModel { exchange.model }

    /// How far it is, in the pool's terms.
    var poolState: FetchTask.State {
        switch state.withLock({ $0.result }) {
        case nil: .running
        case .success: .succeeded
        case .failure(let failure): failure.error.kind == .cancelled ? .cancelled : .failed
        }
    }

    /// Begins, or begins anew after it was parked.
    func begin() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.isParked = false
            state.run += 1
            let (before, number) = (state.task, state.run)
            state.task = Task(executorPreference: executor) {
                // The one before may still be writing.
                await before?.value
                await self.run(number)
            }
            if state.reason != nil { state.task?.cancel() }
        }
    }

    @discardableResult
    func suspend() -> Bool { gate.withLock { $0 }?.close() ?? false }

    @discardableResult
    func resume() -> Bool { gate.withLock { $0 }?.open() ?? false }

    /// Ends it with an error.
    func stop(_ error: FetchError) {
        let (task, isParked) = state.withLock { state in
            if state.reason == nil { state.reason = error }
            return (state.task, state.isParked)
        }
        task?.cancel()
        guard isParked else { return }
        Task(executorPreference: executor) {
            await task?.value
            self.end(.failure(self.failure(error)))
        }
    }

    /// Stops the transfer without telling anybody, until it begins anew.
    func park() {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.hasEnded, !state.isParked else { return nil }
            state.isParked = true
            state.parkedRun = state.run
            return state.task
        }
        task?.cancel()
    }

    /// The end, when it has come.
    func value() async -> Result<DownloadedFile, DownloadFailure> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiters.append(continuation) }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    // MARK: The course

    private func run(_ number: Int) async {
        let result: Result<DownloadedFile, DownloadFailure>
        do throws(FetchError) {
            let file = try await transfer()
            result = .success(file)
        } catch {
            gate.withLock { $0 }?.rest()
            // Parked, it tells nobody; a reason that was given is better than what the client makes of it.
            let (isParked, reason) = state.withLock { ($0.parkedRun >= number, $0.reason) }
            if isParked, reason == nil {
                keep()
                return
            }
            result = .failure(failure(reason ?? error))
        }
        end(result)
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
        gate.withLock { $0 }?.rest()
        onEnd(self, result)
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Keeps the part where that makes sense, and says where it is.
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
        return (try? part.recordAtLast()) != nil
    }

    /// Tries until it has the file, or nobody wants another try.
    private func transfer() async throws(FetchError) -> DownloadedFile {
        try part.open(keeps: request.isResumable)
        state.withLock { $0.resumedFrom = part.received }
        while true {
            let failure: FetchError
            do throws(FetchError) { return try await attempt() } catch { failure = error }
            gate.withLock { $0 }?.rest()
            guard state.withLock({ $0.reason == nil }), !Task.isCancelled,
                let delay = await exchange.delay(after: failure)
            else { throw failure }
            do { try await clock.sleep(for: delay) } catch { throw .cancelled }
            await gate.withLock { $0 }?.pass()
        }
    }

    private func attempt() async throws(FetchError) -> DownloadedFile {
        // What is whole already needs no request.
        if part.received > 0, part.total == part.received { return try finish(name: nil) }
        if part.validator == nil { try restart() }
        var response = try await send()
        if try begins(response) == .again {
            try restart()
            response = try await send()
            guard try begins(response) != .again else {
                throw FetchError(.invalid, "The server's ranges do not fit its resource.")
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
        let gate = gate.withLock { $0 }
        gate?.expect()
        return try await exchange.send(after: part.received, part.validator)
    }

    private enum Beginning {
        case goesOn
        case again
    }

    /// What the head of the answer makes of the part.
    private func begins(_ response: StreamingResponse) throws(FetchError) -> Beginning {
        let fields = response.response.headerFields
        let range = RangeAnswer(fields)
        switch response.response.status.code {
        case 206:
            let isSame = fields.strongTag.map { $0 == part.validator } ?? true
            let fits = range?.first == part.received && (part.total == nil || range?.total == part.total)
            guard part.received > 0, isSame, fits else { return .again }
            part.setTotal(range?.total)
        case 200..<300:
            // The whole, because the resource has changed or the server knows no ranges.
            state.withLock { $0.resumedFrom = 0 }
            try part.restart(validator: fields.strongTag, total: fields.length)
        case 416:
            guard part.received > 0, range?.total == part.received else { return .again }
            part.setTotal(part.received)
        case let status: throw FetchError(.unacceptableStatus, "The server answered with status \(status).")
        }
        return .goesOn
    }

    private func receive(_ response: StreamingResponse) async throws(FetchError) {
        let gate = gate.withLock { $0 }
        tell()
        do throws(ClientError) {
            gate?.expect()
            for try await piece in response.body {
                do throws(FetchError) {
                    if let gate, gate.isClosed { try await rest(at: gate) }
                    try part.append(piece)
                } catch {
                    throw ClientError(storing: error, url)
                }
                tell()
                gate?.expect()
            }
        } catch {
            throw FetchError(error)
        }
        gate?.rest()
        if let total = part.total, total != part.received {
            throw FetchError(.transport, "\(part.received) bytes came of \(total).", code: -1005)
        }
        await gate?.pass()
        if Task.isCancelled { throw .cancelled }
        part.setTotal(part.received)
    }

    /// Waits while the download is suspended; nobody knows for how long, so another process could go on from here.
    private func rest(at gate: TransferGate) async throws(FetchError) {
        if request.isResumable { try part.record() }
        await gate.pass()
    }

    private func tell() { onProgress(TransferProgress(completed: part.received, total: part.total)) }

    private func finish(name: String?) throws(FetchError) -> DownloadedFile {
        if part.total == part.received { tell() }
        let place = try DownloadPlace(request, url: url, disposition: name).path()
        let size = part.received
        try part.move(to: place)
        return DownloadedFile(path: place, size: size, resumedFrom: state.withLock { $0.resumedFrom })
    }
}

extension ClientError {
    /// A file that could not be written, in the only error that reading content has.
    fileprivate init(storing error: FetchError, _ url: String) {
        self.init(code: error.code, url: url, reason: error.reason)
    }
}
