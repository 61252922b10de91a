import HTTPTypes
import OriginScript
import PublicSuite
import WireSyntax

/// A request to a subject outside the process; field values are sent in ISO-8859-1.
struct WireRequest: Sendable {
    var method: String
    /// Absolute URL.
    var url: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]?
    var followsRedirects = true
    /// Whether the request is urgent, so that it precedes others that wait for a permit.
    var isTimed = false
    /// Whether it is one of several concurrent requests, so that it needs no permit.
    var isConcurrent = false
    /// Where its permit is recorded, to be ended when it waits for a script; `nil` for nowhere.
    var permits: ScenarioPermits?
    /// After this time it is abandoned if the subject has responded to later requests; `nil` leaves only the timeout.
    var hangsAfter: Duration?
}

extension WireRequest {
    /// The head of the request; `nil` if its URL or method is malformed.
    var head: HTTPRequest? {
        guard let parts = URLParts(url), let method = HTTPRequest.Method(rawValue: method) else { return nil }
        return HTTPRequest(
            method: method,
            scheme: parts.scheme,
            authority: parts.authority,
            path: parts.target,
            headerFields: HTTPFields(latin1Lines: fields)
        )
    }

    /// Returns the request that a redirect requires; `nil` if it requires none (RFC 9110 §15.4).
    func redirected(by response: SuiteResponse) -> WireRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.field(SuiteFieldName.location), let target = resolve(location)
        else { return nil }
        var next = self
        next.url = target
        let isRewritten =
            response.status == 303 ? method != "HEAD" : response.status < 303 && method == "POST"
        if isRewritten {
            next.method = "GET"
            next.body = nil
            next.fields.removeAll { Self.isAboutContent($0.name.lowercased()) }
        }
        return next
    }

    /// Whether a field, in lower case, describes the content, which is not sent again (RFC 9110 §15.4).
    private static func isAboutContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || name == "digest" || name == HTTPField.Name.lastModified.canonicalName
    }

    /// Returns the URL that a reference leads to, without its fragment (RFC 3986 §5.2.2).
    private func resolve(_ location: String) -> String? {
        guard let base = URLParts(url) else { return nil }
        let reference = String(location.prefix { $0 != "#" })
        let path = base.target.prefix { $0 != "?" }
        if reference.isEmpty { return base.origin + base.target }
        if reference.hasPrefix("?") { return base.origin + path + reference }
        return Self.withoutDotSegments(Self.merged(reference, base, path))
    }

    /// Returns the URL of a reference that has a scheme, an authority or a path.
    private static func merged(_ reference: String, _ base: URLParts, _ path: Substring) -> String {
        if URLParts(reference) != nil { return reference }
        if reference.hasPrefix("//") { return base.scheme + ":" + reference }
        if reference.hasPrefix("/") { return base.origin + reference }
        return base.origin + path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference
    }

    /// Returns a URL without the dot segments of its path (RFC 3986 §5.2.4).
    private static func withoutDotSegments(_ url: String) -> String {
        guard let parts = URLParts(url) else { return url }
        let path = parts.target.prefix { $0 != "?" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return url }
        var kept: [Substring] = []
        for segment in segments where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        // A dot segment at the end means a folder.
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return parts.origin + "/" + kept.joined(separator: "/") + parts.target.dropFirst(path.count)
    }
}
