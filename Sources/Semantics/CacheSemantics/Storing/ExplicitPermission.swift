internal import HTTPTypes

/// The explicit permissions of a response to store it (RFC 9111 §3).
extension CacheEngine {
    /// Whether the response explicitly allows storing.
    func isMarked(_ response: HTTPResponse, _ control: ResponseCacheControl) -> Bool {
        control.isPublic || isExplicitlyFresh(response, control)
            || (kind == .private && control.privateScope != .nothing)
    }

    /// Whether the response has an explicit lifetime; Expires is used if no targeted field applies.
    func isExplicitlyFresh(_ response: HTTPResponse, _ control: ResponseCacheControl) -> Bool {
        let fields = response.headerFields
        return control.maxAge != nil || (kind == .shared && control.sharedMaxAge != nil)
            || (fields.contains(.expires)
                && !targets.contains { TargetedField($0, in: fields) != nil })
    }

    /// Whether a shared cache must not use the response for others, because it sets a cookie and nothing in it permits sharing.
    ///
    /// RFC 9111 §7.3: Set-Cookie does not inhibit caching, so without Cache-Control one user's session could be sent to others.
    func lacksPermissionToShareCookie(
        _ response: HTTPResponse,
        _ control: @autoclosure () -> ResponseCacheControl
    ) -> Bool {
        kind == .shared && response.headerFields.contains(.setCookie) && !isMarked(response, control())
    }

    /// Whether a shared cache must not use a stored response for others for the same reason.
    func lacksPermissionToShareCookie(_ stored: StoredResponse) -> Bool {
        lacksPermissionToShareCookie(stored.response, control(of: stored.facts))
    }
}
