public import HTTPTypes
import Locks

/// The running requests, which can be listed and cancelled.
///
/// A request is added before its first event and removed when it has ended, before its callback is called.
public final class RequestPool: Sendable {
    private struct Entry {
        let model: RequestModel
        let state: @Sendable () -> FetchTask.State
        let cancel: @Sendable () -> Void
    }
    private let entries = Lock([Int: Entry]())

    init() {}

    // MARK: Queries

    /// Whether any request is running.
    public var isBusy: Bool { count > 0 }

    /// The number of running requests.
    public var count: Int { entries.withLock { $0.count } }

    /// The running requests, in the order in which they started.
    public var requests: [RequestModel] { sorted.map(\.model) }

    /// Returns the running requests of a kind, in the order in which they started.
    public func requests(of kind: FetchRequest.Kind) -> [RequestModel] {
        requests.filter { $0.kind == kind }
    }

    /// The running requests by kind: ordinary ones, then uploads, then downloads.
    public var requestsByKind: [RequestModel] {
        [.ordinary, .upload, .download].flatMap { requests(of: $0) }
    }

    /// Returns the running requests of a URL, given as the request's path or as the complete URL.
    public func requests(url: String) -> [RequestModel] { requests.filter { $0.isOf(url) } }

    /// Returns the running requests with a URL, a method and exactly these parameters.
    public func requests(url: String, method: HTTPRequest.Method, parameters: Parameters) -> [RequestModel] {
        requests.filter { $0.isOf(url) && $0.method == method && $0.has(parameters) }
    }

    /// Descriptions of the running requests, in the order in which they started.
    public var descriptions: [String] { sorted.map { $0.model.description(state: $0.state()) } }

    // MARK: Cancelling

    /// Cancels one request; returns the number of cancelled requests, 0 or 1.
    @discardableResult
    public func cancel(_ id: RequestModel.ID) -> Int { cancel { $0.id == id } }

    /// Cancels the requests of a URL, given as the request's path or as the complete URL; returns their
    /// number.
    @discardableResult
    public func cancel(url: String) -> Int { cancel { $0.isOf(url) } }

    /// Cancels the requests of several URLs; returns their number.
    @discardableResult
    public func cancel(urls: [String]) -> Int { cancel { model in urls.contains { model.isOf($0) } } }

    /// Cancels the requests with a URL, a method and exactly these parameters; returns their number.
    @discardableResult
    public func cancel(url: String, method: HTTPRequest.Method, parameters: Parameters) -> Int {
        cancel { $0.isOf(url) && $0.method == method && $0.has(parameters) }
    }

    /// Cancels the requests of a kind; returns their number.
    @discardableResult
    public func cancel(kind: FetchRequest.Kind) -> Int { cancel { $0.kind == kind } }

    /// Cancels all running requests; returns their number.
    @discardableResult
    public func cancelAll() -> Int { cancel { _ in true } }

    private func cancel(where matches: (RequestModel) -> Bool) -> Int {
        let chosen = sorted.filter { matches($0.model) }
        for entry in chosen { entry.cancel() }
        return chosen.count
    }

    private var sorted: [Entry] {
        entries.withLock { Array($0.values) }.sorted { $0.model.id < $1.model.id }
    }

    // MARK: Adding and removing

    /// Adds a request; `cancel` must end it, and may be called at any time and more than once.
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
    /// Whether a URL, given as the path or as the complete URL, is this request's.
    fileprivate func isOf(_ url: String) -> Bool { path == url || self.url == url }

    /// Whether these are the request's parameters, with or without the defaults.
    fileprivate func has(_ parameters: Parameters) -> Bool {
        ownParameters == parameters || self.parameters == parameters
    }
}
