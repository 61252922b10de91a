import Clocks
import Conformance
import ImageLoading
import Locks
import Scenarios

/// A running image load and its observation.
final class ImageOperation: StackOperation {
    private struct State {
        var results: [ImageResult] = []
        var deliveredAt: Duration?
        var load: ImageLoad?
    }
    private let step: ImageStep
    private let url: String
    private let clock: any TimeSource
    private let signal: Signal
    private let startedAt: Duration
    private let milestones: MilestoneLog
    private let milestonesStart: Int
    private let state = Lock(State())

    init(_ step: ImageStep, url: String, stack: StackSessions) {
        self.step = step
        self.url = url
        clock = stack.environment.clock
        signal = stack.environment.signal
        startedAt = clock.elapsed
        milestones = stack.milestones
        milestonesStart = milestones.count
    }

    var title: String { step.title }

    var isFinished: Bool { state.withLock { $0.load }?.isFinished ?? false }

    func cancel() { state.withLock { $0.load }?.cancel() }

    func start(_ request: ImageRequest, by loader: ImageLoader) {
        let load = loader.load(request) { self.delivered($0) }
        state.withLock { $0.load = load }
        signal.raise()
    }

    private func delivered(_ result: ImageResult) {
        let now = clock.elapsed
        state.withLock { state in
            state.results.append(result)
            state.deliveredAt = now
        }
        signal.raise()
    }

    func judge(_ expectation: StackExpectation, _ context: ExpectationContext, _ record: inout StepRecord) {
        guard case .image(let expectation) = expectation else { return }
        let seen = observation
        var caller = CallerObservation()
        caller.source = seen.source
        caller.took = seen.took
        if seen.failure != .none { caller.error = (seen.failure.code, seen.reason) }
        record.exchanges.append(CallerExchange(method: "GET", target: step.path, fields: [], seen: caller))
        record.course += seen.milestones.map { StepRecord.Moment(at: seen.took, what: $0) }
        record.mismatches += expectation.check(seen, at: step.position)
    }

    private var observation: ImageObservation {
        let state = state.withLock { $0 }
        var seen = ImageObservation()
        seen.deliveries = state.results.count
        seen.milestones = milestones.names(of: url, from: milestonesStart)
        seen.took = (state.deliveredAt.map { $0 - startedAt } ?? .zero).seconds
        guard let last = state.results.last else { return seen }
        seen.isNotModified = last.isNotModified
        if let error = last.error { (seen.failure, seen.reason) = (ImageFailure(error), error.detail) }
        guard let image = last.image else { return seen }
        seen.source = Provenance(last.source)
        seen.type = image.header.format.rawValue
        seen.pixels = PixelExpectation(width: image.size.width, height: image.size.height)
        return seen
    }
}

extension ImageFailure {
    init(_ error: ImageError) {
        switch error.domain {
        case .url: self = .url(error.code.rawValue)
        case .image: self = .image(error.code.rawValue)
        }
    }

    /// The code in either domain.
    var code: Int {
        switch self {
        case .none: 0
        case .url(let code), .image(let code): code
        }
    }
}

/// The milestones of all loads, in chronological order.
final class MilestoneLog: Sendable {
    private let moments = Lock([(url: String, name: String)]())

    /// The number of milestones.
    var count: Int { moments.withLock { $0.count } }

    func add(_ milestone: ImageLoadMilestone, _ url: String) {
        moments.withLock { $0.append((url, milestone.rawValue)) }
    }

    /// Returns the names of a URL's milestones, skipping the first `count` milestones of all URLs.
    func names(of url: String, from count: Int) -> [String] {
        moments.withLock { $0 }.dropFirst(count).filter { $0.url == url }.map(\.name)
    }
}

extension Provenance {
    fileprivate init(_ source: ImageSource) {
        self =
            switch source {
            case .network: .origin
            case .memory: .memory
            case .disk: .disk
            }
    }
}
