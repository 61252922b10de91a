internal import HTTPTypes

extension StoredResponse {
    /// The groups of its origin that it belongs to (RFC 9875 §2).
    public var groups: [String] {
        facts.hasGroups ? StructuredField.strings(response.headerFields[values: .cacheGroups]) : []
    }

    /// Scheme and authority of its target URI.
    public var origin: String { Self.origin(of: key.targetURI) }

    /// Returns the scheme and authority of a normalised target URI.
    public static func origin(of targetURI: String) -> String {
        var slashes = 0
        let end = targetURI.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3
        }
        return String(targetURI[..<(end ?? targetURI.endIndex)])
    }
}

extension Settling {
    /// Invalidates the groups of a successful unsafe request (RFC 9875 §2.2, §3).
    mutating func invalidateGroups(after response: HTTPResponse, of target: TargetURI) {
        let named = StructuredField.strings(response.headerFields[values: .cacheGroupInvalidation])
        note(.groupInvalidation, "invalidates the groups", named)
        // Responses invalidated through a group invalidate no further groups, so only those of the target are used.
        let own = Set(planned.stored.flatMap(\.groups)).subtracting(named).sorted()
        note(.groupShared, "invalidates responses that share the groups", own)
        let groups = named + own
        if !groups.isEmpty { edits.append(.invalidateGroups(origin: target.origin, groups)) }
    }

    private mutating func note(_ rule: Rule, _ effect: String, _ groups: [String]) {
        if groups.isEmpty { return }
        trace.note(rule, true, .named(effect, groups.joined(separator: ", ")))
    }
}
