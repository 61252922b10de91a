import CacheStorage
import ControlServing

/// The entries that a request to the control API removes.
enum Purge {
    /// Entries of a URL.
    case url(String)
    /// Entries of all URLs with a prefix.
    case prefix(String)
    /// Entries with a tag of an origin, by default the gateway's own.
    case tag(String, origin: String?)
    /// All entries.
    case all

    /// The parameters of the query.
    static let parameters: [ControlOperation.Parameter] = [
        .init("url", "Remove the stored responses for this URL."),
        .init("prefix", "Remove the stored responses for all URLs with this prefix."),
        .init(
            "tag",
            "Remove the stored responses with this tag: a member of Cache-Groups (RFC 9875) or of a field given by --tag-field."
        ),
        .init(
            "origin",
            "With tag: the origin of the tag, as scheme and authority; by default the gateway's origin."
        ),
        .init("all", "Remove all stored responses; has no value."),
    ]

    /// Creates the value from a query.
    init(_ query: [ControlRequest.QueryParameter]) throws(ControlProblem) {
        let origin = query.first { $0.name == "origin" && !$0.value.isEmpty }?.value
        let rest = query.filter { $0.name != "origin" || $0.value.isEmpty }
        guard rest.count == 1, query.count == (origin == nil ? 1 : 2), let wanted = rest.first else {
            throw Self.problem(query)
        }
        switch (wanted.name, wanted.value) {
        case ("tag", ""): throw Self.noTag
        case ("tag", let name): self = .tag(name, origin: origin)
        case _ where origin != nil: throw Self.problem(query)
        case ("all", ""): self = .all
        case ("url", let url) where !url.isEmpty: self = .url(url)
        case ("prefix", let prefix) where !prefix.isEmpty: self = .prefix(prefix)
        default: throw Self.problem(query)
        }
    }

    /// Removes the entries; returns the number of affected keys.
    func remove(from gateway: Gateway) throws(ControlProblem) -> Int {
        switch try outcome(from: gateway) {
        case .done(let keys): return keys
        case .failed(let error):
            throw ControlProblem(
                status: 500,
                "Removed only until the gateway ends; its folder may still contain the responses. \(error.description)"
            )
        }
    }

    private func outcome(from gateway: Gateway) throws(ControlProblem) -> ChangeOutcome {
        switch self {
        case .url(let url):
            if let outcome = gateway.purge(url: url) { return outcome }
            throw ControlProblem(
                status: 400,
                "The URL is not absolute: found url=\(url), expected one such as http://host/path."
            )
        case .prefix(let prefix): return gateway.purge(prefix: prefix)
        case .all: return gateway.purgeAll()
        case .tag(let name, let origin):
            if let outcome = gateway.purge(tag: name, of: origin) { return outcome }
            let found = origin.map { "origin=\($0)" } ?? "tag=\(name) at a forward proxy"
            throw .value("query", found: found, expected: "origin=http://host:port with the tag")
        }
    }

    private static let noTag = ControlProblem(
        status: 400,
        "The tag is empty: found tag= without a name, expected tag=NAME."
    )

    private static func problem(_ query: [ControlRequest.QueryParameter]) -> ControlProblem {
        let found =
            query.isEmpty ? "nothing" : query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return .value(
            "query",
            found: found,
            expected: "one of url=URL, prefix=URL, tag=NAME and all; origin=URL only with a tag"
        )
    }
}
