package import HTTPTypes

extension HTTPResponse {
    /// Returns the reason why this response is invalid for `request` as it was sent; `nil` if it is valid.
    ///
    /// A 304 requires a precondition (RFC 9110 §15.4.5) and a 206 requires a Range (RFC 9110 §15.3.7). In response to any
    /// other request they have no representation, or an unknown part of one.
    package func problem(answering request: HTTPRequest) -> String? {
        let fields = request.headerFields
        switch status.code {
        case 304 where !Self.preconditions.contains(where: fields.contains):
            return "The response is a 304 to a request without a precondition."
        case 206 where !fields.contains(.range):
            return "The response is a 206 to a request without Range."
        default: return nil
        }
    }

    private static let preconditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince,
    ]
}

extension PlannedRequest {
    /// The request that goes to the origin.
    package var sentRequest: HTTPRequest {
        switch plan {
        case .validate(let validation): validation.request
        case .complete(let partial): partial.request
        case .forward(let forwarded): forwarded
        case .serve(let reuse): reuse.revalidation?.request ?? request
        case .gatewayTimeout, .unavailable: request
        }
    }

    /// Whether the request that goes to the origin has If-Range, so that a 206 need not have the fields of the
    /// representation (RFC 9110 §15.3.7).
    var asksWithIfRange: Bool { sentRequest.headerFields.contains(.ifRange) }
}
