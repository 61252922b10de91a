internal import HTTPTypes

extension Settling {
    /// Removes all stored responses of an origin that sends `Clear-Site-Data` (W3C Clear Site Data §3.1).
    ///
    /// The field is for user agents, so a shared cache only forwards it. It applies only if the origin is potentially
    /// trustworthy, so that no intermediary can have added it.
    mutating func clearSite(after response: HTTPResponse) {
        let lines = response.headerFields[values: .clearSiteData]
        guard !lines.isEmpty, engine.kind == .private else { return }
        let types = FieldList.members(of: lines) { String(decoding: $0, as: UTF8.self) }
        guard types.contains("\"cache\"") || types.contains("\"*\"") else { return }
        let target = TargetURI(request)
        guard trace.note(.clearSiteTrustworthy, target.isTrustworthy, .named("origin", target.origin)) else {
            return
        }
        trace.note(.clearSiteData, true, .named("removes the stored responses of", target.origin))
        clearsSite = true
        edits.append(.clear(origin: target.origin))
    }
}

extension TargetURI {
    init(_ request: HTTPRequest) {
        self.init(
            scheme: request.scheme ?? "",
            authority: request.authority ?? "",
            pathAndQuery: request.path ?? ""
        )
    }

    /// Whether the origin is potentially trustworthy (W3C Secure Contexts §3.1): https, or this machine.
    var isTrustworthy: Bool {
        if origin.hasPrefix("https://") { return true }
        guard origin.hasPrefix("http://") else { return false }
        let authority = origin.dropFirst(7).split(separator: "@").last ?? ""
        if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
        let host = authority.prefix { $0 != ":" }
        return host == "localhost" || host.hasSuffix(".localhost") || Self.isLoopback(host)
    }

    /// Whether a host is in 127.0.0.0/8, in dotted form.
    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
