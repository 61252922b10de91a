public import HTTPTypes

/// A request as the pool, the events and the logs have it: what was asked for, resolved against the configuration.
public struct RequestModel: Sendable, Identifiable {
    /// Number within its session, from 1.
    public let id: Int
    /// What kind of work it is.
    public let kind: FetchRequest.Kind
    /// The method.
    public let method: HTTPRequest.Method
    /// The path as the request has it.
    public let path: String
    /// The base URL; empty where the path is absolute.
    public let baseURL: String
    /// The whole URL, without the query that parameters make.
    public let url: String
    /// The request's own parameters.
    public let ownParameters: Parameters
    /// The parameters with the configuration's defaults.
    public let parameters: Parameters
    /// Whether the application cache is asked first.
    public let loadsCache: Bool
    /// For how long the application cache keeps the result.
    public let cacheDuration: Duration
    /// What makes it the same as another.
    public let identifier: RequestIdentifier
    /// What the caller tells it apart by; `nil` for nothing.
    public var tag: String?
    /// What else there is to say of it, label and text in order; empty for an ordinary request.
    public var details: [Detail] = []

    /// A line of the description.
    public struct Detail: Sendable, Hashable {
        /// What is told.
        public var label: String
        /// What it is.
        public var text: String

        /// Creates a line.
        public init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }
}

extension RequestModel: CustomStringConvertible {
    /// A labelled line for each property.
    public var description: String { description(state: nil) }

    func description(state: FetchTask.State?) -> String {
        let lines = details(state: state).map { "   " + Self.padded($0.label + ":") + $0.text }
        return (["{", "   <RequestModel: \(id)>"] + lines + ["}"]).joined(separator: "\n")
    }

    private func details(state: FetchTask.State?) -> [Detail] {
        var lines = [
            Detail("type", kind.rawValue + " request"),
            Detail("method", method.rawValue),
            Detail("url", url),
            Detail("parameters", parameters.json.compactText),
        ]
        if kind == .ordinary {
            lines.append(Detail("loadCache", loadsCache ? "YES" : "NO"))
            lines.append(Detail("cacheDuration", "\(cacheDuration.components.seconds) seconds"))
        }
        lines += details
        lines.append(Detail("requestIdentifier", identifier.description))
        lines.append(Detail("task", "<FetchTask \(id)>" + (state.map { " { \($0.rawValue) }" } ?? "")))
        return lines
    }

    private static func padded(_ label: String) -> String {
        label + String(repeating: " ", count: max(1, 19 - label.count))
    }
}
