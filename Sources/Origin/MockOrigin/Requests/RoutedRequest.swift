package import HTTPServing
import JSON
import OriginScript
import TextCodings

/// A request split for routes and templates.
package struct RoutedRequest {
    let request: ServedRequest
    /// Path below the script's base, as it was sent.
    let path: String
    /// Query as it was sent.
    let query: String?
    /// `nil` without content.
    private let content: ContentReader?

    /// Parses a request whose target is below the script's base.
    package init(_ request: ServedRequest) {
        let target = TargetParts(request.target)
        self.request = request
        (path, query) = (target.path, target.query)
        content = request.body.isEmpty ? nil : ContentReader(request)
    }

    /// The decoded path if it differs from the path.
    var decodedPath: String? {
        guard path.utf8.contains(0x25), let decoded = PercentText.decode(path), decoded != path else {
            return nil
        }
        return decoded
    }

    /// The path's segments, each decoded separately, so that an escaped slash separates nothing.
    var segments: [String] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            PercentText.decode(segment) ?? String(segment)
        }
    }

    /// Returns the decoded values of a query parameter.
    func queryValues(_ name: String) -> [String] {
        (query ?? "").split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard PercentText.decode(parts[0], plusIsSpace: true) == name else { return nil }
            return parts.count > 1 ? PercentText.decode(parts[1], plusIsSpace: true) ?? String(parts[1]) : ""
        }
    }

    /// Returns the decoded values of a form field in the content.
    func formValues(_ name: String) -> [String] {
        guard case .form(let fields) = content?.parsed else { return [] }
        return fields.first { $0.name == name }?.values ?? []
    }

    /// Returns the content of a multipart form's parts with a name, as text.
    func partTexts(_ name: String) -> [String] {
        guard case .parts(let parts) = content?.parsed else { return [] }
        return parts.filter { $0.name == name }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// Returns the values at a path of JSON content.
    func jsonTexts(_ path: JSONPath) -> [String] {
        content?.json?.values(at: path.steps[...]).map(\.matchedText) ?? []
    }

    /// The content as text.
    var text: String { content?.text ?? "" }
}

/// Parses a request's content when a condition asks for it, and then for all conditions of all routes.
private final class ContentReader {
    private let request: ServedRequest
    private(set) lazy var parsed = RequestContent(request)
    /// The content as JSON; `nil` if it is not JSON, regardless of its type.
    private(set) lazy var json = JSONValue(content: request.body)
    private(set) lazy var text = String(decoding: request.body, as: UTF8.self)

    init(_ request: ServedRequest) { self.request = request }
}

extension Route {
    /// Returns the parameters in a request's path.
    func parameters(of request: RoutedRequest) -> [String: String] {
        guard case .template(let template) = path else { return [:] }
        return template.parameters(of: request.segments) ?? [:]
    }

    /// Whether the route matches a request, apart from its path.
    func matchesBesidePath(_ request: RoutedRequest) -> Bool {
        let sent = request.request.fields
        return fields.allSatisfy { $0.holds(for: sent.combined($0.name).map { [$0] } ?? []) }
            && matchesBesideFields(request)
    }

    /// Whether the route always gives all clients the same answer and changes nothing.
    var isSteady: Bool {
        fields.isEmpty && credentials == nil && after == nil && until == nil && when.isEmpty && then.isEmpty
            && answers.count == 1 && answers[0].isSteady
    }

    /// Whether the route matches a request, apart from its path and its fields.
    func matchesBesideFields(_ request: RoutedRequest) -> Bool {
        guard methods.isEmpty || methods.contains(request.request.method) else { return false }
        switch query {
        case nil: break
        case .exact(let query): if query != request.query ?? "" { return false }
        case .absent: if request.query != nil { return false }
        case .parameters(let matches):
            guard matches.allSatisfy({ $0.holds(for: request.queryValues($0.name)) }) else { return false }
        }
        return body.allSatisfy { $0.holds(for: request) }
    }
}

extension BodyMatch {
    fileprivate func holds(for request: RoutedRequest) -> Bool {
        switch self {
        case .text(let match): match.holds(for: request.text)
        case .json(let path, let match): NamedMatch("", match).holds(for: request.jsonTexts(path))
        case .form(let match): match.holds(for: request.formValues(match.name))
        case .part(let match): match.holds(for: request.partTexts(match.name))
        }
    }
}
