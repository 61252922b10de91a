import CacheSemantics
import Clocks
import Conformance
import Fetching
import Locks
import Scenarios

/// A running download and its observation.
final class DownloadOperation: StackOperation {
    private struct State {
        var progress: [(completed: Int, total: Int?)] = []
        var course: [StepRecord.Moment] = []
        var attempts = 0
        var passed: Set<TransferPoint> = []
        var result: Result<DownloadedFile, DownloadFailure>?
        var endedAt: Duration?
    }
    private let step: DownloadStep
    private let downloads: Downloads
    private let folder: String
    private let clock: any TimeSource
    private let signal: Signal
    private let startedAt: Duration
    private let state = Lock(State())
    /// The path or URL that identifies the download.
    let path: String

    init(_ step: DownloadStep, _ path: String, stack: StackSessions, downloads: Downloads) {
        self.step = step
        self.path = path
        self.downloads = downloads
        folder = stack.downloadFolder
        clock = stack.environment.clock
        signal = stack.environment.signal
        startedAt = clock.elapsed
    }

    var title: String { step.title }
    var isFinished: Bool { state.withLock { $0.result != nil } }

    func cancel() { downloads.cancel(path) }

    /// Starts the download; a rejection is recorded as the result.
    func start(tag: String) {
        var request = DownloadRequest(path, to: folder + "/" + step.destination)
        request.naming = step.isNamedByServer ? .server : .lastPathComponent
        request.isResumable = step.isResumable
        request.isDetached = step.isDetached
        request.timeout = step.timeout
        request.tag = tag
        do throws(DownloadFailure) {
            try downloads.start(request, progress: { self.progressed($0) }, completion: { self.ended($0) })
        } catch {
            ended(.failure(error))
        }
    }

    // MARK: Events

    func observe(_ event: FetchEvent) {
        guard case .started = event else { return }
        let now = (clock.elapsed - startedAt).seconds
        state.withLock { state in
            state.attempts += 1
            state.course.append(StepRecord.Moment(at: now, what: "send \(step.path)"))
        }
    }

    private func progressed(_ progress: TransferProgress) {
        let now = (clock.elapsed - startedAt).seconds
        state.withLock { $0.progress.append((progress.completed.bytes, progress.total?.bytes)) }
        if reaches(step.suspendAt, "suspended at \(progress.completed.bytes) bytes", now, progress) {
            downloads.suspend(path)
        }
        if reaches(step.cancelAt, "cancelled at \(progress.completed.bytes) bytes", now, progress) {
            downloads.cancel(path)
        }
    }

    /// Returns whether a point has been reached for the first time, and then records it.
    private func reaches(
        _ point: TransferPoint?,
        _ what: String,
        _ now: Double,
        _ progress: TransferProgress
    ) -> Bool {
        guard let point, point.isReached(progress.completed, of: progress.total) else { return false }
        return state.withLock { state in
            guard state.passed.insert(point).inserted else { return false }
            state.course.append(StepRecord.Moment(at: now, what: what))
            return true
        }
    }

    private func ended(_ result: Result<DownloadedFile, DownloadFailure>) {
        let now = clock.elapsed
        state.withLock { state in
            guard state.result == nil else { return }
            state.result = result
            state.endedAt = now
        }
        signal.raise()
    }

    // MARK: Outcome

    func judge(_ expectation: StackExpectation, _ context: ExpectationContext, _ record: inout StepRecord) {
        guard case .download(let expectation) = expectation else { return }
        let seen = observation
        record.course += state.withLock { $0.course }
        record.exchanges.append(
            CallerExchange(method: "GET", target: step.path, fields: [], seen: seen.outcome.caller)
        )
        record.mismatches += expectation.check(seen, context: context, at: step.position)
    }

    private var observation: DownloadObservation {
        let state = state.withLock { $0 }
        var outcome: FetchObservation
        var seen: DownloadObservation
        switch state.result {
        case .success(let file):
            outcome = FetchObservation(name: step.path)
            seen = DownloadObservation(outcome)
            seen.file =
                file.path.hasPrefix(folder + "/") ? String(file.path.dropFirst(folder.count + 1)) : file.path
            seen.body = StackFiles.read(file.path) ?? []
            seen.resumedFrom = file.resumedFrom.bytes
        case .failure(let failure):
            outcome = FetchObservation(step.path, failure.error)
            seen = DownloadObservation(outcome)
            seen.kept = failure.partialPath.flatMap { StackFiles.read($0)?.count } ?? 0
        case nil:
            outcome = FetchObservation(neverBegun: step.path)
            seen = DownloadObservation(outcome)
        }
        seen.outcome.attempts = state.attempts
        seen.outcome.caller.took = ((state.endedAt ?? startedAt) - startedAt).seconds
        seen.progress = state.progress
        return seen
    }
}
