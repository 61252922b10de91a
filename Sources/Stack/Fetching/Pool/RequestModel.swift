import Clocks
public import HTTPTypes

/// A request in the pool, in events and in logs, resolved against the configuration.
public struct RequestModel: Sendable, Identifiable {
    /// The number within the session, from 1.
    public let id: Int
    /// The kind of request.
    public let kind: FetchRequest.Kind
    /// The method of the request.
    public let method: HTTPRequest.Method
    /// The path as given in the request.
    public let path: String
    /// The base URL; empty if the path is absolute.
    public let baseURL: String
    /// The complete URL, without the query that parameters add.
    public let url: String
    /// The request's own parameters.
    public let ownParameters: Parameters
    /// The parameters, including the configuration's defaults.
    public let parameters: Parameters
    /// Whether the application cache is consulted first.
    public let loadsCache: Bool
    /// The time for which the application cache keeps the response.
    public let cacheDuration: Duration
    /// Identifies equal requests.
    public let identifier: RequestIdentifier
    /// The caller's label; `nil` if there is none.
    public var tag: String?
    /// Additional labelled lines of the description, in order; empty for an ordinary request.
    public var details: [Detail] = []

    /// A line of the description.
    public struct Detail: Sendable, Hashable {
        /// The label before the text.
        public var label: String
        /// The text after the label.
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
            lines.append(Detail("cacheDuration", "\(cacheDuration.wholeSeconds) seconds"))
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
