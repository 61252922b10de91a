import CacheSemantics
package import HTTPArchive
import HTTPTypes
package import LocatedYAML
import WireSyntax

extension ExplainedExchange {
    /// Creates an exchange from an entry of an HTTP archive.
    package init(_ entry: HTTPArchive.Entry) throws(YAMLProblems) {
        let request = try Self.request(of: entry)
        let response = try Self.response(of: entry)
        guard let started = entry.startedAt else {
            throw Self.problem(
                entry.started ?? entry.node,
                "a startedDateTime such as 2026-01-01T00:00:00Z"
            )
        }
        let date = HTTPDate(secondsSinceEpoch: Int64(exactly: started.rounded(.down)) ?? 0)
        self.init(request: request, response: response, at: date)
        // Waiting for the response is the response delay; receiving the content comes after the head.
        let milliseconds = ["blocked", "dns", "connect", "send", "wait"].compactMap(entry.timing).reduce(0, +)
        responseTime = date.advanced(by: Int64(exactly: (milliseconds / 1_000).rounded(.down)) ?? 0)
    }

    private static func request(of entry: HTTPArchive.Entry) throws(YAMLProblems) -> HTTPRequest {
        guard let message = entry.request, let url = message.url else {
            throw problem(entry.node, "a request with an http or https url")
        }
        let method = message.node.value(of: "method")?.scalarText.flatMap { HTTPRequest.Method($0) } ?? .get
        return HTTPRequest(
            method: method,
            scheme: url.scheme,
            authority: url.authority,
            path: url.target,
            headerFields: fields(of: message)
        )
    }

    private static func response(of entry: HTTPArchive.Entry) throws(YAMLProblems) -> HTTPResponse {
        guard let message = entry.response,
            let code = message.node.value(of: "status")?.scalarText.flatMap({ Int($0) }),
            (100...999).contains(code)
        else { throw problem(entry.node, "a response with a status") }
        return HTTPResponse(status: .init(code: code), headerFields: fields(of: message))
    }

    /// Returns the fields of a message without Host, which is part of the URL.
    private static func fields(of message: HTTPArchive.Message) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in message.fields {
            guard let name = HTTPField.Name(name), name.canonicalName != "host" else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    private static func problem(_ node: YAMLNode, _ expected: String) -> YAMLProblems {
        YAMLProblems([Problem(at: node.position, found: node.summary, expected: expected)])
    }
}
