import HTTPServing
public import LocatedYAML
import TextCodings

/// An authenticated request to a control API.
public struct ControlRequest: Sendable {
    /// The owner of the token; `nil` for the server's own token, and for operations without authorization.
    public var caller: String?
    /// Values of the path's parameters, decoded.
    public var parameters: [String: String]
    /// Parameters of the query, decoded, in order.
    public var query: [QueryParameter]
    /// The value of `Host`; `nil` if it is absent.
    public var host: String?
    /// The value of `Origin`, which browsers send for pages of other sites; `nil` if it is absent.
    public var origin: String?
    /// Media types that `Accept` names, in lower case and without parameters.
    public var acceptedTypes: [String]
    /// The value of `User-Agent`; empty without one.
    public var userAgent: String
    /// Content.
    public var content: [UInt8]

    /// One parameter of a query.
    public struct QueryParameter: Sendable, Hashable {
        /// Name.
        public var name: String
        /// Value.
        public var value: String
    }

    /// Whether `Host` is absent, `localhost` or an IP address.
    ///
    /// A site whose name resolves to this machine can make its pages send requests here, but they have this name as `Host`.
    public var isForThisMachine: Bool {
        guard let host, !host.isEmpty else { return true }
        if host.hasPrefix("[") { return true }
        let name = host.prefix { $0 != ":" }.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost")
            || name.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    }

    /// Returns a parameter of the path; empty if there is none with that name.
    public func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// Whether `Accept` contains a media type; wildcards do not match.
    public func accepts(_ type: String) -> Bool { acceptedTypes.contains(type) }

    /// Parses the content as JSON, with positions as `body:line:column`.
    public func json() throws(ControlProblem) -> YAMLNode {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ControlProblem.value("body", found: "bytes that are not UTF-8", expected: "JSON")
        }
        do throws(YAMLProblems) {
            return try YAMLNode.parse(json: text, file: "body")
        } catch {
            throw ControlProblem(error)
        }
    }

    /// Throws unless there is no content, or an empty object, for operations that take none.
    public func refuseContent() throws(ControlProblem) {
        guard !content.isEmpty else { return }
        let node = try json()
        if node.pairs?.isEmpty == true { return }
        throw ControlProblem.value("body", found: node.summary, expected: "no content, or {}")
    }

    /// Reads the content as a map and throws all problems at once; empty content is an empty map.
    public func read<Key: MapKey, Value>(
        _ keys: Key.Type,
        _ decode: (MapReader<Key>) -> Value
    ) throws(ControlProblem) -> Value {
        let start = Position(file: "body", line: 1, column: 1)
        let node = content.isEmpty ? YAMLNode(.mapping([]), at: start) : try json()
        let problems = ProblemCollector()
        let value = MapReader<Key>(node, problems).map(decode)
        do throws(YAMLProblems) {
            try problems.throwIfAny()
        } catch {
            throw ControlProblem(error)
        }
        // Without a problem the reader exists.
        guard let value else { throw ControlProblem(status: 422, "The request is invalid.") }
        return value
    }
}

extension [ControlRequest.QueryParameter] {
    /// Parses a query; `nil` if an escape is malformed.
    init?(_ query: String?) {
        self = []
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentText.decode(parts[0], plusIsSpace: true),
                let value = PercentText.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            append(ControlRequest.QueryParameter(name: name, value: value))
        }
    }
}
