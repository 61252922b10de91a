import HTTPTypes

/// A debug log of the events of requests, as lines of text.
public struct DebugLog: EventMonitor {
    private static let mark = "=========== "
    private let sink: @Sendable (String) -> Void

    /// Creates a log; `sink` receives one line at a time, without a line end.
    public init(_ sink: @escaping @Sendable (String) -> Void) { self.sink = sink }

    /// Writes the lines of an event.
    public func observe(_ event: FetchEvent) {
        for line in lines(of: event) { sink(Self.mark + line) }
    }

    private func lines(of event: FetchEvent) -> [String] {
        switch event {
        case .created, .completed: []
        case .cacheRead(let model, .hit): ["Load cache succeed!", "Request url:\(model.url)"]
        case .cacheRead(_, .miss(let reason)): Self.lines(of: reason)
        case .started(let model, let request, let attempt):
            [
                attempt == 1 ? "Start requesting..." : "Start requesting again, attempt \(attempt)...",
                "url:\(model.url)", "method:\(request.method.rawValue)",
                "parameters:\(request.parameters.json.prettyText)",
            ]
        case .retrying(_, let delay, let attempt):
            ["Request will be sent again in \(delay.secondsText) seconds, attempt \(attempt)"]
        case .succeeded(let model, let response):
            ["Request succeed!", "Request url:\(model.url)", "Response object:\(response.logText)"]
        case .cacheWritten(_, .success(let writing), let response):
            [
                "Write cache succeed!", "cache object: \(response.logText)", "Cache path: \(writing.path)",
                "Available duration: \(writing.duration.secondsText) seconds",
            ]
        case .cacheWritten(_, .failure(let error), _): ["Write cache failed, reason:\(error.reason)"]
        case .failed(let model, let error):
            ["Request failed, reason:\(error.reason)", "Request url:\(model.url)"]
        }
    }

    private static func lines(of reason: CacheLookup.MissReason) -> [String] {
        let clears = reason.isCleared ? ", begin to clear cache..." : ""
        return [
            "Load cache info failed, reason:\(reason)\(clears)", "Load cache failed: Cache info is invalid",
            "Failed to load cache, start to sending network request...",
        ]
    }
}

extension FetchResponse {
    /// The value as text for a log; binary content is shown as its size.
    fileprivate var logText: String {
        switch value {
        case .json(let json): json.prettyText
        case .text(let text): text
        case .xml(let element): "<\(element.name)>"
        case .bytes, .other: "\(body.count) bytes"
        case .nothing: "nothing"
        }
    }
}
