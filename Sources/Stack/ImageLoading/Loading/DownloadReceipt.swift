import Locks

/// One listener's hold on a download, which others may share.
public final class DownloadReceipt: Sendable {
    /// Where a listener stands.
    public enum State: Sendable, Hashable {
        /// Nothing has been sent for it.
        case ready
        /// Its transfer runs.
        case executing
        /// It has heard the end.
        case finished
        /// It left before the end.
        case cancelled
    }
    struct Listener: Sendable {
        var progress: (@Sendable (ImageProgress) -> Void)?
        var partial: (@Sendable (RasterImage) -> Void)?
        var completion: @Sendable (Result<DownloadOutcome, ImageError>) -> Void
    }
    /// The request.
    public let request: ImageRequest
    private struct Course {
        var state = State.ready
        /// `nil` from the end on: it has the receipt, and would keep it.
        var listener: Listener?
        var leave: (@Sendable (DownloadReceipt) -> Void)?
    }
    private let course: Lock<Course>

    init(_ request: ImageRequest, _ listener: Listener) {
        self.request = request
        course = Lock(Course(listener: listener))
    }

    /// Where this listener stands.
    public var current: State { course.withLock { $0.state } }

    /// Who listens; `nil` from the end on.
    var listener: Listener? { course.withLock { $0.listener } }

    /// Leaves: this listener hears a cancelled failure, others go on, and the transfer ends with the last.
    public func cancel() { course.withLock { $0.leave }?(self) }

    func onCancel(_ work: @escaping @Sendable (DownloadReceipt) -> Void) {
        course.withLock { course in if course.listener != nil { course.leave = work } }
    }

    func begin() { course.withLock { course in if course.state == .ready { course.state = .executing } } }

    /// Ends it and returns whom to tell; `nil` where it had ended before.
    func end(as end: State) -> Listener? {
        course.withLock { course in
            guard course.listener != nil else { return nil }
            defer { course = Course(state: end) }
            return course.listener
        }
    }
}
