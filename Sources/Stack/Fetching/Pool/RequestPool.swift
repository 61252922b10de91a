public import HTTPTypes
import Locks

/// The requests that are running: what they are, and how they are cancelled.
///
/// A request is in the pool before anything of it happens and leaves it when it has ended, before its callback.
public final class RequestPool: Sendable {
    private struct Entry {
        let model: RequestModel
        let state: @Sendable () -> FetchTask.State
        let cancel: @Sendable () -> Void
    }
    private let entries = Lock([Int: Entry]())

    init() {}

    // MARK: Asking

    /// Whether any request is running.
    public var isBusy: Bool { count > 0 }

    /// How many requests are running.
    public var count: Int { entries.withLock { $0.count } }

    /// The running requests in the order in which they began.
    public var requests: [RequestModel] { sorted.map(\.model) }

    /// The running requests of a kind in the order in which they began.
    public func requests(of kind: FetchRequest.Kind) -> [RequestModel] {
        requests.filter { $0.kind == kind }
    }

    /// The running requests by kind: ordinary ones, then uploads, then downloads.
    public var requestsByKind: [RequestModel] {
        [.ordinary, .upload, .download].flatMap { requests(of: $0) }
    }

    /// The running requests of a URL, given as the requests' path or as a whole.
    public func requests(url: String) -> [RequestModel] { requests.filter { $0.isOf(url) } }

    /// The running requests of a URL, a method and exactly these parameters.
    public func requests(
        url: String,
        method: HTTPRequest.Method,
        parameters: Parameters
    ) -> [RequestModel] {
        requests.filter { $0.isOf(url) && $0.method == method && $0.has(parameters) }
    }

    /// Descriptions of the running requests, in the order in which they began.
    public var descriptions: [String] { sorted.map { $0.model.description(state: $0.state()) } }

    // MARK: Cancelling

    /// Cancels one request; returns how many were: 0 or 1.
    @discardableResult
    public func cancel(_ id: RequestModel.ID) -> Int { cancel { $0.id == id } }

    /// Cancels the requests of a URL, given as the requests' path or as a whole; returns how many.
    @discardableResult
    public func cancel(url: String) -> Int { cancel { $0.isOf(url) } }

    /// Cancels the requests of several URLs; returns how many.
    @discardableResult
    public func cancel(urls: [String]) -> Int { cancel { model in urls.contains { model.isOf($0) } } }

    /// Cancels the requests of a URL, a method and exactly these parameters; returns how many.
    @discardableResult
    public func cancel(url: String, method: HTTPRequest.Method, parameters: Parameters) -> Int {
        cancel { $0.isOf(url) && $0.method == method && $0.has(parameters) }
    }

    /// Cancels the requests of a kind; returns how many.
    @discardableResult
    public func cancel(kind: FetchRequest.Kind) -> Int { cancel { $0.kind == kind } }

    /// Cancels everything that is running; returns how many.
    @discardableResult
    public func cancelAll() -> Int { cancel { _ in true } }

    private func cancel(where isMeant: (RequestModel) -> Bool) -> Int {
        let chosen = sorted.filter { isMeant($0.model) }
        for entry in chosen { entry.cancel() }
        return chosen.count
    }

    private var sorted: [Entry] {
        entries.withLock { Array($0.values) }.sorted { $0.model.id < $1.model.id }
    }

    // MARK: Coming and going

    /// Adds a request; `cancel` must end it, and may be called at any time, repeatedly.
    func add(
        _ model: RequestModel,
        state: @escaping @Sendable () -> FetchTask.State,
        cancel: @escaping @Sendable () -> Void
    ) {
        entries.withLock { $0[model.id] = Entry(model: model, state: state, cancel: cancel) }
    }

    func remove(_ id: RequestModel.ID) { entries.withLock { $0[id] = nil } }
}

extension RequestModel {
    /// Whether it is a request of a URL, given as its path or as a whole.
    fileprivate func isOf(_ url: String) -> Bool { path == url || self.url == url }

    /// Whether its parameters are these, with or without the defaults.
    fileprivate func has(_ parameters: Parameters) -> Bool {
        ownParameters == parameters || self.parameters == parameters
    }
}
