import HTTPTypes

/// A response that redirects the client (RFC 9110 §15.4).
struct Redirect {
    private let response: HTTPResponse
    private let location: String

    /// Creates a redirect; `nil` if the response is not one that can be followed.
    init?(_ response: HTTPResponse) {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headerFields[.location], !location.isEmpty
        else { return nil }
        self.response = response
        self.location = location
    }

    /// Returns the request that follows.
    func transaction(after transaction: Transaction) throws(TransportError) -> Transaction {
        let target = try TargetURL(transaction.fullURL)
        let next = try target.resolve(location)
        var following = transaction
        following.request = HTTPRequest(
            next,
            method: method(after: transaction.request.method),
            fields: transaction.request.headerFields
        )
        following.fragment = next.fragment
        following.redirectResponse = response
        if following.request.method != transaction.request.method { Self.dropContent(&following) }
        if let body = following.body, !body.isRepeatable {
            throw TransportError(
                .bodyExhausted,
                "The redirect requires sending the request content again, but the content was a stream."
            )
        }
        // RFC 9110 §15.4: what was meant for one origin must not be sent to another.
        if !next.hasSameOrigin(as: target) { Self.dropCredentials(&following) }
        return following
    }

    /// Returns the next method: POST becomes GET, as is common practice (RFC 9110 §15.4.2, §15.4.3); all but HEAD become
    /// GET for a 303 (RFC 9110 §15.4.4).
    private func method(after method: HTTPRequest.Method) -> HTTPRequest.Method {
        switch response.status.code {
        case 301, 302: method == .post ? .get : method
        case 303: method == .head ? .head : .get
        default: method
        }
    }

    private static func dropContent(_ transaction: inout Transaction) {
        transaction.body = nil
        for name in [
            HTTPField.Name.contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
            .lastModified, .transferEncoding, .digest,
        ] { transaction.request.headerFields[name] = nil }
    }

    private static func dropCredentials(_ transaction: inout Transaction) {
        for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization, .host] {
            transaction.request.headerFields[name] = nil
        }
    }
}

extension HTTPField.Name {
    /// `Host`, which HTTPTypes keeps in the authority.
    static let host = known("Host")
    /// `Digest` of RFC 3230.
    static let digest = known("Digest")

    /// Returns a name that is known to be a token.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a field name") }
        return name
    }
}
